#include "makespan/annealing/annealing_moves.h"

#include "base/checked.h"

#include <string.h>

void wb_annealing_swap(uint32_t *order, size_t a, size_t b)
{
  uint32_t warp = order[a];
  order[a] = order[b];
  order[b] = warp;
}

void wb_annealing_swap_any(struct wb_annealing_evaluation *evaluation, struct wb_random *random)
{
  size_t from, to;
  size_t a = (size_t)wb_annealing_below(random, evaluation->entries);
  wb_annealing_stretch(evaluation, a, &from, &to);
  size_t b = from + (size_t)wb_annealing_below(random, to - from);
  size_t first = a < b ? a : b;
  size_t last = a < b ? b : a;
  wb_annealing_evaluation_open(evaluation, first, last);
  wb_annealing_swap(evaluation->order, first, last);
}

void wb_annealing_rotate(uint32_t *order, size_t first, size_t last, bool to_end)
{
  size_t bytes = (last - first) * sizeof *order;
  uint32_t moved = order[to_end ? first : last];
  if (to_end)
    memmove(order + first, order + first + 1, bytes);
  else
    memmove(order + first + 1, order + first, bytes);
  order[to_end ? last : first] = moved;
}

void wb_annealing_part(uint32_t *order, const uint32_t *saved, size_t count,
                       const struct wb_annealing_group *group, bool to_end)
{
  size_t at = 0;
  for (unsigned pass = 0; pass < 2; pass++) {
    for (size_t k = 0; k < count; k++) {
      const uint32_t warp = saved[k];
      const bool chosen =
          warp >= group->first && warp < group->end && (group->bits >> warp % 64 & 1) != 0;
      if (chosen == ((pass == 0) != to_end))
        order[at++] = warp;
    }
  }
}

enum window_change { SWAP, MOVE, ONE_WARP_LAST, ONE_WARP_FIRST, GROUP_FIRST, CHANGES };

void wb_annealing_change_window(struct wb_annealing_evaluation *evaluation, size_t floor,
                                struct wb_random *random)
{
  size_t end = evaluation->entries;
  if (evaluation->fair.count > 0)
    wb_annealing_stretch(evaluation, (size_t)wb_annealing_below(random, evaluation->entries),
                         &floor, &end);
  /* A window of 2 or more places of floor..end-1, if there are as many: its length is up to a
   * random power of two, so that short and long ones are as frequent, whatever the string's
   * length. */
  size_t places = end - floor;
  unsigned powers = 1;
  while ((places >> powers) > 1)
    powers++;
  uint64_t most = UINT64_C(1) << (1 + wb_annealing_below(random, powers));
  uint64_t length = wb_minimum(2 + wb_annealing_below(random, most), places);
  size_t first = floor + (size_t)wb_annealing_below(random, places - length + 1);
  size_t last = first + (size_t)length - 1;
  wb_annealing_evaluation_open(evaluation, first, last);
  uint64_t dice = wb_random_next(random);
  uint32_t *order = evaluation->order;
  struct wb_annealing_group group = {.end = evaluation->warps, .bits = UINT64_MAX};
  switch ((enum window_change)(dice >> 32) % CHANGES) {
  case SWAP:
    wb_annealing_swap(order, first, last);
    return;
  case MOVE:
    wb_annealing_rotate(order, first, last, dice & 1);
    return;
  case ONE_WARP_LAST:
    group.first = order[first];
    group.end = group.first + 1;
    wb_annealing_part(order + first, evaluation->saved, (size_t)length, &group, true);
    return;
  case ONE_WARP_FIRST:
    group.first = order[last];
    group.end = group.first + 1;
    break;
  default: /* a quarter of the warps, or half of them */
    group.bits = wb_random_next(random);
    if (!(dice & 1))
      group.bits &= wb_random_next(random);
  }
  wb_annealing_part(order + first, evaluation->saved, (size_t)length, &group, false);
}

void wb_annealing_shuffle(struct wb_annealing_evaluation *evaluation, struct wb_random *random)
{
  wb_annealing_evaluation_open(evaluation, 0, evaluation->entries - 1);
  size_t from, to;
  for (size_t at = 0; at < evaluation->entries; at = to) {
    wb_annealing_stretch(evaluation, at, &from, &to);
    for (size_t left = to - from; left > 1; left--)
      wb_annealing_swap(evaluation->order, from + left - 1,
                        from + (size_t)wb_annealing_below(random, left));
  }
}

void wb_annealing_serve_in_turn(struct wb_annealing_evaluation *evaluation, size_t floor)
{
  wb_annealing_evaluation_open(evaluation, floor, evaluation->entries - 1);
  uint32_t *left = evaluation->left;
  memset(left, 0, evaluation->warps * sizeof *left);
  for (size_t k = floor; k < evaluation->entries; k++)
    left[evaluation->order[k]]++;
  for (size_t at = floor; at < evaluation->entries;) {
    for (uint32_t w = 0; w < evaluation->warps; w++) {
      if (left[w] == 0)
        continue;
      evaluation->order[at++] = w;
      left[w]--;
    }
  }
}

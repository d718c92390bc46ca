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

/* Serves the warps for which bit `w % 64` of the group is `wanted` before the others;
 * both keep their order. evaluation->saved holds the window as it was. */
static void put_group_first(struct wb_annealing_evaluation *evaluation, uint64_t group)
{
  size_t count = evaluation->last - evaluation->first + 1;
  uint32_t *order = evaluation->order + evaluation->first;
  size_t at = 0;
  for (size_t k = 0; k < count; k++) {
    if (group >> (evaluation->saved[k] % 64) & 1)
      order[at++] = evaluation->saved[k];
  }
  for (size_t k = 0; k < count && at < count; k++) {
    if (!(group >> (evaluation->saved[k] % 64) & 1))
      order[at++] = evaluation->saved[k];
  }
}

/* One warp's places to the window's front or end. */
static void put_warp(struct wb_annealing_evaluation *evaluation, uint32_t warp, bool to_end)
{
  size_t count = evaluation->last - evaluation->first + 1;
  uint32_t *order = evaluation->order + evaluation->first;
  size_t own = 0;
  for (size_t k = 0; k < count; k++)
    own += evaluation->saved[k] == warp;
  size_t own_at = to_end ? count - own : 0;
  size_t other_at = to_end ? 0 : own;
  for (size_t k = 0; k < count; k++)
    order[evaluation->saved[k] == warp ? own_at++ : other_at++] = evaluation->saved[k];
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
  switch ((enum window_change)(dice >> 32) % CHANGES) {
  case SWAP:
    wb_annealing_swap(evaluation->order, first, last);
    break;
  case MOVE:
    wb_annealing_rotate(evaluation->order, first, last, dice & 1);
    break;
  case ONE_WARP_LAST:
    put_warp(evaluation, evaluation->order[first], true);
    break;
  case ONE_WARP_FIRST:
    put_warp(evaluation, evaluation->order[last], false);
    break;
  default: { /* a quarter of the warps, or half of them */
    uint64_t group = wb_random_next(random);
    put_group_first(evaluation, dice & 1 ? group : group & wb_random_next(random));
  }
  }
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

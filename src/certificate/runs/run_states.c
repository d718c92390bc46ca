#include "certificate/runs/run_states.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>

/* From cells[room] and sums[room] of the segments after one to those with that segment too: n warps
 * in it have n * spare + 1 values of the surplus, spare = length - 1, so new[room] = sum over n of
 * (n * spare + 1) * cells[room - n] = sums[room] + spare * (sums[0] + .. + sums[room - 1]), for
 * cells[k] is counted room - k times among the sums before sums[room]. The arrays may be the same
 * as the new ones. False where a number exceeds 64 bits. */
static bool add_segment(uint64_t spare, uint32_t warps, const uint64_t *sums, uint64_t *new_cells,
                        uint64_t *new_sums)
{
  uint64_t before = 0;
  uint64_t sum = 0;
  for (uint32_t room = 0; room <= warps; room++) {
    uint64_t after = sums[room];
    uint64_t more;
    if (!wb_multiply(spare, before, &more) || !wb_add(after, more, &new_cells[room]) ||
        !wb_add(sum, new_cells[room], &sum) || !wb_add(before, after, &before))
      return false;
    new_sums[room] = sum;
  }
  return true;
}

warpbound_status wb_check_run_states_total(const uint32_t *lengths, size_t count, uint32_t warps,
                                           uint64_t *total, bool *fits, warpbound_error *error)
{
  struct wb_arena arena = {0};
  uint64_t *cells = wb_arena_array(&arena, uint64_t, (size_t)warps + 1);
  uint64_t *sums = wb_arena_array(&arena, uint64_t, (size_t)warps + 1);
  const bool memory = !arena.failed;
  *fits = true;
  if (memory) {
    /* After the last segment: one state, in which all warps have ended. */
    for (uint32_t room = 0; room <= warps; room++) {
      cells[room] = 1;
      sums[room] = (uint64_t)room + 1;
    }
    for (size_t r = count; *fits && r > 0; r--)
      *fits = add_segment(lengths[r - 1] - 1, warps, sums, cells, sums);
    *total = cells[warps];
  }
  wb_arena_free(&arena);
  return memory ? WARPBOUND_OK : wb_out_of_memory(error);
}

bool wb_check_run_states_bytes(size_t count, uint32_t warps, uint64_t *bytes)
{
  uint64_t levels;
  return wb_multiply(count, warps, &levels) &&
         wb_multiply(((uint64_t)count + 3) * sizeof(uint64_t), (uint64_t)warps + 1, bytes) &&
         wb_multiply(*bytes, levels + 1, bytes);
}

static uint64_t *cells_of(const struct wb_check_run_states *states, size_t r, uint64_t room)
{
  return states->cells + (r * ((size_t)states->warps + 1) + (size_t)room) * (size_t)states->levels;
}

/* Counts the states of segment r and later from those of the segments after it. With f(n) the
 * states that have n warps in it, but for its surplus, g the levels of each, and `spare` its length
 * less one there are sum over n of f(n) + spare * sum over n of n f(n) states. With one warp set
 * aside the first sum is f(0) plus that of one warp and g levels less, and the second both of
 * these. sums: the two, for each room and level. Nothing overflows where the total does not. */
static void count_segment(struct wb_check_run_states *states, size_t r, uint64_t *sums)
{
  uint64_t levels = states->levels, gap = states->count - r, spare = states->lengths[r] - 1;
  uint64_t *weighted = sums + ((size_t)states->warps + 1) * (size_t)levels;
  for (uint32_t room = 0; room <= states->warps; room++) {
    const uint64_t *after = cells_of(states, r + 1, room);
    uint64_t *cells = cells_of(states, r, room);
    for (uint64_t v = 0; v < levels; v++) {
      uint64_t at = room * levels + v;
      bool one = room > 0 && v >= gap;
      uint64_t before = one ? at - levels - gap : 0;
      sums[at] = after[v] + (one ? sums[before] : 0);
      weighted[at] = one ? sums[before] + weighted[before] : 0;
      cells[v] = sums[at] + spare * weighted[at];
    }
  }
}

warpbound_status wb_check_run_states_make(struct wb_check_run_states *states,
                                          const uint32_t *lengths, size_t count, uint32_t warps,
                                          warpbound_error *error)
{
  size_t columns = (size_t)warps + 1;
  *states = (struct wb_check_run_states){
      .lengths = lengths, .count = count, .warps = warps, .levels = (uint64_t)count * warps + 1};
  states->cells =
      wb_allocate((count + 1) * columns, (size_t)states->levels * sizeof *states->cells);
  uint64_t *sums = wb_allocate(2 * columns, (size_t)states->levels * sizeof *sums);
  bool made = states->cells != NULL && sums != NULL;
  for (uint32_t room = 0; made && room <= warps; room++)
    cells_of(states, count, room)[0] = 1;
  for (size_t r = count; made && r > 0; r--)
    count_segment(states, r - 1, sums);
  free(sums);
  return made ? WARPBOUND_OK : wb_out_of_memory(error);
}

void wb_check_run_states_free(struct wb_check_run_states *states)
{
  free(states->cells);
  *states = (struct wb_check_run_states){0};
}

uint64_t wb_check_run_states_cells(const struct wb_check_run_states *states, uint64_t level)
{
  return cells_of(states, 0, states->warps)[level];
}

uint64_t wb_check_run_states_level(const struct wb_check_run_states *states,
                                   const struct wb_check_run_group *groups, size_t count)
{
  uint64_t level = 0;
  for (size_t i = 0; i < count; i++)
    level += groups[i].warps * (states->count - groups[i].segment);
  return level;
}

/* The classes before this one fall apart by the first segment in which they differ, in
 * which they have fewer warps: in the segments before it they have the surpluses of this
 * class, after it any of the level that is left. Where this class has no warps, none
 * has fewer. */
uint64_t wb_check_run_states_place(const struct wb_check_run_states *states,
                                   struct wb_check_run_group *groups, size_t count)
{
  uint64_t first = 0;
  uint64_t values = 1;
  uint64_t room = states->warps;
  uint64_t level = wb_check_run_states_level(states, groups, count);
  for (size_t i = 0; i < count; i++) {
    size_t r = groups[i].segment;
    uint64_t gap = states->count - r;
    for (uint64_t n = 0; n < groups[i].warps; n++)
      first += values * wb_check_run_states_values(states, r, n) *
               cells_of(states, r + 1, room - n)[level - n * gap];
    values *= wb_check_run_states_values(states, r, groups[i].warps);
    room -= groups[i].warps;
    level -= groups[i].warps * gap;
  }
  uint64_t stride = 1;
  for (size_t i = count; i > 0; i--) {
    groups[i - 1].stride = stride;
    stride *= wb_check_run_states_values(states, groups[i - 1].segment, groups[i - 1].warps);
  }
  return first;
}

/* Adds `warps` warps that each have `exits` segments to leave, where there are any. */
static void add_group(const struct wb_check_run_states *states, uint64_t exits, uint64_t warps,
                      struct wb_check_run_group *groups, size_t *count)
{
  if (exits > 0 && warps > 0)
    groups[(*count)++] =
        (struct wb_check_run_group){.segment = states->count - (size_t)exits, .warps = warps};
}

/* Adds warps that have `sum` segments to leave in all, none more than `most`, the first as
 * many as possible. */
static void add_groups(const struct wb_check_run_states *states, uint64_t most, uint64_t sum,
                       struct wb_check_run_group *groups, size_t *count)
{
  add_group(states, most, sum / most, groups, count);
  add_group(states, sum % most, 1, groups, count);
}

void wb_check_run_states_first(const struct wb_check_run_states *states, uint64_t level,
                               struct wb_check_run_group *groups, size_t *count)
{
  *count = 0;
  add_groups(states, states->count, level, groups, count);
}

/* A level's classes are the lists of one number for each warp, how many segments it leaves,
 * largest first, with the level as their sum; here they come in descending lexicographic
 * order. The next list has its first difference as late as possible: the last
 * number that can be one smaller while it and those after it, none larger than it, keep
 * their sum. Of equal numbers that is the last or none of them: with `places` numbers
 * after them that make up `tail`, number e can be e - 1 iff tail + e <= (e - 1)
 * (places + 1), which is tail + 1 <= (e - 1) places; each further e taken along adds
 * one to the left side and nothing to the right. */
bool wb_check_run_states_next(const struct wb_check_run_states *states,
                              struct wb_check_run_group *groups, size_t *count)
{
  uint64_t tail = 0;
  uint64_t places = states->warps;
  for (size_t i = 0; i < *count; i++)
    places -= groups[i].warps;
  for (size_t i = *count; i > 0; i--) {
    struct wb_check_run_group *group = &groups[i - 1];
    uint64_t exits = states->count - group->segment;
    if (tail + 1 <= (exits - 1) * places) {
      group->warps--;
      *count = group->warps > 0 ? i : i - 1;
      add_groups(states, exits - 1, tail + exits, groups, count);
      return true;
    }
    tail += exits * group->warps;
    places += group->warps;
  }
  return false;
}

bool wb_check_run_states_is_class(const struct wb_check_run_states *states,
                                  const struct wb_check_run_group *groups, size_t count)
{
  uint64_t warps = 0;
  bool right = true;
  for (size_t i = 0; i < count; i++) {
    right = right && groups[i].segment < states->count && groups[i].warps > 0 &&
            (i == 0 || groups[i].segment > groups[i - 1].segment);
    warps += groups[i].warps;
  }
  return right && warps <= states->warps;
}

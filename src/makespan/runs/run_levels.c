#include "makespan/runs/run_levels.h"

#include "base/checked.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

/* A move takes at most so many warps from their runs: the capacities of the types used. */
static uint64_t most_exits(const struct wb_problem *problem)
{
  uint64_t sum = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (problem->string.count[u] > 0)
      sum += wb_minimum(problem->capacity[u], problem->warps);
  }
  return wb_minimum(wb_minimum(sum, problem->issue_slots), problem->warps);
}

bool wb_run_levels_plan(const struct wb_problem *problem, struct wb_run_cut cut, uint64_t memory,
                        uint64_t *bytes, uint64_t *states)
{
  const size_t columns = (size_t)problem->warps + 1;
  uint64_t square, levels;
  if (!wb_multiply(columns, columns, &square) ||
      !wb_multiply(square, cut.count * sizeof(uint64_t), bytes) ||
      !wb_multiply(columns, 2 * cut.count * sizeof(uint64_t), &levels) ||
      !wb_add(*bytes, levels, bytes) || *bytes > memory)
    return false;
  uint64_t *ways = wb_allocate(2 * columns, sizeof *ways);
  if (ways == NULL)
    return false;
  bool fits = true;
  for (size_t m = 0; m < 2 * columns; m++)
    ways[m] = 1;
  /* One more run in front: ways[room] and cells[room] of at most `room` warps. */
  uint64_t *cells = ways + columns;
  for (size_t r = cut.count; fits && r-- > 0; fits = fits && ways[problem->warps] <= UINT32_MAX) {
    for (size_t room = columns; fits && room-- > 0;) {
      uint64_t sum = 0, all = 0;
      for (size_t n = 0; fits && n <= room; n++) {
        uint64_t part;
        fits = wb_multiply(n, cut.runs[r].length - 1, &part) &&
               wb_multiply(part + 1, cells[room - n], &part) && wb_add(all, part, &all) &&
               wb_add(sum, ways[room - n], &sum);
      }
      ways[room] = sum;
      cells[room] = all;
    }
  }
  if (fits) {
    *states = cells[problem->warps];
    fits = wb_add(*bytes, ways[problem->warps] * (sizeof(uint64_t) + sizeof(uint32_t)), bytes);
  }
  free(ways);
  return fits && *bytes <= memory;
}

bool wb_run_levels_kept(const struct wb_problem *problem, struct wb_run_cut cut, bool whole,
                        uint64_t states, uint64_t memory, uint64_t *window, uint64_t *cells)
{
  uint64_t warps = problem->warps, levels = cut.count * warps + 1, bytes;
  *window = whole ? levels : wb_minimum(most_exits(problem) + 1, levels);
  *cells = states;
  if (*window == levels)
    return true;
  if (!wb_multiply((warps + 1) * 3 * sizeof(uint64_t), levels, &bytes) || bytes > memory)
    return false;
  uint64_t *counts = wb_allocate(3 * (size_t)levels, ((size_t)warps + 1) * sizeof *counts);
  if (counts == NULL)
    return false;
  counts[0] = 1;
  uint64_t all = (warps + 1) * levels;
  /* One run after the other, in front of those counted: counts[w * levels + v] are the states of w
   * warps and level v, of which `gap` more for each warp of the run. Of the states with n warps in
   * it, leaving out its surplus, `sums` has the sum over n and `weighted` that of n times as many;
   * both come from those with one warp less. */
  uint64_t *sums = counts + all, *weighted = sums + all;
  for (size_t r = cut.count; r-- > 0;) {
    const uint64_t gap = cut.count - r;
    for (uint64_t w = 0; w <= warps; w++) {
      for (uint64_t v = 0; v < levels; v++) {
        const uint64_t at = w * levels + v;
        const bool one = w > 0 && v >= gap;
        sums[at] = counts[at] + (one ? sums[at - levels - gap] : 0);
        weighted[at] = one ? sums[at - levels - gap] + weighted[at - levels - gap] : 0;
      }
    }
    for (uint64_t at = 0; at < all; at++)
      counts[at] = sums[at] + (cut.runs[r].length - 1) * weighted[at];
  }
  /* The places of the ring, each for the largest level that comes to it. */
  *cells = 0;
  for (uint64_t place = 0; place < *window; place++) {
    uint64_t most = 0;
    for (uint64_t v = place; v < levels; v += *window) {
      uint64_t sum = 0;
      for (uint64_t w = 0; w <= warps; w++)
        sum += counts[w * levels + v];
      most = wb_maximum(most, sum);
    }
    *cells += most;
  }
  free(counts);
  return true;
}

/* below from the last run on; blocks in all. */
static void number_blocks(struct wb_run_levels *levels)
{
  const size_t columns = (size_t)levels->warps + 1;
  for (size_t r = levels->run_count; r-- > 0;) {
    for (uint32_t room = 0; room <= levels->warps; room++) {
      uint64_t *below = levels->below + (r * columns + room) * columns;
      uint64_t sum = 0;
      for (uint32_t n = 0; n <= room; n++) {
        /* Of the ways with n in run r: the one with all the rest in the next, and those with fewer
         * there. */
        below[n] = sum++;
        if (r + 1 < levels->run_count)
          sum += wb_run_levels_below(levels, r + 1, room - n)[room - n];
      }
    }
  }
  levels->blocks = wb_run_levels_below(levels, 0, levels->warps)[levels->warps] + 1;
}

void wb_run_levels_inside(const struct wb_run_levels *levels, uint32_t block, uint32_t *inside)
{
  uint32_t room = levels->warps;
  uint64_t rest = block;
  for (size_t r = 0; r < levels->run_count; r++) {
    const uint64_t *below = wb_run_levels_below(levels, r, room);
    uint32_t n = 0;
    while (n < room && below[n + 1] <= rest)
      n++;
    inside[r] = n;
    rest -= below[n];
    room -= n;
  }
}

/* Level, cells and warps of a block. */
static size_t measure(const struct wb_run_levels *levels, uint32_t block, uint32_t *inside,
                      uint64_t *cells)
{
  size_t level = 0;
  *cells = 1;
  wb_run_levels_inside(levels, block, inside);
  for (size_t r = 0; r < levels->run_count; r++) {
    level += inside[r] * (levels->run_count - r);
    *cells *= wb_run_levels_extent(levels, r, inside[r]);
  }
  return level;
}

bool wb_run_levels_are_valid(const struct wb_run_levels *levels)
{
  uint32_t *inside = wb_allocate(levels->run_count, sizeof *inside);
  if (inside == NULL)
    return true; /* it cannot be told */
  bool valid = levels->level_start[0] == 0 && levels->level_start[levels->levels] == levels->blocks;
  for (size_t v = 0; valid && v < levels->levels; v++) {
    uint64_t next = 0;
    valid = levels->level_start[v] <= levels->level_start[v + 1];
    for (uint64_t i = levels->level_start[v]; valid && i < levels->level_start[v + 1]; i++) {
      uint64_t cells = 0;
      uint32_t block = levels->by_level[i];
      uint32_t room = levels->warps;
      const bool placed = measure(levels, block, inside, &cells) == v;
      uint64_t rank = 0;
      for (size_t r = 0; r < levels->run_count; r++) {
        rank += wb_run_levels_below(levels, r, room)[inside[r]];
        room -= inside[r];
      }
      valid = placed && rank == block && levels->first[block] == next &&
              (i == levels->level_start[v] || levels->by_level[i - 1] < block);
      next += cells;
    }
    valid = valid && levels->level_cells[v] == next;
  }
  free(inside);
  return valid;
}

warpbound_status wb_run_levels_start(struct wb_run_levels *levels, const struct wb_problem *problem,
                                     struct wb_run_cut cut, bool whole, warpbound_error *error)
{
  size_t columns = (size_t)problem->warps + 1;
  *levels = (struct wb_run_levels){.problem = problem,
                                   .runs = cut.runs,
                                   .run_count = cut.count,
                                   .warps = problem->warps,
                                   .levels = cut.count * problem->warps + 1};
  levels->window =
      whole ? levels->levels : (size_t)wb_minimum(most_exits(problem) + 1, levels->levels);
  struct wb_arena *arena = &levels->arena;
  levels->axes = wb_arena_array(arena, size_t, cut.count);
  levels->below = wb_arena_array(arena, uint64_t, cut.count * columns * columns);
  uint32_t *inside = wb_allocate(cut.count, sizeof *inside);
  bool made = !arena->failed && inside != NULL;
  if (made) {
    /* As an insertion sort: shorter runs first, of equals the first. */
    for (size_t r = 0; r < levels->run_count; r++) {
      if (levels->runs[r].length == 1)
        continue;
      size_t a = levels->axis_count++;
      for (; a > 0 && levels->runs[levels->axes[a - 1]].length > levels->runs[r].length; a--)
        levels->axes[a] = levels->axes[a - 1];
      levels->axes[a] = r;
    }
    number_blocks(levels);
    levels->first = wb_arena_array(arena, uint64_t, (size_t)levels->blocks);
    levels->by_level = wb_arena_array(arena, uint32_t, (size_t)levels->blocks);
    levels->level_start = wb_arena_array(arena, uint64_t, levels->levels + 1);
    levels->level_cells = wb_arena_array(arena, uint64_t, levels->levels);
    made = !arena->failed;
  }
  if (made) {
    /* Places every block in its level, then sorts blocks by level. */
    uint64_t cells;
    for (uint64_t block = 0; block < levels->blocks; block++) {
      size_t level = measure(levels, (uint32_t)block, inside, &cells);
      levels->first[block] = levels->level_cells[level];
      levels->level_cells[level] += cells;
      levels->level_start[level + 1]++;
    }
    for (size_t v = 0; v < levels->levels; v++)
      levels->level_start[v + 1] += levels->level_start[v];
    for (uint64_t block = 0; block < levels->blocks; block++) {
      size_t level = measure(levels, (uint32_t)block, inside, &cells);
      levels->by_level[levels->level_start[level]++] = (uint32_t)block;
    }
    for (size_t v = levels->levels; v > 0; v--) /* each start has moved to the next one */
      levels->level_start[v] = levels->level_start[v - 1];
    levels->level_start[0] = 0;
  }
  assert(!made || wb_run_levels_are_valid(levels));
  free(inside);
  return made ? WARPBOUND_OK : wb_out_of_memory(error);
}

void wb_run_levels_free(struct wb_run_levels *levels)
{
  wb_arena_free(&levels->arena);
  *levels = (struct wb_run_levels){0};
}

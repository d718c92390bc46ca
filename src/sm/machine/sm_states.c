#include "sm/machine/sm_states.h"

#include "base/checked.h"
#include "base/hash.h"

#include <string.h>

bool wb_sm_layout_start(struct wb_sm_layout *layout, const struct wb_sm_problem *problem,
                        struct wb_arena *arena)
{
  const uint32_t partitions = (uint32_t)wb_minimum(problem->partitions, problem->block_warps);
  *layout = (struct wb_sm_layout){.warps = wb_sm_problem_warps(problem),
                                  .blocks = problem->blocks,
                                  .block_warps = problem->block_warps,
                                  .partitions = partitions,
                                  .wide = problem->block_warps % partitions};
  const size_t cells = (size_t)problem->blocks * partitions;
  layout->keys = wb_arena_array(arena, uint64_t, cells);
  layout->rows = wb_arena_array(arena, uint64_t, problem->blocks);
  layout->columns = wb_arena_array(arena, uint64_t, partitions);
  for (uint32_t p = 0; p < partitions; p++)
    layout->begin[p + 1] =
        layout->begin[p] + problem->block_warps / partitions + (p < layout->wide);
  return !arena->failed;
}

uint32_t wb_sm_layout_place(const struct wb_sm_layout *layout, uint32_t warp)
{
  const uint32_t within = warp % layout->block_warps;
  return warp - within + layout->begin[within % layout->partitions] + within / layout->partitions;
}

/* ---- the warps of a cell ---- */

static void sort_cell(uint16_t *state, uint32_t *names, uint32_t begin, uint32_t end)
{
  for (uint32_t i = begin + 1; i < end; i++) {
    const uint16_t class = state[i];
    const uint32_t name = names != NULL ? names[i] : 0;
    uint32_t at = i;
    for (; at > begin && state[at - 1] > class; at--) {
      state[at] = state[at - 1];
      if (names != NULL)
        names[at] = names[at - 1];
    }
    state[at] = class;
    if (names != NULL)
      names[at] = name;
  }
}

static void exchange(uint16_t *state, uint32_t *names, uint32_t a, uint32_t b, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const uint16_t class = state[a + i];
    state[a + i] = state[b + i];
    state[b + i] = class;
    if (names == NULL)
      continue;
    const uint32_t name = names[a + i];
    names[a + i] = names[b + i];
    names[b + i] = name;
  }
}

/* ---- partitions ---- */

/* Partitions from..to - 1, which have as many warps, in order of their keys. */
static void sort_columns(struct wb_sm_layout *layout, uint16_t *state, uint32_t *names,
                         uint32_t from, uint32_t to)
{
  for (uint32_t p = from + 1; p < to; p++) {
    for (uint32_t q = p; q > from && layout->columns[q - 1] > layout->columns[q]; q--) {
      const uint64_t key = layout->columns[q];
      layout->columns[q] = layout->columns[q - 1];
      layout->columns[q - 1] = key;
      const uint32_t count = layout->begin[q + 1] - layout->begin[q];
      for (uint32_t block = 0; block < layout->warps; block += layout->block_warps)
        exchange(state, names, block + layout->begin[q - 1], block + layout->begin[q], count);
    }
  }
}

void wb_sm_layout_settle(struct wb_sm_layout *layout, uint16_t *state, uint32_t *names)
{
  for (uint32_t b = 0; b < layout->blocks; b++) {
    const uint32_t block = b * layout->block_warps;
    for (uint32_t p = 0; p < layout->partitions; p++)
      sort_cell(state, names, block + layout->begin[p], block + layout->begin[p + 1]);
  }
  if (layout->partitions > 1) {
    /* A key of each partition from what its cells and the blocks that they are of hold, in whatever
     * order these stand. */
    memset(layout->rows, 0, layout->blocks * sizeof *layout->rows);
    memset(layout->columns, 0, layout->partitions * sizeof *layout->columns);
    for (uint32_t b = 0; b < layout->blocks; b++) {
      for (uint32_t p = 0; p < layout->partitions; p++) {
        uint64_t key = 1;
        for (uint32_t i = layout->begin[p]; i < layout->begin[p + 1]; i++)
          key = wb_hash_word(key, state[(size_t)b * layout->block_warps + i]);
        layout->keys[(size_t)b * layout->partitions + p] = key;
        layout->rows[b] += key;
      }
    }
    for (uint32_t b = 0; b < layout->blocks; b++) {
      for (uint32_t p = 0; p < layout->partitions; p++)
        layout->columns[p] +=
            wb_hash_word(layout->keys[(size_t)b * layout->partitions + p], layout->rows[b]);
    }
    sort_columns(layout, state, names, 0, layout->wide);
    sort_columns(layout, state, names, layout->wide, layout->partitions);
  }
  const uint32_t size = layout->block_warps;
  for (uint32_t b = 1; b < layout->blocks; b++) {
    for (uint32_t here = b * size; here > 0; here -= size) {
      if (memcmp(state + here - size, state + here, size * sizeof *state) <= 0)
        break;
      exchange(state, names, here - size, here, size);
    }
  }
}

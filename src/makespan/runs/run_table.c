#include "makespan/runs/run_table.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>

/* Cuts whose blocks take more than this, and than the memory allowed, are not counted. */
#define COUNTED_BYTES (UINT64_C(1) << 26)

uint64_t wb_run_table_plan(const struct wb_problem *problem,
                           const struct wb_run_table_options *options, uint64_t memory,
                           uint64_t *needed)
{
  *needed = UINT64_MAX;
  uint64_t counted = wb_maximum(memory, COUNTED_BYTES);
  uint64_t bytes, window, cells, states;
  if (!wb_run_levels_plan(problem, options->cut, counted, &bytes, &states) ||
      !wb_run_levels_kept(problem, options->cut, options->whole, states, counted, &window,
                          &cells) ||
      !wb_add(cells, 2 * WB_RUN_LEVEL_PAD * window, &cells) ||
      !wb_multiply(cells, options->most >= UINT8_MAX ? 2 : 1, &cells) ||
      !wb_add(bytes, cells, &bytes))
    return 0;
  *needed = bytes;
  return *needed <= memory ? states : 0;
}

warpbound_status wb_run_table_start(struct wb_run_table *table, const struct wb_problem *problem,
                                    const struct wb_run_table_options *options,
                                    warpbound_error *error)
{
  *table = (struct wb_run_table){.problem = problem,
                                 .run_count = options->cut.count,
                                 .runs = options->cut.runs,
                                 .warps = problem->warps};
  /* Cells of two bytes where some value of use does not fit into one. */
  table->cells = (struct wb_run_level_cells){.wide = options->most >= UINT8_MAX};
  if (!wb_run_levels_plan(problem, options->cut, UINT64_MAX, &table->bytes, &table->states))
    return wb_out_of_memory(error);
  warpbound_status status =
      wb_run_levels_start(&table->cells.levels, problem, options->cut, options->whole, error);
  if (status != WARPBOUND_OK)
    return status;
  table->makespan = wb_allocate((size_t)table->warps + 1, sizeof *table->makespan);
  table->cells.ring = wb_allocate(table->cells.levels.window, sizeof *table->cells.ring);
  bool made = table->makespan != NULL && table->cells.ring != NULL;
  for (size_t v = 0; made && v < table->cells.levels.window; v++) {
    /* Cells of a level's place in the ring, in bytes, with what is around them. */
    const struct wb_run_levels *levels = &table->cells.levels;
    uint64_t bytes, most = 0;
    for (size_t level = v; level < levels->levels; level += levels->window)
      most = wb_maximum(most, levels->level_cells[level]);
    made = wb_add(most, 2 * WB_RUN_LEVEL_PAD, &bytes) &&
           wb_multiply(bytes, table->cells.wide ? 2 : 1, &bytes) && bytes <= SIZE_MAX;
    table->cells.ring[v] = made ? wb_allocate((size_t)bytes, 1) : NULL;
    made = made && table->cells.ring[v] != NULL;
    table->bytes += made ? bytes : 0;
  }
  return made ? WARPBOUND_OK : wb_out_of_memory(error);
}

void wb_run_table_free(struct wb_run_table *table)
{
  for (size_t v = 0; table->cells.ring != NULL && v < table->cells.levels.window; v++)
    free(table->cells.ring[v]);
  free(table->cells.ring);
  free(table->makespan);
  wb_run_levels_free(&table->cells.levels);
  *table = (struct wb_run_table){0};
}

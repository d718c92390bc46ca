/* The run abstraction's longest paths: for every abstract state the cycles to the end, or
 * for those alone that a launch begins in. */
#ifndef WB_MAKESPAN_RUNS_RUN_TABLE_H
#define WB_MAKESPAN_RUNS_RUN_TABLE_H

#include "base/work_control.h"
#include "makespan/runs/run_levels.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The table to compute. */
struct wb_run_table_options {
  struct wb_run_cut cut; /* of the string into runs */
  bool whole; /* every state is kept, else only those of 1 .. W warps before the first run, in far
                 less memory */
  uint64_t most; /* cycles: values above it are of no use */
};

/* A table. Owns its arrays; borrows the problem and the cut. */
struct wb_run_table {
  const struct wb_problem *problem;
  size_t run_count;
  const struct wb_run *runs; /* of the cut */
  uint32_t warps;
  uint64_t states;                 /* that the sweep decides */
  uint64_t bytes;                  /* that it takes */
  struct wb_run_level_cells cells; /* the states kept */
  uint64_t *makespan; /* by number of warps: the longest path from before the first run, in cycles;
                         UINT64_MAX beyond the cells */
};

/* The states to decide, if all that the work needs fits in `memory` bytes, else 0; *needed
 * says how many bytes, UINT64_MAX where they were not counted to the end. */
uint64_t wb_run_table_plan(const struct wb_problem *problem,
                           const struct wb_run_table_options *options, uint64_t memory,
                           uint64_t *needed);

/* Makes room for what the plan found to fit. Errors: WARPBOUND_INTERNAL. Free with
 * wb_run_table_free, also after an error. */
warpbound_status wb_run_table_start(struct wb_run_table *table, const struct wb_problem *problem,
                                    const struct wb_run_table_options *options,
                                    warpbound_error *error);
void wb_run_table_free(struct wb_run_table *table);

/* Fills the table on control->threads threads; the values do not depend on how many.
 * *stop and *done (states decided) say how it ended; the values are there with
 * WB_STOP_NONE alone. Errors: WARPBOUND_INTERNAL. Time: the states times the moves of
 * each, in vectors of 16 bytes. */
warpbound_status wb_run_table_fill(struct wb_run_table *table, const struct wb_control *control,
                                   enum wb_stop *stop, uint64_t *done, warpbound_error *error);

/* The value of the state with inside[r] warps in run r that need pending[r] more of it; a
 * value of wb_run_level_most or more is told as that. Of a table that was filled whole. */
static inline uint32_t wb_run_table_value(const struct wb_run_table *table, const uint32_t *inside,
                                          const uint64_t *pending)
{
  const struct wb_run_levels *levels = &table->cells.levels;
  size_t level = 0;
  uint64_t block = 0, cell = 0;
  uint32_t room = table->warps;
  for (size_t r = 0; r < table->run_count; r++) {
    block += wb_run_levels_below(levels, r, room)[inside[r]];
    level += inside[r] * (table->run_count - r);
    room -= inside[r];
  }
  for (size_t a = 0; a < levels->axis_count; a++) {
    size_t r = levels->axes[a];
    cell = cell * wb_run_levels_extent(levels, r, inside[r]) + (pending[r] - inside[r]);
  }
  return wb_run_level_value(&table->cells, level, levels->first[block] + cell);
}

/* Whether cycles that are left, by the table, may be `least` or more. */
static inline bool wb_run_table_may_reach(const struct wb_run_table *table, uint32_t value,
                                          uint64_t least)
{
  return value >= least || value == wb_run_level_most(table->cells.wide);
}

#endif

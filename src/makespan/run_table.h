/* The table of the run abstraction: for every abstract state the longest path to the
 * end. */
#ifndef WB_MAKESPAN_RUN_TABLE_H
#define WB_MAKESPAN_RUN_TABLE_H

#include "base/control.h"
#include "makespan/value_table.h"
#include "model/problem.h"

#include <stddef.h>
#include <stdint.h>

/* How a string is cut into runs: stretches of one type, together the string. Those of
 * the string itself are maximal; a finer cut gives a tighter table. Borrowed. */
struct wb_run_cut {
  const struct wb_run *runs;
  size_t count;
};

/* The string's own runs. */
static inline struct wb_run_cut wb_run_cut_of(const struct wb_problem *problem)
{
  return (struct wb_run_cut){problem->string.runs, problem->string.run_count};
}

/* States are ranked in lexicographic order of (n[0], b[0]), (n[1], b[1]), ... with
 * room = W - n[0] - ... - n[r-1] warps left for run r and later:
 *   count[r][room]      states of the runs r.. with at most `room` warps in them
 *   offset[r][room][n]  those of them with fewer than n warps in run r
 * so that a rank is the sum over r of offset[r][room][n] + (b - n) * count[r+1][room-n].
 * A move takes warps only forward, so the first run it changes falls in this order,
 * and every successor has a lower rank. Owns its arrays; borrows the problem and the cut. */
struct wb_run_table {
  const struct wb_problem *problem;
  size_t run_count;
  const struct wb_run *runs;
  uint32_t warps;
  uint64_t states;
  uint64_t *count;
  uint64_t *offset;
  struct wb_value_table values;
};

/* What one run does in one cycle: `issues` of its warps issue, `exits` of these
 * their last instruction of the run. */
struct wb_run_move {
  uint32_t issues;
  uint32_t exits;
};

/* Cells that the table would have if all of it fits in `memory` bytes, else 0;
 * *needed says how many bytes, UINT64_MAX where they were not counted to the end. */
uint64_t wb_run_table_plan(const struct wb_problem *problem, struct wb_run_cut cut, uint64_t memory,
                           uint64_t *needed);

/* Makes room for the cells that the plan gave. Errors: WARPBOUND_INTERNAL. Free
 * with wb_run_table_free, also after an error. */
warpbound_status wb_run_table_start(struct wb_run_table *table, const struct wb_problem *problem,
                                    struct wb_run_cut cut, uint64_t states, warpbound_error *error);
void wb_run_table_free(struct wb_run_table *table);

/* Fills the table on control->threads threads; the values do not depend on how many.
 * *stop and *done (cells decided) say how it ended. Errors: WARPBOUND_INTERNAL.
 * Time: for each row of states that differ in the last run's b alone, the moves of
 * the runs before times the row's length, the latter vectorised. */
warpbound_status wb_run_table_fill(struct wb_run_table *table, const struct wb_control *control,
                                   enum wb_stop *stop, uint64_t *done, warpbound_error *error);

static inline const uint64_t *wb_run_counts(const struct wb_run_table *table, size_t run)
{
  return table->count + run * ((size_t)table->warps + 1);
}

static inline const uint64_t *wb_run_offsets(const struct wb_run_table *table, size_t run,
                                             uint32_t room)
{
  size_t columns = (size_t)table->warps + 1;
  return table->offset + (run * columns + room) * columns;
}

/* The part of a rank that run r makes, with n warps inside it that need b more and
 * `room` warps left for it and the runs behind. */
static inline uint64_t wb_run_rank_part(const struct wb_run_table *table, size_t r, uint32_t room,
                                        uint32_t n, uint64_t b)
{
  return wb_run_offsets(table, r, room)[n] + (b - n) * wb_run_counts(table, r + 1)[room - n];
}

/* The fewest and most of x issuing warps that can leave a run of `length`
 * instructions in which n warps need b more in all. */
static inline void wb_run_exits(uint64_t length, uint64_t n, uint64_t b, uint32_t x,
                                uint32_t *least, uint32_t *most)
{
  *least = n + x > b ? (uint32_t)(n + x - b) : 0;
  *most = x;
  if (length > 1 && (n * length - b) / (length - 1) < x)
    *most = (uint32_t)((n * length - b) / (length - 1));
}

/* The longest path of w warps that stand before the first run. */
uint64_t wb_run_table_makespan(const struct wb_run_table *table, uint32_t w);

#endif

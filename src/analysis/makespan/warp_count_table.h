/* What is known of T(y) for every y up to some number of warps: one search tells of
 * many y at once, and a table over several W asks again. */
#ifndef WB_ANALYSIS_MAKESPAN_WARP_COUNT_TABLE_H
#define WB_ANALYSIS_MAKESPAN_WARP_COUNT_TABLE_H

#include "base/status.h"
#include "makespan/potential/potential_proof.h"

#include <stdbool.h>
#include <stdint.h>

/* exact: T(y), or 0; upper: the least proven upper end, or 0; lower: cycles of the
 * longest schedule found (and checked, then dropped). runs: `upper` is at most what the
 * table of the string's own runs says. by: what found each of them (static
 * strings). */
struct wb_warp_count_row {
  uint64_t exact;
  uint64_t upper;
  uint64_t lower;
  bool runs;
  const char *exact_by;
  const char *upper_by;
  const char *lower_by;
};

/* of[y] for y = 0..most, of one string on one configuration. line_sought: a line over all y was
 * found or looked for, which is done once. Owns `of`. */
struct wb_warp_count_table {
  uint32_t most;
  bool line_sought;
  struct wb_warp_count_row *of;
};

/* Errors: WARPBOUND_INTERNAL. Free with wb_warp_count_table_free. */
warpbound_status wb_warp_count_table_make(struct wb_warp_count_table *table, uint32_t most,
                                          warpbound_error *error);
void wb_warp_count_table_free(struct wb_warp_count_table *table);

/* Takes in makespan[1..warps]: exact values, or what the table of runs says. */
void wb_warp_count_table_add_exact(struct wb_warp_count_table *table, const uint64_t *makespan,
                                   uint32_t warps, const char *by);
void wb_warp_count_table_add_run_bounds(struct wb_warp_count_table *table, const uint64_t *makespan,
                                        uint32_t warps, const char *by);

/* Takes in what the table of runs, or of a finer cut, says of one number of warps. */
void wb_warp_count_table_add_run_bound(struct wb_warp_count_table *table, uint32_t warps,
                                       uint64_t upper, const char *by);

/* Takes in a schedule's makespan. */
void wb_warp_count_table_add_lower(struct wb_warp_count_table *table, uint32_t warps,
                                   uint64_t makespan, const char *by);

/* Takes in the line of a potential, if it has one, for every y that it holds for. */
void wb_warp_count_table_add_line(struct wb_warp_count_table *table,
                                  const struct wb_potential_proof *proof, const char *by);

#endif

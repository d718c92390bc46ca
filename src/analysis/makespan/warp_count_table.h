/* Bounds on T(y) by the number of warps y: one search gives bounds for many y, and a table over
 * several W asks for them again. */
#ifndef WB_ANALYSIS_MAKESPAN_WARP_COUNT_TABLE_H
#define WB_ANALYSIS_MAKESPAN_WARP_COUNT_TABLE_H

#include "base/status.h"
#include "makespan/potential/potential_proof.h"

#include <stdbool.h>
#include <stdint.h>

/* Bounds for one number of warps, in cycles. The names are static. */
struct wb_warp_count_row {
  uint64_t exact; /* T(y), or 0 */
  uint64_t upper; /* the least proven upper end, or 0 */
  uint64_t lower; /* of the longest schedule found, which was checked and dropped; or 0 */
  bool runs;      /* `upper` is at most the bound by the string's own runs */
  const char *exact_by;
  const char *upper_by;
  const char *lower_by;
};

/* One string on one configuration. Owns its rows. */
struct wb_warp_count_table {
  uint32_t most;                /* the greatest number of warps */
  bool line_sought;             /* a line over all y was looked for, which is done once */
  struct wb_warp_count_row *of; /* by y, 0..most */
};

/* Errors: WARPBOUND_INTERNAL (memory). Free with wb_warp_count_table_free. */
warpbound_status wb_warp_count_table_make(struct wb_warp_count_table *table, uint32_t most,
                                          warpbound_error *error);
void wb_warp_count_table_free(struct wb_warp_count_table *table);

/* Adds makespan[1..warps]: exact values. */
void wb_warp_count_table_add_exact(struct wb_warp_count_table *table, const uint64_t *makespan,
                                   uint32_t warps, const char *by);

/* Adds the bound by the string's runs, or by a finer cut, for one number of warps. */
void wb_warp_count_table_add_run_bound(struct wb_warp_count_table *table, uint32_t warps,
                                       uint64_t upper, const char *by);

/* Adds the makespan of a checked schedule. */
void wb_warp_count_table_add_lower(struct wb_warp_count_table *table, uint32_t warps,
                                   uint64_t makespan, const char *by);

/* Adds the line of a potential, if it has one, for every y that it holds for. */
void wb_warp_count_table_add_line(struct wb_warp_count_table *table,
                                  const struct wb_potential_proof *proof, const char *by);

#endif

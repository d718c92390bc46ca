/* What is known of T(y) for every y up to some number of warps: one search tells of
 * many y at once, and a table over several W asks again. */
#ifndef WB_ANALYSIS_MAKESPAN_KNOWN_H
#define WB_ANALYSIS_MAKESPAN_KNOWN_H

#include "base/status.h"
#include "makespan/potential/potential_proof.h"

#include <stdbool.h>
#include <stdint.h>

/* exact: T(y), or 0; upper: the least proven upper end, or 0; lower: cycles of the
 * longest schedule found (and checked, then dropped). runs: `upper` is at most what the
 * table of the string's own runs says. by: what found each of them (static
 * strings). */
struct wb_known_bound {
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
struct wb_known {
  uint32_t most;
  bool line_sought;
  struct wb_known_bound *of;
};

/* Errors: WARPBOUND_INTERNAL. Free with wb_known_free. */
warpbound_status wb_known_start(struct wb_known *known, uint32_t most, warpbound_error *error);
void wb_known_free(struct wb_known *known);

/* Takes in makespan[1..warps]: exact values, or what the table of runs says. */
void wb_known_exact(struct wb_known *known, const uint64_t *makespan, uint32_t warps,
                    const char *by);
void wb_known_runs(struct wb_known *known, const uint64_t *makespan, uint32_t warps,
                   const char *by);

/* Takes in what the table of runs, or of a finer cut, says of one number of warps. */
void wb_known_run(struct wb_known *known, uint32_t warps, uint64_t upper, const char *by);

/* Takes in a schedule's makespan. */
void wb_known_lower(struct wb_known *known, uint32_t warps, uint64_t makespan, const char *by);

/* Takes in the line of a potential, if it has one, for every y that it holds for. */
void wb_known_line(struct wb_known *known, const struct wb_potential_proof *proof, const char *by);

#endif

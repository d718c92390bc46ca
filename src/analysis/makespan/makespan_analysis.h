/* The analysis of one instance: from the question to its bracket. */
#ifndef WB_ANALYSIS_MAKESPAN_MAKESPAN_ANALYSIS_H
#define WB_ANALYSIS_MAKESPAN_MAKESPAN_ANALYSIS_H

#include "analysis/result/makespan_result.h"
#include "base/status.h"
#include "makespan/annealing/annealing_result.h"
#include "makespan/ilp/integer_analysis.h"
#include "makespan/machine/policy.h"
#include "makespan/potential/potential_proof.h"
#include "model/instance.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- bounds on T(y) by the number of warps y: one search gives bounds for many y, and a table
 * over several W asks for them again ---- */

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

/* ---- the options ---- */

/* Zero-initialise for the defaults. All pointers are borrowed. */
struct wb_analysis_options {
  warpbound_options limits;          /* method, time, memory, threads, progress */
  bool simulate_only;                /* policies alone make the lower end: no search, no
                                        templates, no limit on simulations */
  const struct wb_policy *policy;    /* with simulate_only: this one; NULL: each */
  struct wb_integer_options integer; /* for the method `ilp` */
  bool certify;                      /* look for a certificate of the upper end where no search
                                        has left one */
  struct wb_warp_count_table *warp_counts; /* bounds for other numbers of warps of the same string
                                              and configuration; read and added to; NULL: none */
  uint32_t fewest;                         /* least number of warps that warp_counts is asked for */
  struct wb_annealing_options annealing;   /* for the method `anneal`; the analysis sets its
                                              guide_memory */
  bool anneal_closed; /* anneal even where the bracket is closed before, for its convergence */
  bool fewer_warps; /* find the exact T(y) of fewer warps, for the literature's formulas, even where
                       the bracket is closed without a search */
};

/* ---- the analysis ---- */

/* Runs the steps of the method. WARPBOUND_OK and WARPBOUND_LIMIT leave a valid bracket in *result,
 * which borrows the instance; the caller frees it (wb_result_clear). After any other status it is
 * empty. WARPBOUND_LIMIT: the bracket is open because of a limit that the user set, the method
 * `exact`, or an interruption.
 * Errors: WARPBOUND_INVALID_INPUT (a bound does not fit in 64 bits; a solver's answer cannot
 * be read), WARPBOUND_USAGE (the horizon; a file or a solver command that does not work),
 * WARPBOUND_CHECK_FAILED (a solver's answer is refuted), WARPBOUND_INTERNAL (memory; the checker
 * refuses a schedule of ours). */
warpbound_status wb_analyse_makespan(const struct wb_instance *instance,
                                     const struct wb_analysis_options *options,
                                     struct warpbound_result *result, warpbound_error *error);

#endif

/* The analysis of one instance: from the question to its bracket. */
#ifndef WB_ANALYSIS_MAKESPAN_MAKESPAN_ANALYSIS_H
#define WB_ANALYSIS_MAKESPAN_MAKESPAN_ANALYSIS_H

#include "analysis/makespan/known.h"
#include "analysis/result/makespan_result.h"
#include "base/status.h"
#include "makespan/annealing/annealing_result.h"
#include "makespan/ilp/integer_analysis.h"
#include "makespan/machine/policy.h"
#include "model/instance.h"

#include <stdbool.h>
#include <stdint.h>

/* Zero a struct for the defaults. All pointers are borrowed. */
struct wb_analysis_options {
  warpbound_options limits;
  bool simulate_only; /* policies alone make the lower end: no search, no templates, no limit */
  const struct wb_policy *policy;        /* with simulate_only: this one; NULL: each */
  struct wb_integer_options integer;     /* for the method `ilp` */
  bool certify;                          /* look for a certificate of the upper end where no
                                            search has left one */
  struct wb_known *known;                /* found for fewer and more warps of the same string and
                                            configuration; read and added to; NULL: none */
  uint32_t fewest;                       /* least number of warps that `known` is about */
  struct wb_annealing_options annealing; /* for the method `anneal`; the analysis sets its
                                            guide_memory */
  bool anneal_closed; /* anneal even where the bracket is closed before, for its convergence */
  bool fewer_warps;   /* find the exact T(y) of fewer warps, for the literature's formulas, even
                         where the bracket is closed without a search */
};

/* Runs the pipeline. WARPBOUND_OK and WARPBOUND_LIMIT leave a valid bracket in
 * *result, to be freed with wb_result_clear; after any other status it is empty.
 * WARPBOUND_LIMIT: the bracket is open and a limit that the user set, the method
 * `exact`, or an interruption is why.
 * Errors: WARPBOUND_INVALID_INPUT (a bound does not fit in 64 bits; a solver's answer cannot
 * be read), WARPBOUND_USAGE (the horizon; a file or a solver command that does not work),
 * WARPBOUND_CHECK_FAILED (a solver's answer is refuted), WARPBOUND_INTERNAL (memory; a schedule of
 * ours that the checker refuses). */
warpbound_status wb_analyse_makespan(const struct wb_instance *instance,
                                     const struct wb_analysis_options *options,
                                     struct warpbound_result *result, warpbound_error *error);

#endif

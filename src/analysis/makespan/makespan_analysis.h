/* The analysis of one instance: from the question to its bracket. */
#ifndef WB_ANALYSIS_MAKESPAN_MAKESPAN_ANALYSIS_H
#define WB_ANALYSIS_MAKESPAN_MAKESPAN_ANALYSIS_H

#include "analysis/makespan/makespan_options.h"
#include "analysis/result/makespan_result.h"
#include "base/status.h"
#include "model/instance.h"

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

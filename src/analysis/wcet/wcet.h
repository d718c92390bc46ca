/* The WCET of one warp that runs alone: from machine code by the warp-level graph, loop
 * bounds and IPET to a proven bound and a worst path. */
#ifndef WB_ANALYSIS_WCET_WCET_H
#define WB_ANALYSIS_WCET_WCET_H

#include "analysis/wcet/wcet_result.h"
#include "base/work_control.h"

/* Analyses one function. On WARPBOUND_OK the proof is in wcet->ipet.proof. On
 * WARPBOUND_FACTS_MISSING (loops whose source is WB_BOUND_UNKNOWN, the error names the first; facts
 * that were moved) loops and facts are filled in. In both cases the caller frees *wcet. Errors:
 * those of the steps. */
warpbound_status wb_wcet_analyse(const struct wb_code *code, const struct wb_function *function,
                                 const struct wb_wcet_options *options,
                                 const struct wb_control *control, struct wb_wcet *wcet,
                                 warpbound_error *error);

/* Whether the search for a path that reaches the bound came to its end. Errors: WARPBOUND_LIMIT
 * where the time limit or an interruption ended it; the bound holds. */
warpbound_status wb_wcet_check_end(const struct wb_wcet *wcet, warpbound_error *error);

#endif

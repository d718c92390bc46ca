/* The WCET of one warp that runs alone: from machine code by the warp-level graph, loop
 * bounds and IPET to a proven bound and a worst path. */
#ifndef WB_ANALYSIS_WCET_WCET_H
#define WB_ANALYSIS_WCET_WCET_H

#include "analysis/wcet/wcet_result.h"
#include "base/control.h"

/* Analyses one function. On WARPBOUND_OK the proof stands in ipet.proof; also on
 * WARPBOUND_FACTS_MISSING (loops without a bound: those whose source is WB_BOUND_UNKNOWN, the
 * error names the first; facts that were moved) *wcet is to be freed, with loops and facts
 * filled in.
 * Errors: those of the parts. */
warpbound_status wb_wcet_analyse(const struct wb_code *code, const struct wb_function *function,
                                 const struct wb_wcet_options *options,
                                 const struct wb_control *control, struct wb_wcet *wcet,
                                 warpbound_error *error);

#endif

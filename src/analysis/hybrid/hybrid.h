/* The WCET of one warp from measured times: as that of `wcet`, but what a path costs are the
 * longest measured times between points of the code, in the manner of Betts and Donaldson
 * (Estimating the WCET of GPU-accelerated applications using hybrid analysis, ECRTS 2013). */
#ifndef WB_ANALYSIS_HYBRID_HYBRID_H
#define WB_ANALYSIS_HYBRID_HYBRID_H

#include "analysis/hybrid/hybrid_result.h"
#include "base/work_control.h"

/* Analyses one function. On WARPBOUND_OK the proof, of the flow system with measured costs, is in
 * hybrid->wcet.ipet.proof; its bound is an estimate whatever its kind says. On
 * WARPBOUND_FACTS_MISSING (loops without a bound; code that no row covers, then in hybrid->gaps;
 * no row at all) the result has what was found until then. In both cases the caller frees *hybrid.
 * Errors: WARPBOUND_INVALID_INPUT with the times' name and line (a place that is not in the code,
 * times of other code, costs that do not fit), and those of wb_wcet_analyse. The time is that of
 * two such analyses, and points times edges for the segments. */
warpbound_status wb_hybrid_analyse(const struct wb_code *code, const struct wb_function *function,
                                   const struct wb_hybrid_options *options,
                                   const struct wb_control *control, struct wb_hybrid *hybrid,
                                   warpbound_error *error);
void wb_hybrid_free(struct wb_hybrid *hybrid);

#endif

/* The claim for the independent checker that the bound on a launch makes: a certificate. */
#ifndef WB_ANALYSIS_LAUNCH_LAUNCH_CLAIM_H
#define WB_ANALYSIS_LAUNCH_LAUNCH_CLAIM_H

#include "analysis/launch/launch_maxima.h"
#include "analysis/launch/launch_result.h"
#include "base/arena.h"
#include "base/status.h"
#include "certificate/launch/launch_claim.h"
#include "formats/launch/launch_file.h"
#include "model/timed_code.h"

#include <stdbool.h>
#include <stdint.h>

/* The flow system, the timed code and the proofs that the claim names are borrowed from the
 * analysis. wb_launch_claim_free. */
struct wb_launch_claim_owner {
  struct wb_arena arena; /* owns the arrays of the claim that are not borrowed */
  struct wb_check_launch_claim claim;
  struct wb_launch_grounds grounds; /* what it rests on: the array of values is owned, all else
                                       borrowed */
};

/* The claim that the launch takes at most analysis->upper.cycles. Errors: WARPBOUND_INTERNAL
 * (memory), with nothing to free. */
warpbound_status wb_launch_claim_make(const struct wb_launch_analysis *analysis,
                                      struct wb_launch_claim_owner *owner, warpbound_error *error);

/* The same from the maxima of a kernel and a launch. interleaved, ends: by node of the system, or
 * NULL, as in struct wb_timing_graph. */
warpbound_status wb_launch_claim_fill(const struct wb_launch_maxima *maxima,
                                      const bool *interleaved, const bool *ends,
                                      const struct wb_launch_shape *shape, uint64_t cycles,
                                      struct wb_launch_claim_owner *owner, warpbound_error *error);
void wb_launch_claim_free(struct wb_launch_claim_owner *owner);

#endif

/* The independent checker of bounds on whole launches: costs, invariants, maxima and the theorems
 * are worked out anew from the timing of the instructions, the flow system and the launch. */
#ifndef WB_CERTIFICATE_LAUNCH_LAUNCH_CHECK_H
#define WB_CERTIFICATE_LAUNCH_LAUNCH_CHECK_H

#include "base/status.h"
#include "certificate/launch/launch_claim.h"

/* Checks the claim; *bound: what the proofs give, which is at most claim->cycles. Errors:
 * WARPBOUND_CHECK_FAILED with the first violation (an overflow is one), WARPBOUND_INTERNAL. Linear
 * in the claim but for the logarithm of its numbers. */
warpbound_status wb_check_launch(const struct wb_check_launch_claim *claim, uint64_t *bound,
                                 warpbound_error *error);

#endif

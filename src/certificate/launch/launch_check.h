/* The independent checker of bounds on whole launches: costs, invariants, maxima and the theorems
 * are worked out anew from the timing of the instructions, the flow system and the launch. */
#ifndef WB_CERTIFICATE_LAUNCH_LAUNCH_CHECK_H
#define WB_CERTIFICATE_LAUNCH_LAUNCH_CHECK_H

#include "base/status.h"
#include "certificate/launch/launch_claim.h"

#include <stdbool.h>
#include <stdint.h>

/* The result of a check that passed. */
struct wb_check_launch_verdict {
  uint64_t cycles;    /* the bound that follows: at most the claim's */
  bool same_barriers; /* it holds provided that all warps of a block pass the same barriers in the
                         same order, which the system does not show */
};

/* Checks a claim, whose arrays have the lengths that their comments say. WARPBOUND_OK sets
 * *verdict. Errors: WARPBOUND_CHECK_FAILED with the first violation (an overflow is one, and
 * so is a wrong proof of a maximum that some formula can use), WARPBOUND_INTERNAL. Linear in the
 * claim; where phases are not told apart, barriers times the system for each limit with a price. */
warpbound_status wb_check_launch(const struct wb_check_launch_claim *claim,
                                 struct wb_check_launch_verdict *verdict, warpbound_error *error);

#endif

/* For the checker of bounds on launches: what the instructions of a node add to each sum of
 * doc/launch.md. */
#ifndef WB_CERTIFICATE_LAUNCH_LAUNCH_COSTS_H
#define WB_CERTIFICATE_LAUNCH_LAUNCH_COSTS_H

#include "base/status.h"
#include "certificate/launch/launch_claim.h"

#include <stdbool.h>
#include <stdint.h>

/* Adds to cost[], by node, what its instructions add to the sum, in 1 / denominator cycles: all but
 * a warp's own steps, which the chains have.
 *   barriers   some path passes one
 * The claim's timed code and nodes are valid; the denominator is a multiple of all servers. Errors:
 * WARPBOUND_CHECK_FAILED (a number does not fit), WARPBOUND_INTERNAL. Linear. */
warpbound_status wb_check_launch_costs_add(const struct wb_check_launch_claim *claim,
                                           enum wb_check_launch_sum sum, bool barriers,
                                           uint64_t denominator, int64_t *cost,
                                           warpbound_error *error);

#endif

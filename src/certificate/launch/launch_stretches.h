/* For the checker of bounds on launches: maxima over the stretches of paths between barriers. */
#ifndef WB_CERTIFICATE_LAUNCH_LAUNCH_STRETCHES_H
#define WB_CERTIFICATE_LAUNCH_LAUNCH_STRETCHES_H

#include "base/status.h"
#include "certificate/launch/launch_claim.h"

#include <stdbool.h>
#include <stdint.h>

/* Checks a proof that no stretch of a path costs more than *bound, which is computed here: from its
 * begin or a barrier to the next barrier or its end. All barriers are of the whole warp. Stretches
 * are the executions of a system with a node more, the last, where they begin, with the last port:
 * an edge more, the last, leads from there to the path's begin; each edge that leaves a node with a
 * barrier leaves the new node instead, and ports of a node with a barrier need not be taken.
 * barrier: by node. local: by limit; NULL: of none. Limits with a price must hold of stretches: be
 * local, or have no negative factor (then the sum over a stretch is at most that over the path).
 * Errors: WARPBOUND_CHECK_FAILED, WARPBOUND_INTERNAL. Linear. */
warpbound_status wb_check_launch_stretches(const struct wb_flow_system *system, const bool *barrier,
                                           const bool *local,
                                           const struct wb_check_launch_maximum *proof,
                                           int64_t *bound, warpbound_error *error);

#endif

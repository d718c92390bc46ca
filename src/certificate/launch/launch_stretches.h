/* For the checker of bounds on launches: maxima over the stretches of a walk between its barriers.
 */
#ifndef WB_CERTIFICATE_LAUNCH_LAUNCH_STRETCHES_H
#define WB_CERTIFICATE_LAUNCH_LAUNCH_STRETCHES_H

#include "base/status.h"
#include "certificate/launch/launch_claim.h"

#include <stdbool.h>
#include <stdint.h>

/* Checks a proof that no stretch of a walk costs more than *bound, which is computed here: from its
 * begin or a barrier to the next barrier or its end. Stretches are the walks of a system with a
 * node more, the last, where they begin: an edge more, the last, leads from there to the walk's
 * begin; each edge that leaves a node with a barrier leaves the new node instead, and a node with a
 * barrier may end the walk. barrier   by node local     by limit; NULL: of none Limits with a price
 * must hold of stretches: be local, or have no negative factor (then the sum over a stretch is at
 * most that over the path). Errors: WARPBOUND_CHECK_FAILED, WARPBOUND_INTERNAL. Linear. */
warpbound_status wb_check_launch_stretches(const struct wb_flow_system *system, const bool *barrier,
                                           const bool *local,
                                           const struct wb_check_launch_maximum *proof,
                                           int64_t *bound, warpbound_error *error);

#endif

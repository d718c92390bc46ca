/* For the checker of bounds on launches: the time that a warp's own steps take at each node, and
 * the invariant of what may still keep it (doc/warp-timing.md). */
#ifndef WB_CERTIFICATE_LAUNCH_LAUNCH_CHAINS_H
#define WB_CERTIFICATE_LAUNCH_LAUNCH_CHAINS_H

#include "base/arena.h"
#include "base/status.h"
#include "certificate/flow/paths_phases.h"
#include "certificate/launch/launch_claim.h"

#include <stdint.h>

/* In 1 / denominator cycles. The array lives in an arena. */
struct wb_check_launch_chains {
  uint64_t *cycles; /* by node; 0 where no path comes */
  uint64_t end;     /* after a warp's last instruction, until all that it made has ended */
};

/* Works out the times of the nodes from the claim's `pending`, and checks that this is an
 * invariant: at each node it is at least what any node before it leaves, at the successors of
 * barriers also at least the services that any barrier leaves, and at interleaved nodes at least
 * what other groups of lanes may set. The claim's timed code and nodes are valid. Errors:
 * WARPBOUND_CHECK_FAILED, WARPBOUND_INTERNAL. Linear. */
warpbound_status
wb_check_launch_chains_make(struct wb_arena *arena, const struct wb_check_launch_claim *claim,
                            const struct wb_check_path_phases *phases, uint64_t denominator,
                            struct wb_check_launch_chains *chains, warpbound_error *error);

#endif

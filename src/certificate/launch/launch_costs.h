/* For the checker of bounds on launches: what the instructions of a node add to each sum of
 * doc/launch.md. */
#ifndef WB_CERTIFICATE_LAUNCH_LAUNCH_COSTS_H
#define WB_CERTIFICATE_LAUNCH_LAUNCH_COSTS_H

#include "base/arena.h"
#include "base/status.h"
#include "certificate/flow/paths_check.h"
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

/* In 1 / denominator cycles. The array lives in an arena. */
struct wb_check_launch_chains {
  uint64_t *cycles; /* by node; 0 where no path comes */
  uint64_t end;     /* after a warp's last instruction, until all that it made has ended */
  uint64_t stay;    /* the same, until it needs its SM no more */
};

/* Works out the times of the nodes from the claim's `pending`, and checks that this is an
 * invariant: at each node it is at least what any node before it leaves, less what the edge pays in
 * advance, at the successors of
 * barriers also at least the services that any barrier leaves, and at interleaved nodes at least
 * what other groups of lanes may set. The claim's timed code and nodes are valid. Errors:
 * WARPBOUND_CHECK_FAILED, WARPBOUND_INTERNAL. Linear. */
warpbound_status
wb_check_launch_chains_make(struct wb_arena *arena, const struct wb_check_launch_claim *claim,
                            const struct wb_check_path_phases *phases, uint64_t denominator,
                            struct wb_check_launch_chains *chains, warpbound_error *error);

#endif

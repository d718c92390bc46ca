/* The independent checker of bounds over all paths of a kernel (doc/all-paths.md): from a flow
 * system whose nodes hold letters, a machine, and proofs of a few maxima over paths, the bound of a
 * whole SM. Shares nothing with the makers of these but the check of a flow proof. */
#ifndef WB_CERTIFICATE_FLOW_PATHS_CHECK_H
#define WB_CERTIFICATE_FLOW_PATHS_CHECK_H

#include "base/status.h"
#include "certificate/flow/paths_claim.h"

#include <stdbool.h>
#include <stdint.h>

/* The result of a check that passed. */
struct wb_check_paths_verdict {
  /* The bound that follows: at most the claim's. */
  uint64_t cycles;
  /* It holds provided that all warps of a block pass the same barriers in the same order, which the
   * system does not show. */
  bool same_barriers;
};

/* Checks a claim, whose arrays have the lengths that their comments say.
 * WARPBOUND_OK sets *verdict. Errors: WARPBOUND_CHECK_FAILED with the first violation (an overflow
 * is one), WARPBOUND_INTERNAL. Linear in the system for each maximum and phase. */
warpbound_status wb_check_paths(const struct wb_check_paths_claim *claim,
                                struct wb_check_paths_verdict *verdict, warpbound_error *error);

#endif

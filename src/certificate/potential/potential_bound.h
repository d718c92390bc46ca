/* The bound and the line that follow from a potential whose moves gain enough (doc/potentials.md,
 * "The bound", "The line"). */
#ifndef WB_CERTIFICATE_POTENTIAL_POTENTIAL_BOUND_H
#define WB_CERTIFICATE_POTENTIAL_POTENTIAL_BOUND_H

#include "base/status.h"
#include "certificate/potential/potential_states.h"
#include "certificate/potential/trailing_slacks.h"

#include <stdbool.h>

/* Finds the bound and, where from_warps > 0, the line. starts: of `warps` and of from_warps warps,
 * with their slacks, or 0 before these are known. final: the slacks are known, or none are claimed;
 * then the bound must be at most the claim's. Errors: WARPBOUND_CHECK_FAILED, WARPBOUND_INTERNAL.
 */
warpbound_status wb_check_potential_find_bound(
    const struct wb_check_potential_claim *claim, const struct wb_check_potential_states *states,
    const struct wb_check_trailing_start starts[WB_CHECK_TRAILING_STARTS], bool final,
    struct wb_check_potential_verdict *verdict, warpbound_error *error);

#endif

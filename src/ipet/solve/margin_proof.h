/* Proofs of upper bounds on a flow system where rounded prices admit no potentials. */
#ifndef WB_IPET_SOLVE_MARGIN_PROOF_H
#define WB_IPET_SOLVE_MARGIN_PROOF_H

#include "base/status.h"
#include "base/work_control.h"
#include "ipet/solve/dual_proof.h"
#include "model/flow_system.h"

/* Makes a proof of the relaxation of the system with every run a little more expensive: its prices
 * and potentials satisfy the conditions of the system itself with a margin at each edge, which
 * rounding takes. The bound is above the optimum by that little for each run. proof->price stays
 * NULL where that fails: no optimum was found, or numbers are too large. Errors: WARPBOUND_INTERNAL
 * (memory). */
warpbound_status wb_ipet_prove_with_margin(const struct wb_flow_system *system,
                                           const struct wb_control *control,
                                           struct wb_ipet_proof *proof, warpbound_error *error);

#endif

/* Proofs of upper bounds on a flow system by weak duality, in integers. */
#ifndef WB_IPET_SOLVE_DUAL_PROOF_H
#define WB_IPET_SOLVE_DUAL_PROOF_H

#include "base/status.h"
#include "model/flow_system.h"

#include <stdbool.h>
#include <stdint.h>

/* A dual solution (wb_check_flow_bound), in units of 1 / scale cycles. Owns its arrays. */
struct wb_ipet_proof {
  int64_t *price;     /* by limit; NULL where there is no proof */
  int64_t *potential; /* by port; of a walk: by node */
  int64_t scale;
  int64_t bound; /* cycles: no execution costs more */
  bool
      coarse; /* the prices are not those of the relaxation, but raised until they proved a bound */
};

/* Makes a proof of the prices of the relaxation (by limit; NULL: not known): rounds them to
 * multiples of ever smaller fractions, finds the least potentials for them
 * (ipet/solve/node_potentials.h), and keeps the least bound; stops at `wanted` cycles. Where no
 * rounding has potentials, raises prices until they have (ipet/solve/dual_prices.h). Where that
 * fails too, proof->price stays NULL; *unlimited: because no limit ends some cycle of the graph.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_ipet_proof_make(const struct wb_flow_system *system, const double *prices,
                                    int64_t wanted, struct wb_ipet_proof *proof, bool *unlimited,
                                    warpbound_error *error);
void wb_ipet_proof_free(struct wb_ipet_proof *proof);

#endif

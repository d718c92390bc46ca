/* Proofs by weak duality, in integers: of upper bounds on a flow system, and that it has no
 * execution. */
#ifndef WB_IPET_SOLVE_DUAL_PROOF_H
#define WB_IPET_SOLVE_DUAL_PROOF_H

#include "base/status.h"
#include "base/work_control.h"
#include "model/flow_system.h"

#include <stdbool.h>
#include <stdint.h>

/* A dual solution (wb_check_flow_bound), in units of 1 / scale cycles. Owns its arrays. */
struct wb_ipet_proof {
  int64_t *price;     /* by limit; NULL where there is no proof */
  int64_t *potential; /* by port; of a walk: by node */
  int64_t scale;
  int64_t bound; /* cycles: no execution costs more */
  bool coarse;   /* the prices are not those of the relaxation, but raised until they proved a bound
                  */
};

/* What a solver proposes as the price of each limit: whole[l] + part[l]. whole, NULL for zeros, is
 * at least 0. */
struct wb_ipet_prices {
  const int64_t *whole;
  const double *part;
};

/* Makes a proof of the prices of the relaxation: rounds them to multiples of ever smaller
 * fractions, finds the least potentials for them (ipet/solve/node_potentials.h), and keeps the
 * least bound; stops at `wanted` cycles. proof->price stays NULL where no rounding has potentials.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_ipet_proof_make(const struct wb_flow_system *system,
                                    const struct wb_ipet_prices *prices, int64_t wanted,
                                    struct wb_ipet_proof *proof, warpbound_error *error);

/* The same of prices in units of 1 / scale, as they are. */
warpbound_status wb_ipet_proof_take(const struct wb_flow_system *system, const int64_t *price,
                                    int64_t scale, struct wb_ipet_proof *proof,
                                    warpbound_error *error);

/* Raises prices (by limit; NULL: zeros), all by a part of themselves, then single ones, until they
 * have potentials. Where that fails, proof->price
 * stays NULL; *unlimited: because no limit ends some cycle of the graph.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_ipet_proof_raise(const struct wb_flow_system *system, const double *prices,
                                     struct wb_ipet_proof *proof, bool *unlimited,
                                     warpbound_error *error);
void wb_ipet_proof_free(struct wb_ipet_proof *proof);

/* Makes a proof where rounded prices admit no potentials, of the relaxation of the system with
 * every run a little more expensive: its prices and potentials satisfy the conditions of the system
 * itself with a margin at each edge, which rounding takes. The bound is above the optimum by that
 * little for each run. proof->price stays NULL where that fails: no optimum was found, or numbers
 * are too large. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_ipet_prove_with_margin(const struct wb_flow_system *system,
                                           const struct wb_control *control,
                                           struct wb_ipet_proof *proof, warpbound_error *error);

/* By the graph: a limit has no solution by itself, or, in a walk, every path from the start to an
 * end takes an edge that a limit forbids. *proven: the checker (wb_check_flow_no_execution) accepts
 * the proof. Linear. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_flow_prove_infeasible_by_graph(const struct wb_flow_system *system,
                                                   bool *proven, warpbound_error *error);

/* By the limits: rounded prices of the linear program of the least violation, checked in the same
 * way. *proven is false where there is an execution, where fractional counts satisfy the limits,
 * and where no rounding works. Errors: those of the solver; WARPBOUND_INTERNAL. */
warpbound_status wb_flow_prove_infeasible_by_limits(const struct wb_flow_system *system,
                                                    const struct wb_control *control, bool *proven,
                                                    warpbound_error *error);

#endif

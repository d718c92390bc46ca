/* Integral dual prices of the limits of a flow system with potentials of its ports for them: the
 * parts of a proof by weak duality (wb_check_flow_bound). A solver proposes prices, which are
 * rounded; where that leaves cycles of positive gain, prices are raised until none is left. */
#ifndef WB_IPET_SOLVE_DUAL_PRICES_H
#define WB_IPET_SOLVE_DUAL_PRICES_H

#include "base/arena.h"
#include "ipet/solve/node_potentials.h"
#include "model/flow_system.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of the search for prices of one system. The system and the proposal are borrowed, the
 * rest lives in an arena. */
struct wb_dual_prices {
  const struct wb_flow_system *system;
  const double *proposed; /* by limit: a solver's price; NULL: none */
  bool free;              /* nodes cost nothing: for proofs that there is no execution */
  struct wb_node_potentials potentials; /* a result */
  int64_t *price;                       /* by limit: a result */
  struct wb_flow_edge_terms terms;
  int64_t *net;     /* scratch by limit: the sum of its factors along a cycle */
  uint32_t *raised; /* by limit: how often its price was raised */
  bool unlimited;   /* a cycle of positive gain was met that no limit ends */
};

/* False where memory is out: arena->failed. */
bool wb_dual_prices_make(struct wb_arena *arena, const struct wb_flow_system *system,
                         const double *proposed, bool free, struct wb_dual_prices *dual);

/* How a price is rounded to a multiple of 1 / scale. */
enum wb_price_rounding { WB_PRICE_NEAREST, WB_PRICE_ABOVE, WB_PRICE_ROUNDINGS };

/* Raises the proposed prices by `part` of themselves, rounds them and finds potentials, all in
 * units of 1 / scale. False where there are none, or where a number does not fit. */
bool wb_dual_prices_round(struct wb_dual_prices *dual, int64_t scale, double part,
                          enum wb_price_rounding rounding);

/* Rounds the proposed prices up and raises them until there are potentials: for each cycle of
 * positive gain, the price of one limit that the cycle uses up (of those the one that it pays most
 * for by the proposal) by the missing amount, and by ever more where the same limit is raised
 * again. False where that does not succeed. */
bool wb_dual_prices_raise(struct wb_dual_prices *dual, int64_t scale);

#endif

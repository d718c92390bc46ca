/* Whole prices of the limits of a flow system, and potentials for them: what a proof by weak
 * duality is made of (wb_check_flow_bound). Prices come from a solver, rounded; where that leaves
 * cycles that gain, they are raised until none does. */
#ifndef WB_IPET_PRICE_SEARCH_H
#define WB_IPET_PRICE_SEARCH_H

#include "ipet/potentials.h"
#include "model/flow_system.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A term of a limit, by its edge. */
struct wb_price_term {
  uint32_t limit;
  int64_t factor;
};

/* What roundings of one system share.
 *   proposed   by limit, what a solver thinks of its price; NULL: nothing
 *   free       nothing costs: for the proof that there is no execution
 *   price      by limit: the result, with ways.potential
 *   unlimited  a cycle was met that gains and that no limit ends
 * The system and the proposal are borrowed, the rest is owned: wb_price_search_free. */
struct wb_price_search {
  const struct wb_flow_system *system;
  const double *proposed;
  bool free;
  struct wb_potentials ways;
  int64_t *price;
  size_t *first; /* the terms of edge e: term[first[e]] .. term[first[e + 1] - 1] */
  struct wb_price_term *term;
  int64_t *net;     /* scratch by limit: its factors along a cycle */
  uint32_t *raised; /* by limit: how often its price was raised */
  bool unlimited;
};

/* False where memory is out; to be freed also then. */
bool wb_price_search_make(struct wb_price_search *search, const struct wb_flow_system *system,
                          const double *proposed, bool free);
void wb_price_search_free(struct wb_price_search *search);

/* What rounding makes of a price: the nearest multiple of 1 / scale, or the next one above. */
enum wb_price_rounding { WB_PRICE_NEAREST, WB_PRICE_ABOVE, WB_PRICE_ROUNDINGS };

/* Rounds the prices, each made greater by `part` of itself, and finds potentials for them, all in
 * 1 / scale. False where there are none, or where a number does not fit. */
bool wb_price_search_round(struct wb_price_search *search, int64_t scale, double part,
                           enum wb_price_rounding rounding);

/* The same with prices rounded up and then raised: of each cycle that gains, the price of a limit
 * that it brings nearer, of those the one that its solver has pay most for it, by what is missing,
 * and by ever more where the same limit is raised again and again. */
bool wb_price_search_raise(struct wb_price_search *search, int64_t scale);

#endif

#include "ipet/solve/dual_prices.h"

#include "base/buckets.h"
#include "base/checked.h"

#include <math.h>
#include <string.h>

/* Most rounds of raising for one scale. */
#define ROUNDS 1000
/* After so many raises of one limit the next ones are twice as large. */
#define PATIENCE 3
#define MOST_DOUBLINGS 40

#define NONE SIZE_MAX

bool wb_dual_prices_make(struct wb_arena *arena, const struct wb_flow_system *system,
                         const double *proposed, bool free, struct wb_dual_prices *dual)
{
  *dual = (struct wb_dual_prices){
      .system = system,
      .proposed = proposed,
      .free = free,
      .price = wb_arena_array(arena, int64_t, system->limit_count),
      .net = wb_arena_array(arena, int64_t, system->limit_count),
      .raised = wb_arena_array(arena, uint32_t, system->limit_count),
  };
  return wb_node_potentials_make(arena, system, &dual->potentials) &&
         wb_flow_edge_terms_make(arena, system, &dual->terms) && !arena->failed;
}

static double proposal(const struct wb_dual_prices *dual, size_t limit)
{
  return dual->proposed != NULL ? fmax(dual->proposed[limit], 0) : 0;
}

/* Raises the price of a limit, and lowers the gain of its edges. False where a number does not
 * fit. */
static bool add_to_price(struct wb_dual_prices *dual, size_t limit, int64_t more)
{
  const struct wb_flow_limit *it = &dual->system->limits[limit];
  if (!wb_add_signed(dual->price[limit], more, &dual->price[limit]))
    return false;
  for (size_t t = 0; t < it->term_count; t++) {
    const struct wb_flow_term *term = &dual->system->terms[it->first_term + t];
    int64_t *gain = &dual->potentials.gain[term->edge];
    int64_t paid;
    if (!wb_multiply_signed(more, term->factor, &paid) || !wb_subtract_signed(*gain, paid, gain))
      return false;
  }
  return true;
}

/* Sets prices and gains: the gain of an edge is the scaled cycles of its target minus the prices
 * that it pays. */
static bool price_edges(struct wb_dual_prices *dual, int64_t scale, double part,
                        enum wb_price_rounding rounding)
{
  const struct wb_flow_system *system = dual->system;
  memset(dual->price, 0, system->limit_count * sizeof *dual->price);
  for (size_t e = 0; e < system->edge_count; e++) {
    if (!wb_multiply_signed(dual->free ? 0 : scale, system->cycles[system->to[e]],
                            &dual->potentials.gain[e]))
      return false;
  }
  for (size_t l = 0; l < system->limit_count; l++) {
    const double exact = proposal(dual, l) * (double)scale * (1 + part);
    if (!(exact < 0x1p62))
      return false;
    const double rounded = rounding == WB_PRICE_ABOVE ? ceil(exact - 1e-6) : floor(exact + 0.5);
    if (!add_to_price(dual, l, (int64_t)rounded))
      return false;
  }
  return true;
}

bool wb_dual_prices_round(struct wb_dual_prices *dual, int64_t scale, double part,
                          enum wb_price_rounding rounding)
{
  return price_edges(dual, scale, part, rounding) &&
         wb_node_potentials_find(&dual->potentials) == WB_NODE_POTENTIALS_FOUND;
}

/* ---- raising ---- */

/* Adds the gains of the edges of a cycle to *gain, and the factors of the limits along it to net.
 */
static bool sum_cycle(struct wb_dual_prices *dual, size_t from, size_t to, int64_t *gain)
{
  const struct wb_buckets *of = &dual->terms.of;
  for (size_t c = from; c < to; c++) {
    const uint32_t edge = dual->potentials.cycles[c];
    if (!wb_add_signed(*gain, dual->potentials.gain[edge], gain))
      return false;
    for (size_t i = of->first[edge]; i < of->first[edge + 1]; i++) {
      int64_t *net = &dual->net[dual->terms.limit[of->item[i]]];
      if (!wb_add_signed(*net, dual->system->terms[of->item[i]].factor, net))
        return false;
    }
  }
  return true;
}

/* The limit whose price is to be raised for the cycle; NONE where the cycle uses up none. Clears
 * net. */
static size_t choose_limit(struct wb_dual_prices *dual, size_t from, size_t to, int64_t *factor)
{
  size_t best = NONE;
  double most = -1;
  const struct wb_buckets *of = &dual->terms.of;
  for (size_t c = from; c < to; c++) {
    const uint32_t edge = dual->potentials.cycles[c];
    for (size_t i = of->first[edge]; i < of->first[edge + 1]; i++) {
      const size_t limit = dual->terms.limit[of->item[i]];
      const int64_t net = dual->net[limit];
      const double paid = (double)net * proposal(dual, limit);
      dual->net[limit] = 0;
      if (net <= 0 || paid < most || (paid <= most && limit > best))
        continue;
      best = limit;
      most = paid;
      *factor = net;
    }
  }
  return best;
}

/* Raises a price so that the cycle does not gain any more. */
static bool close_cycle(struct wb_dual_prices *dual, size_t cycle)
{
  const size_t from = cycle > 0 ? dual->potentials.cycle_end[cycle - 1] : 0;
  const size_t to = dual->potentials.cycle_end[cycle];
  int64_t gain = dual->potentials.side[cycle];
  int64_t factor = 1;
  const bool fits = sum_cycle(dual, from, to, &gain);
  const size_t limit = choose_limit(dual, from, to, &factor);
  if (!fits)
    return false;
  if (gain <= 0) /* a raise for another cycle was enough */
    return true;
  if (limit == NONE) {
    dual->unlimited = true;
    return false;
  }
  const int64_t missing = gain / factor + (gain % factor > 0);
  const uint32_t doublings = dual->raised[limit]++ / PATIENCE;
  int64_t more;
  return doublings <= MOST_DOUBLINGS &&
         wb_multiply_signed(missing, INT64_C(1) << doublings, &more) &&
         add_to_price(dual, limit, more);
}

bool wb_dual_prices_raise(struct wb_dual_prices *dual, int64_t scale)
{
  if (!price_edges(dual, scale, 0, WB_PRICE_ABOVE))
    return false;
  memset(dual->raised, 0, dual->system->limit_count * sizeof *dual->raised);
  for (unsigned round = 0; round < ROUNDS; round++) {
    const enum wb_node_potentials_outcome outcome = wb_node_potentials_find(&dual->potentials);
    if (outcome != WB_NODE_POTENTIALS_POSITIVE_CYCLE)
      return outcome == WB_NODE_POTENTIALS_FOUND;
    for (size_t c = 0; c < dual->potentials.cycle_count; c++) {
      if (!close_cycle(dual, c))
        return false;
    }
  }
  return false;
}

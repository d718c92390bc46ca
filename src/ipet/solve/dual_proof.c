#include "ipet/solve/dual_proof.h"

#include "base/arena.h"
#include "base/buckets.h"
#include "base/checked.h"
#include "base/memory.h"
#include "certificate/flow/flow_check.h"
#include "ipet/solve/ipet_model.h"
#include "ipet/solve/node_potentials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- prices of limits ---- */

/* Most rounds of raising for one scale. */
#define ROUNDS 1000
/* After so many raises of one limit the next ones are twice as large. */
#define PATIENCE 3
#define MOST_DOUBLINGS 40

/* The search for integral prices of limits with potentials of ports for them
 * (wb_check_flow_bound). A solver proposes prices, which are rounded; where that leaves cycles of
 * positive gain, prices are raised until none is left. The system and the proposal are borrowed,
 * the rest lives in an arena. */
struct dual {
  const struct wb_flow_system *system;
  struct wb_ipet_prices proposed; /* part may be NULL: none */
  bool free;                      /* nodes cost nothing: for proofs that there is no execution */
  struct wb_node_potentials potentials; /* a result */
  int64_t *price;                       /* by limit: a result */
  struct wb_flow_edge_terms terms;
  int64_t *net;     /* scratch by limit: the sum of its factors along a cycle */
  uint32_t *raised; /* by limit: how often its price was raised */
  bool unlimited;   /* a cycle of positive gain was met that no limit ends */
};

/* How a price is rounded to a multiple of 1 / scale. */
enum rounding { ROUND_NEAREST, ROUND_ABOVE, ROUNDINGS };

/* False where memory is out. */
static bool make_dual(struct wb_arena *arena, const struct wb_flow_system *system,
                      const struct wb_ipet_prices *proposed, bool free, struct dual *dual)
{
  *dual = (struct dual){
      .system = system,
      .proposed = *proposed,
      .free = free,
      .price = wb_arena_array(arena, int64_t, system->limit_count),
      .net = wb_arena_array(arena, int64_t, system->limit_count),
      .raised = wb_arena_array(arena, uint32_t, system->limit_count),
  };
  return wb_node_potentials_make(arena, system, &dual->potentials) &&
         wb_flow_edge_terms_make(arena, system, &dual->terms) && !arena->failed;
}

static int64_t whole_of(const struct dual *dual, size_t limit)
{
  return dual->proposed.whole != NULL ? dual->proposed.whole[limit] : 0;
}

static double part_of(const struct dual *dual, size_t limit)
{
  return dual->proposed.part != NULL ? fmax(dual->proposed.part[limit], 0) : 0;
}

static double proposal(const struct dual *dual, size_t limit)
{
  return (double)whole_of(dual, limit) + part_of(dual, limit);
}

/* A proposed price, raised by `raise` of itself, in units of 1 / scale. False where it does not
 * fit. */
static bool round_price(const struct dual *dual, size_t limit, int64_t scale, double raise,
                        enum rounding rounding, int64_t *price)
{
  const int64_t whole = whole_of(dual, limit);
  const double exact =
      part_of(dual, limit) * (double)scale * (1 + raise) + (double)whole * raise * (double)scale;
  const double rounded = rounding == ROUND_ABOVE ? ceil(exact - 1e-6) : floor(exact + 0.5);
  return exact < 0x1p62 && wb_multiply_signed(whole, scale, price) &&
         wb_add_signed(*price, (int64_t)rounded, price);
}

/* Raises the price of a limit, and lowers the gain of its edges. False where a number does not
 * fit. */
static bool add_to_price(struct dual *dual, size_t limit, int64_t more)
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

/* Sets prices, the proposed ones raised by `raise` of themselves, and gains: the gain of an edge is
 * the scaled cycles of it and its target minus the prices that it pays. */
static bool price_edges(struct dual *dual, int64_t scale, double raise, enum rounding rounding)
{
  const struct wb_flow_system *system = dual->system;
  memset(dual->price, 0, system->limit_count * sizeof *dual->price);
  for (size_t e = 0; e < system->edge_count; e++) {
    int64_t cycles;
    if (!wb_add_signed(system->cycles[system->to[e]], wb_flow_edge_cycles(system, e), &cycles) ||
        !wb_multiply_signed(dual->free ? 0 : scale, cycles, &dual->potentials.gain[e]))
      return false;
  }
  for (size_t l = 0; l < system->limit_count; l++) {
    int64_t price;
    if (!round_price(dual, l, scale, raise, rounding, &price) || !add_to_price(dual, l, price))
      return false;
  }
  return true;
}

/* Rounds prices and finds potentials for them, all in units of 1 / scale. False where there are
 * none, or where a number does not fit. */
static bool round_prices(struct dual *dual, int64_t scale, double raise, enum rounding rounding)
{
  return price_edges(dual, scale, raise, rounding) &&
         wb_node_potentials_find(&dual->potentials) == WB_NODE_POTENTIALS_FOUND;
}

/* Adds the gains of the edges of a cycle to *gain, and the factors of the limits along it to net.
 */
static bool sum_cycle(struct dual *dual, size_t from, size_t to, int64_t *gain)
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

/* The limit whose price is to be raised for the cycle: of those that the cycle uses up the one that
 * it pays most for by the proposal; SIZE_MAX where it uses up none. Clears net. */
static size_t choose_limit(struct dual *dual, size_t from, size_t to, int64_t *factor)
{
  size_t best = SIZE_MAX;
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

/* Raises a price by the missing amount, so that the cycle does not gain any more; by ever more
 * where the same limit is raised again. */
static bool close_cycle(struct dual *dual, size_t cycle)
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
  if (limit == SIZE_MAX) {
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

/* Rounds the proposed prices up and raises them until there are potentials: for each cycle of
 * positive gain the price of one limit. False where that does not succeed. */
static bool raise_prices(struct dual *dual, int64_t scale)
{
  if (!price_edges(dual, scale, 0, ROUND_ABOVE))
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

/* ---- bounds from the prices of the relaxation ---- */

/* Denominators of prices: mostly 1, or small. */
static const int64_t scales[] = {1, 2, 3, 4, 6, 12, 60, 1024, 2520, 1 << 20, 720720, 1 << 30};

/* The same of groups of lanes: an edge that at least one lane takes, and 32 at most, makes prices
 * in parts of 31. */
static const int64_t group_scales[] = {
    1,   2,    3,    4,     6,     12,    31,    60,         62,      93,     124,         372,
    961, 1024, 2520, 11532, 29791, 31744, 78120, 31 * 31744, 1 << 20, 720720, 31 * 720720, 1 << 30};

/* Where rounding leaves cycles of positive gain: prices raised by a part of themselves. By the
 * exact prices no cycle of the graph gains; by the raised ones each loses, for some of these scales
 * by more than rounding takes. */
static const struct {
  int64_t scale;
  double raise;
} raised[] = {{1 << 30, 0x1p-20}, {1 << 24, 0x1p-14}, {1 << 20, 0x1p-10}, {1 << 12, 0x1p-4}};

/* Where raising leaves such cycles too: the prices of single limits are raised. */
static const int64_t coarse_scales[] = {1 << 24, 1 << 16, 1 << 8, 1 << 4, 1};

/* Keeps prices and potentials where the checker finds that they prove less than the proof that
 * there is. */
static warpbound_status keep(const struct dual *dual, int64_t scale, bool coarse,
                             struct wb_ipet_proof *proof, warpbound_error *error)
{
  const struct wb_flow_system *system = dual->system;
  const int64_t *price = dual->price;
  const int64_t *potential = dual->potentials.potential;
  int64_t bound;
  warpbound_error refusal;
  warpbound_status status = wb_check_flow_bound(system, price, potential, scale, &bound, &refusal);
  if (status == WARPBOUND_CHECK_FAILED)
    return WARPBOUND_OK; /* a number does not fit */
  if (status != WARPBOUND_OK)
    return wb_fail_with(error, &refusal);
  if (proof->price != NULL && proof->bound <= bound)
    return WARPBOUND_OK;
  if (proof->price == NULL) {
    proof->price = wb_allocate(system->limit_count, sizeof *proof->price);
    proof->potential = wb_allocate(system->port_count, sizeof *proof->potential);
  }
  if (proof->price == NULL || proof->potential == NULL)
    return wb_out_of_memory(error);
  memcpy(proof->price, price, system->limit_count * sizeof *price);
  memcpy(proof->potential, potential, system->port_count * sizeof *potential);
  proof->scale = scale;
  proof->bound = bound;
  proof->coarse = coarse;
  return WARPBOUND_OK;
}

static warpbound_status try_roundings(struct dual *dual, int64_t wanted,
                                      struct wb_ipet_proof *proof, warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  const bool walk = wb_flow_system_is_walk(dual->system);
  const int64_t *all = walk ? scales : group_scales;
  const size_t count = walk ? COUNT(scales) : COUNT(group_scales);
  for (size_t i = 0; i < count * ROUNDINGS; i++) {
    if (status != WARPBOUND_OK || (proof->price != NULL && proof->bound <= wanted))
      break;
    const int64_t scale = all[i / ROUNDINGS];
    if (round_prices(dual, scale, 0, (enum rounding)(i % ROUNDINGS)))
      status = keep(dual, scale, false, proof, error);
  }
  return status;
}

warpbound_status wb_ipet_proof_make(const struct wb_flow_system *system,
                                    const struct wb_ipet_prices *prices, int64_t wanted,
                                    struct wb_ipet_proof *proof, warpbound_error *error)
{
  *proof = (struct wb_ipet_proof){0};
  struct wb_arena arena = {0};
  struct dual dual;
  warpbound_status status = WARPBOUND_OK;
  if (!make_dual(&arena, system, prices, false, &dual))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = try_roundings(&dual, wanted, proof, error);
  wb_arena_free(&arena);
  if (status != WARPBOUND_OK)
    wb_ipet_proof_free(proof);
  return status;
}

warpbound_status wb_ipet_proof_take(const struct wb_flow_system *system, const int64_t *price,
                                    int64_t scale, struct wb_ipet_proof *proof,
                                    warpbound_error *error)
{
  *proof = (struct wb_ipet_proof){0};
  struct wb_arena arena = {0};
  struct dual dual;
  warpbound_status status = WARPBOUND_OK;
  if (!make_dual(&arena, system, &(struct wb_ipet_prices){0}, false, &dual))
    status = wb_out_of_memory(error);
  bool fits = status == WARPBOUND_OK && price_edges(&dual, scale, 0, ROUND_NEAREST);
  for (size_t l = 0; l < system->limit_count && fits; l++)
    fits = add_to_price(&dual, l, price[l]);
  if (fits && wb_node_potentials_find(&dual.potentials) == WB_NODE_POTENTIALS_FOUND)
    status = keep(&dual, scale, true, proof, error);
  wb_arena_free(&arena);
  return status;
}

warpbound_status wb_ipet_proof_raise(const struct wb_flow_system *system, const double *prices,
                                     struct wb_ipet_proof *proof, bool *unlimited,
                                     warpbound_error *error)
{
  *proof = (struct wb_ipet_proof){0};
  struct wb_arena arena = {0};
  struct dual dual;
  warpbound_status status = WARPBOUND_OK;
  if (!make_dual(&arena, system, &(struct wb_ipet_prices){.part = prices}, false, &dual))
    status = wb_out_of_memory(error);
  for (size_t i = 0; i < COUNT(raised) && prices != NULL; i++) {
    if (status != WARPBOUND_OK || proof->price != NULL)
      break;
    if (round_prices(&dual, raised[i].scale, raised[i].raise, ROUND_NEAREST))
      status = keep(&dual, raised[i].scale, false, proof, error);
  }
  for (size_t i = 0; i < COUNT(coarse_scales) && status == WARPBOUND_OK && proof->price == NULL;
       i++) {
    if (raise_prices(&dual, coarse_scales[i]))
      status = keep(&dual, coarse_scales[i], true, proof, error);
  }
  *unlimited = dual.unlimited;
  wb_arena_free(&arena);
  if (status != WARPBOUND_OK)
    wb_ipet_proof_free(proof);
  return status;
}

void wb_ipet_proof_free(struct wb_ipet_proof *proof)
{
  free(proof->price);
  free(proof->potential);
  *proof = (struct wb_ipet_proof){0};
}

/* ---- bounds with a margin ---- */

/* A cycle in units of the margin. */
#define UNITS INT64_C(1024)

/* Margins, in such units: the least one that is enough. */
static const int64_t margins[] = {1, 1 << 4, 1 << 8, 1 << 12, 1 << 16};

/* Denominators of prices and potentials, in parts of a unit. */
static const int64_t margin_scales[] = {1 << 20, 1 << 12, 1 << 6, 1};

/* The least whole numbers that are not below the scaled ones. False where one does not fit. */
static bool round_up(const double *from, size_t count, double scale, bool negate, int64_t *to)
{
  for (size_t i = 0; i < count; i++) {
    const double exact = ceil((negate ? -from[i] : fmax(from[i], 0)) * scale);
    if (!(fabs(exact) < 0x1p62))
      return false;
    to[i] = (int64_t)exact;
  }
  return true;
}

warpbound_status wb_ipet_prove_with_margin(const struct wb_flow_system *system,
                                           const struct wb_control *control,
                                           struct wb_ipet_proof *proof, warpbound_error *error)
{
  *proof = (struct wb_ipet_proof){0};
  struct wb_arena arena = {0};
  struct wb_flow_system dearer = *system;
  int64_t *price = wb_arena_array(&arena, int64_t, system->limit_count);
  int64_t *potential = wb_arena_array(&arena, int64_t, system->port_count);
  const struct dual exact = {
      .system = system, .price = price, .potentials = {.potential = potential}};
  dearer.cycles = wb_arena_array(&arena, int64_t, system->node_count);
  dearer.edge_cycles = wb_arena_array(&arena, int64_t, system->edge_count);
  warpbound_status status = arena.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
  for (size_t m = 0; m < COUNT(margins) && status == WARPBOUND_OK && proof->price == NULL; m++) {
    bool fits = true; /* each run costs so many units more */
    for (size_t v = 0; v < system->node_count && fits; v++)
      fits = wb_multiply_signed(system->cycles[v], UNITS, &dearer.cycles[v]) &&
             wb_add_signed(dearer.cycles[v], margins[m], &dearer.cycles[v]);
    for (size_t e = 0; e < system->edge_count && fits; e++)
      fits = wb_multiply_signed(wb_flow_edge_cycles(system, e), UNITS, &dearer.edge_cycles[e]);
    if (!fits)
      continue;
    struct wb_linear_relaxation relaxation;
    status = wb_ipet_relax(&dearer, false, INT64_MAX, control, &relaxation, error);
    const bool solved = status == WARPBOUND_OK && relaxation.status == WB_LINEAR_OPTIMAL;
    for (size_t s = 0; solved && s < COUNT(margin_scales); s++) {
      const int64_t scale = margin_scales[s];
      if (status == WARPBOUND_OK && proof->price == NULL &&
          round_up(relaxation.prices, system->port_count, (double)scale, true, potential) &&
          round_up(relaxation.prices + system->port_count, system->limit_count, (double)scale,
                   false, price))
        status = keep(&exact, scale * UNITS, true, proof, error);
    }
    wb_linear_relaxation_free(&relaxation);
  }
  wb_arena_free(&arena);
  if (status != WARPBOUND_OK)
    wb_ipet_proof_free(proof);
  return status;
}

/* ---- no execution, by the graph ---- */

static warpbound_status check_no_execution(const struct wb_flow_system *system,
                                           const int64_t *price, const int64_t *potential,
                                           bool *proven, warpbound_error *error)
{
  warpbound_error refusal;
  const warpbound_status status = wb_check_flow_no_execution(system, price, potential, &refusal);
  *proven = status == WARPBOUND_OK;
  if (status == WARPBOUND_OK || status == WARPBOUND_CHECK_FAILED)
    return WARPBOUND_OK;
  return wb_fail_with(error, &refusal);
}

/* Closes the edges that a limit forbids, at a price of 1 for the limit. Returns a limit that has no
 * solution by itself; SIZE_MAX where there is none. */
static size_t close_edges(const struct wb_flow_system *system, bool *closed, int64_t *price)
{
  size_t alone = SIZE_MAX;
  for (size_t l = 0; l < system->limit_count; l++) {
    const struct wb_flow_limit *limit = &system->limits[l];
    const struct wb_flow_term *terms = system->terms + limit->first_term;
    bool rising = true;
    for (size_t t = 0; t < limit->term_count; t++)
      rising = rising && terms[t].factor >= 0;
    if (rising && limit->constant < 0)
      alone = l;
    for (size_t t = 0; rising && limit->constant == 0 && t < limit->term_count; t++) {
      /* The first limit of an edge is enough. */
      if (terms[t].factor <= 0 || closed[terms[t].edge])
        continue;
      closed[terms[t].edge] = true;
      price[l] = 1;
    }
  }
  return alone;
}

warpbound_status wb_flow_prove_infeasible_by_graph(const struct wb_flow_system *system,
                                                   bool *proven, warpbound_error *error)
{
  struct wb_arena arena = {0};
  struct wb_buckets leaving;
  bool *closed = wb_arena_array(&arena, bool, system->edge_count);
  int64_t *price = wb_arena_array(&arena, int64_t, system->limit_count);
  int64_t *alone = wb_arena_array(&arena, int64_t, system->limit_count);
  int64_t *potential = wb_arena_array(&arena, int64_t, system->port_count);
  int64_t *zero = wb_arena_array(&arena, int64_t, system->port_count);
  uint32_t *nodes = wb_arena_array(&arena, uint32_t, system->node_count);
  warpbound_status status = WARPBOUND_OK;
  *proven = false;
  if (!wb_buckets_make(&arena, system->from, system->edge_count, system->node_count, &leaving) ||
      arena.failed) {
    wb_arena_free(&arena);
    return wb_out_of_memory(error);
  }
  const size_t unsolvable = close_edges(system, closed, price);
  const bool walk = wb_flow_system_is_walk(system);
  /* Potentials of a walk: -1 for nodes that edges which are not closed lead to from the start. */
  size_t count = 0;
  if (walk) {
    potential[system->starts[0].node] = -1;
    nodes[count++] = system->starts[0].node;
  }
  for (size_t n = 0; n < count; n++) {
    for (size_t i = leaving.first[nodes[n]]; i < leaving.first[nodes[n] + 1]; i++) {
      const uint32_t to = system->to[leaving.item[i]];
      if (closed[leaving.item[i]] || potential[to] < 0)
        continue;
      potential[to] = -1;
      nodes[count++] = to;
    }
  }
  if (unsolvable != SIZE_MAX) {
    alone[unsolvable] = 1;
    status = check_no_execution(system, alone, zero, proven, error);
  } else if (walk) {
    status = check_no_execution(system, price, potential, proven, error);
  }
  wb_arena_free(&arena);
  return status;
}

/* ---- no execution, by the limits ---- */

/* Prices of a least violation are parts of 1: of large bounds small ones. */
static const int64_t violation_scales[] = {1, 60, 1 << 10, 1 << 20, 1 << 30, INT64_C(1) << 40};

warpbound_status wb_flow_prove_infeasible_by_limits(const struct wb_flow_system *system,
                                                    const struct wb_control *control, bool *proven,
                                                    warpbound_error *error)
{
  struct wb_linear_relaxation relaxation;
  struct wb_arena arena = {0};
  struct dual dual;
  *proven = false;
  warpbound_status status = wb_ipet_relax(system, true, INT64_MAX, control, &relaxation, error);
  const bool solved = status == WARPBOUND_OK && relaxation.status == WB_LINEAR_OPTIMAL;
  const struct wb_ipet_prices prices = {.part =
                                            solved ? relaxation.prices + system->port_count : NULL};
  if (solved && !make_dual(&arena, system, &prices, true, &dual))
    status = wb_out_of_memory(error);
  for (size_t i = 0; solved && i < COUNT(violation_scales); i++) {
    const int64_t scale = violation_scales[i];
    if (status == WARPBOUND_OK && !*proven && round_prices(&dual, scale, 0, ROUND_NEAREST))
      status = check_no_execution(system, dual.price, dual.potentials.potential, proven, error);
    if (status == WARPBOUND_OK && !*proven && raise_prices(&dual, scale))
      status = check_no_execution(system, dual.price, dual.potentials.potential, proven, error);
  }
  wb_arena_free(&arena);
  wb_linear_relaxation_free(&relaxation);
  return status;
}

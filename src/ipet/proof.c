#include "ipet/solve.h"

#include "base/checked.h"
#include "base/memory.h"
#include "certificate/flow_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Prices of flow systems are mostly whole, or have small denominators. */
static const int64_t scales[] = {1, 2, 3, 4, 6, 12, 60, 1024, 2520, 1 << 20, 720720, 1 << 30};

/* What rounding up adds at most to a price's multiple: where the nearest multiples leave a
 * cycle that gains, higher prices may close it. */
enum rounding { TO_NEAREST, UPWARDS, ROUNDINGS };

/* Where no rounding closes every cycle: prices raised by a part of themselves. A cycle pays at
 * least its cycles by the exact prices, so that it then gains less than nothing, by more than
 * rounding takes, for some of these scales. */
static const struct {
  int64_t scale;
  double raise;
} raised[] = {{1 << 30, 0x1p-20}, {1 << 24, 0x1p-14}, {1 << 20, 0x1p-10}, {1 << 12, 0x1p-4}};

/* How often, on average, a node may be looked at before a rounding is given up: some times the
 * nesting of loops where the prices are good, without end where a cycle gains. */
#define VISITS 400

struct search {
  const struct wb_flow_system *system;
  const double *prices; /* by limit */
  int64_t *price;
  int64_t *gain; /* by edge: scaled cycles of its end less the prices paid */
  int64_t *potential;
  size_t *end; /* edges by their end: entering[begin..end[v] - 1] */
  uint32_t *entering;
  uint32_t *queue; /* a ring of nodes whose potential rose */
  bool *queued;
};

/* Edges by the node that they enter; those of v end at end[v] and begin where those of v - 1
 * end. */
static void sort_edges(struct search *s)
{
  const struct wb_flow_system *system = s->system;
  for (size_t e = 0; e < system->edge_count; e++) {
    if (system->to[e] + 1 < system->node_count)
      s->end[system->to[e] + 1]++;
  }
  for (size_t v = 1; v < system->node_count; v++)
    s->end[v] += s->end[v - 1];
  for (size_t e = 0; e < system->edge_count; e++)
    s->entering[s->end[system->to[e]]++] = (uint32_t)e;
}

static bool search_make(struct search *s)
{
  size_t nodes = s->system->node_count;
  size_t edges = s->system->edge_count;
  s->price = wb_allocate(s->system->limit_count, sizeof *s->price);
  s->gain = wb_allocate(edges, sizeof *s->gain);
  s->potential = wb_allocate(nodes, sizeof *s->potential);
  s->end = wb_allocate(nodes, sizeof *s->end);
  s->entering = wb_allocate(edges, sizeof *s->entering);
  s->queue = wb_allocate(nodes, sizeof *s->queue);
  s->queued = wb_allocate(nodes, sizeof *s->queued);
  return s->price != NULL && s->gain != NULL && s->potential != NULL && s->end != NULL &&
         s->entering != NULL && s->queue != NULL && s->queued != NULL;
}

static void search_free(struct search *s)
{
  free(s->price);
  free(s->gain);
  free(s->potential);
  free(s->end);
  free(s->entering);
  free(s->queue);
  free(s->queued);
}

/* False where a number does not fit. */
static bool price_edges(struct search *s, int64_t scale, double raise, enum rounding rounding)
{
  const struct wb_flow_system *system = s->system;
  for (size_t e = 0; e < system->edge_count; e++) {
    if (!wb_multiply_signed(scale, system->cycles[system->to[e]], &s->gain[e]))
      return false;
  }
  for (size_t l = 0; l < system->limit_count; l++) {
    double exact = fmax(s->prices[l], 0) * (double)scale * (1 + raise);
    if (!(exact < 0x1p62))
      return false;
    s->price[l] = (int64_t)(rounding == UPWARDS ? ceil(exact - 1e-6) : floor(exact + 0.5));
    for (size_t t = 0; t < system->limits[l].term_count; t++) {
      const struct wb_flow_term *term = &system->terms[system->limits[l].first_term + t];
      int64_t paid;
      if (!wb_multiply_signed(s->price[l], term->factor, &paid) ||
          !wb_subtract_signed(s->gain[term->edge], paid, &s->gain[term->edge]))
        return false;
    }
  }
  return true;
}

/* Puts a node whose potential rose at the end of the ring. */
static void enqueue(struct search *s, size_t head, size_t *waiting, uint32_t node)
{
  size_t tail = head + (*waiting)++;
  s->queued[node] = true;
  s->queue[tail < s->system->node_count ? tail : tail - s->system->node_count] = node;
}

/* The potential to begin with where an execution cannot end: as good as minus infinity. */
#define NOWHERE (-(INT64_C(1) << 60))

/* The least potentials: by each node the largest gain of a way from it to an end. A node that
 * no end can be reached from keeps a number so low that no way over it counts. False where a
 * cycle gains, or may. */
static bool find_potentials(struct search *s)
{
  const struct wb_flow_system *system = s->system;
  size_t nodes = system->node_count;
  size_t head = 0;
  size_t waiting = 0;
  for (size_t v = nodes; v-- > 0;) { /* ends stand behind, mostly */
    s->potential[v] = system->ends[v] ? 0 : NOWHERE;
    enqueue(s, head, &waiting, (uint32_t)v);
  }
  for (uint64_t visits = 0; waiting > 0; visits++) {
    if (visits > VISITS * (uint64_t)nodes)
      return false;
    uint32_t v = s->queue[head];
    head = head + 1 < nodes ? head + 1 : 0;
    waiting--;
    s->queued[v] = false;
    for (size_t i = v > 0 ? s->end[v - 1] : 0; i < s->end[v]; i++) {
      uint32_t u = system->from[s->entering[i]];
      int64_t value;
      if (!wb_add_signed(s->potential[v], s->gain[s->entering[i]], &value))
        return false;
      if (value <= s->potential[u])
        continue;
      s->potential[u] = value;
      if (!s->queued[u])
        enqueue(s, head, &waiting, u);
    }
  }
  return true;
}

static warpbound_status keep(const struct search *s, int64_t scale, struct wb_ipet_proof *proof,
                             warpbound_error *error)
{
  int64_t bound;
  warpbound_error refusal;
  warpbound_status status =
      wb_flow_check_bound(s->system, s->price, s->potential, scale, &bound, &refusal);
  if (status == WARPBOUND_CHECK_FAILED)
    return WARPBOUND_OK; /* a number that does not fit */
  if (status != WARPBOUND_OK) {
    *error = refusal;
    return status;
  }
  if (proof->price != NULL && proof->bound <= bound)
    return WARPBOUND_OK;
  size_t prices = s->system->limit_count * sizeof *proof->price;
  size_t potentials = s->system->node_count * sizeof *proof->potential;
  if (proof->price == NULL) {
    proof->price = wb_allocate(s->system->limit_count, sizeof *proof->price);
    proof->potential = wb_allocate(s->system->node_count, sizeof *proof->potential);
  }
  if (proof->price == NULL || proof->potential == NULL)
    return wb_out_of_memory(error);
  memcpy(proof->price, s->price, prices);
  memcpy(proof->potential, s->potential, potentials);
  proof->scale = scale;
  proof->bound = bound;
  return WARPBOUND_OK;
}

warpbound_status wb_ipet_proof_make(const struct wb_flow_system *system, const double *prices,
                                    int64_t wanted, struct wb_ipet_proof *proof,
                                    warpbound_error *error)
{
  *proof = (struct wb_ipet_proof){0};
  struct search search = {.system = system, .prices = prices + system->node_count};
  warpbound_status status = WARPBOUND_OK;
  if (!search_make(&search))
    status = wb_out_of_memory(error);
  else
    sort_edges(&search);
  for (size_t i = 0; i < sizeof scales / sizeof scales[0] * ROUNDINGS; i++) {
    if (status != WARPBOUND_OK || (proof->price != NULL && proof->bound <= wanted))
      break;
    int64_t scale = scales[i / ROUNDINGS];
    if (price_edges(&search, scale, 0, (enum rounding)(i % ROUNDINGS)) && find_potentials(&search))
      status = keep(&search, scale, proof, error);
  }
  for (size_t i = 0; i < sizeof raised / sizeof raised[0]; i++) {
    if (status != WARPBOUND_OK || proof->price != NULL)
      break;
    if (price_edges(&search, raised[i].scale, raised[i].raise, TO_NEAREST) &&
        find_potentials(&search))
      status = keep(&search, raised[i].scale, proof, error);
  }
  search_free(&search);
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

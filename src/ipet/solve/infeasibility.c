#include "ipet/solve/infeasibility.h"

#include "base/arena.h"
#include "base/buckets.h"
#include "certificate/flow/flow_check.h"
#include "ipet/solve/dual_prices.h"
#include "linear/relaxation.h"

#include <inttypes.h>
#include <math.h>

/* ---- the model of a proof ---- */

/* Edges of v with one sign. An edge of port q that leads to its own node counts on neither side.
 */
static void add_edges(const struct wb_flow_system *system, const struct wb_buckets *edges, size_t v,
                      uint32_t q, double sign, struct wb_linear_model *model)
{
  for (size_t i = edges->first[v]; i < edges->first[v + 1]; i++) {
    const uint32_t edge = edges->item[i];
    if (system->port[edge] != q || system->to[edge] != system->port_node[q])
      wb_linear_add_entry(model, edge, sign);
  }
}

static bool add_conservation(const struct wb_flow_system *system, struct wb_linear_model *model)
{
  struct wb_arena arena = {0};
  struct wb_buckets entering;
  struct wb_buckets leaving;
  const size_t edges = system->edge_count;
  const bool ok = wb_buckets_make(&arena, system->to, edges, system->node_count, &entering) &&
                  wb_buckets_make(&arena, system->port, edges, system->port_count, &leaving);
  for (uint32_t q = 0; ok && q < system->port_count; q++) {
    const double given = -(double)wb_flow_start_runs(system, system->port_node[q]);
    wb_linear_add_row(model, given, given, "flow%" PRIu32, q);
    add_edges(system, &entering, system->port_node[q], q, 1, model);
    add_edges(system, &leaving, q, q, -1, model);
    wb_linear_add_entry(model, (uint32_t)(edges + q), -1);
  }
  wb_arena_free(&arena);
  return ok;
}

static double clamp(int64_t factor, int64_t most)
{
  return (double)(factor > most ? most : factor < -most ? -most : factor);
}

bool wb_auxiliary_model_build(const struct wb_flow_system *system,
                              enum wb_auxiliary_objective objective, int64_t most,
                              struct wb_linear_model *model)
{
  const bool violation = objective == WB_AUXILIARY_VIOLATION;
  *model = (struct wb_linear_model){.maximise = true};
  /* Columns: edges, ends, and, for the violation, the excess of each limit. */
  for (size_t e = 0; e < system->edge_count; e++) {
    const uint32_t column = wb_linear_add_column(model, 0, INFINITY, false, "x%zu", e);
    if (!model->failed && !violation)
      model->columns[column].objective = (double)system->cycles[system->to[e]];
  }
  for (size_t q = 0; q < system->port_count; q++)
    (void)wb_linear_add_column(model, 0, system->ends[q] ? INFINITY : 0, false, "stop%zu", q);
  for (size_t l = 0; violation && l < system->limit_count; l++) {
    const uint32_t column = wb_linear_add_column(model, 0, INFINITY, false, "broken%zu", l);
    if (!model->failed)
      model->columns[column].objective = -1;
  }
  if (!add_conservation(system, model))
    return false;
  const size_t broken = system->edge_count + system->port_count;
  for (size_t l = 0; l < system->limit_count; l++) {
    const struct wb_flow_limit *limit = &system->limits[l];
    wb_linear_add_row(model, -INFINITY, clamp(limit->constant, most), "limit%zu", l);
    for (size_t t = 0; t < limit->term_count; t++) {
      const struct wb_flow_term *term = &system->terms[limit->first_term + t];
      wb_linear_add_entry(model, term->edge, clamp(term->factor, most));
    }
    if (violation)
      wb_linear_add_entry(model, (uint32_t)(broken + l), -1);
  }
  return !model->failed;
}

static warpbound_status check(const struct wb_flow_system *system, const int64_t *price,
                              const int64_t *potential, bool *proven, warpbound_error *error)
{
  warpbound_error refusal;
  const warpbound_status status = wb_check_flow_no_execution(system, price, potential, &refusal);
  *proven = status == WARPBOUND_OK;
  if (status == WARPBOUND_OK || status == WARPBOUND_CHECK_FAILED)
    return WARPBOUND_OK;
  return wb_fail_with(error, &refusal);
}

/* ---- by the graph ---- */

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

/* Potentials of a walk: -1 for nodes that edges which are not closed lead to from the start, 0 for
 * others. */
static void follow_open_edges(const struct wb_flow_system *system, const struct wb_buckets *leaving,
                              const bool *closed, uint32_t *nodes, int64_t *potential)
{
  size_t count = 0;
  potential[system->starts[0].node] = -1;
  nodes[count++] = system->starts[0].node;
  for (size_t n = 0; n < count; n++) {
    for (size_t i = leaving->first[nodes[n]]; i < leaving->first[nodes[n] + 1]; i++) {
      const uint32_t to = system->to[leaving->item[i]];
      if (closed[leaving->item[i]] || potential[to] < 0)
        continue;
      potential[to] = -1;
      nodes[count++] = to;
    }
  }
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
    status = wb_out_of_memory(error);
  } else {
    const size_t unsolvable = close_edges(system, closed, price);
    if (unsolvable != SIZE_MAX) {
      alone[unsolvable] = 1;
      status = check(system, alone, zero, proven, error);
    } else if (wb_flow_system_is_walk(system)) {
      follow_open_edges(system, &leaving, closed, nodes, potential);
      status = check(system, price, potential, proven, error);
    }
  }
  wb_arena_free(&arena);
  return status;
}

/* ---- contradictions ---- */

/* Prices of a least violation are parts of 1: of large bounds small ones. */
static const int64_t scales[] = {1, 60, 1 << 10, 1 << 20, 1 << 30, INT64_C(1) << 40};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static warpbound_status round_prices(const struct wb_flow_system *system, const double *prices,
                                     bool *proven, warpbound_error *error)
{
  struct wb_arena arena = {0};
  struct wb_dual_prices search;
  warpbound_status status = WARPBOUND_OK;
  if (!wb_dual_prices_make(&arena, system, prices, true, &search))
    status = wb_out_of_memory(error);
  for (size_t i = 0; i < COUNT(scales) && status == WARPBOUND_OK && !*proven; i++) {
    if (wb_dual_prices_round(&search, scales[i], 0, WB_PRICE_NEAREST))
      status = check(system, search.price, search.potentials.potential, proven, error);
    if (status == WARPBOUND_OK && !*proven && wb_dual_prices_raise(&search, scales[i]))
      status = check(system, search.price, search.potentials.potential, proven, error);
  }
  wb_arena_free(&arena);
  return status;
}

warpbound_status wb_flow_prove_infeasible_by_limits(const struct wb_flow_system *system,
                                                    const struct wb_control *control, bool *proven,
                                                    warpbound_error *error)
{
  struct wb_linear_model model;
  struct wb_linear_relaxation relaxation = {0};
  warpbound_status status = WARPBOUND_OK;
  *proven = false;
  if (!wb_auxiliary_model_build(system, WB_AUXILIARY_VIOLATION, INT64_MAX, &model))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = wb_linear_relax(&model, control, &relaxation, error);
  if (status == WARPBOUND_OK && relaxation.status == WB_LINEAR_OPTIMAL)
    status = round_prices(system, relaxation.prices + system->port_count, proven, error);
  wb_linear_relaxation_free(&relaxation);
  wb_linear_model_free(&model);
  return status;
}

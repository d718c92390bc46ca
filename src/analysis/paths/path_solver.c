#include "analysis/paths/path_solver.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "certificate/flow/paths_check.h"
#include "ipet/solve/ipet_model.h"

#include <stdlib.h>
#include <string.h>

/* The stretches of paths between barriers, as a flow system of their own (doc/launch.md). Makes the
 * system of the stretches of a system whose barriers are all of the whole warp, without costs: its
 * nodes and one more, where a stretch starts, with its own port, the last; its edges, of which
 * those that leave a barrier leave that node instead, and one more from there to the start of the
 * paths; ports of a barrier's node need not be taken; its limits, of which those that need not hold
 * of stretches say nothing. edges_cost: with room for costs of edges, which are 0. The caller frees
 * it. Errors: WARPBOUND_INTERNAL (memory). */
static warpbound_status make_stretches(const struct wb_path_system *system, bool edges_cost,
                                       struct wb_flow_system *stretches, warpbound_error *error)
{
  const struct wb_flow_system *flow = &system->flow;
  const uint32_t start = (uint32_t)flow->node_count;
  const uint32_t port = (uint32_t)flow->port_count;
  warpbound_status status = wb_flow_system_make(stretches, flow->node_count + 1,
                                                flow->edge_count + 1, flow->port_count + 1, error);
  if (status != WARPBOUND_OK)
    return status;
  if (edges_cost)
    stretches->edge_cycles = wb_arena_array(&stretches->arena, int64_t, stretches->edge_count);
  if (edges_cost && stretches->edge_cycles == NULL) {
    wb_flow_system_free(stretches);
    return wb_out_of_memory(error);
  }
  for (size_t e = 0; e < flow->edge_count; e++) {
    const bool begins = wb_path_node_ends_with_barrier(system, flow->from[e]);
    stretches->from[e] = begins ? start : flow->from[e];
    stretches->port[e] = begins ? port : flow->port[e];
    stretches->to[e] = flow->to[e];
  }
  stretches->from[flow->edge_count] = start;
  stretches->port[flow->edge_count] = port;
  stretches->to[flow->edge_count] = flow->starts[0].node;
  for (uint32_t q = 0; q < port; q++) {
    stretches->port_node[q] = flow->port_node[q];
    stretches->ends[q] =
        flow->ends[q] || wb_path_node_ends_with_barrier(system, flow->port_node[q]);
  }
  stretches->port_node[port] = start;
  stretches->start_count = flow->start_count;
  for (size_t s = 0; s < flow->start_count; s++)
    stretches->starts[s] = flow->starts[s];
  stretches->starts[0] = (struct wb_flow_start){start, 1};
  for (size_t l = 0; l < flow->limit_count; l++) {
    const struct wb_flow_limit *limit = &flow->limits[l];
    const struct wb_flow_term *terms = &flow->terms[limit->first_term];
    /* A limit holds of each stretch where it is local, or has no negative factor: its sum over a
     * stretch is then at most that over the path. */
    bool positive = true;
    for (size_t t = 0; t < limit->term_count; t++)
      positive &= terms[t].factor >= 0;
    const bool kept = positive || (system->local != NULL && system->local[l]);
    wb_flow_limit_add(stretches, kept ? limit->constant : 0, limit->origin);
    for (size_t t = 0; t < limit->term_count && kept; t++)
      (void)wb_flow_term_add(stretches, terms[t].edge,
                             terms[t].factor); /* each edge once: no sum */
  }
  if (!stretches->failed)
    return WARPBOUND_OK;
  wb_flow_system_free(stretches);
  return wb_out_of_memory(error);
}

/* ---- solving ---- */

static warpbound_status solve_flow(const struct wb_flow_system *flow,
                                   const struct wb_ipet_options *options,
                                   const struct wb_control *control, struct wb_ipet_result *result,
                                   warpbound_error *error)
{
  struct wb_linear_model model = {0};
  warpbound_status status = wb_ipet_model_build(flow, &(struct wb_ipet_names){0}, &model, error);
  if (status == WARPBOUND_OK)
    status = wb_ipet_solve(flow, &model, options, control, result, error);
  wb_linear_model_free(&model);
  if (status != WARPBOUND_OK)
    return status;
  switch (result->status) {
  case WB_IPET_SOLVED:
    break;
  case WB_IPET_UNBOUNDED:
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "the bounds given do not bound the paths");
  case WB_IPET_INFEASIBLE:
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "no path satisfies the bounds and facts");
  case WB_IPET_TOO_LONG:
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "no bound below 2^60 cycles was found: bounds of nested loops multiply, or do "
                   "not bound the paths");
  default:
    return wb_fail(error, WARPBOUND_LIMIT,
                   "a limit was reached before a bound over all paths was proven");
  }
  /* Dropped limits have no price. */
  for (size_t l = 0; l < flow->limit_count; l++) {
    if (result->proof.price != NULL && flow->limits[l].term_count == 0 &&
        flow->limits[l].constant == 0)
      result->proof.price[l] = 0;
  }
  return WARPBOUND_OK;
}

warpbound_status wb_path_system_solve(const struct wb_path_system *system,
                                      const struct wb_path_costs *costs, uint32_t phase,
                                      const struct wb_ipet_options *options,
                                      const struct wb_control *control,
                                      struct wb_ipet_result *result, warpbound_error *error)
{
  struct wb_flow_system flow;
  warpbound_status status;
  *result = (struct wb_ipet_result){0};
  if (phase == WB_STRETCHES) {
    status = make_stretches(system, costs->edges != NULL, &flow, error);
    if (status != WARPBOUND_OK)
      return status;
    for (size_t v = 0; v < system->flow.node_count; v++)
      flow.cycles[v] = costs->nodes[v];
    for (size_t e = 0; e < system->flow.edge_count && costs->edges != NULL; e++)
      flow.edge_cycles[e] = costs->edges[e];
    const struct wb_ipet_options stretch = {.effort = options->effort};
    status = solve_flow(&flow, &stretch, control, result, error);
    wb_flow_system_free(&flow);
    free(result->taken); /* it is of no path of the system */
    free(result->near);
    result->taken = NULL;
    result->near = NULL;
    return status;
  }
  /* The system that the maximum is of has costs and limits of its own. */
  struct wb_arena arena = {0};
  flow = system->flow;
  flow.cycles = wb_arena_array(&arena, int64_t, flow.node_count);
  flow.limits = wb_arena_array(&arena, struct wb_flow_limit, flow.limit_count);
  flow.edge_cycles = costs->edges != NULL ? wb_arena_array(&arena, int64_t, flow.edge_count) : NULL;
  const bool whole = phase >= WB_COMPOSITE_PATHS;
  for (size_t v = 0; v < flow.node_count && !arena.failed; v++)
    flow.cycles[v] = whole || system->phase[v] == phase ? costs->nodes[v] : 0;
  for (size_t e = 0; e < flow.edge_count && costs->edges != NULL && !arena.failed; e++)
    flow.edge_cycles[e] = whole || system->phase[flow.to[e]] == phase ? costs->edges[e] : 0;
  for (size_t l = 0; l < flow.limit_count && !arena.failed; l++) {
    flow.limits[l] = system->flow.limits[l];
    if (phase == WB_COMPOSITE_PATHS && !system->composed[l])
      wb_flow_limit_drop(&flow, l);
  }
  status =
      arena.failed ? wb_out_of_memory(error) : solve_flow(&flow, options, control, result, error);
  wb_arena_free(&arena);
  return status;
}

/* Where there is one phase, it is the whole. */
static uint32_t phase_in(const struct wb_path_system *system, uint32_t phase)
{
  return system->phases == 1 && phase != WB_COMPOSITE_PATHS ? WB_CHECK_ALL_PHASES : phase;
}

const struct wb_path_maximum *wb_path_maxima_find(const struct wb_path_maxima *maxima,
                                                  const struct wb_path_system *system,
                                                  const uint64_t factor[WB_UNIT_COUNT],
                                                  uint32_t phase)
{
  for (size_t p = 0; p < maxima->count; p++) {
    const struct wb_path_maximum *maximum = maxima->items[p];
    if (maximum->phase == phase_in(system, phase) &&
        memcmp(maximum->factor, factor, sizeof maximum->factor) == 0)
      return maximum;
  }
  return NULL;
}

warpbound_status wb_path_maxima_solve(struct wb_path_maxima *maxima,
                                      const struct wb_path_system *system,
                                      const uint64_t factor[WB_UNIT_COUNT], uint32_t phase,
                                      const struct wb_control *control,
                                      const struct wb_path_maximum **maximum,
                                      warpbound_error *error)
{
  const size_t nodes = system->flow.node_count;
  *maximum = wb_path_maxima_find(maxima, system, factor, phase);
  if (*maximum != NULL)
    return WARPBOUND_OK;
  struct wb_path_maximum *made = wb_arena_array(&maxima->arena, struct wb_path_maximum, 1);
  int64_t *cost = wb_arena_array(&maxima->arena, int64_t, nodes);
  if (!wb_grow(maxima->items, &maxima->capacity, maxima->count + 1) || maxima->arena.failed)
    return wb_out_of_memory(error);
  made->phase = phase_in(system, phase);
  memcpy(made->factor, factor, sizeof made->factor);
  for (size_t v = 0; v < nodes; v++) {
    uint64_t sum = 0;
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
      uint64_t part;
      if (!wb_multiply(system->count[v][u], factor[u], &part) || !wb_add(sum, part, &sum) ||
          sum > INT64_MAX)
        return wb_fail(error, WARPBOUND_INVALID_INPUT,
                       "the letters of a block do not fit into 64 bits");
    }
    cost[v] = (int64_t)sum;
  }
  const struct wb_path_costs costs = {.nodes = cost};
  const warpbound_status status = wb_path_system_solve(
      system, &costs, made->phase, &(struct wb_ipet_options){0}, control, &made->ipet, error);
  if (status != WARPBOUND_OK) {
    wb_ipet_result_free(&made->ipet);
    return status;
  }
  maxima->items[maxima->count++] = made;
  *maximum = made;
  return WARPBOUND_OK;
}

void wb_path_maxima_free(struct wb_path_maxima *maxima)
{
  for (size_t p = 0; p < maxima->count; p++)
    wb_ipet_result_free(&maxima->items[p]->ipet);
  free(maxima->items);
  wb_arena_free(&maxima->arena);
  *maxima = (struct wb_path_maxima){0};
}

#include "analysis/paths/system/path_solver.h"

#include "analysis/paths/system/path_stretches.h"
#include "base/arena.h"
#include "certificate/flow/paths_check.h"
#include "ipet/solve/ipet_model.h"

#include <stdlib.h>

static warpbound_status judge(const struct wb_ipet_result *result, warpbound_error *error)
{
  switch (result->status) {
  case WB_IPET_SOLVED:
    return WARPBOUND_OK;
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
}

/* ---- solving ---- */

static warpbound_status solve_flow(const struct wb_flow_system *flow,
                                   const struct wb_control *control, struct wb_ipet_result *result,
                                   warpbound_error *error)
{
  struct wb_linear_model model = {0};
  warpbound_status status = wb_ipet_model_build(flow, &(struct wb_ipet_names){0}, &model, error);
  if (status == WARPBOUND_OK)
    status = wb_ipet_solve(flow, &model, NULL, control, result, error);
  if (status == WARPBOUND_OK)
    status = judge(result, error);
  wb_linear_model_free(&model);
  /* Dropped limits have no price. */
  for (size_t l = 0; status == WARPBOUND_OK && l < flow->limit_count; l++) {
    if (flow->limits[l].term_count == 0 && flow->limits[l].constant == 0)
      result->proof.price[l] = 0;
  }
  return status;
}

static warpbound_status solve_stretches(const struct wb_path_system *system, const int64_t *cost,
                                        const struct wb_control *control,
                                        struct wb_ipet_result *result, warpbound_error *error)
{
  struct wb_flow_system flow;
  warpbound_status status = wb_path_stretches_make(system, &flow, error);
  if (status != WARPBOUND_OK)
    return status;
  for (size_t v = 0; v < system->flow.node_count; v++)
    flow.cycles[v] = cost[v];
  status = solve_flow(&flow, control, result, error);
  wb_flow_system_free(&flow);
  free(result->taken); /* it is of no path of the system */
  result->taken = NULL;
  return status;
}

warpbound_status wb_path_system_solve(const struct wb_path_system *system, const int64_t *cost,
                                      uint32_t phase, const struct wb_control *control,
                                      struct wb_ipet_result *result, warpbound_error *error)
{
  *result = (struct wb_ipet_result){0};
  if (phase == WB_STRETCHES)
    return solve_stretches(system, cost, control, result, error);
  /* The system that the maximum is of has costs and limits of its own. */
  struct wb_arena arena = {0};
  struct wb_flow_system flow = system->flow;
  flow.cycles = wb_arena_array(&arena, int64_t, flow.node_count);
  flow.limits = wb_arena_array(&arena, struct wb_flow_limit, flow.limit_count);
  for (size_t v = 0; v < flow.node_count && !arena.failed; v++)
    flow.cycles[v] = phase >= WB_COMPOSITE_PATHS || system->phase[v] == phase ? cost[v] : 0;
  for (size_t l = 0; l < flow.limit_count && !arena.failed; l++) {
    flow.limits[l] = system->flow.limits[l];
    if (phase == WB_COMPOSITE_PATHS && !system->composed[l])
      wb_flow_limit_drop(&flow, l);
  }
  const warpbound_status status =
      arena.failed ? wb_out_of_memory(error) : solve_flow(&flow, control, result, error);
  wb_arena_free(&arena);
  return status;
}

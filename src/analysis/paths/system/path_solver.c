#include "analysis/paths/system/path_solver.h"

#include "analysis/paths/system/path_stretches.h"
#include "base/memory.h"
#include "certificate/flow/paths_check.h"
#include "ipet/solve/ipet_model.h"

#include <stdlib.h>

/* ---- the model ---- */

/* Names of columns and rows are for files, of which none is written: all have the same. */
static warpbound_status build_model(const struct wb_flow_system *flow,
                                    struct wb_linear_model *model, warpbound_error *error)
{
  size_t count = flow->port_count > flow->edge_count ? flow->port_count : flow->edge_count;
  count = count > flow->limit_count ? count : flow->limit_count;
  const char **names = wb_allocate(count, sizeof *names);
  if (names == NULL)
    return wb_out_of_memory(error);
  for (size_t i = 0; i < count; i++)
    names[i] = "v";
  const struct wb_ipet_names same = {.ports = names, .edges = names, .limits = names};
  const warpbound_status status = wb_ipet_model_build(flow, &same, model, error);
  free(names);
  return status;
}

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

/* The system that a maximum is of, which owns its costs and limits. False where memory is out. */
static bool borrow_system(const struct wb_path_system *system, const int64_t *cost, uint32_t phase,
                          struct wb_flow_system *flow)
{
  *flow = system->flow;
  int64_t *counted = wb_allocate(system->flow.node_count, sizeof *counted);
  for (size_t v = 0; counted != NULL && v < system->flow.node_count; v++)
    counted[v] = phase >= WB_COMPOSITE_PATHS || system->phase[v] == phase ? cost[v] : 0;
  flow->cycles = counted;
  flow->limits = wb_allocate(flow->limit_count, sizeof *flow->limits);
  if (flow->cycles == NULL || flow->limits == NULL)
    return false;
  for (size_t l = 0; l < flow->limit_count; l++) {
    flow->limits[l] = system->flow.limits[l];
    if (phase == WB_COMPOSITE_PATHS && !system->composed[l])
      wb_flow_limit_drop(flow, l);
  }
  return true;
}

static warpbound_status solve_flow(const struct wb_flow_system *flow,
                                   const struct wb_control *control, struct wb_ipet_result *result,
                                   warpbound_error *error)
{
  struct wb_linear_model model = {0};
  warpbound_status status = build_model(flow, &model, error);
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
  struct wb_flow_system flow;
  *result = (struct wb_ipet_result){0};
  if (phase == WB_STRETCHES)
    return solve_stretches(system, cost, control, result, error);
  warpbound_status status = borrow_system(system, cost, phase, &flow)
                                ? solve_flow(&flow, control, result, error)
                                : wb_out_of_memory(error);
  free(flow.cycles);
  free(flow.limits);
  return status;
}

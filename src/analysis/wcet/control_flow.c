#include "analysis/wcet/control_flow.h"

#include "base/arena.h"

warpbound_status wb_control_flow_complete(struct wb_control_flow *flow, warpbound_error *error)
{
  const struct wb_warp_graph *united = &flow->united;
  warpbound_status status = wb_united_loops_make(flow->graph, united, &flow->loops, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_edge_lists incoming = {0};
  struct wb_arena arena = {0};
  uint32_t *from = wb_arena_array(&arena, uint32_t, united->edge_count);
  uint32_t *to = wb_arena_array(&arena, uint32_t, united->edge_count);
  for (size_t e = 0; e < united->edge_count && !arena.failed; e++) {
    from[e] = united->edges[e].from;
    to[e] = united->edges[e].to;
  }
  struct wb_flow_graph graph = {united->block_count, united->edge_count, from, to,
                                united->entry_block};
  status =
      !arena.failed && wb_edge_lists_make(to, united->edge_count, united->block_count, &incoming)
          ? wb_dominators_make(&graph, &incoming, &flow->dominators, error)
          : wb_out_of_memory(error);
  wb_edge_lists_free(&incoming);
  wb_arena_free(&arena);
  return status;
}

warpbound_status wb_control_flow_analyse(const struct wb_code *code,
                                         const struct wb_function *function,
                                         const struct wb_simt_options *options,
                                         const struct wb_control *control,
                                         struct wb_control_flow *flow, warpbound_error *error)
{
  *flow = (struct wb_control_flow){.code = code, .function = function};
  const double start = wb_clock();
  warpbound_status status = WARPBOUND_OK;
  /* Whether to begin at all: the analysis of a small function asks nowhere else. */
  const enum wb_stop stop = wb_control_stopped(control);
  if (stop == WB_STOP_TIME)
    status =
        wb_fail(&flow->refusal, WARPBOUND_LIMIT,
                "%s: the time limit was reached before the control-flow analysis", function->name);
  else if (stop != WB_STOP_NONE)
    status = wb_fail(&flow->refusal, WARPBOUND_LIMIT,
                     "%s: interrupted before the control-flow analysis", function->name);
  else
    status = wb_simt_analyse(code, function, options, control, &flow->analysis, &flow->refusal);
  if (status == WARPBOUND_INTERNAL)
    return wb_fail_with(error, &flow->refusal);
  if (status == WARPBOUND_OK) {
    flow->graph = wb_simt_analysis_graph(flow->analysis);
    status = wb_warp_graph_unite(flow->graph, &flow->united, error);
    if (status == WARPBOUND_OK)
      status = wb_control_flow_complete(flow, error);
    if (status != WARPBOUND_OK)
      return status;
  }
  flow->seconds = wb_clock() - start;
  return WARPBOUND_OK;
}

void wb_control_flow_free(struct wb_control_flow *flow)
{
  wb_simt_analysis_free(flow->analysis);
  wb_warp_graph_free(&flow->united);
  wb_united_loops_free(&flow->loops);
  wb_dominators_free(&flow->dominators);
  *flow = (struct wb_control_flow){0};
}

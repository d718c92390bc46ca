/* Control flow of the public header: the warp-level graph of one function. */
#include "analysis/code/code_results.h"

#include "api/arguments.h"
#include "base/memory.h"
#include "report/cfg/cfg_report.h"

#include <stdlib.h>

warpbound_status warpbound_control_flow_analyse(const warpbound_kernel *kernel,
                                                const warpbound_simt_options *simt,
                                                const warpbound_options *limits,
                                                warpbound_control_flow **flow,
                                                warpbound_error *error)
{
  static const warpbound_simt_options defaults = {0};
  warpbound_error own = {0};
  if (error == NULL)
    error = &own;
  warpbound_status status = wb_require(flow, "flow", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  *flow = NULL;
  struct warpbound_control_flow *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  status = wb_require_machine_kernel(kernel, error);
  if (status == WARPBOUND_OK)
    status = wb_require_options(limits, error);
  if (status == WARPBOUND_OK)
    status = wb_simt_options_of(simt != NULL ? simt : &defaults, &made->options, error);
  if (status == WARPBOUND_OK && made->options.block[0] > 0)
    status = wb_require_block(wb_machine_function_of(kernel), made->options.block, error);
  if (status == WARPBOUND_OK) {
    const struct wb_control control = wb_control_start(limits);
    status = wb_control_flow_analyse(&kernel->module->code, wb_machine_function_of(kernel),
                                     &made->options, &control, &made->flow, error);
  }
  if (status != WARPBOUND_OK) {
    warpbound_control_flow_free(made);
    return status;
  }
  *flow = made;
  return made->flow.graph != NULL ? WARPBOUND_OK : wb_fail_with(error, &made->flow.refusal);
}

void warpbound_control_flow_free(warpbound_control_flow *flow)
{
  if (flow != NULL)
    wb_control_flow_free(&flow->flow);
  free(flow);
}

warpbound_control_flow_size warpbound_control_flow_size_of(const warpbound_control_flow *flow)
{
  warpbound_control_flow_size size = {0};
  if (flow == NULL || flow->flow.graph == NULL)
    return size;
  const struct wb_warp_graph *united = &flow->flow.united;
  size.blocks = united->block_count;
  size.edges = united->edge_count;
  for (size_t e = 0; e < united->edge_count; e++)
    size.reactivations += united->edges[e].kind == WB_EDGE_REACTIVATION;
  size.contexts = flow->flow.graph->context_count;
  size.loops = flow->flow.loops.count;
  size.divergence_points = united->divergence_point_count;
  size.uniform_branches = united->uniform_branch_count;
  size.scopes = united->scope_count;
  return size;
}

/* The assumptions of the graph; NULL of a refused function. */
static const struct wb_list *assumptions_of(const warpbound_control_flow *flow)
{
  return flow != NULL && flow->flow.graph != NULL ? &flow->flow.graph->assumptions : NULL;
}

size_t warpbound_control_flow_assumption_count(const warpbound_control_flow *flow)
{
  const struct wb_list *assumptions = assumptions_of(flow);
  return assumptions != NULL ? assumptions->count : 0;
}

const char *warpbound_control_flow_assumption(const warpbound_control_flow *flow, size_t index)
{
  const struct wb_list *assumptions = assumptions_of(flow);
  return assumptions != NULL && index < assumptions->count ? assumptions->items[index] : "";
}

/* A writer of reports over one function. */
typedef void cfg_writer(const struct wb_cfg_report *report, struct wb_text *text);

static warpbound_status write(const warpbound_control_flow *flow, cfg_writer *writer, char **text,
                              warpbound_error *error)
{
  warpbound_status status = wb_require_text_of(flow, "flow", "a control flow", text, error);
  if (status != WARPBOUND_OK)
    return status;
  const struct wb_cfg_report report = {
      .code = flow->flow.code, .options = &flow->options, .flows = &flow->flow, .count = 1};
  struct wb_text written = {0};
  writer(&report, &written);
  return wb_hand_out(&written, text, error);
}

static void write_plain(const struct wb_cfg_report *report, struct wb_text *text)
{
  wb_cfg_text(report, false, text);
}

static void write_graph(const struct wb_cfg_report *report, struct wb_text *text)
{
  wb_cfg_dot(report, true, text);
}

warpbound_status warpbound_control_flow_json(const warpbound_control_flow *flow, char **text,
                                             warpbound_error *error)
{
  return write(flow, wb_cfg_json, text, error);
}

warpbound_status warpbound_control_flow_text(const warpbound_control_flow *flow, char **text,
                                             warpbound_error *error)
{
  return write(flow, write_plain, text, error);
}

warpbound_status warpbound_control_flow_dot(const warpbound_control_flow *flow, char **text,
                                            warpbound_error *error)
{
  return write(flow, write_graph, text, error);
}

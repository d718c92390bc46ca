#include "ipet/system/ipet_system.h"

#include "base/arena.h"
#include "ipet/system/group_limits.h"
#include "ipet/system/group_system.h"
#include "ipet/system/reactivation_limits.h"
#include "ipet/system/system_builder.h"

#include <assert.h>

static warpbound_status limit_loop(struct wb_system_builder *builder, size_t index)
{
  const struct wb_ipet_loop_limit *limit = &builder->input->loop_limits[index];
  int64_t bound = limit->bound;
  /* Where lanes are in one group all the time, those that come back last came back each time. */
  if (builder->graph->groups && limit->thread_bound != WB_IPET_NO_BOUND &&
      (bound == WB_IPET_NO_BOUND || limit->thread_bound < bound))
    bound = limit->thread_bound;
  wb_flow_limit_add(builder->system, 0, WB_IPET_ORIGIN_LOOP + (uint32_t)index);
  warpbound_status status = wb_system_add_returns(builder, limit->loop, 1);
  return status == WARPBOUND_OK ? wb_system_subtract_entries(builder, limit->per, bound) : status;
}

static warpbound_status limit_fact(struct wb_system_builder *builder, size_t index)
{
  const struct wb_ipet_fact *fact = &builder->input->facts[index];
  wb_flow_limit_add(builder->system, fact->constant, WB_IPET_ORIGIN_FACT + (uint32_t)index);
  for (size_t t = 0; t < fact->term_count; t++) {
    if (!wb_system_add_runs(builder, fact->terms[t].block, fact->terms[t].factor))
      return wb_system_too_large(builder);
  }
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; p < fact->per_count && status == WARPBOUND_OK; p++)
    status = wb_system_subtract_entries(builder, fact->per[p], fact->per_factor);
  return status;
}

static void fill_graph(struct wb_system_builder *builder)
{
  if (wb_group_system_needed(builder->graph)) {
    wb_group_system_fill(builder);
    return;
  }
  for (size_t e = 0; e < builder->graph->edge_count; e++) {
    builder->system->from[e] = builder->graph->edges[e].from;
    builder->system->to[e] = builder->graph->edges[e].to;
  }
  for (size_t v = 0; v < builder->graph->block_count; v++) {
    builder->system->cycles[v] = builder->input->cycles[v];
    builder->system->ends[v] = builder->graph->ends[v];
  }
  wb_flow_system_walk(builder->system, builder->graph->entry_block);
}

static warpbound_status add_limits(struct wb_system_builder *builder)
{
  warpbound_status status = WARPBOUND_OK;
  const bool groups = wb_group_system_needed(builder->graph);
  for (size_t l = 0; l < builder->input->loop_limit_count && status == WARPBOUND_OK; l++)
    status = groups ? wb_group_limit_loop(builder, l) : limit_loop(builder, l);
  if (status == WARPBOUND_OK && groups)
    status = wb_group_limit_flow(builder);
  if (status == WARPBOUND_OK && !builder->graph->groups && !builder->input->free_reactivations)
    status = wb_system_limit_reactivations(builder);
  for (size_t f = 0; f < builder->input->fact_count && status == WARPBOUND_OK; f++)
    status = limit_fact(builder, f);
  if (status == WARPBOUND_OK && builder->system->failed)
    status = wb_out_of_memory(builder->error);
  return status;
}

warpbound_status wb_ipet_system_build(const struct wb_ipet_input *input,
                                      struct wb_flow_system *system, warpbound_error *error)
{
  const struct wb_warp_graph *graph = input->graph;
  struct wb_system_builder builder = {
      .input = input, .graph = graph, .system = system, .error = error};
  const bool groups = wb_group_system_needed(graph);
  const size_t layers = groups ? 2 : 1;
  const size_t ports = groups ? wb_group_system_ports(graph) : graph->block_count;
  warpbound_status status = wb_flow_system_make(system, layers * graph->block_count,
                                                layers * graph->edge_count, ports, error);
  if (status != WARPBOUND_OK)
    return status;
  if (wb_system_builder_make(&builder)) {
    fill_graph(&builder);
    status = add_limits(&builder);
  } else {
    status = wb_out_of_memory(error);
  }
  wb_arena_free(&builder.arena);
  assert(status != WARPBOUND_OK || wb_flow_system_is_valid(system));
  if (status != WARPBOUND_OK)
    wb_flow_system_free(system);
  return status;
}

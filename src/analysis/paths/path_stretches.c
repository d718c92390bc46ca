#include "analysis/paths/path_stretches.h"

static bool ends_with_barrier(const struct wb_path_system *system, uint32_t node)
{
  return system->count[node][WB_UNIT_BARRIER] > 0;
}

static void fill_edges(const struct wb_path_system *system, struct wb_flow_system *stretches)
{
  const struct wb_flow_system *flow = &system->flow;
  const uint32_t start = (uint32_t)flow->node_count;
  for (size_t e = 0; e < flow->edge_count; e++) {
    stretches->from[e] = ends_with_barrier(system, flow->from[e]) ? start : flow->from[e];
    stretches->to[e] = flow->to[e];
  }
  stretches->from[flow->edge_count] = start;
  stretches->to[flow->edge_count] = flow->starts[0].node;
  wb_flow_system_walk(stretches, start);
  for (uint32_t v = 0; v < flow->node_count; v++)
    stretches->ends[v] = flow->ends[v] || ends_with_barrier(system, v);
}

static void fill_limits(const struct wb_path_system *system, struct wb_flow_system *stretches)
{
  const struct wb_flow_system *flow = &system->flow;
  for (size_t l = 0; l < flow->limit_count; l++) {
    const struct wb_flow_limit *limit = &flow->limits[l];
    const bool local = system->local != NULL && system->local[l];
    wb_flow_limit_add(stretches, local ? limit->constant : 0, limit->origin);
    for (size_t t = 0; t < limit->term_count && local; t++) {
      const struct wb_flow_term *term = &flow->terms[limit->first_term + t];
      (void)wb_flow_term_add(stretches, term->edge, term->factor); /* each edge once: no sum */
    }
  }
}

warpbound_status wb_path_stretches_make(const struct wb_path_system *system,
                                        struct wb_flow_system *stretches, warpbound_error *error)
{
  const struct wb_flow_system *flow = &system->flow;
  const size_t nodes = flow->node_count + 1;
  warpbound_status status =
      wb_flow_system_make(stretches, nodes, flow->edge_count + 1, nodes, error);
  if (status != WARPBOUND_OK)
    return status;
  fill_edges(system, stretches);
  fill_limits(system, stretches);
  if (!stretches->failed)
    return WARPBOUND_OK;
  wb_flow_system_free(stretches);
  return wb_out_of_memory(error);
}

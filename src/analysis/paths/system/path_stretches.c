#include "analysis/paths/system/path_stretches.h"

static void fill_edges(const struct wb_path_system *system, struct wb_flow_system *stretches)
{
  const struct wb_flow_system *flow = &system->flow;
  const uint32_t start = (uint32_t)flow->node_count;
  const uint32_t port = (uint32_t)flow->port_count;
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
}

/* Whether a limit holds of each stretch: a local one; one without negative factors, whose sum over
 * a stretch is at most that over the path. */
static bool holds(const struct wb_path_system *system, size_t l)
{
  const struct wb_flow_limit *limit = &system->flow.limits[l];
  bool positive = true;
  for (size_t t = 0; t < limit->term_count; t++)
    positive &= system->flow.terms[limit->first_term + t].factor >= 0;
  return positive || (system->local != NULL && system->local[l]);
}

warpbound_status wb_path_stretches_make(const struct wb_path_system *system,
                                        struct wb_flow_system *stretches, warpbound_error *error)
{
  const struct wb_flow_system *flow = &system->flow;
  warpbound_status status = wb_flow_system_make(stretches, flow->node_count + 1,
                                                flow->edge_count + 1, flow->port_count + 1, error);
  if (status != WARPBOUND_OK)
    return status;
  fill_edges(system, stretches);
  for (size_t l = 0; l < flow->limit_count; l++) {
    const struct wb_flow_limit *limit = &flow->limits[l];
    const bool kept = holds(system, l);
    wb_flow_limit_add(stretches, kept ? limit->constant : 0, limit->origin);
    for (size_t t = 0; t < limit->term_count && kept; t++) {
      const struct wb_flow_term *term = &flow->terms[limit->first_term + t];
      (void)wb_flow_term_add(stretches, term->edge, term->factor); /* each edge once: no sum */
    }
  }
  if (!stretches->failed)
    return WARPBOUND_OK;
  wb_flow_system_free(stretches);
  return wb_out_of_memory(error);
}

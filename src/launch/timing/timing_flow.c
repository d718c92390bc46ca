#include "launch/timing/timing_flow.h"

#include "base/memory.h"

#include <stdlib.h>

static void list_successors(const struct wb_timing_graph *graph, struct wb_timing_flow *flow)
{
  for (size_t e = 0; e < graph->edge_count; e++)
    flow->first_edge[graph->from[e] + 1]++;
  for (size_t n = 0; n < graph->node_count; n++)
    flow->first_edge[n + 1] += flow->first_edge[n];
  /* Filled from the back of each node's part; first_edge[n + 1] then is where n's part begins. */
  for (size_t e = graph->edge_count; e-- > 0;)
    flow->successors[--flow->first_edge[graph->from[e] + 1]] = graph->to[e];
  for (size_t n = 0; n < graph->node_count; n++)
    flow->first_edge[n] = flow->first_edge[n + 1];
  flow->first_edge[graph->node_count] = graph->edge_count;
}

/* Puts the nodes that can be reached from one into `order`, in postorder, behind those that are
 * there. `path` and `next` have room for all nodes. */
static void reach_from(struct wb_timing_flow *flow, bool *reached, uint32_t start, uint32_t *path,
                       size_t *next)
{
  size_t depth = 0;
  if (reached[start])
    return;
  reached[start] = true;
  next[start] = flow->first_edge[start];
  path[depth++] = start;
  while (depth > 0) {
    const uint32_t node = path[depth - 1];
    if (next[node] == flow->first_edge[node + 1]) {
      flow->order[flow->reached_count++] = node;
      depth--;
      continue;
    }
    const uint32_t to = flow->successors[next[node]++];
    if (!reached[to]) {
      reached[to] = true;
      next[to] = flow->first_edge[to];
      path[depth++] = to;
    }
  }
}

static bool find_order(const struct wb_timing_graph *graph, struct wb_timing_flow *flow,
                       bool *reached)
{
  uint32_t *path = wb_allocate(graph->node_count, sizeof *path);
  size_t *next = wb_allocate(graph->node_count, sizeof *next);
  const bool memory = path != NULL && next != NULL;
  for (size_t s = 0; memory && s < graph->start_count; s++)
    reach_from(flow, reached, graph->starts[s], path, next);
  for (size_t n = 0; n < flow->reached_count / 2; n++) {
    const uint32_t node = flow->order[n];
    flow->order[n] = flow->order[flow->reached_count - 1 - n];
    flow->order[flow->reached_count - 1 - n] = node;
  }
  free(path);
  free(next);
  return memory;
}

bool wb_timing_flow_make(const struct wb_timing_graph *graph, struct wb_timing_flow *flow,
                         bool *reached)
{
  *flow = (struct wb_timing_flow){
      .first_edge = wb_allocate(graph->node_count + 1, sizeof *flow->first_edge),
      .successors = wb_allocate(graph->edge_count, sizeof *flow->successors),
      .order = wb_allocate(graph->node_count, sizeof *flow->order),
  };
  if (flow->first_edge == NULL || flow->successors == NULL || flow->order == NULL)
    return false;
  list_successors(graph, flow);
  return find_order(graph, flow, reached);
}

void wb_timing_flow_free(struct wb_timing_flow *flow)
{
  free(flow->first_edge);
  free(flow->successors);
  free(flow->order);
  *flow = (struct wb_timing_flow){0};
}

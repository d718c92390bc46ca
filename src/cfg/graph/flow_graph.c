#include "cfg/graph/flow_graph.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

bool wb_edge_lists_make(const uint32_t *ends, size_t edge_count, size_t node_count,
                        struct wb_edge_lists *lists)
{
  lists->first = wb_allocate(node_count + 2, sizeof *lists->first);
  lists->list = wb_allocate(edge_count, sizeof *lists->list);
  if (lists->first == NULL || lists->list == NULL) {
    wb_edge_lists_free(lists);
    return false;
  }
  /* Counted two places on, so that filling moves each start to where it belongs. */
  for (size_t e = 0; e < edge_count; e++)
    lists->first[ends[e] + 2]++;
  for (size_t n = 2; n <= node_count; n++)
    lists->first[n] += lists->first[n - 1];
  for (size_t e = 0; e < edge_count; e++)
    lists->list[lists->first[ends[e] + 1]++] = (uint32_t)e;
  assert(wb_edge_lists_check(lists, ends, edge_count, node_count) == NULL);
  return true;
}

void wb_edge_lists_free(struct wb_edge_lists *lists)
{
  free(lists->first);
  free(lists->list);
  *lists = (struct wb_edge_lists){0};
}

const char *wb_flow_graph_check(const struct wb_flow_graph *graph)
{
  if (graph->entry >= graph->node_count)
    return "the entry is no node";
  for (size_t e = 0; e < graph->edge_count; e++) {
    if (graph->from[e] >= graph->node_count || graph->to[e] >= graph->node_count)
      return "an edge ends at no node";
  }
  return NULL;
}

const char *wb_edge_lists_check(const struct wb_edge_lists *lists, const uint32_t *ends,
                                size_t edge_count, size_t node_count)
{
  if (lists->first[0] != 0 || lists->first[node_count] != edge_count)
    return "the lists do not hold each edge once";
  for (size_t n = 0; n < node_count; n++) {
    if (lists->first[n + 1] < lists->first[n] || lists->first[n + 1] > edge_count)
      return "a list ends before it begins";
    for (uint32_t i = lists->first[n]; i < lists->first[n + 1]; i++) {
      if (lists->list[i] >= edge_count || ends[lists->list[i]] != n)
        return "an edge is in the list of another node";
      if (i > lists->first[n] && lists->list[i] <= lists->list[i - 1])
        return "a list does not ascend";
    }
  }
  return NULL;
}

#include "cfg/warp_loops.h"

#include "base/memory.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* The edges that count, as a flow graph. kept: which edge of the warp graph each is. */
struct selection {
  uint32_t *from;
  uint32_t *to;
  uint32_t *kept;
  size_t count;
};

static bool select_edges(const struct wb_warp_graph *graph, bool reactivations,
                         struct selection *selection)
{
  selection->from = wb_allocate(graph->edge_count, sizeof *selection->from);
  selection->to = wb_allocate(graph->edge_count, sizeof *selection->to);
  selection->kept = wb_allocate(graph->edge_count, sizeof *selection->kept);
  if (selection->from == NULL || selection->to == NULL || selection->kept == NULL)
    return false;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    if (edge->kind == WB_EDGE_REACTIVATION && !reactivations)
      continue;
    selection->from[selection->count] = edge->from;
    selection->to[selection->count] = edge->to;
    selection->kept[selection->count++] = (uint32_t)e;
  }
  return true;
}

static warpbound_status make_forest(const struct wb_warp_graph *graph, bool reactivations,
                                    struct wb_loop_forest *forest, warpbound_error *error)
{
  struct selection selection = {0};
  warpbound_status status = WARPBOUND_OK;
  if (!select_edges(graph, reactivations, &selection))
    status = wb_out_of_memory(error);
  struct wb_flow_graph flow = {graph->block_count, selection.count, selection.from, selection.to,
                               graph->entry_block};
  if (status == WARPBOUND_OK)
    status = wb_loop_forest_make(&flow, forest, error);
  if (status == WARPBOUND_OK) {
    size_t back_edges = 0;
    for (size_t l = 0; l < forest->loop_count; l++)
      back_edges += forest->loops[l].back_edge_count;
    for (size_t i = 0; i < back_edges; i++)
      forest->back_edges[i] = selection.kept[forest->back_edges[i]];
  }
  free(selection.from);
  free(selection.to);
  free(selection.kept);
  return status;
}

warpbound_status wb_warp_loops_make(const struct wb_warp_graph *graph,
                                    struct wb_loop_forest *forest, warpbound_error *error)
{
  warpbound_status status = make_forest(graph, false, forest, error);
  bool complete = true;
  for (size_t b = 0; status == WARPBOUND_OK && b < graph->block_count; b++)
    complete = complete && forest->dominators[b] != NONE;
  if (status != WARPBOUND_OK || complete)
    return status;
  wb_loop_forest_free(forest);
  return make_forest(graph, true, forest, error);
}

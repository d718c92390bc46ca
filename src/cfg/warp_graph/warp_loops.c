#include "cfg/warp_graph/warp_loops.h"

#include "base/memory.h"
#include "cfg/warp_graph/block_search.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* The edges that count, as a flow graph. */
struct selection {
  uint32_t *from; /* blocks */
  uint32_t *to;   /* blocks */
  uint32_t *kept; /* by edge: which one of the warp graph it is, or NONE */
  size_t count;   /* edges */
};

static void select_edge(struct selection *selection, uint32_t from, uint32_t to, uint32_t kept)
{
  selection->from[selection->count] = from;
  selection->to[selection->count] = to;
  selection->kept[selection->count++] = kept;
}

/* Where lanes split, those that are pushed go on to their entry's point, later; but those that
 * are to do the split anew (an indexed branch) have not done it. */
static void select_pushes(const struct wb_warp_graph *graph, struct selection *selection)
{
  for (size_t p = 0; p < graph->push_count; p++) {
    const struct wb_warp_push *push = &graph->pushes[p];
    const struct wb_warp_entry *entry = &graph->entries[push->entry];
    uint32_t to = entry->token == WB_TOKEN_NONE
                      ? wb_block_that_begins(graph, entry->point, entry->context)
                      : NONE;
    if (to != NONE && to != push->block)
      select_edge(selection, push->block, to, NONE);
  }
}

static bool select_edges(const struct wb_warp_graph *graph, bool reactivations,
                         struct selection *selection)
{
  size_t most = graph->edge_count + graph->push_count;
  selection->from = wb_allocate(most, sizeof *selection->from);
  selection->to = wb_allocate(most, sizeof *selection->to);
  selection->kept = wb_allocate(most, sizeof *selection->kept);
  if (selection->from == NULL || selection->to == NULL || selection->kept == NULL)
    return false;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    if (edge->kind != WB_EDGE_REACTIVATION || reactivations)
      select_edge(selection, edge->from, edge->to, (uint32_t)e);
  }
  select_pushes(graph, selection);
  return true;
}

/* Turns back edges of the selection into edges of the graph, and drops those that are none. */
static void name_back_edges(struct wb_loop_forest *forest, const uint32_t *kept)
{
  size_t count = 0;
  for (size_t l = 0; l < forest->loop_count; l++) {
    struct wb_loop *loop = &forest->loops[l];
    size_t first = count;
    for (size_t i = 0; i < loop->back_edge_count; i++) {
      uint32_t edge = kept[forest->back_edges[loop->first_back_edge + i]];
      if (edge != NONE)
        forest->back_edges[count++] = edge;
    }
    loop->first_back_edge = first;
    loop->back_edge_count = count - first;
  }
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
  if (status == WARPBOUND_OK)
    name_back_edges(forest, selection.kept);
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

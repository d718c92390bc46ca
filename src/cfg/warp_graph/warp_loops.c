#include "cfg/warp_graph/warp_loops.h"

#include "cfg/warp_graph/block_search.h"

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

/* The loop forest of the graph, with its reactivations or without. */
static warpbound_status make_forest(const struct wb_warp_graph *graph, bool reactivations,
                                    struct wb_loop_forest *forest, warpbound_error *error)
{
  const size_t most = graph->edge_count + graph->push_count;
  struct wb_arena arena = {0};
  struct selection selection = {.from = wb_arena_array(&arena, uint32_t, most),
                                .to = wb_arena_array(&arena, uint32_t, most),
                                .kept = wb_arena_array(&arena, uint32_t, most)};
  warpbound_status status = arena.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
  for (size_t e = 0; status == WARPBOUND_OK && e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    if (edge->kind != WB_EDGE_REACTIVATION || reactivations)
      select_edge(&selection, edge->from, edge->to, (uint32_t)e);
  }
  /* Where lanes split, those that are pushed go on to their entry's point, later; but those that
   * are to do the split anew (an indexed branch) have not done it. */
  for (size_t p = 0; status == WARPBOUND_OK && p < graph->push_count; p++) {
    const struct wb_warp_push *push = &graph->pushes[p];
    const struct wb_warp_entry *entry = &graph->entries[push->entry];
    const uint32_t to = entry->token == WB_TOKEN_NONE
                            ? wb_block_that_begins(graph, entry->point, entry->context)
                            : NONE;
    if (to != NONE && to != push->block)
      select_edge(&selection, push->block, to, NONE);
  }
  struct wb_flow_graph flow = {graph->block_count, selection.count, selection.from, selection.to,
                               graph->entry_block};
  if (status == WARPBOUND_OK)
    status = wb_loop_forest_make(&flow, forest, error);
  /* Back edges of the selection become edges of the graph; those that are none are left out. */
  size_t count = 0;
  for (size_t l = 0; status == WARPBOUND_OK && l < forest->loop_count; l++) {
    struct wb_loop *loop = &forest->loops[l];
    const size_t first = count;
    for (size_t i = 0; i < loop->back_edge_count; i++) {
      const uint32_t edge = selection.kept[forest->back_edges[loop->first_back_edge + i]];
      if (edge != NONE)
        forest->back_edges[count++] = edge;
    }
    loop->first_back_edge = first;
    loop->back_edge_count = count - first;
  }
  wb_arena_free(&arena);
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

#include "ipet/system/loop_edges.h"

#include "base/arena.h"
#include "cfg/warp_graph/warp_loops.h"

warpbound_status wb_ipet_loops(const struct wb_warp_graph *graph, bool with_reactivations,
                               struct wb_loop_forest *forest, warpbound_error *error)
{
  if (!with_reactivations)
    return wb_warp_loops_make(graph, forest, error);
  struct wb_arena arena = {0};
  uint32_t *from = wb_arena_array(&arena, uint32_t, graph->edge_count);
  uint32_t *to = wb_arena_array(&arena, uint32_t, graph->edge_count);
  warpbound_status status;
  if (arena.failed) {
    status = wb_out_of_memory(error);
  } else {
    for (size_t e = 0; e < graph->edge_count; e++) {
      from[e] = graph->edges[e].from;
      to[e] = graph->edges[e].to;
    }
    const struct wb_flow_graph flow = {.node_count = graph->block_count,
                                       .edge_count = graph->edge_count,
                                       .from = from,
                                       .to = to,
                                       .entry = graph->entry_block};
    status = wb_loop_forest_make(&flow, forest, error);
  }
  wb_arena_free(&arena);
  return status;
}

bool wb_ipet_push_repeats(const struct wb_warp_graph *graph, const struct wb_warp_push *push)
{
  const struct wb_warp_block *block = &graph->blocks[push->block];
  const struct wb_warp_entry *entry = &graph->entries[push->entry];
  return push->divergent && entry->token == WB_TOKEN_NONE && entry->point == block->last &&
         entry->context == block->context;
}

/* The properties of blocks and entries that decide which edges enter a loop and which return to its
 * header. */
struct loop_marks {
  const struct wb_warp_graph *graph;
  const struct wb_loop *loop;
  bool all_edges;     /* the forest is that of all edges */
  bool *inside;       /* by block */
  bool *headers;      /* by block */
  bool *from_outside; /* by entry: lanes that were outside may wait in it */
  bool *repeats;      /* by entry: lanes that are to do an indexed branch anew may wait in it */
};

void wb_ipet_loop_headers(const struct wb_warp_graph *graph, const struct wb_loop_forest *forest,
                          uint32_t loop, const bool *inside, bool *headers)
{
  const struct wb_loop *it = &forest->loops[loop];
  for (size_t i = 0; i < it->node_count; i++) {
    const uint32_t block = forest->nodes[it->first_node + i];
    headers[block] = block == it->header || block == graph->entry_block;
  }
  for (size_t i = 0; i < it->back_edge_count; i++)
    headers[graph->edges[forest->back_edges[it->first_back_edge + i]].to] = true;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    if (edge->kind != WB_EDGE_REACTIVATION && inside[edge->to] && !inside[edge->from])
      headers[edge->to] = true;
  }
}

static void mark_loop(const struct wb_loop_forest *forest, struct loop_marks *marks)
{
  for (size_t i = 0; i < marks->loop->node_count; i++)
    marks->inside[forest->nodes[marks->loop->first_node + i]] = true;
  for (size_t p = 0; p < marks->graph->push_count; p++) {
    const struct wb_warp_push *push = &marks->graph->pushes[p];
    if (!marks->inside[push->block])
      marks->from_outside[push->entry] = true;
    if (wb_ipet_push_repeats(marks->graph, push))
      marks->repeats[push->entry] = true;
  }
  /* In irreducible loops lanes may leave for a token from outside that was pushed inside. */
  for (size_t p = 0; p < marks->graph->pop_count; p++) {
    const struct wb_warp_edge *edge = &marks->graph->edges[marks->graph->pops[p].edge];
    if (edge->kind != WB_EDGE_REACTIVATION && marks->inside[edge->to] && !marks->inside[edge->from])
      marks->from_outside[marks->graph->pops[p].entry] = true;
  }
}

static void mark_edges(const struct wb_loop_forest *forest, const struct loop_marks *marks,
                       bool *enters, bool *returns)
{
  const struct wb_warp_graph *graph = marks->graph;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    const bool wakes = !marks->all_edges && edge->kind == WB_EDGE_REACTIVATION;
    enters[e] = !wakes && marks->inside[edge->to] && !marks->inside[edge->from];
    returns[e] = wakes && marks->headers[edge->to];
  }
  for (size_t p = 0; p < graph->pop_count && !marks->all_edges; p++) {
    uint32_t e = graph->pops[p].edge;
    if (graph->edges[e].kind != WB_EDGE_REACTIVATION)
      continue;
    if (marks->inside[graph->edges[e].to] && marks->from_outside[graph->pops[p].entry]) {
      enters[e] = true;
      returns[e] = false;
    }
    if (marks->repeats[graph->pops[p].entry])
      returns[e] = false;
  }
  /* Reactivations among the back edges are marked above, where they are returns. */
  for (size_t i = 0; i < marks->loop->back_edge_count; i++) {
    uint32_t e = forest->back_edges[marks->loop->first_back_edge + i];
    if (marks->all_edges || graph->edges[e].kind != WB_EDGE_REACTIVATION)
      returns[e] = true;
  }
}

warpbound_status wb_ipet_loop_edges(const struct wb_warp_graph *graph,
                                    const struct wb_loop_forest *forest, bool with_reactivations,
                                    uint32_t loop, const struct wb_ipet_edge_marks *edges,
                                    warpbound_error *error)
{
  struct wb_arena arena = {0};
  struct loop_marks marks = {
      .graph = graph,
      .all_edges = with_reactivations,
      .loop = &forest->loops[loop],
      .inside = wb_arena_array(&arena, bool, graph->block_count),
      .headers = wb_arena_array(&arena, bool, graph->block_count),
      .from_outside = wb_arena_array(&arena, bool, graph->entry_count),
      .repeats = wb_arena_array(&arena, bool, graph->entry_count),
  };
  warpbound_status status = WARPBOUND_OK;
  if (arena.failed) {
    status = wb_out_of_memory(error);
  } else {
    mark_loop(forest, &marks);
    wb_ipet_loop_headers(graph, forest, loop, marks.inside, marks.headers);
    mark_edges(forest, &marks, edges->enters, edges->returns);
    for (size_t e = 0; edges->arrives != NULL && e < graph->edge_count; e++)
      edges->arrives[e] = marks.headers[graph->edges[e].to] && !edges->enters[e];
  }
  wb_arena_free(&arena);
  return status;
}

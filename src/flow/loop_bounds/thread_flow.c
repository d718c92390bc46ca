#include "flow/loop_bounds/thread_flow.h"

#define NONE UINT32_MAX

/* Whether lanes that wait in entries without a token go on where an edge of their block leads, or
 * repeat the block's own indexed branch. */
static bool splits_are_edges(const struct wb_thread_flow *flow)
{
  const struct wb_warp_graph *graph = flow->graph;
  bool all = true;
  for (size_t p = 0; p < graph->push_count && all; p++) {
    const struct wb_warp_entry *entry = &graph->entries[graph->pushes[p].entry];
    const uint32_t block = graph->pushes[p].block;
    all = entry->token != WB_TOKEN_NONE || (graph->blocks[block].last == entry->point &&
                                            graph->blocks[block].context == entry->context);
    for (uint32_t i = flow->leaving.first[block]; i < flow->leaving.first[block + 1]; i++) {
      const struct wb_warp_block *to = &graph->blocks[flow->to[flow->leaving.list[i]]];
      all |= to->first == entry->point && to->context == entry->context;
    }
  }
  return all;
}

/* Reverse postorder by a depth-first search with an explicit stack. */
static bool find_order(struct wb_thread_flow *flow)
{
  const size_t count = flow->graph->block_count;
  struct wb_arena arena = {0};
  uint32_t *stack = wb_arena_array(&arena, uint32_t, count);
  uint32_t *next = wb_arena_array(&arena, uint32_t, count); /* by block: the next edge to follow */
  bool *seen = wb_arena_array(&arena, bool, count);
  const bool ok = !arena.failed;
  size_t depth = 0;
  size_t left = count;
  if (ok) {
    stack[depth++] = flow->graph->entry_block;
    seen[flow->graph->entry_block] = true;
  }
  while (depth > 0) {
    const uint32_t block = stack[depth - 1];
    const uint32_t edge = flow->leaving.first[block] + next[block]++;
    if (edge == flow->leaving.first[block + 1]) {
      flow->order[--left] = block;
      flow->place[block] = (uint32_t)left;
      depth--;
      continue;
    }
    const uint32_t to = flow->to[flow->leaving.list[edge]];
    if (!seen[to])
      stack[depth++] = to;
    seen[to] = true;
  }
  flow->whole = flow->whole && left == 0;
  wb_arena_free(&arena);
  return ok;
}

warpbound_status wb_thread_flow_make(const struct wb_warp_graph *graph,
                                     const struct wb_loop_forest *forest,
                                     struct wb_thread_flow *flow, warpbound_error *error)
{
  *flow = (struct wb_thread_flow){.graph = graph};
  struct wb_arena *arena = &flow->arena;
  flow->number = wb_arena_array(arena, uint32_t, graph->edge_count);
  flow->from = wb_arena_array(arena, uint32_t, graph->edge_count);
  flow->to = wb_arena_array(arena, uint32_t, graph->edge_count);
  flow->is_back = wb_arena_array(arena, bool, graph->edge_count);
  flow->order = wb_arena_array(arena, uint32_t, graph->block_count);
  flow->place = wb_arena_array(arena, uint32_t, graph->block_count);
  flow->loop_at = wb_arena_array(arena, uint32_t, graph->block_count);
  if (arena->failed)
    return wb_out_of_memory(error);
  for (size_t e = 0; e < graph->edge_count; e++) {
    if (graph->edges[e].kind == WB_EDGE_REACTIVATION)
      continue;
    flow->number[flow->edge_count] = (uint32_t)e;
    flow->from[flow->edge_count] = graph->edges[e].from;
    flow->to[flow->edge_count++] = graph->edges[e].to;
  }
  if (!wb_edge_lists_make(flow->from, flow->edge_count, graph->block_count, &flow->leaving) ||
      !wb_edge_lists_make(flow->to, flow->edge_count, graph->block_count, &flow->reaching))
    return wb_out_of_memory(error);
  flow->whole = splits_are_edges(flow);
  if (!find_order(flow))
    return wb_out_of_memory(error);
  if (!flow->whole)
    return WARPBOUND_OK;
  for (size_t b = 0; b < flow->graph->block_count; b++)
    flow->loop_at[b] = NONE;
  for (size_t l = 0; l < forest->loop_count; l++) {
    const struct wb_loop *loop = &forest->loops[l];
    if (loop->irreducible)
      continue;
    flow->loop_at[loop->header] = (uint32_t)l;
    for (size_t i = 0; i < loop->back_edge_count; i++) {
      const uint32_t number = forest->back_edges[loop->first_back_edge + i];
      const uint32_t *first = &flow->leaving.first[graph->edges[number].from];
      for (uint32_t e = first[0]; e < first[1]; e++) {
        const uint32_t edge = flow->leaving.list[e];
        flow->is_back[edge] |= flow->number[edge] == number && flow->to[edge] == loop->header;
      }
    }
  }
  const struct wb_flow_graph edges = {graph->block_count, flow->edge_count, flow->from, flow->to,
                                      graph->entry_block};
  return wb_dominators_make(&edges, &flow->reaching, &flow->dominators, error);
}

void wb_thread_flow_free(struct wb_thread_flow *flow)
{
  wb_edge_lists_free(&flow->leaving);
  wb_edge_lists_free(&flow->reaching);
  wb_dominators_free(&flow->dominators);
  wb_arena_free(&flow->arena);
  *flow = (struct wb_thread_flow){0};
}

bool wb_thread_flow_is_valid(const struct wb_thread_flow *flow)
{
  const struct wb_warp_graph *graph = flow->graph;
  for (size_t e = 0; e < flow->edge_count; e++) {
    const uint32_t number = flow->number[e];
    if (number >= graph->edge_count || (e > 0 && number <= flow->number[e - 1]) ||
        flow->from[e] != graph->edges[number].from || flow->to[e] != graph->edges[number].to ||
        flow->from[e] >= graph->block_count || flow->to[e] >= graph->block_count)
      return false;
    if (flow->whole && flow->is_back[e] && flow->place[flow->to[e]] > flow->place[flow->from[e]])
      return false;
  }
  for (size_t i = 0; flow->whole && i < graph->block_count; i++) {
    if (flow->order[i] >= graph->block_count || flow->place[flow->order[i]] != i)
      return false;
  }
  return !flow->whole || graph->block_count == 0 || flow->order[0] == graph->entry_block;
}

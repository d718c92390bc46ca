#include "flow/barriers/agreement_graph.h"

#include "isa/opcode.h"

#include <string.h>

uint32_t wb_count_barriers(const struct wb_warp_graph *graph, uint32_t block, uint32_t before)
{
  uint32_t count = 0;
  for (uint32_t i = graph->blocks[block].first; i < before; i++)
    count += wb_instruction_unit(&graph->function->instructions[i]) == WB_UNIT_BARRIER;
  return count;
}

/* Marks the blocks that hold a barrier, or from which one can be reached (leads_to_barrier), or
 * that can be reached from one (past_barrier), and those of whose warps nothing is compared
 * (left_out): where no barrier can follow and, but for ends anywhere, none came before. All that
 * can be reached from a block without barriers to follow is such a block, too. */
static void find_early_ends(const struct wb_warp_graph *graph, enum wb_early_ends early_ends,
                            bool *leads_to_barrier, bool *past_barrier, bool *left_out)
{
  for (uint32_t b = 0; b < graph->block_count; b++)
    past_barrier[b] = leads_to_barrier[b] =
        wb_count_barriers(graph, b, graph->blocks[b].last + 1) > 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t e = 0; e < graph->edge_count; e++) {
      const uint32_t from = graph->edges[e].from, to = graph->edges[e].to;
      changed |= (past_barrier[from] && !past_barrier[to]) ||
                 (leads_to_barrier[to] && !leads_to_barrier[from]);
      past_barrier[to] |= past_barrier[from];
      leads_to_barrier[from] |= leads_to_barrier[to];
    }
  }
  for (uint32_t b = 0; b < graph->block_count; b++)
    left_out[b] = !leads_to_barrier[b] && (early_ends == WB_ENDS_ANYWHERE || !past_barrier[b]);
}

/* Adds the edges to the way out: from blocks in which a compared warp may end. Where warps may end
 * anywhere they are compared as long as they go on, and only blocks that all leave have one. */
static void add_ways_out(const struct wb_warp_graph *graph, enum wb_early_ends early_ends,
                         const bool *past_barrier, bool *goes_on, struct wb_agreement_graph *made)
{
  memset(goes_on, 0, graph->block_count * sizeof *goes_on);
  for (size_t e = 0; e < made->edge_count; e++)
    if (made->from[e] != made->way_out)
      goes_on[made->from[e]] = true;
  for (uint32_t b = 0; b < graph->block_count; b++) {
    bool ends = graph->ends[b];
    if (early_ends == WB_ENDS_FIRST)
      ends = ends && past_barrier[b];
    if (early_ends == WB_ENDS_ANYWHERE)
      ends = !made->left_out[b] && !goes_on[b];
    if (!ends)
      continue;
    made->from[made->edge_count] = b;
    made->to[made->edge_count++] = made->way_out;
  }
}

/* Marks what can be reached from a block: by edges from ends[e] to others[e], listed by `ends`, in
 * blocks that are marked in `within` (NULL: all). */
static void reach(const struct wb_edge_lists *lists, const uint32_t *others, uint32_t block,
                  const bool *within, bool *met, uint32_t *stack)
{
  size_t count = 0;
  met[block] = true;
  stack[count++] = block;
  while (count > 0) {
    const uint32_t at = stack[--count];
    for (uint32_t i = lists->first[at]; i < lists->first[at + 1]; i++) {
      const uint32_t other = others[lists->list[i]];
      if (met[other] || (within != NULL && !within[other]))
        continue;
      met[other] = true;
      stack[count++] = other;
    }
  }
}

/* Scratch of find_returns, by node. */
struct marks {
  bool *leads_out, *forward, *back, *rest;
  uint32_t *stack;
};

/* Whether each turn of a loop, whose blocks are marks->forward, that passes a barrier also passes a
 * block. *searches: how many more may be done. */
static bool is_in_each_turn(const struct wb_warp_graph *graph,
                            const struct wb_agreement_graph *made, uint32_t block,
                            struct marks *marks, size_t *searches)
{
  bool each = true;
  memcpy(marks->rest, marks->forward, (made->way_out + 1) * sizeof *marks->rest);
  marks->rest[block] = false;
  for (uint32_t b = 0; b < made->way_out && each; b++) {
    if (!marks->rest[b] || wb_count_barriers(graph, b, graph->blocks[b].last + 1) == 0)
      continue;
    if ((*searches)-- == 0) {
      *searches = 0;
      return false;
    }
    memset(marks->back, 0, (made->way_out + 1) * sizeof *marks->back);
    reach(&made->leaving, made->to, b, marks->rest, marks->back, marks->stack);
    for (size_t e = 0; e < made->edge_count && each; e++)
      each = made->to[e] != b || made->from[e] == made->way_out || !marks->back[made->from[e]];
  }
  return each;
}

/* Where the ways of a loop end, whose blocks are marks->forward: one of them that each turn with a
 * barrier passes, one with a barrier if there is one; else `barrier`, which is one. */
static uint32_t choose_return(const struct wb_warp_graph *graph,
                              const struct wb_agreement_graph *made, uint32_t barrier,
                              struct marks *marks)
{
  size_t searches = 4 * (size_t)made->way_out;
  for (int other = 0; other < 2; other++) {
    for (uint32_t b = 0; b < made->way_out; b++) {
      const bool has = wb_count_barriers(graph, b, graph->blocks[b].last + 1) > 0;
      if (marks->forward[b] && has != (other == 1) &&
          is_in_each_turn(graph, made, b, marks, &searches))
        return b;
    }
  }
  return barrier;
}

/* Loops that warps leave only by ending have no way out. Finds a place for each to which all ways
 * lead: one of the blocks around a barrier that all that can be reached from it leads back to, the
 * first such in the code. Returns how many. Which ones decides what is shown, not whether it holds
 * (doc/all-paths.md, "Warps that end anywhere"). */
static uint32_t find_returns(const struct wb_warp_graph *graph,
                             const struct wb_agreement_graph *made,
                             const struct wb_edge_lists *into, struct marks *marks,
                             uint32_t *returns)
{
  const uint32_t blocks = made->way_out;
  uint32_t count = 0;
  reach(into, made->from, blocks, NULL, marks->leads_out, marks->stack);
  for (uint32_t b = 0; b < blocks; b++) {
    if (marks->leads_out[b] || wb_count_barriers(graph, b, graph->blocks[b].last + 1) == 0)
      continue;
    memset(marks->forward, 0, (blocks + 1) * sizeof *marks->forward);
    memset(marks->back, 0, (blocks + 1) * sizeof *marks->back);
    reach(&made->leaving, made->to, b, NULL, marks->forward, marks->stack);
    reach(into, made->from, b, marks->forward, marks->back, marks->stack);
    if (memcmp(marks->forward, marks->back, (blocks + 1) * sizeof *marks->back) != 0)
      continue;
    reach(into, made->from, b, NULL, marks->leads_out, marks->stack);
    returns[count++] = choose_return(graph, made, b, marks);
  }
  return count;
}

/* What every way leads through where the returns are ends of ways, too: each has a node of its own
 * for those that come to it, behind the way out. */
static warpbound_status find_after_returns(struct wb_arena *arena, struct wb_agreement_graph *made,
                                           const uint32_t *returns, uint32_t count,
                                           warpbound_error *error)
{
  const uint32_t blocks = made->way_out;
  const size_t nodes = (size_t)blocks + 1 + count, edges = made->edge_count + count;
  uint32_t *from = wb_arena_array(arena, uint32_t, edges);
  uint32_t *to = wb_arena_array(arena, uint32_t, edges);
  uint32_t *node = wb_arena_array(arena, uint32_t, blocks + 1); /* by block: of those that come */
  struct wb_edge_lists leaving;
  if (arena->failed)
    return wb_out_of_memory(error);
  for (uint32_t b = 0; b <= blocks; b++)
    node[b] = b;
  for (uint32_t r = 0; r < count; r++) {
    node[returns[r]] = blocks + 1 + r;
    from[made->edge_count + r] = blocks + 1 + r;
    to[made->edge_count + r] = blocks;
  }
  for (size_t e = 0; e < made->edge_count; e++) {
    from[e] = made->from[e];
    to[e] = node[made->to[e]];
  }
  if (!wb_edge_lists_make(from, edges, nodes, &leaving))
    return wb_out_of_memory(error);
  const struct wb_flow_graph reversed = {
      .node_count = nodes, .edge_count = edges, .from = to, .to = from, .entry = blocks};
  const warpbound_status status = wb_dominators_make(&reversed, &leaving, &made->after, error);
  wb_edge_lists_free(&leaving);
  if (status != WARPBOUND_OK)
    return status;
  for (uint32_t b = 0; b < blocks; b++) {
    uint32_t *after = &made->after.immediate[b];
    *after = *after > blocks && *after < nodes ? returns[*after - blocks - 1] : *after;
  }
  return WARPBOUND_OK;
}

/* What every way out leads through. */
static warpbound_status find_after(const struct wb_warp_graph *graph, enum wb_early_ends early_ends,
                                   struct wb_arena *arena, struct wb_agreement_graph *made,
                                   warpbound_error *error)
{
  const size_t nodes = (size_t)made->way_out + 1;
  if (early_ends == WB_ENDS_ANYWHERE) {
    struct marks marks = {.leads_out = wb_arena_array(arena, bool, nodes),
                          .forward = wb_arena_array(arena, bool, nodes),
                          .back = wb_arena_array(arena, bool, nodes),
                          .rest = wb_arena_array(arena, bool, nodes),
                          .stack = wb_arena_array(arena, uint32_t, nodes)};
    uint32_t *returns = wb_arena_array(arena, uint32_t, nodes);
    struct wb_edge_lists into;
    if (arena->failed || !wb_edge_lists_make(made->to, made->edge_count, nodes, &into))
      return wb_out_of_memory(error);
    const uint32_t count = find_returns(graph, made, &into, &marks, returns);
    wb_edge_lists_free(&into);
    return find_after_returns(arena, made, returns, count, error);
  }
  const struct wb_flow_graph reversed = {.node_count = nodes,
                                         .edge_count = made->edge_count,
                                         .from = made->to,
                                         .to = made->from,
                                         .entry = made->way_out};
  return wb_dominators_make(&reversed, &made->leaving, &made->after, error);
}

warpbound_status wb_agreement_graph_make(const struct wb_warp_graph *graph,
                                         enum wb_early_ends early_ends, struct wb_arena *arena,
                                         struct wb_agreement_graph *made, warpbound_error *error)
{
  const size_t blocks = graph->block_count;
  *made = (struct wb_agreement_graph){.way_out = (uint32_t)blocks, .edge_count = graph->edge_count};
  bool *past_barrier = wb_arena_array(arena, bool, blocks);
  bool *scratch = wb_arena_array(arena, bool, blocks);
  made->left_out = wb_arena_array(arena, bool, blocks);
  made->from = wb_arena_array(arena, uint32_t, graph->edge_count + blocks);
  made->to = wb_arena_array(arena, uint32_t, graph->edge_count + blocks);
  if (arena->failed)
    return wb_out_of_memory(error);
  if (early_ends != WB_ENDS_ALIKE)
    find_early_ends(graph, early_ends, scratch, past_barrier, made->left_out);
  for (size_t e = 0; e < graph->edge_count; e++) {
    made->from[e] = graph->edges[e].from;
    made->to[e] = graph->edges[e].to;
    if (made->left_out[made->from[e]] || made->left_out[made->to[e]])
      made->from[e] = made->to[e] = made->way_out;
  }
  add_ways_out(graph, early_ends, past_barrier, scratch, made);
  if (!wb_edge_lists_make(made->from, made->edge_count, blocks + 1, &made->leaving))
    return wb_out_of_memory(error);
  return find_after(graph, early_ends, arena, made, error);
}

void wb_agreement_graph_free(struct wb_agreement_graph *made)
{
  wb_dominators_free(&made->after);
  wb_edge_lists_free(&made->leaving);
}

#include "cfg/warp_graph/warp_graph.h"

#include "base/binary_search.h"
#include "base/sorting.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- blocks by their places ---- */

static bool is_before(const void *blocks, size_t index, const void *key)
{
  const struct wb_warp_block *block = (const struct wb_warp_block *)blocks + index;
  const struct wb_warp_block *wanted = key;
  return block->first < wanted->first ||
         (block->first == wanted->first && block->context < wanted->context);
}

/* How many blocks stand before (first, context). */
static size_t blocks_before(const struct wb_warp_graph *graph, uint32_t first, uint32_t context)
{
  const struct wb_warp_block key = {.first = first, .context = context};
  return wb_lower_bound(graph->blocks, graph->block_count, is_before, &key);
}

uint32_t wb_block_that_begins(const struct wb_warp_graph *graph, uint32_t instruction,
                              uint32_t context)
{
  const size_t at = blocks_before(graph, instruction, context);
  const bool found = at < graph->block_count && graph->blocks[at].first == instruction &&
                     graph->blocks[at].context == context;
  return found ? (uint32_t)at : UINT32_MAX;
}

uint32_t wb_block_that_holds(const struct wb_warp_graph *graph, uint32_t instruction,
                             uint32_t context)
{
  const size_t end = blocks_before(graph, instruction, UINT32_MAX);
  if (end == 0)
    return UINT32_MAX;
  /* Blocks of several contexts that hold the instruction begin together. */
  const uint32_t block = wb_block_that_begins(graph, graph->blocks[end - 1].first, context);
  return block != UINT32_MAX && instruction <= graph->blocks[block].last ? block : UINT32_MAX;
}

/* ---- contexts united ---- */

static int by_ends(const void *a, const void *b)
{
  const struct wb_warp_edge *left = a;
  const struct wb_warp_edge *right = b;
  return wb_compare_pairs(left->from, (uint64_t)left->to << 8 | left->kind, right->from,
                          (uint64_t)right->to << 8 | right->kind);
}

/* Blocks that start at one instruction become one: they all end where the next one starts, or
 * at the same control instruction. new_numbers: by old block. */
static void unite_blocks(const struct wb_warp_graph *graph, struct wb_warp_graph *united,
                         uint32_t *new_numbers)
{
  for (size_t b = 0; b < graph->block_count; b++) {
    const struct wb_warp_block *block = &graph->blocks[b];
    const size_t count = united->block_count;
    if (count == 0 || united->blocks[count - 1].first != block->first)
      united->blocks[united->block_count++] = (struct wb_warp_block){block->first, block->last, 0};
    new_numbers[b] = (uint32_t)united->block_count - 1;
    united->ends[new_numbers[b]] = united->ends[new_numbers[b]] || graph->ends[b];
  }
}

static void unite_edges(const struct wb_warp_graph *graph, struct wb_warp_graph *united,
                        const uint32_t *new_numbers)
{
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    united->edges[e] = (struct wb_warp_edge){new_numbers[edge->from], new_numbers[edge->to],
                                             edge->kind, edge->rate};
  }
  if (graph->edge_count > 0)
    qsort(united->edges, graph->edge_count, sizeof *united->edges, by_ends);
  for (size_t e = 0; e < graph->edge_count; e++) {
    const size_t count = united->edge_count;
    if (count == 0 || by_ends(&united->edges[count - 1], &united->edges[e]) != 0)
      united->edges[united->edge_count++] = united->edges[e];
    struct wb_warp_edge *kept = &united->edges[united->edge_count - 1];
    if (united->edges[e].rate > kept->rate)
      kept->rate = united->edges[e].rate;
  }
}

/* A copy of the graph's own. NULL where memory is out. */
static uint32_t *copy(struct wb_warp_graph *united, const uint32_t *items, size_t count)
{
  uint32_t *copied = wb_arena_array(&united->arena, uint32_t, count);
  if (copied != NULL && count > 0)
    memcpy(copied, items, count * sizeof *copied);
  return copied;
}

/* Scopes are told by instruction already. Of blocks that become one the innermost scope is what
 * they have in common: one, or none. False where memory is out. */
static bool unite_scopes(const struct wb_warp_graph *graph, struct wb_warp_graph *united,
                         const uint32_t *new_numbers)
{
  struct wb_arena *arena = &united->arena;
  united->groups = graph->groups;
  if (!graph->groups)
    return true;
  united->scopes = wb_arena_array(arena, struct wb_warp_scope, graph->scope_count);
  united->scope_instructions =
      copy(united, graph->scope_instructions, graph->scope_instruction_count);
  united->innermost_scopes = wb_arena_array(arena, uint32_t, united->block_count);
  united->several = wb_arena_array(arena, bool, united->block_count);
  united->whole = wb_arena_array(arena, bool, united->block_count);
  bool *known = wb_arena_array(arena, bool, united->block_count);
  if (arena->failed)
    return false;
  united->scope_count = graph->scope_count;
  united->scope_instruction_count = graph->scope_instruction_count;
  if (graph->scope_count > 0)
    memcpy(united->scopes, graph->scopes, graph->scope_count * sizeof *united->scopes);
  for (size_t b = 0; b < graph->block_count; b++) {
    const uint32_t number = new_numbers[b];
    const uint32_t innermost = graph->innermost_scopes[b];
    if (!known[number])
      united->innermost_scopes[number] = innermost;
    else if (united->innermost_scopes[number] != innermost)
      united->innermost_scopes[number] = UINT32_MAX;
    united->several[number] = united->several[number] || graph->several[b];
    united->whole[number] = (!known[number] || united->whole[number]) && graph->whole[b];
    known[number] = true;
  }
  return true;
}

warpbound_status wb_warp_graph_unite(const struct wb_warp_graph *graph,
                                     struct wb_warp_graph *united, warpbound_error *error)
{
  *united = (struct wb_warp_graph){.function = graph->function};
  struct wb_arena *arena = &united->arena;
  united->contexts = wb_arena_array(arena, struct wb_warp_context, 1);
  united->blocks = wb_arena_array(arena, struct wb_warp_block, graph->block_count);
  united->ends = wb_arena_array(arena, bool, graph->block_count);
  united->edges = wb_arena_array(arena, struct wb_warp_edge, graph->edge_count);
  united->divergence_points = copy(united, graph->divergence_points, graph->divergence_point_count);
  united->uniform_branches = copy(united, graph->uniform_branches, graph->uniform_branch_count);
  uint32_t *new_numbers = wb_arena_array(arena, uint32_t, graph->block_count);
  wb_list_add_all(&united->assumptions, &graph->assumptions);
  wb_list_add_all(&united->disagreements, &graph->disagreements);
  bool memory = !arena->failed && !united->assumptions.failed && !united->disagreements.failed;
  if (memory) {
    united->contexts[0] = (struct wb_warp_context){UINT32_MAX, UINT32_MAX};
    united->context_count = 1;
    united->divergence_point_count = graph->divergence_point_count;
    united->uniform_branch_count = graph->uniform_branch_count;
    unite_blocks(graph, united, new_numbers);
    unite_edges(graph, united, new_numbers);
    united->entry_block = new_numbers[graph->entry_block];
    memory = unite_scopes(graph, united, new_numbers);
  }
  if (!memory) {
    wb_warp_graph_free(united);
    return wb_out_of_memory(error);
  }
  assert(wb_warp_graph_check(united) == NULL);
  return WARPBOUND_OK;
}

/* ---- invariants ---- */

static const char *check_contexts(const struct wb_warp_graph *graph)
{
  if (graph->context_count == 0 || graph->contexts[0].caller != UINT32_MAX)
    return "context 0 is not that of the function itself";
  for (size_t c = 1; c < graph->context_count; c++) {
    if (graph->contexts[c].caller >= c)
      return "a context stands before its caller";
    if (graph->contexts[c].site >= graph->function->instruction_count)
      return "a context is entered by no instruction";
  }
  return NULL;
}

static const char *check_blocks(const struct wb_warp_graph *graph)
{
  const struct wb_warp_block *blocks = graph->blocks;
  if (graph->entry_block >= graph->block_count || blocks[graph->entry_block].first != 0 ||
      blocks[graph->entry_block].context != 0)
    return "the warp does not begin with the function's first instruction";
  for (size_t b = 0; b < graph->block_count; b++) {
    if (blocks[b].first > blocks[b].last || blocks[b].last >= graph->function->instruction_count ||
        blocks[b].context >= graph->context_count)
      return "a block has no instructions of the function";
    if (b == 0)
      continue;
    const struct wb_warp_block *before = &blocks[b - 1];
    if (blocks[b].first == before->first) {
      if (blocks[b].context <= before->context || blocks[b].last != before->last)
        return "blocks of two contexts that begin together do not end together, or are not sorted";
    } else if (blocks[b].first <= before->last) {
      return "blocks overlap, or are not sorted";
    }
  }
  return NULL;
}

/* A call has no way where a flow fact says that there are not so many calls under way at once. */
static bool may_have_no_way(const struct wb_warp_graph *graph, size_t block)
{
  const uint32_t last = graph->blocks[block].last;
  const enum wb_transfer transfer = graph->function->instructions[last].transfer;
  return transfer == WB_TRANSFER_CALL || transfer == WB_TRANSFER_CALL_LINKED;
}

static const char *check_edges(const struct wb_warp_graph *graph)
{
  size_t e = 0;
  for (size_t b = 0; b < graph->block_count; b++) {
    const size_t first = e;
    for (; e < graph->edge_count && graph->edges[e].from == b; e++) {
      const struct wb_warp_edge *edge = &graph->edges[e];
      if (edge->to >= graph->block_count || edge->kind > WB_EDGE_REACTIVATION)
        return "an edge leads to no block, or is of no kind";
      if (e > 0 && by_ends(edge - 1, edge) >= 0)
        return "edges are not sorted, or two are equal";
      if (edge->kind == WB_EDGE_FALLTHROUGH &&
          graph->blocks[edge->to].first != graph->blocks[b].last + 1)
        return "a block falls into one that does not follow it";
    }
    if (e == first && !graph->ends[b] && !may_have_no_way(graph, b))
      return "a block has no successor, and the warp does not end there";
  }
  return e == graph->edge_count ? NULL : "an edge comes from no block, or edges are not sorted";
}

static const char *check_pushes(const struct wb_warp_graph *graph)
{
  for (size_t p = 0; p < graph->push_count; p++) {
    const struct wb_warp_push *push = &graph->pushes[p];
    if (push->block >= graph->block_count || push->entry >= graph->entry_count)
      return "a push has no block, or no entry";
    if (p > 0 && (push->block < push[-1].block ||
                  (push->block == push[-1].block && push->entry < push[-1].entry)))
      return "pushes are not sorted";
  }
  return NULL;
}

static const char *check_pops(const struct wb_warp_graph *graph)
{
  size_t p = 0;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    const size_t first = p;
    for (; p < graph->pop_count && graph->pops[p].edge == e; p++) {
      if (graph->pops[p].entry >= graph->entry_count ||
          (p > first && graph->pops[p].entry <= graph->pops[p - 1].entry))
        return "pops are not sorted, or have no entry";
      const struct wb_warp_entry *entry = &graph->entries[graph->pops[p].entry];
      const struct wb_warp_block *to = &graph->blocks[edge->to];
      if (entry->point != to->first || entry->context != to->context)
        return "an edge does not lead to where the entry that it pops goes on";
    }
    if (graph->entry_count > 0 && p == first && edge->kind == WB_EDGE_REACTIVATION)
      return "a reactivation pops no entry";
    if (p > first && edge->kind == WB_EDGE_CALL)
      return "a call pops an entry";
  }
  return p == graph->pop_count ? NULL : "a pop has no edge, or pops are not sorted";
}

/* Both lists ascend and have no instruction in common. */
static const char *check_branches(const struct wb_warp_graph *graph)
{
  const uint32_t *divergent = graph->divergence_points;
  const uint32_t *uniform = graph->uniform_branches;
  size_t u = 0;
  for (size_t d = 0; d < graph->divergence_point_count; d++) {
    if (divergent[d] >= graph->function->instruction_count ||
        (d > 0 && divergent[d] <= divergent[d - 1]))
      return "divergence points do not ascend";
    while (u < graph->uniform_branch_count && uniform[u] < divergent[d])
      u++;
    if (u < graph->uniform_branch_count && uniform[u] == divergent[d])
      return "a divergence point is a uniform branch";
  }
  for (u = 0; u < graph->uniform_branch_count; u++) {
    if (uniform[u] >= graph->function->instruction_count || (u > 0 && uniform[u] <= uniform[u - 1]))
      return "uniform branches do not ascend";
  }
  return NULL;
}

const char *wb_warp_graph_check(const struct wb_warp_graph *graph)
{
  static const char *(*const checks[])(const struct wb_warp_graph *) = {
      check_contexts, check_blocks, check_edges, check_pushes, check_pops, check_branches};
  const char *broken = NULL;
  for (size_t c = 0; broken == NULL && c < sizeof checks / sizeof checks[0]; c++)
    broken = checks[c](graph);
  return broken;
}

void wb_warp_graph_free(struct wb_warp_graph *graph)
{
  wb_arena_free(&graph->arena);
  wb_list_free(&graph->assumptions);
  wb_list_free(&graph->disagreements);
  *graph = (struct wb_warp_graph){0};
}

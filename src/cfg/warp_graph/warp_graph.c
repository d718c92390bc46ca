#include "cfg/warp_graph/warp_graph.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int by_ends(const void *a, const void *b)
{
  const struct wb_warp_edge *left = a;
  const struct wb_warp_edge *right = b;
  if (left->from != right->from)
    return left->from < right->from ? -1 : 1;
  if (left->to != right->to)
    return left->to < right->to ? -1 : 1;
  return (int)left->kind - (int)right->kind;
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

static bool copy_points(const uint32_t *from, size_t count, uint32_t **to, size_t *to_count)
{
  *to = wb_allocate(count, sizeof **to);
  if (*to == NULL)
    return false;
  if (count > 0)
    memcpy(*to, from, count * sizeof **to);
  *to_count = count;
  return true;
}

/* Scopes are told by instruction already. Of blocks that become one the innermost scope is what
 * they have in common: one, or none. False where memory is out. */
static bool unite_scopes(const struct wb_warp_graph *graph, struct wb_warp_graph *united,
                         const uint32_t *new_numbers)
{
  united->groups = graph->groups;
  if (!graph->groups)
    return true;
  united->scopes = wb_allocate(graph->scope_count, sizeof *united->scopes);
  united->innermost_scopes = wb_allocate(united->block_count, sizeof *united->innermost_scopes);
  united->several = wb_allocate(united->block_count, sizeof *united->several);
  united->whole = wb_allocate(united->block_count, sizeof *united->whole);
  bool *known = wb_allocate(united->block_count, sizeof *known);
  const bool memory = united->scopes != NULL && united->innermost_scopes != NULL &&
                      united->several != NULL && united->whole != NULL && known != NULL &&
                      copy_points(graph->scope_instructions, graph->scope_instruction_count,
                                  &united->scope_instructions, &united->scope_instruction_count);
  if (memory && graph->scope_count > 0)
    memcpy(united->scopes, graph->scopes, graph->scope_count * sizeof *united->scopes);
  united->scope_count = memory ? graph->scope_count : 0;
  for (size_t b = 0; memory && b < graph->block_count; b++) {
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
  free(known);
  return memory;
}

warpbound_status wb_warp_graph_unite(const struct wb_warp_graph *graph,
                                     struct wb_warp_graph *united, warpbound_error *error)
{
  *united = (struct wb_warp_graph){.function = graph->function};
  united->contexts = wb_allocate(1, sizeof *united->contexts);
  united->blocks = wb_allocate(graph->block_count, sizeof *united->blocks);
  united->ends = wb_allocate(graph->block_count, sizeof *united->ends);
  united->edges = wb_allocate(graph->edge_count, sizeof *united->edges);
  uint32_t *new_numbers = wb_allocate(graph->block_count, sizeof *new_numbers);
  bool memory = united->contexts != NULL && united->blocks != NULL && united->ends != NULL &&
                united->edges != NULL && new_numbers != NULL &&
                copy_points(graph->divergence_points, graph->divergence_point_count,
                            &united->divergence_points, &united->divergence_point_count) &&
                copy_points(graph->uniform_branches, graph->uniform_branch_count,
                            &united->uniform_branches, &united->uniform_branch_count);
  if (memory) {
    united->contexts[0] = (struct wb_warp_context){UINT32_MAX, UINT32_MAX};
    united->context_count = 1;
    unite_blocks(graph, united, new_numbers);
    unite_edges(graph, united, new_numbers);
    united->entry_block = new_numbers[graph->entry_block];
    wb_list_add_all(&united->assumptions, &graph->assumptions);
    wb_list_add_all(&united->disagreements, &graph->disagreements);
    memory = !united->assumptions.failed && !united->disagreements.failed &&
             unite_scopes(graph, united, new_numbers);
    assert(!memory || wb_warp_graph_check(united) == NULL);
  }
  free(new_numbers);
  if (memory)
    return WARPBOUND_OK;
  wb_warp_graph_free(united);
  return wb_out_of_memory(error);
}

void wb_warp_graph_free(struct wb_warp_graph *graph)
{
  free(graph->contexts);
  free(graph->blocks);
  free(graph->edges);
  free(graph->ends);
  free(graph->entries);
  free(graph->pushes);
  free(graph->pops);
  free(graph->divergence_points);
  free(graph->uniform_branches);
  free(graph->scopes);
  free(graph->scope_instructions);
  free(graph->innermost_scopes);
  free(graph->several);
  free(graph->whole);
  wb_list_free(&graph->assumptions);
  wb_list_free(&graph->disagreements);
  *graph = (struct wb_warp_graph){0};
}

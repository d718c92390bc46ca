/* Whether a loop's iterations nest: see "Loops" in doc/simt-analysis.md. */
#include "cfg/simt/simt_engine.h"

#include "base/memory.h"

#include <stdlib.h>

static bool pushed_inside(const struct wb_simt_analysis *analysis, uint32_t node, const bool *body)
{
  return analysis->pushers[node] != WB_NOWHERE && body[analysis->pushers[node]];
}

static bool runs_inside(const struct wb_simt_analysis *analysis, uint32_t node, const bool *body)
{
  const struct wb_warp_graph *graph = &analysis->graph;
  const struct wb_stack_node *what = &analysis->stacks.nodes[node];
  size_t low = 0;
  size_t high = graph->block_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const struct wb_warp_block *block = &graph->blocks[middle];
    if (block->first < what->point ||
        (block->first == what->point && block->context < what->context))
      low = middle + 1;
    else
      high = middle;
  }
  return low < graph->block_count && graph->blocks[low].first == what->point &&
         graph->blocks[low].context == what->context && body[low];
}

/* No way from the loop into itself wakes lanes that wait since before it. */
static bool wakes_only_its_own(const struct wb_simt_analysis *analysis, const bool *body)
{
  for (size_t p = 0; p < analysis->popped_count; p++) {
    const struct wb_warp_edge *edge = &analysis->graph.edges[analysis->popped[p].edge];
    if (body[edge->from] && body[edge->to] &&
        !pushed_inside(analysis, analysis->popped[p].node, body))
      return false;
  }
  return true;
}

/* Adds the nodes of a stack that were not met yet. */
static void add_nodes(const struct wb_stack *stack, bool *met, uint32_t *nodes, size_t *count)
{
  for (size_t f = 0; f < stack->count; f++) {
    const uint32_t node = stack->frames[f].node;
    if (!met[node])
      nodes[(*count)++] = node;
    met[node] = true;
  }
}

bool wb_simt_loop_balanced(const struct wb_simt_analysis *analysis, const bool *headers,
                           const bool *body)
{
  bool *met = wb_allocate(analysis->stacks.count, sizeof *met);
  uint32_t *nodes = wb_allocate(analysis->stacks.count, sizeof *nodes);
  bool balanced = met != NULL && nodes != NULL && wakes_only_its_own(analysis, body);
  if (balanced) {
    size_t count = 0;
    for (size_t b = 0; b < analysis->graph.block_count; b++) {
      if (headers[b])
        add_nodes(&analysis->states[analysis->block_states[b]].stack, met, nodes, &count);
    }
    for (size_t n = 0; balanced && n < count; n++) {
      balanced = !pushed_inside(analysis, nodes[n], body) || !runs_inside(analysis, nodes[n], body);
      add_nodes(&analysis->stacks.nodes[nodes[n]].below, met, nodes, &count);
    }
  }
  free(met);
  free(nodes);
  return balanced;
}

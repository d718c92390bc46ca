#include "cfg/warp_graph/block_search.h"

#include <stddef.h>

/* How many blocks stand before (first, context). */
static size_t blocks_before(const struct wb_warp_graph *graph, uint32_t first, uint32_t context)
{
  size_t low = 0;
  size_t high = graph->block_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const struct wb_warp_block *block = &graph->blocks[middle];
    if (block->first < first || (block->first == first && block->context < context))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
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

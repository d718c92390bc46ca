#include "cfg/reconvergence_barriers/block_search.h"

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

uint32_t wb_block_search(const struct wb_warp_graph *graph, struct wb_simt_place place)
{
  const size_t end = blocks_before(graph, place.instruction, UINT32_MAX);
  if (end == 0)
    return UINT32_MAX;
  /* Blocks of several contexts that hold the instruction begin together. */
  const size_t at = blocks_before(graph, graph->blocks[end - 1].first, place.context);
  const bool found = at < graph->block_count && graph->blocks[at].context == place.context &&
                     graph->blocks[at].first <= place.instruction &&
                     place.instruction <= graph->blocks[at].last;
  return found ? (uint32_t)at : UINT32_MAX;
}

#include "cfg/warp_graph/block_search.h"

#include "base/binary_search.h"

#include <stddef.h>

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

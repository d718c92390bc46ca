#include "cfg/simt/simt_loops.h"

bool wb_simt_made_inside(const struct wb_simt_analysis *analysis, uint32_t continuation,
                         const bool *body)
{
  const uint32_t maker = analysis->makers[continuation];
  return maker != WB_NOWHERE && body[maker];
}

bool wb_simt_goes_on_inside(const struct wb_simt_analysis *analysis, uint32_t continuation,
                            const bool *body)
{
  const struct wb_warp_graph *graph = &analysis->graph;
  struct wb_warp_entry entry;
  if (!analysis->mechanism->continuation(analysis, continuation, &entry))
    return false;
  size_t low = 0;
  size_t high = graph->block_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const struct wb_warp_block *block = &graph->blocks[middle];
    if (block->first < entry.point ||
        (block->first == entry.point && block->context < entry.context))
      low = middle + 1;
    else
      high = middle;
  }
  return low < graph->block_count && graph->blocks[low].first == entry.point &&
         graph->blocks[low].context == entry.context && body[low];
}

bool wb_simt_resumes_only_its_own(const struct wb_simt_analysis *analysis, const bool *body)
{
  for (size_t r = 0; r < analysis->resumption_count; r++) {
    const struct wb_simt_resumption *resumption = &analysis->resumptions[r];
    const struct wb_warp_edge *edge = &analysis->graph.edges[resumption->edge];
    if (body[edge->from] && body[edge->to] &&
        !wb_simt_made_inside(analysis, resumption->continuation, body))
      return false;
  }
  return true;
}

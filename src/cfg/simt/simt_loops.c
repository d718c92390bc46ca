#include "cfg/simt/simt_loops.h"

#include "cfg/warp_graph/block_search.h"

bool wb_simt_made_inside(const struct wb_simt_analysis *analysis, uint32_t continuation,
                         const bool *body)
{
  const uint32_t maker = analysis->makers[continuation];
  return maker != WB_NOWHERE && body[maker];
}

bool wb_simt_goes_on_inside(const struct wb_simt_analysis *analysis, uint32_t continuation,
                            const bool *body)
{
  struct wb_warp_entry entry;
  if (!analysis->mechanism->continuation(analysis, continuation, &entry))
    return false;
  const uint32_t block = wb_block_that_begins(&analysis->graph, entry.point, entry.context);
  return block != WB_NOWHERE && body[block];
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

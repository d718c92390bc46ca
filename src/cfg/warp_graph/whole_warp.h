/* Whether the warp runs as one. */
#ifndef WB_CFG_WARP_GRAPH_WHOLE_WARP_H
#define WB_CFG_WARP_GRAPH_WHOLE_WARP_H

#include "cfg/warp_graph/warp_graph.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether, whenever a group of lanes runs the block, that group is all lanes of the warp that have
 * not ended: no other group runs, is ready, or waits anywhere, from the block's first instruction
 * to its last one. Where one group runs at a time, without groups: true, though lanes may wait on
 * the stack for this group's end. The analysis of groups proves it (doc/simt-volta.md);
 * where it does not know, false. */
static inline bool wb_block_is_whole(const struct wb_warp_graph *graph, uint32_t block)
{
  return !graph->groups || (graph->whole != NULL && graph->whole[block]);
}

#endif

/* Blocks of a warp-level graph by their places. */
#ifndef WB_CFG_WARP_GRAPH_BLOCK_SEARCH_H
#define WB_CFG_WARP_GRAPH_BLOCK_SEARCH_H

#include "cfg/warp_graph/warp_graph.h"

#include <stdint.h>

/* The block that begins with an instruction in a context; UINT32_MAX for none. Logarithmic. */
uint32_t wb_block_that_begins(const struct wb_warp_graph *graph, uint32_t instruction,
                              uint32_t context);

/* The block that holds an instruction in a context; UINT32_MAX for none. Logarithmic. */
uint32_t wb_block_that_holds(const struct wb_warp_graph *graph, uint32_t instruction,
                             uint32_t context);

#endif

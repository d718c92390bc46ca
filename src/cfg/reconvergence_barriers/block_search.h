/* The block of a graph that holds a place. */
#ifndef WB_CFG_RECONVERGENCE_BARRIERS_BLOCK_SEARCH_H
#define WB_CFG_RECONVERGENCE_BARRIERS_BLOCK_SEARCH_H

#include "cfg/simt/simt_contexts.h"
#include "cfg/warp_graph/warp_graph.h"

#include <stdint.h>

/* The block in which the place's instruction is in its context; UINT32_MAX for none. Logarithmic.
 */
uint32_t wb_block_search(const struct wb_warp_graph *graph, struct wb_simt_place place);

#endif

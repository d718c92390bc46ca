/* An order of the blocks of a warp graph by their strongly connected components. */
#ifndef WB_CFG_WARP_GRAPH_COMPONENT_ORDER_H
#define WB_CFG_WARP_GRAPH_COMPONENT_ORDER_H

#include "cfg/warp_graph/warp_graph.h"

#include <stdbool.h>
#include <stdint.h>

/* By block: the number of its component, which no edge leads to a higher one of. So a walk from a
 * block comes to no block of a higher number. The array is the caller's to free; NULL where memory
 * is out. Linear. */
uint32_t *wb_component_order_make(const struct wb_warp_graph *graph);

#endif

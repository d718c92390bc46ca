/* The natural loops of a flow graph, and what is left of its edges once each of them is merged
 * into its header. */
#ifndef WB_CFG_GRAPH_NATURAL_LOOPS_H
#define WB_CFG_GRAPH_NATURAL_LOOPS_H

#include "cfg/graph/dominators.h"

#include <stdbool.h>
#include <stdint.h>

/* Owns its arrays. */
struct wb_natural_loops {
  uint32_t *around; /* by node: the header of the innermost natural loop that holds it (for a
                     * header, of the loop around its own), or UINT32_MAX */
  bool *is_header;  /* by node: of a natural loop */
  /* By edge, the node into which its origin is merged while its target is not merged yet: the
   * header of the natural loop around the target, or a node beside it in that loop; the target
   * itself for back edges of natural loops and for edges from nodes that are not reachable; no
   * matter for edges to such nodes. */
  uint32_t *source;
};

/* Tarjan's merging (Testing Flow Graph Reducibility, 1974), from inner loops to outer ones: near
 * linear. False where memory is out. */
bool wb_natural_loops_make(const struct wb_flow_graph *graph, const struct wb_edge_lists *incoming,
                           const struct wb_dominators *dominators, struct wb_natural_loops *loops);
void wb_natural_loops_free(struct wb_natural_loops *loops);

#endif

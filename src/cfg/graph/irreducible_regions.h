/* The irreducible regions of a flow graph: what is strongly connected once natural loops are
 * merged into their headers. */
#ifndef WB_CFG_GRAPH_IRREDUCIBLE_REGIONS_H
#define WB_CFG_GRAPH_IRREDUCIBLE_REGIONS_H

#include "cfg/graph/dominators.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How deep irreducible regions nest in each other: a region inside of so many others is taken
 * whole, with every node a header. Nothing that a compiler makes comes near; it keeps the time
 * linear where a listing is made to be slow. */
#define WB_IRREDUCIBLE_DEPTH_LIMIT 64

/* A natural loop is in a region by its header alone: its other nodes can be in regions inside of
 * the loop. Owns its arrays. */
struct wb_irreducible_regions {
  uint32_t *region; /* by node: the innermost region that holds it, or UINT32_MAX */
  bool *is_header;  /* by node: it is one of that region's headers */
  uint32_t *outer;  /* by region: the region around it with no natural loop between them, which
                     * stands before it, or UINT32_MAX */
  size_t count;     /* regions */
  size_t capacity;  /* room in outer */
};

/* Finds regions wave by wave: those of the whole, then those of what each is without its headers.
 * source: as in struct wb_natural_loops. Linear for each wave, and there are at most
 * WB_IRREDUCIBLE_DEPTH_LIMIT. False where memory is out. */
bool wb_irreducible_regions_make(const struct wb_edge_lists *incoming,
                                 const struct wb_dominators *dominators, const uint32_t *source,
                                 size_t node_count, struct wb_irreducible_regions *regions);
void wb_irreducible_regions_free(struct wb_irreducible_regions *regions);

#endif

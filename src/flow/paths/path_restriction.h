/* Removal of the edges of a path graph that the wanted paths do not take. */
#ifndef WB_FLOW_PATHS_PATH_RESTRICTION_H
#define WB_FLOW_PATHS_PATH_RESTRICTION_H

#include "base/status.h"
#include "cfg/graph/loops.h"
#include "flow/paths/path_graph.h"

#include <stdint.h>

/* Removes the edges whose kind is not in `kinds`, then those on no path from the entry to an end;
 * none is left where there is no path. Linear. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_path_graph_prune(struct wb_path_graph *graph, unsigned kinds,
                                     warpbound_error *error);

/* Removes the edges by which a path would pass by the block: within the function, and in each pass
 * of the loops that hold the block. An edge that leaves such a loop before the block stays where it
 * is of the loop's test at the head, or where no other edge leaves the loop. Needs a block that an
 * edge reaches, or the entry. Edges on no path may be left: prune again. Errors:
 * WARPBOUND_FACTS_MISSING (the graph is irreducible), WARPBOUND_INTERNAL. */
warpbound_status wb_path_graph_require(struct wb_path_graph *graph, uint32_t block,
                                       const char *file, warpbound_error *error);

/* Errors: WARPBOUND_FACTS_MISSING where a loop of the graph's forest has several entries. */
warpbound_status wb_path_graph_reducible(const struct wb_path_graph *graph,
                                         const struct wb_loop_forest *forest, const char *file,
                                         warpbound_error *error);

#endif

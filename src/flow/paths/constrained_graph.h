/* The graph of a function with the edges that the options leave. */
#ifndef WB_FLOW_PATHS_CONSTRAINED_GRAPH_H
#define WB_FLOW_PATHS_CONSTRAINED_GRAPH_H

#include "flow/paths/function_path_types.h"

/* Makes row->graph: the edges that lead to some goal and agree with the choices of `takes`; and the
 * row's arrays. Errors: WARPBOUND_USAGE (a take is about no conditional branch),
 * WARPBOUND_FACTS_MISSING (a branch to an address in a register), WARPBOUND_INTERNAL. */
warpbound_status wb_constrained_graph_make(const struct wb_function_paths *paths,
                                           struct wb_path_function *row, warpbound_error *error);

/* The kinds of edges (bits of enum wb_path_edge_kind) that a path of the function to the goal may
 * have, where all functions that it calls have paths. */
unsigned wb_goal_edge_kinds(const struct wb_function_paths *paths,
                            const struct wb_function *function, enum wb_path_goal goal);

#endif

/* The graph of a function as the options leave it, before ways through it are sought. */
#ifndef WB_FLOW_PATHS_PATH_OPENING_H
#define WB_FLOW_PATHS_PATH_OPENING_H

#include "flow/paths/path_ways.h"

/* How far the ways of a function are known. */
enum wb_path_state { WB_PATH_NOT_SEEN, WB_PATH_UNDER_WAY, WB_PATH_FOUND };

/* Makes the graph of a function, as far as it matters to any goal, with the choices of `takes`.
 * Errors: WARPBOUND_USAGE (a take is about no conditional branch), WARPBOUND_FACTS_MISSING (a
 * branch to where a register points), WARPBOUND_INTERNAL. */
warpbound_status wb_path_ways_open(const struct wb_path_ways *ways, struct wb_path_function *row,
                                   warpbound_error *error);

/* The kinds of edges by which a way may come to the goal; optimistic of what is called. */
unsigned wb_path_ways_kinds(const struct wb_path_ways *ways, const struct wb_function *function,
                            enum wb_path_goal goal);

/* Fails at an instruction; detail may be NULL. */
warpbound_status wb_path_ways_fail(const struct wb_path_ways *ways, warpbound_status status,
                                   const struct wb_instruction *at, warpbound_error *error,
                                   const char *message, const char *detail);

/* The line that a number is; UINT32_MAX where there can be none. */
uint32_t wb_path_line(const char *text);

#endif

/* The preferred way through each function that a kernel calls, from the called to the callers. */
#ifndef WB_FLOW_PATHS_PATH_WAYS_H
#define WB_FLOW_PATHS_PATH_WAYS_H

#include "flow/paths/path_opening.h"

/* Finds the ways of the kernel and of all that it calls. Errors: as wb_kernel_path_walk's. */
warpbound_status wb_path_ways_find(const struct wb_code *code, const struct wb_function *kernel,
                                   const struct wb_path_options *options, struct wb_path_ways *ways,
                                   warpbound_error *error);
void wb_path_ways_free(struct wb_path_ways *ways);

/* The row of a function of the code. */
struct wb_path_function *wb_path_ways_of(const struct wb_path_ways *ways,
                                         const struct wb_function *function);

/* Whether there is a way to the goal. A function without instructions returns. */
bool wb_path_way_exists(const struct wb_path_function *row, enum wb_path_goal goal);

/* The weight of the way to a goal, which exists. */
struct wb_path_weight wb_path_way_weight(const struct wb_path_function *row,
                                         enum wb_path_goal goal);

#endif

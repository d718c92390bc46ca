/* The preferred paths of a kernel and of all functions that it calls, callees first. */
#ifndef WB_FLOW_PATHS_FUNCTION_PATHS_H
#define WB_FLOW_PATHS_FUNCTION_PATHS_H

#include "flow/paths/function_path_types.h"

/* Finds the paths. Errors: as wb_kernel_path_walk's; *paths is to be freed also then. */
warpbound_status wb_function_paths_find(const struct wb_code *code,
                                        const struct wb_function *kernel,
                                        const struct wb_path_options *options,
                                        struct wb_function_paths *paths, warpbound_error *error);
void wb_function_paths_free(struct wb_function_paths *paths);

/* The row of a function of the code. */
struct wb_path_function *wb_function_paths_of(const struct wb_function_paths *paths,
                                              const struct wb_function *function);

/* Whether there is a path to the goal. A function without instructions returns. */
bool wb_goal_path_exists(const struct wb_path_function *row, enum wb_path_goal goal);

/* The weight of the path to a goal. Needs wb_goal_path_exists. */
struct wb_path_weight wb_goal_path_weight(const struct wb_path_function *row,
                                          enum wb_path_goal goal);

#endif

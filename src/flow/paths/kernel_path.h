/* From code to the kernel instruction string of one of its paths. */
#ifndef WB_FLOW_PATHS_KERNEL_PATH_H
#define WB_FLOW_PATHS_KERNEL_PATH_H

#include "base/status.h"
#include "flow/paths/path_graph.h"

/* The path of a kernel of most instructions, or its fall-through path (the "branchless" reading of
 * ECRTS 2012 and ETFA 2013), which takes the fewest conditional branches; doc/ptx.md says which
 * paths there are to choose from. Calls are followed. It is an estimate.
 * Errors: WARPBOUND_FACTS_MISSING (iterations, a callee's string, where a register points, a loop
 * of several entries or without a way out), WARPBOUND_INVALID_INPUT (recursion, more than
 * WB_STRING_LIMIT instructions, loops nested too deep), WARPBOUND_USAGE (no path comes to
 * `through`, goes by `takes`, or through a loop of `loops`), each with file and line.
 * Near linear in the listing's length and the path's. */
warpbound_status wb_kernel_path_walk(const struct wb_code *code, const struct wb_function *kernel,
                                     const struct wb_path_options *options,
                                     struct wb_kernel_path *path, warpbound_error *error);

void wb_kernel_path_free(struct wb_kernel_path *path);

#endif

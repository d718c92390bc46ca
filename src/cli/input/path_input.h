/* From options to the path of a PTX kernel. */
#ifndef WB_CLI_INPUT_PATH_INPUT_H
#define WB_CLI_INPUT_PATH_INPUT_H

#include "cli/options/options.h"
#include "flow/paths/kernel_path.h"

/* The path that --loop-iterations, --iterations, --through, --take, --path and --assume-call ask
 * for. The caller frees it with wb_kernel_path_free. Errors: WARPBOUND_USAGE,
 * WARPBOUND_INVALID_INPUT where an instance file has what is wrong; those of
 * wb_kernel_path_walk. */
warpbound_status path_input_walk(struct arguments *arguments, const struct wb_code *program,
                                 const struct wb_function *kernel, struct wb_kernel_path *path,
                                 warpbound_error *error);

#endif

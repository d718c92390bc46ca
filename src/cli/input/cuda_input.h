/* CUDA source on the command line: compiled by the nvcc of this machine, where there is one. */
#ifndef WB_CLI_INPUT_CUDA_INPUT_H
#define WB_CLI_INPUT_CUDA_INPUT_H

#include "base/file.h"
#include "cli/options/options.h"
#include "warpbound.h"

#include <stdbool.h>

/* Whether a file is CUDA source, by its name: FILE.cu. path may be NULL. */
bool cuda_input_is_source(const char *path);

/* Compiles arguments->input for the device of --sm or the architecture of --arch, with line
 * information and the words of --nvcc-options, and reads the code; the command is shown on standard
 * error, and so is what nvcc prints. The input is named FILE.cubin; free with wb_input_free.
 * Errors: WARPBOUND_USAGE (no architecture, or no nvcc: the message has the command for a machine
 * with one), WARPBOUND_INVALID_INPUT (nvcc fails), WARPBOUND_LIMIT
 * (Ctrl-C), WARPBOUND_INTERNAL. */
warpbound_status cuda_input_compile(const struct arguments *arguments, struct wb_input *source,
                                    warpbound_error *error);

#endif

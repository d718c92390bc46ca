/* From the command line's words and files to what the analyses take. */
#ifndef WB_CLI_INPUT_INPUT_H
#define WB_CLI_INPUT_INPUT_H

#include "base/arena.h"
#include "cli/input/module_input.h"
#include "cli/options/options.h"
#include "warpbound.h"

/* A kernel, or a kernel instruction string, and the paths that are wanted of it. Zero it; free with
 * kernel_input_free, also after an error. Not to be copied. */
struct kernel_input {
  warpbound_module *module;
  warpbound_kernel *kernel;
  warpbound_paths_options options;  /* borrows the rest */
  struct wb_arena arena;            /* has the next two */
  warpbound_call_assumption *calls; /* of PTX; their texts are the arguments' */
  warpbound_loop_iterations *loops;
  struct wcet_options wcet; /* of machine code */
  warpbound_paths *paths;   /* NULL until kernel_input_find_paths */
};

/* Reads arguments->input: a kernel instruction string, a PTX file, a SASS listing, or an instance
 * file, whose other members become the defaults of options. A name that is both a file's and a
 * string is the file's. A file may also hold a string alone. Nothing is analysed. Errors:
 * WARPBOUND_USAGE, WARPBOUND_INVALID_INPUT, WARPBOUND_FACTS_MISSING, WARPBOUND_INTERNAL. */
warpbound_status kernel_input_read(struct arguments *arguments, unsigned command,
                                   struct kernel_input *input, warpbound_error *error);

/* Finds the paths of what was read; machine code has to run on the device that --sm names. Errors:
 * those of warpbound_paths_find. */
warpbound_status kernel_input_find_paths(const struct arguments *arguments,
                                         struct kernel_input *input,
                                         const warpbound_options *limits, warpbound_error *error);

void kernel_input_free(struct kernel_input *input);

#endif

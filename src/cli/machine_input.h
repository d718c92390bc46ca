/* From the command line's words and files to a function of machine code. */
#ifndef WB_CLI_MACHINE_INPUT_H
#define WB_CLI_MACHINE_INPUT_H

#include "cli/options.h"
#include "model/machine_code.h"

#include <stddef.h>

/* functions are some of the code's, in the listing's order. */
struct machine_input {
  struct wb_machine_code code;
  const struct wb_machine_function **functions;
  size_t function_count;
};

/* Reads arguments->input, a SASS listing, with the options --targets. functions: those of
 * --kernel, as NAME or NAME@sm_NN, all without it. Errors: WARPBOUND_USAGE,
 * WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL. Free with machine_input_free, also after an
 * error. */
warpbound_status machine_input_read(const struct arguments *arguments, struct machine_input *input,
                                    warpbound_error *error);

/* The same for a command that takes one function: without --kernel the only kernel, or where there
 * is none the only function. */
warpbound_status machine_input_read_one(const struct arguments *arguments,
                                        struct machine_input *input, warpbound_error *error);
void machine_input_free(struct machine_input *input);

#endif

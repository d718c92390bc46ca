/* From the command line's words and files to a function of machine code. */
#ifndef WB_CLI_MACHINE_INPUT_H
#define WB_CLI_MACHINE_INPUT_H

#include "cli/options.h"
#include "model/machine_code.h"

/* function is one of the code's. */
struct machine_input {
  struct wb_machine_code code;
  const struct wb_machine_function *function;
};

/* Reads arguments->input, a SASS listing, with the options --targets; the function is that of
 * --kernel, as NAME or NAME@sm_NN, or else the only kernel, or the only function. Errors:
 * WARPBOUND_USAGE, WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL. Free with machine_input_free,
 * also after an error. */
warpbound_status machine_input_read(const struct arguments *arguments, struct machine_input *input,
                                    warpbound_error *error);
void machine_input_free(struct machine_input *input);

#endif

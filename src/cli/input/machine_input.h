/* From the command line's words and files to machine code and its functions. */
#ifndef WB_CLI_INPUT_MACHINE_INPUT_H
#define WB_CLI_INPUT_MACHINE_INPUT_H

#include "base/file.h"
#include "cli/options/options.h"
#include "model/code.h"

/* function: see machine_input_choose. */
struct machine_input {
  struct wb_code code;
  const struct wb_function *function;
};

/* Reads arguments->input, a SASS listing, with the options --targets; --kernel, where it is
 * given, names a function of it, as NAME or NAME@sm_52, mangled or not. Errors: WARPBOUND_USAGE,
 * WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL. Free with machine_input_free, also after an
 * error. */
warpbound_status machine_input_read(const struct arguments *arguments, struct machine_input *input,
                                    warpbound_error *error);

/* The same of a listing that was read. */
warpbound_status machine_input_parse(const struct arguments *arguments,
                                     const struct wb_source *source, struct machine_input *input,
                                     warpbound_error *error);

/* Whether --kernel names the function, or is absent. */
bool machine_input_wanted(const struct arguments *arguments, const struct wb_function *function);

/* Sets input->function to the one that is wanted: the only kernel, or where there is no kernel
 * the only function. Errors: WARPBOUND_USAGE, which lists what there is. */
warpbound_status machine_input_choose(const struct arguments *arguments,
                                      struct machine_input *input, warpbound_error *error);

void machine_input_free(struct machine_input *input);

#endif

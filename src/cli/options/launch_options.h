/* What the user says of the launch: --block, --grid, --param and --constant. */
#ifndef WB_CLI_OPTIONS_LAUNCH_OPTIONS_H
#define WB_CLI_OPTIONS_LAUNCH_OPTIONS_H

#include "cli/options/options.h"
#include "flow/loop_bounds/loop_bounds.h"
#include "model/code.h"

/* launch points into the rest. Free with launch_options_free, also after an error. */
struct launch_options {
  struct wb_launch launch;
  struct wb_parameter_value *parameters;
  size_t parameter_capacity;
  struct wb_constant_value *constants;
  size_t constant_capacity;
};

/* Reads all but the parameters, whose form alone is checked. Errors: WARPBOUND_USAGE,
 * WARPBOUND_INTERNAL. */
warpbound_status launch_options_read(const struct arguments *arguments,
                                     struct launch_options *options, warpbound_error *error);

/* Takes the parameters, of which the code may say how long they are and which numbers they have.
 * Errors: WARPBOUND_USAGE where it has no such number, WARPBOUND_INTERNAL. */
warpbound_status launch_options_complete(const struct arguments *arguments,
                                         const struct wb_code *code, struct launch_options *options,
                                         warpbound_error *error);

void launch_options_free(struct launch_options *options);

#endif

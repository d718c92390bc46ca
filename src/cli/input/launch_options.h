/* From options to what is known of the launch: --block, --grid, --param and --constant. */
#ifndef WB_CLI_INPUT_LAUNCH_OPTIONS_H
#define WB_CLI_INPUT_LAUNCH_OPTIONS_H

#include "cli/options/options.h"
#include "warpbound.h"

/* The lists of the options; owned. Free with launch_options_free, also after an error. */
struct launch_options {
  warpbound_parameter *parameters; /* with names that are owned */
  size_t parameter_count;
  warpbound_constant *constants;
  struct wb_list parameter_names, constant_names; /* how messages call the values */
};

/* Reads them into *options, which borrows *launch. Errors: WARPBOUND_USAGE,
 * WARPBOUND_INTERNAL. */
warpbound_status launch_options_read(const struct arguments *arguments,
                                     struct launch_options *launch,
                                     warpbound_annotation_options *options, warpbound_error *error);

/* X, X,Y or X,Y,Z of an option; sizes that are left out are 1, as in a launch. Nothing where it is
 * absent. Errors: WARPBOUND_USAGE. */
warpbound_status launch_size_read(const struct arguments *arguments, enum option option,
                                  uint32_t size[3], warpbound_error *error);

void launch_options_free(struct launch_options *launch);

#endif

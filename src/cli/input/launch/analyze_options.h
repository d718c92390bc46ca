/* From options to what the library takes for the analysis of a launch. */
#ifndef WB_CLI_INPUT_LAUNCH_ANALYZE_OPTIONS_H
#define WB_CLI_INPUT_LAUNCH_ANALYZE_OPTIONS_H

#include "cli/input/wcet_options.h"
#include "cli/options/options.h"
#include "warpbound.h"

#include <stdint.h>

/* Zero it; free with analyze_options_free, also after an error. Not to be copied. */
struct analyze_options {
  struct wcet_options wcet;
  warpbound_launch_options launch; /* borrows wcet after analyze_options_complete */
  uint64_t budget;                 /* cycles; 0: none */
  double deadline;                 /* seconds; 0: none */
};

/* Reads the options of one launch. Errors: those of wcet_options_read. */
warpbound_status analyze_options_read(const struct arguments *arguments,
                                      struct analyze_options *options, warpbound_error *error);

/* Makes the annotations for a module. Errors: those of wcet_options_complete. */
warpbound_status analyze_options_complete(const struct arguments *arguments,
                                          const warpbound_module *module,
                                          struct analyze_options *options, warpbound_error *error);

void analyze_options_free(struct analyze_options *options);

#endif

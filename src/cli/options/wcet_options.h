/* The options of whoever asks for the worst path of one warp. */
#ifndef WB_CLI_OPTIONS_WCET_OPTIONS_H
#define WB_CLI_OPTIONS_WCET_OPTIONS_H

#include "analysis/wcet/wcet.h"
#include "cli/options/launch_options.h"
#include "cli/options/options.h"

/* wcet points into the rest, so that a struct must not be copied. Free with
 * wcet_options_free, also after an error. */
struct wcet_options {
  struct wb_wcet_options wcet;
  struct wb_costs costs;
  struct wb_flow_facts facts;
  struct launch_options launch;
  struct wb_source_bounds *sources;
  size_t source_count;
};

/* Reads --flow-facts, --default-loop-bound, --cost and what is said of the launch, without its
 * parameters; the rest of options->wcet is zero. Errors: WARPBOUND_USAGE, WARPBOUND_INVALID_INPUT,
 * WARPBOUND_INTERNAL. */
warpbound_status wcet_options_read(const struct arguments *arguments, struct wcet_options *options,
                                   warpbound_error *error);

/* Looks at the options with the code: parameters of the launch are taken, the kernels that facts
 * speak of have to be in it, and the source files that it names are read where --sources FOLDER has
 * them, by their path or their last name. Errors: WARPBOUND_INVALID_INPUT with file and line,
 * WARPBOUND_USAGE where the folder has none of them, WARPBOUND_INTERNAL. */
warpbound_status wcet_options_complete(const struct arguments *arguments,
                                       const struct wb_code *code, struct wcet_options *options,
                                       warpbound_error *error);

void wcet_options_free(struct wcet_options *options);

#endif

/* The options of whoever asks for the worst path of one warp. */
#ifndef WB_CLI_WCET_OPTIONS_H
#define WB_CLI_WCET_OPTIONS_H

#include "analysis/wcet.h"
#include "cli/options.h"

/* wcet points into the rest, so that a struct must not be copied. Free with
 * wcet_options_free, also after an error. */
struct wcet_options {
  struct wb_wcet_options wcet;
  struct wb_costs costs;
  struct wb_flow_facts facts;
};

/* Reads --flow-facts, --default-loop-bound and --cost; the rest of options->wcet is zero.
 * Errors: WARPBOUND_USAGE, WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL. */
warpbound_status wcet_options_read(const struct arguments *arguments, struct wcet_options *options,
                                   warpbound_error *error);

/* Whether the code has all kernels that the facts speak of: one that it has not is a mistake.
 * Errors: WARPBOUND_INVALID_INPUT with the fact file's line. */
warpbound_status wcet_options_check(const struct wcet_options *options,
                                    const struct wb_machine_code *code, warpbound_error *error);

void wcet_options_free(struct wcet_options *options);

#endif

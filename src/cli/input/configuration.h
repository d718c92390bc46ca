/* From options to the configuration of an SM. */
#ifndef WB_CLI_INPUT_CONFIGURATION_H
#define WB_CLI_INPUT_CONFIGURATION_H

#include "cli/options/options.h"
#include "model/sm_configuration.h"

#include <stdbool.h>

/* Whether the options name a configuration at all. */
bool has_configuration(const struct arguments *arguments);

/* The configuration from --sm, or --units with --issue-slots and --partitions. */
warpbound_status configuration_read(const struct arguments *arguments,
                                    struct wb_sm_configuration *sm, warpbound_error *error);

#endif

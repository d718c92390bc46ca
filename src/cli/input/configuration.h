/* From options to the configuration of an SM. */
#ifndef WB_CLI_INPUT_CONFIGURATION_H
#define WB_CLI_INPUT_CONFIGURATION_H

#include "cli/options/options.h"

#include <stdbool.h>

/* Whether the options name a configuration at all. */
bool has_configuration(const struct arguments *arguments);

/* The configuration from --sm, or --units with --issue-slots and --partitions; the caller frees it
 * with warpbound_sm_free. */
warpbound_status configuration_read(const struct arguments *arguments, warpbound_sm **sm,
                                    warpbound_error *error);

/* The row of the device table ("sm_87") whose code runs on the device that --sm names, or whose
 * device file it is; NULL where it is an SM configuration's file, or is not given. */
const char *configuration_architecture(const struct arguments *arguments);

/* Whether --sm is a name of devices, and no file's. */
bool configuration_is_named(const struct arguments *arguments);

#endif

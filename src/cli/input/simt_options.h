/* The options that ablate the abstract interpretation of SIMT execution. */
#ifndef WB_CLI_INPUT_SIMT_OPTIONS_H
#define WB_CLI_INPUT_SIMT_OPTIONS_H

#include "cli/options/options.h"
#include "warpbound.h"

/* Reads --stack, --no-groups and --agreement. Errors: WARPBOUND_USAGE. */
warpbound_status simt_options_read(const struct arguments *arguments,
                                   warpbound_simt_options *options, warpbound_error *error);

#endif

/* The options that ablate the abstract interpretation of SIMT execution. */
#ifndef WB_CLI_OPTIONS_SIMT_OPTIONS_H
#define WB_CLI_OPTIONS_SIMT_OPTIONS_H

#include "cfg/simt_analysis.h"
#include "cli/options/options.h"

/* Reads --stack, --no-groups and --agreement. Errors: WARPBOUND_USAGE. */
warpbound_status simt_options_read(const struct arguments *arguments,
                                   struct wb_simt_options *options, warpbound_error *error);

#endif

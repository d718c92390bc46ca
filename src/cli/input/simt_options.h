/* The options of the abstract interpretation of SIMT execution. */
#ifndef WB_CLI_INPUT_SIMT_OPTIONS_H
#define WB_CLI_INPUT_SIMT_OPTIONS_H

#include "cli/options/options.h"
#include "warpbound.h"

/* Reads --stack, --no-groups, --agreement, --reconvergence and --masks; what a command does not
 * have is its default. Errors: WARPBOUND_USAGE. */
warpbound_status simt_options_read(const struct arguments *arguments,
                                   warpbound_simt_options *options, warpbound_error *error);

/* Whether --reconvergence, --masks and --groups, where they are given, say something of the
 * functions that
 * --kernel asks for: one of them at least is of an architecture with convergence barriers. Errors:
 * WARPBOUND_USAGE. */
warpbound_status simt_options_check(const struct arguments *arguments,
                                    const warpbound_module *module, warpbound_error *error);

#endif

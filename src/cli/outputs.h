/* The options of a command that name a file to write. */
#ifndef WB_CLI_OUTPUTS_H
#define WB_CLI_OUTPUTS_H

#include "base/text.h"
#include "cli/options.h"

#include <stddef.h>

/* Refuses names that are none, and names under which an output would replace another, or the
 * input. Errors: WARPBOUND_USAGE. */
warpbound_status outputs_check(const struct arguments *arguments, const enum option *options,
                               size_t count, warpbound_error *error);

/* Writes a text, which is freed, to the file that the option names. Errors: those of
 * wb_file_write; WARPBOUND_INTERNAL where the text failed. */
warpbound_status output_write(const struct arguments *arguments, enum option option,
                              struct wb_text *text, warpbound_error *error);

#endif

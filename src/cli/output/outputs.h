/* The options of a command that name a file to write. */
#ifndef WB_CLI_OUTPUT_OUTPUTS_H
#define WB_CLI_OUTPUT_OUTPUTS_H

#include "base/text.h"
#include "cli/options/options.h"

#include <stddef.h>

/* Refuses names that are none, names under which an output would replace another, or the input, and
 * files that could not be written: before any work. All options of GROUP_FILES that were given are
 * outputs. Errors: WARPBOUND_USAGE. */
warpbound_status outputs_check(const struct arguments *arguments, warpbound_error *error);

/* Writes a text, which is freed, to the file that the option names. Errors: those of
 * wb_file_write; WARPBOUND_INTERNAL where the text failed. */
warpbound_status output_write(const struct arguments *arguments, enum option option,
                              struct wb_text *text, warpbound_error *error);

/* The same of a text that the library handed out. Errors: those of wb_file_write. */
warpbound_status output_write_text(const struct arguments *arguments, enum option option,
                                   char *text, warpbound_error *error);

#endif

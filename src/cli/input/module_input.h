/* From the command line's words and files to a parsed module, or a file in memory. */
#ifndef WB_CLI_INPUT_MODULE_INPUT_H
#define WB_CLI_INPUT_MODULE_INPUT_H

#include "base/file.h"
#include "cli/options/options.h"
#include "warpbound.h"

#include <stdbool.h>

/* Reads arguments->input, a file of up to `most` bytes or - for standard input; where there is
 * none, the error says what is expected. Free with wb_input_free. Errors: WARPBOUND_USAGE,
 * WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL. */
warpbound_status source_input_read(const struct arguments *arguments, const char *expected,
                                   size_t most, struct wb_input *source, warpbound_error *error);

/* Parses a text that was read, with --targets and --assume-unit. machine_code_only: refuse all but
 * SASS listings. Errors: those of warpbound_module_parse; WARPBOUND_USAGE, or of an instance file's
 * option WARPBOUND_INVALID_INPUT, where an option's text is not understood. */
warpbound_status module_input_parse(const struct arguments *arguments,
                                    const struct wb_input *source, bool machine_code_only,
                                    warpbound_module **module, warpbound_error *error);

/* Reads and parses arguments->input, a SASS listing; --kernel, where it is given, names a function
 * of it. Errors: the same, and WARPBOUND_USAGE where there is no such function. *module is then
 * NULL. */
warpbound_status module_input_read(const struct arguments *arguments, warpbound_module **module,
                                   warpbound_error *error);

#endif

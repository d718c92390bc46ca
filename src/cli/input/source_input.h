/* The input that a command names, in memory. */
#ifndef WB_CLI_INPUT_SOURCE_INPUT_H
#define WB_CLI_INPUT_SOURCE_INPUT_H

#include "base/file.h"
#include "cli/options/options.h"

/* Reads arguments->input, a file or - for standard input; where there is none, the error says what
 * is expected. Free with wb_source_free. Errors: WARPBOUND_USAGE, WARPBOUND_INVALID_INPUT,
 * WARPBOUND_INTERNAL. */
warpbound_status source_input_read(const struct arguments *arguments, const char *expected,
                                   struct wb_source *source, warpbound_error *error);
/* The same of a file of up to `most` bytes. */
warpbound_status source_input_read_most(const struct arguments *arguments, const char *expected,
                                        size_t most, struct wb_source *source,
                                        warpbound_error *error);

#endif

/* Options whose values are words. */
#ifndef WB_CLI_OPTIONS_WORD_OPTIONS_H
#define WB_CLI_OPTIONS_WORD_OPTIONS_H

#include "base/text/choice.h"
#include "cli/options/options.h"

#include <stdint.h>

/* *value of an option's word; the first row's, the default, where the option is absent. Errors:
 * WARPBOUND_USAGE, which lists the words and names the one that was likely meant.
 */
warpbound_status word_read(const struct arguments *arguments, enum option option,
                           const struct wb_choice *choices, int *value, warpbound_error *error);

/* Reads a number in decimal, or in hexadecimal after 0x, of at most 20 digits and up to `most`.
 * Returns where it ends; NULL where there is none. */
const char *number_read(const char *at, uint64_t most, uint64_t *number);

#endif

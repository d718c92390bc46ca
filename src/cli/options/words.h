/* Values that are words. */
#ifndef WB_CLI_OPTIONS_WORDS_H
#define WB_CLI_OPTIONS_WORDS_H

#include "cli/options/options.h"

/* The place in `words`, which NULL ends, of an option's value; 0, the default, where the option is
 * absent. Errors: WARPBOUND_USAGE, which lists the words and names the one that was likely meant.
 */
warpbound_status word_read(const struct arguments *arguments, enum option option,
                           const char *const *words, size_t *place, warpbound_error *error);

/* The same of any value; `before` begins the message. */
warpbound_status word_find(const char *value, const char *before, const char *const *words,
                           size_t *place, warpbound_error *error);

#endif

/* What holds of every instrumented text. */
#ifndef CHECK_INSTRUMENTED_H
#define CHECK_INSTRUMENTED_H

#include "instrument/instrumentation.h"

/* NULL, or what does not hold (static): the insertions taken out give the listing back; the text
 * parses; without the added instructions the kernel has the same instructions, in order, and each
 * leads to the same ones; all other functions are as they were; added instructions do not branch;
 * each transition has a row of its own, and one of its point's. `text` is the listing. */
const char *check_instrumented(const char *text, size_t length,
                               const struct wb_instrumentation *made);

#endif

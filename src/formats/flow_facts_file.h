/* Flow fact files (format in doc/flow-facts.md). */
#ifndef WB_FORMATS_FLOW_FACTS_FILE_H
#define WB_FORMATS_FLOW_FACTS_FILE_H

#include "base/status.h"
#include "model/flow_facts.h"

#include <stddef.h>

/* Reads a whole file; any bytes may be given. `name` is for messages. The caller frees the
 * facts with wb_flow_facts_free.
 * Errors: WARPBOUND_INVALID_INPUT with line and column, saying what was expected and what was
 * found; WARPBOUND_INTERNAL. Linear in length, but for kernels, which are looked up by name. */
warpbound_status wb_flow_facts_parse(const char *name, const char *text, size_t length,
                                     struct wb_flow_facts *facts, warpbound_error *error);

#endif

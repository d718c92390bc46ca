/* Files of flow facts to be filled in: the facts that there are, and what is missing. */
#ifndef WB_REPORT_WCET_FACTS_TEMPLATE_H
#define WB_REPORT_WCET_FACTS_TEMPLATE_H

#include "analysis/code/code_results.h"
#include "base/text.h"

#include <stddef.h>

/* A whole file on results of one module, facts missing or not. Each kernel that has facts, or lacks
 * some: its checksum, its facts with their places as they are in this code, and a line with a '?'
 * for each loop of which nothing is known, with a comment on where it is. A failure is the
 * text's. */
void wb_facts_template(const struct warpbound_module *module,
                       const struct warpbound_wcet *const *results, size_t count,
                       struct wb_text *text);

#endif

/* Files of flow facts to be filled in: the facts that there are, and what is missing. */
#ifndef WB_REPORT_WCET_FACTS_TEMPLATE_H
#define WB_REPORT_WCET_FACTS_TEMPLATE_H

#include "analysis/wcet/wcet.h"
#include "base/text.h"

/* The head of the file. */
void wb_facts_template_head(const struct wb_code *code, struct wb_text *text);

/* One kernel: its checksum, its facts with their places as they are in this code, and a line
 * with a '?' for each loop of which nothing is known, with a comment on where it is. `kernel`:
 * its facts, or NULL. A failure is the text's. */
void wb_facts_template(const struct wb_wcet *wcet, const struct wb_kernel_facts *kernel,
                       struct wb_text *text);

#endif

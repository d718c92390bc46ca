/* Writers of the comparison of two results of launches. */
#ifndef WB_REPORT_COMPARE_COMPARISON_REPORT_H
#define WB_REPORT_COMPARE_COMPARISON_REPORT_H

#include "analysis/compare/comparison.h"
#include "base/text.h"

#include <stdbool.h>

/* A line for each launch and, but where it is quiet, the numbers that changed most below it. */
void wb_comparison_text(const struct warpbound_comparison *compared, bool quiet, bool colour,
                        struct wb_text *text);

/* A page with old and new side by side, which needs no other file and no network. */
void wb_comparison_page(const struct warpbound_comparison *compared, struct wb_text *text);

/* What a group of numbers is called. Static. */
const char *wb_comparison_group_title(enum wb_result_group group);

/* doc/schema/compare.json. */
void wb_comparison_json(const struct warpbound_comparison *compared, struct wb_text *text);

/* Why the comparison failed, of the first launch that did; nothing where none did. */
void wb_comparison_failure(const struct warpbound_comparison *compared, struct wb_text *text);

#endif

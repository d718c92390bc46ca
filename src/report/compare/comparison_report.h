/* Writers of the comparison of two results of launches. */
#ifndef WB_REPORT_COMPARE_COMPARISON_REPORT_H
#define WB_REPORT_COMPARE_COMPARISON_REPORT_H

#include "analysis/compare/comparison.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* What is written. */
struct wb_comparison_report {
  const struct wb_result_comparison *comparison;
  const char *before, *after; /* names of the files */
  uint64_t limit;             /* as of wb_compare_results */
  bool quiet;                 /* the answer of each launch alone */
  bool colour;
};

/* A line for each launch, with the numbers that changed most below it, and the verdict. */
void wb_comparison_text(const struct wb_comparison_report *report, struct wb_text *text);

/* doc/schema/compare.json. */
void wb_comparison_json(const struct wb_comparison_report *report, struct wb_text *text);

/* Why the comparison failed, of the first launch that did; nothing where none did. */
void wb_comparison_failure(const struct wb_comparison_report *report, struct wb_text *text);

#endif

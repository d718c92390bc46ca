/* Writers of a kernel instruction string. */
#ifndef WB_REPORT_STRING_REPORT_H
#define WB_REPORT_STRING_REPORT_H

#include "analysis/code/code_results.h"
#include "base/text.h"
#include "model/problem.h"

#include <stdbool.h>

/* What is to be written; all borrowed. */
struct wb_string_report {
  const struct warpbound_paths *paths;
  const struct wb_problem *normalised; /* the string on a configuration; NULL: none is given */
  bool steps;                          /* with the instructions of the path */
  bool quiet;                          /* for people, the string alone */
};

/* The caller checks text->failed. */
void wb_string_report_text(const struct wb_string_report *report, bool colour,
                           struct wb_text *text);
void wb_string_report_json(const struct wb_string_report *report, struct wb_text *text);

#endif

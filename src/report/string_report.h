/* Writers of a kernel instruction string. */
#ifndef WB_REPORT_STRING_REPORT_H
#define WB_REPORT_STRING_REPORT_H

#include "analysis/code/code_results.h"
#include "base/text.h"
#include "model/problem.h"

#include <stdbool.h>

/* A string and how it is to be written. */
struct wb_string_report {
  const struct warpbound_paths *paths; /* borrowed */
  bool steps;                          /* with the instructions of the path */
  bool quiet;                          /* for people, the string alone */
  bool normalised;                     /* wb_string_report_normalise was called */
  struct wb_problem problem;           /* then the string on that configuration; owned */
};

/* Writes the string as normalised for a configuration too. Errors: those of wb_problem_normalise;
 * to be freed with wb_string_report_free, also then. */
warpbound_status wb_string_report_normalise(struct wb_string_report *report, const warpbound_sm *sm,
                                            warpbound_error *error);
void wb_string_report_free(struct wb_string_report *report);

/* The caller checks text->failed. */
void wb_string_report_text(const struct wb_string_report *report, bool colour,
                           struct wb_text *text);
void wb_string_report_json(const struct wb_string_report *report, struct wb_text *text);

#endif

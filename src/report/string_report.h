/* Writers of a kernel instruction string. */
#ifndef WB_REPORT_STRING_REPORT_H
#define WB_REPORT_STRING_REPORT_H

#include "base/list.h"
#include "base/text.h"
#include "flow/paths/kernel_path.h"
#include "model/code.h"
#include "model/problem.h"

#include <stdbool.h>

/* The content of the report; all borrowed. */
struct wb_string_report {
  const struct wb_code *code; /* code, kernel and path: NULL where the string was given as such */
  const char *kernel;
  const struct wb_kernel_string *string;
  const struct wb_kernel_path *path;
  bool steps;                          /* show the instructions */
  bool estimate;                       /* the string is no more than that */
  const struct wb_problem *normalised; /* NULL without a configuration */
  const struct wb_list *assumptions;
  bool quiet; /* for people: the string alone */
};

/* The caller checks text->failed. */
void wb_string_report_text(const struct wb_string_report *report, bool colour,
                           struct wb_text *text);
void wb_string_report_json(const struct wb_string_report *report, struct wb_text *text);

#endif

/* Writers of a kernel instruction string. */
#ifndef WB_REPORT_STRING_REPORT_H
#define WB_REPORT_STRING_REPORT_H

#include "base/list.h"
#include "base/text.h"
#include "flow/paths/kernel_path.h"
#include "model/code.h"
#include "model/problem.h"

#include <stdbool.h>

/* What is to be written; all borrowed. code, kernel and path: NULL where the string
 * was given as such. steps: whether the instructions are wanted. normalised:
 * NULL unless a configuration was given. estimate: the string is no more than that.
 * quiet: for people, the string alone. */
struct wb_string_report {
  const struct wb_code *code;
  const char *kernel;
  const struct wb_kernel_string *string;
  const struct wb_kernel_path *path;
  bool steps;
  bool estimate;
  const struct wb_problem *normalised;
  const struct wb_list *assumptions;
  bool quiet;
};

/* The caller checks text->failed. */
void wb_string_report_text(const struct wb_string_report *report, bool colour,
                           struct wb_text *text);
void wb_string_report_json(const struct wb_string_report *report, struct wb_text *text);

#endif

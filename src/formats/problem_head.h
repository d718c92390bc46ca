/* The head that all files of schedules and certificates share: the members format,
 * string, units, issue_slots and warps. */
#ifndef WB_FORMATS_PROBLEM_HEAD_H
#define WB_FORMATS_PROBLEM_HEAD_H

#include "base/text.h"
#include "model/problem.h"

/* Writes them for a problem, from the brace that opens the object to the comma behind
 * the last. Numbers and letters only: nothing to escape. The caller checks
 * text->failed. */
void wb_problem_head_write(const char *format, const struct wb_problem *problem,
                           struct wb_text *text);

#endif

/* The witness of a result: as a file, as a picture, and what it is called. */
#ifndef WB_REPORT_MAKESPAN_RESULT_SCHEDULE_H
#define WB_REPORT_MAKESPAN_RESULT_SCHEDULE_H

#include "analysis/makespan/makespan_analysis.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* All of a result that has a witness, of one partition or of the whole SM. The caller checks
 * text->failed. */

/* "Schedule of 45 cycles by greedy-then-oldest: the worst case". */
void wb_result_schedule_title(const struct warpbound_result *result, struct wb_text *text);

/* The schedule file ("warpbound-schedule-1"). */
void wb_result_schedule_json(const struct warpbound_result *result, struct wb_text *text);

/* The pictures of report/gantt/gantt.h, with that title: in the page, or as a line above. */
void wb_result_gantt_svg(const struct warpbound_result *result, struct wb_text *text);
void wb_result_gantt_terminal(const struct warpbound_result *result, size_t columns, size_t rows,
                              bool colour, struct wb_text *text);

#endif

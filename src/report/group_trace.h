/* The steps of a random execution whose lanes run in groups, as text and as JSON. */
#ifndef WB_REPORT_GROUP_TRACE_H
#define WB_REPORT_GROUP_TRACE_H

#include "analysis/code/code_results.h"
#include "base/text.h"

#include <jansson.h>
#include <stdbool.h>

/* ", 2 releases, at most 3 groups at one time" and the like: the end of the answer's line. */
void wb_group_trace_answer(const struct warpbound_trace *trace, struct wb_text *text);

/* What a step does to groups and scopes, after the instruction on its line. */
void wb_group_trace_remark(const struct warpbound_trace *trace, const struct wb_trace_step *step,
                           struct wb_text *text);

/* After all steps: where groups wait, if they do so for ever. */
void wb_group_trace_end(const struct warpbound_trace *trace, struct wb_text *text);

/* The JSON object of the trace, with the steps. A new reference, or NULL where memory is out. */
json_t *wb_group_trace_json(const struct warpbound_trace *trace);

#endif

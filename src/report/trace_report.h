/* A random execution of one warp as text and as JSON. */
#ifndef WB_REPORT_TRACE_REPORT_H
#define WB_REPORT_TRACE_REPORT_H

#include "analysis/code/code_results.h"
#include "base/text.h"

#include <stdbool.h>

/* For people: the answer in one line, then unless quiet each step. The caller checks
 * text->failed. */
void wb_trace_text(const struct warpbound_trace *trace, bool quiet, bool colour,
                   struct wb_text *text);

/* The JSON object of `warpbound run --json` (doc/formats.md). The caller checks text->failed. */
void wb_trace_json(const struct warpbound_trace *trace, struct wb_text *text);

#endif

/* What one warp does: the string of a path, and a random execution; as text and as JSON. */
#ifndef WB_REPORT_WARP_REPORT_H
#define WB_REPORT_WARP_REPORT_H

#include "analysis/code/code_results.h"
#include "base/text.h"

#include <stdbool.h>

/* A string and how it is to be written. All borrowed. */
struct wb_string_report {
  const struct warpbound_paths *paths;
  const warpbound_sm *sm; /* the string also as normalised for it; NULL: not */
  bool steps;             /* with the instructions of the path */
  bool quiet;             /* for people, the string alone */
  bool colour;            /* the same */
};

/* The caller checks text->failed. Errors: those of wb_problem_normalise. */
warpbound_status wb_string_report_write(const struct wb_string_report *report, bool json,
                                        struct wb_text *text, warpbound_error *error);

/* For people: the answer in one line, then unless quiet each step. The caller checks
 * text->failed. */
void wb_trace_text(const struct warpbound_trace *trace, bool quiet, bool colour,
                   struct wb_text *text);

/* The JSON object of `warpbound run --json` (doc/formats.md). The caller checks text->failed. */
void wb_trace_json(const struct warpbound_trace *trace, struct wb_text *text);

#endif

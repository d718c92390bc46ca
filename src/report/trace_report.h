/* A run of the oracle as text and as JSON. */
#ifndef WB_REPORT_TRACE_REPORT_H
#define WB_REPORT_TRACE_REPORT_H

#include "base/text.h"
#include "cfg/interpreter/simt_interpreter.h"
#include "model/code.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* The report under way while the warp runs. Borrows code, function and options. */
struct wb_trace {
  const struct wb_code *code;
  const struct wb_function *function;
  const struct wb_simt_run_options *options;
  bool colour;
  struct wb_text *text; /* for people */
  json_t *steps;        /* an array for scripts; NULL: for people */
  uint64_t splits;
  uint64_t reactivations;
  uint32_t deepest; /* most entries on the stack */
};

/* The head above the steps, for people. */
void wb_trace_head(struct wb_trace *trace);

/* A wb_simt_visitor, whose context is the trace; false where memory is out. */
bool wb_trace_step(void *context, const struct wb_simt_step *step);

/* The summary of a run for people, in one line. */
void wb_trace_answer(const struct wb_trace *trace, const struct wb_simt_run *run,
                     struct wb_text *text);

/* The JSON object with the steps, which it takes over. */
void wb_trace_json(struct wb_trace *trace, const struct wb_simt_run *run);

#endif

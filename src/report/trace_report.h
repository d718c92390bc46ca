/* A run of the oracle as text and as JSON. */
#ifndef WB_REPORT_TRACE_REPORT_H
#define WB_REPORT_TRACE_REPORT_H

#include "base/text.h"
#include "cfg/interpreter/simt_interpreter.h"
#include "model/code.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* What is written while the warp runs, and counted: `text` for people, or `steps`, an array,
 * if that is not NULL. Borrows code, function and options. */
struct wb_trace {
  const struct wb_code *code;
  const struct wb_function *function;
  const struct wb_simt_run_options *options;
  bool colour;
  struct wb_text *text;
  json_t *steps;
  uint64_t splits;
  uint64_t reactivations;
  uint32_t deepest; /* most entries on the stack */
};

/* What stands above the steps, for people. */
void wb_trace_head(struct wb_trace *trace);

/* A wb_simt_visitor, whose context is the trace; false where memory is out. */
bool wb_trace_step(void *context, const struct wb_simt_step *step);

/* What a run for people was, in one line. */
void wb_trace_answer(const struct wb_trace *trace, const struct wb_simt_run *run,
                     struct wb_text *text);

/* The JSON object with the steps, which it takes over. */
void wb_trace_json(struct wb_trace *trace, const struct wb_simt_run *run);

#endif

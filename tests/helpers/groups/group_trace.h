/* Runs of the oracle with groups on programs of tests/helpers/groups/simt_text.h, as texts to
 * compare. */
#ifndef TESTS_HELPERS_GROUP_TRACE_H
#define TESTS_HELPERS_GROUP_TRACE_H

#include "cfg/interpreter/groups/group_interpreter.h"
#include "model/code.h"

#include <stdbool.h>
#include <stdint.h>

#define GROUP_TRACE_STEPS 400
#define GROUP_TRACE_PLACES 64

/* What is asked of the oracle, and what came of it. Zero but what is asked. */
struct group_trace {
  struct wb_group_run_options options; /* lanes 0: 4; steps 0: GROUP_TRACE_STEPS; visitor and
                                        * decision are the trace's */
  bool told[GROUP_TRACE_PLACES];       /* by instruction: `taken` says who does it */
  uint32_t taken[GROUP_TRACE_PLACES];
  bool no_kernel;
  char text[4000];  /* "2:c " for each step: label or index of the instruction, group's lanes */
  uint32_t unbound; /* lanes of all steps */
  uint32_t linked;  /* lanes of all steps */
  uint64_t splits;
  uint64_t causes[WB_GROUP_UNITED + 1]; /* results */
  uint64_t scopes;
  struct wb_group_run run;
  warpbound_error error;
  warpbound_status status;
};

/* The lanes of the mask do the instruction at the label, whenever it is done. */
void group_trace_tell(struct group_trace *trace, const char *lines, const char *label,
                      uint32_t lanes);

/* Runs it. Checks in each step that the groups fit together. */
void group_trace_run(struct group_trace *trace, const char *lines);

/* The same with the lowest address first, and the text must be that; the run must end, without
 * unbound barriers. */
void group_trace_expect(struct group_trace *trace, const char *lines, const char *text);

#endif

/* The costs of calls of functions in sections of their own: for each call, the WCET of the function
 * by itself. */
#ifndef WB_ANALYSIS_WCET_WCET_CALLS_H
#define WB_ANALYSIS_WCET_WCET_CALLS_H

#include "analysis/wcet/wcet_context.h"

/* Deepest chain of calls that is followed. */
#define WB_CALL_DEPTH_LIMIT 64

enum wb_callee_state {
  WB_CALLEE_NEW,
  WB_CALLEE_PENDING, /* being analysed: a call of it from what it calls is recursion */
  WB_CALLEE_KNOWN,
  WB_CALLEE_REFUSED
};

/* A function that may be called. The other fields have a meaning where it is known. */
struct wb_callee {
  enum wb_callee_state state;
  int64_t cycles;              /* its WCET */
  bool apart;                  /* lanes that call it together may return in several groups */
  struct wb_estimate estimate; /* of the WCET */
  struct wb_list assumptions;
};

/* All functions; shared by an analysis and those of its callees. Owns the array. */
struct wb_callees {
  const struct wb_code *code; /* borrowed */
  struct wb_callee *callees;  /* by function of the code */
  unsigned depth;             /* calls from the first analysis to the current one */
  bool facts_refused;         /* what was declared of a function's loops is not true of it */
};

/* Errors: WARPBOUND_INTERNAL; to be freed also then. */
warpbound_status wb_callees_make(struct wb_callees *callees, const struct wb_code *code,
                                 warpbound_error *error);
void wb_callees_free(struct wb_callees *callees);

/* Adds the WCET of callees to wcet->cycles, and states it in the assumptions. Calls whose cost is
 * not counted make the result an estimate. Errors: those of the analysis of a callee that lacks
 * facts or is stopped; WARPBOUND_INVALID_INPUT where a sum does not fit, WARPBOUND_INTERNAL. */
warpbound_status wb_wcet_count_calls(struct wb_wcet_analysis *analysis);

/* wb_wcet_analyse within the analysis of a caller. */
warpbound_status wb_wcet_analyse_within(const struct wb_function *function,
                                        const struct wb_wcet_options *options,
                                        const struct wb_control *control,
                                        struct wb_callees *callees, struct wb_wcet *wcet,
                                        warpbound_error *error);

#endif

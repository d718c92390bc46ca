/* What calls of functions cost that stand elsewhere in the listing, in sections of their own: each
 * call the WCET of the function by itself. */
#ifndef WB_ANALYSIS_WCET_WCET_CALLS_H
#define WB_ANALYSIS_WCET_WCET_CALLS_H

#include "analysis/wcet/wcet_work.h"

/* Functions that call each other more deeply are not followed. */
#define WB_CALL_DEPTH_LIMIT 64

enum wb_callee_state {
  WB_CALLEE_NEW,
  WB_CALLEE_PENDING, /* being analysed: a call of it from what it calls is recursion */
  WB_CALLEE_KNOWN,
  WB_CALLEE_REFUSED
};

struct wb_callee {
  enum wb_callee_state state;
  int64_t cycles;
  bool estimate;
  struct wb_list assumptions;
};

/* By function of the code; shared by an analysis and those of what it calls. */
struct wb_callees {
  const struct wb_code *code;
  struct wb_callee *callees;
  unsigned depth;
};

/* Errors: WARPBOUND_INTERNAL; to be freed also then. */
warpbound_status wb_callees_make(struct wb_callees *callees, const struct wb_code *code,
                                 warpbound_error *error);
void wb_callees_free(struct wb_callees *callees);

/* Adds to wcet->cycles what is called, and says so in the assumptions. Calls whose cost is not
 * counted make the result an estimate. Errors: those of the analysis of a callee that lacks facts
 * or is stopped; WARPBOUND_INVALID_INPUT where a sum does not fit, WARPBOUND_INTERNAL. */
warpbound_status wb_wcet_count_calls(struct wb_wcet_work *work);

/* wb_wcet_analyse within an analysis under way. */
warpbound_status wb_wcet_analyse_within(const struct wb_function *function,
                                        const struct wb_wcet_options *options,
                                        const struct wb_control *control,
                                        struct wb_callees *callees, struct wb_wcet *wcet,
                                        warpbound_error *error);

#endif

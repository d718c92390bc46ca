/* The context that the steps of a WCET analysis share. */
#ifndef WB_ANALYSIS_WCET_WCET_STEPS_H
#define WB_ANALYSIS_WCET_WCET_STEPS_H

#include "analysis/wcet/wcet.h"
#include "base/work_control.h"

/* All borrowed. */
struct wb_wcet_analysis {
  struct wb_wcet *wcet; /* the result */
  const struct wb_wcet_options *options;
  const struct wb_control *control;
  struct wb_callees *callees;
  warpbound_error *error;
};

/* ---- wcet_calls.c: the costs of calls of functions in sections of their own ---- */

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

/* ---- wcet_loops.c: steps of the analysis, in their order ---- */

/* The loops of the graph. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_wcet_find_loops(struct wb_wcet_analysis *analysis);

/* The user's facts about this function. Errors: those of wb_facts_resolve. */
warpbound_status wb_wcet_resolve_facts(struct wb_wcet_analysis *analysis);

/* The loop bounds that the code shows. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_wcet_find_bounds(struct wb_wcet_analysis *analysis);

/* The least bound of each loop. Errors: WARPBOUND_FACTS_MISSING where a loop has none,
 * WARPBOUND_INVALID_INPUT where one does not fit into 64 bits. */
warpbound_status wb_wcet_bound_loops(struct wb_wcet_analysis *analysis);

/* Takes a bound where it is the least for the warp so far. Errors: WARPBOUND_INVALID_INPUT where it
 * does not fit into 64 bits. */
warpbound_status wb_wcet_take_bound(struct wb_wcet_analysis *analysis, struct wb_wcet_loop *loop,
                                    enum wb_bound_source source, uint64_t bound, bool per_warp);

/* ---- wcet_claims.c ---- */

/* Takes what facts and comments say of a loop. Errors: WARPBOUND_INVALID_INPUT, at the fact or the
 * comment, where it is below what the code shows, or another one says something else. */
warpbound_status wb_wcet_take_claims(struct wb_wcet_analysis *analysis, size_t index);

/* The default, where nothing else is known of a loop. Errors: the same. */
warpbound_status wb_wcet_take_default(struct wb_wcet_analysis *analysis, size_t index);

/* ---- wcet_counts.c ---- */

/* Compares facts that count the runs of a block, or back edges for each entry of another loop, with
 * what the code shows at least. Errors: WARPBOUND_INVALID_INPUT, at the fact. */
warpbound_status wb_wcet_check_counts(struct wb_wcet_analysis *analysis);

/* ---- wcet_names.c, wcet_solve.c ---- */

/* Names of the columns and rows of the integer program: all owned. */
struct wb_wcet_names {
  char **ports, **edges, **limits;
};

/* Errors: WARPBOUND_INTERNAL; to be freed also then. */
warpbound_status wb_wcet_names_make(const struct wb_wcet *wcet, const struct wb_flow_system *system,
                                    struct wb_wcet_names *names, warpbound_error *error);
void wb_wcet_names_free(struct wb_wcet_names *names, const struct wb_flow_system *system);

/* Builds the flow system of loops, costs and facts, solves it in as many cases as the
 * exclusive facts ask for, and leaves the worst one in *wcet; writes the integer program where
 * a file is asked for. Errors: those of the solvers; WARPBOUND_INVALID_INPUT where the facts
 * contradict each other, naming their lines. */
warpbound_status wb_wcet_solve(struct wb_wcet_analysis *analysis);

#endif

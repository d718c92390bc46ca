/* The steps of the analysis of a launch that have files of their own. */
#ifndef WB_ANALYSIS_LAUNCH_LAUNCH_STEPS_H
#define WB_ANALYSIS_LAUNCH_LAUNCH_STEPS_H

#include "analysis/launch/launch_result.h"
#include "base/status.h"

#include <stdint.h>

/* Registers, static shared memory and barriers of the question are for code whose file does not say
 * them: other numbers than the file's would be for other blocks on an SM than there are. Errors:
 * WARPBOUND_USAGE, with both numbers; registers may differ with question->as_if_compiled. */
warpbound_status wb_stated_needs_check(const struct wb_launch_question *question,
                                       const struct wb_function *function, warpbound_error *error);

/* Adds to the assumptions what the question says that a block needs, where the code says something
 * else, or nothing. */
void wb_stated_needs_assume(const struct wb_launch_question *question,
                            struct wb_launch_analysis *analysis);

/* Whether the blocks of the launch start one by one, as code and launch say. asked: the blocks of a
 * cluster by dimension as the user says; 0: nothing. The grid is known. Errors: WARPBOUND_USAGE
 * where code and user disagree, or the grid is no multiple of a cluster, WARPBOUND_INVALID_INPUT
 * for clusters of several blocks. */
warpbound_status wb_launch_clusters_check(const struct wb_launch_analysis *analysis,
                                          const uint32_t asked[3], warpbound_error *error);

/* The same where the code says that there are clusters of a size that only the launch has; adds
 * what is assumed of clusters. Errors: WARPBOUND_FACTS_MISSING. */
warpbound_status wb_launch_clusters_settle(struct wb_launch_analysis *analysis,
                                           const uint32_t asked[3], warpbound_error *error);

/* Refuses code that accesses shared memory where a block has none, and states the assumption that
 * there is no dynamic one where none was asked for and accesses may lie in it. Needs the accesses
 * and what a block needs. Errors: WARPBOUND_FACTS_MISSING with the place of an access. */
warpbound_status wb_shared_needs_check(const struct wb_launch_question *question,
                                       struct wb_launch_analysis *analysis, warpbound_error *error);

/* Finds the longest run of known paths: sets lower, lower_kind, lower_method, policy, simulated
 * and, where question->events are asked for, worst_run. The launch's upper end is known. Errors:
 * WARPBOUND_LIMIT where an interruption or the time ended the simulations (the lower end is valid),
 * WARPBOUND_INTERNAL. */
warpbound_status wb_launch_lower_find(const struct wb_launch_question *question,
                                      const struct wb_control *control,
                                      struct wb_launch_analysis *analysis, warpbound_error *error);

/* Each adds to analysis->assumptions, and counts what it adds: values that were read, but for the
 * documented ones; then the model and the surroundings, each as "name: sentence", where it can
 * matter to this launch. */
void wb_launch_state_values(struct wb_launch_analysis *analysis);
void wb_launch_state_machine(struct wb_launch_analysis *analysis);

/* Fills analysis->sensitivity, the most valuable first, of an analysis with an upper end.
 * Deterministic. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_launch_sensitivity_find(struct wb_launch_analysis *analysis,
                                            warpbound_error *error);

/* Fills analysis->instruction_cycles of an analysis with an upper end. Errors: WARPBOUND_INTERNAL
 * (memory). */
warpbound_status wb_launch_instruction_cycles_find(struct wb_launch_analysis *analysis,
                                                   warpbound_error *error);

#endif

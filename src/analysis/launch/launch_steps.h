/* What the files of the analysis of a launch share: the context of its steps, those steps that have
 * files of their own, and bounds over residencies. */
#ifndef WB_ANALYSIS_LAUNCH_LAUNCH_STEPS_H
#define WB_ANALYSIS_LAUNCH_LAUNCH_STEPS_H

#include "analysis/launch/launch_result.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* The context that the steps share. All borrowed. */
struct wb_launch_job {
  const struct wb_launch_question *question;
  const struct wb_control *control;
  struct wb_launch_analysis *analysis;
  warpbound_error *error;
};

/* Whether a size by dimension is given: none of it is 0. */
static inline bool wb_launch_size_is_given(const uint32_t size[3])
{
  return size[0] > 0 && size[1] > 0 && size[2] > 0;
}

/* ---- launch_needs.c ---- */

/* Registers, static shared memory and barriers of the question are for code whose file does not say
 * them: other numbers than the file's would be for other blocks on an SM than there are. Errors:
 * WARPBOUND_USAGE, with both numbers; registers may differ with options->as_if_compiled. */
warpbound_status wb_stated_needs_check(const struct wb_launch_job *job);

/* Adds to the assumptions what the question says that a block needs, where the code says something
 * else, or nothing. */
void wb_stated_needs_assume(const struct wb_launch_job *job);

/* Whether the blocks of the launch start one by one, as code and question say. The grid is known.
 * Errors: WARPBOUND_USAGE where code and user disagree, or the grid is no multiple of a cluster,
 * WARPBOUND_INVALID_INPUT for clusters of several blocks. */
warpbound_status wb_launch_clusters_check(struct wb_launch_job *job);

/* The same where the code says that there are clusters of a size that only the launch has; adds
 * what is assumed of clusters. Errors: WARPBOUND_FACTS_MISSING. */
warpbound_status wb_launch_clusters_settle(struct wb_launch_job *job);

/* Refuses code that accesses shared memory where a block has none, and states the assumption that
 * there is no dynamic one where none was asked for and accesses may lie in it. Needs the accesses
 * and what a block needs. Errors: WARPBOUND_FACTS_MISSING with the place of an access. */
warpbound_status wb_shared_needs_check(const struct wb_launch_job *job);

/* The first instruction that surely accesses shared memory, where a block has none and nobody says
 * that the launch asks for some; NULL: none, or what the code has is not known. By opcodes alone:
 * for messages. */
const struct wb_instruction *wb_lacking_shared(const struct wb_launch_job *job);

/* *count: the named barriers of a block, as the code names them, up to the greatest number.
 * Returns an instruction whose number the code does not say; NULL: none. */
const struct wb_instruction *wb_named_barriers_count(const struct wb_function *function,
                                                     uint32_t *count);

/* ---- launch_missing.c ---- */

/* Fills analysis->missing of an analysis that ends with WARPBOUND_FACTS_MISSING, and makes a
 * message of all of it. Time: that of wb_parameter_needs_find. Returns WARPBOUND_FACTS_MISSING.
 * Errors: those of wb_parameter_needs_find. */
warpbound_status wb_launch_missing_find(struct wb_launch_job *job);

/* ---- launch_buffers.c ---- */

/* Takes the question's launch and reads the buffers that the question declares. Errors:
 * WARPBOUND_USAGE for a buffer that is not understood. */
warpbound_status wb_launch_buffers_read(struct wb_launch_job *job);

/* Finds for each access the declared buffer that its address is based on. Needs the accesses.
 * Errors: WARPBOUND_USAGE for a buffer that is read-only and stored into. */
warpbound_status wb_launch_buffers_find(struct wb_launch_job *job);

/* Fills in how many lines of each buffer a block, and the launch, accesses at most, as addresses
 * show, where that is not known yet. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_launch_lines_find(struct wb_launch_job *job);

/* ---- launch_cold.c ---- */

/* Adds to the device's timed code of the analysis's function what a cold start fetches; nothing
 * where the launch is taken to start warm. Needs paths, accesses, buffers and interleaved nodes.
 * Errors: those of wb_cold_start_add. */
warpbound_status wb_launch_cold_add(const struct wb_launch_analysis *analysis,
                                    const struct wb_device_timing *device,
                                    struct wb_timed_code *code, struct wb_cold_start *found,
                                    warpbound_error *error);

/* Adds what is assumed of the caches of instructions, constants and translations. */
void wb_launch_start_state(const struct wb_launch_job *job, struct wb_list *list);

/* ---- launch_kept.c ---- */

/* Where all data of the launch fit into what L2 keeps, finds the upper end that follows from that,
 * and takes it in place of the analysis's own if it is less, with the times and maxima that it
 * rests on. Needs an upper end. Errors: those of the solvers. */
warpbound_status wb_launch_keep(struct wb_launch_job *job);

/* ---- launch_first.c ---- */

/* Where all data of the launch fit into what first caches keep, finds the upper end that follows
 * from that, and takes it in place of the analysis's own if it is less, with the code, times and
 * maxima that it rests on. Needs an upper end. Errors: those of the solvers. */
warpbound_status wb_launch_keep_first(struct wb_launch_job *job);

/* Makes the code the one in which first caches keep what the analysis found that they do; it stays
 * as it is where they keep nothing. False where memory is out, or where it has no such code. */
bool wb_launch_first_add(const struct wb_launch_analysis *analysis,
                         const struct wb_device_timing *device, struct wb_timed_code *code);

/* ---- launch_series.c ---- */

/* Where the question says that no queue is ever full, finds the upper end by stages in series
 * (doc/launches/series.md), and takes it in place of the analysis's own if it is less. Needs an
 * upper end. Errors: those of the solvers. */
warpbound_status wb_launch_series_try(struct wb_launch_job *job);

/* ---- launch_analysis.c ---- */

/* The times of one warp alone, and the maxima over its paths, into empty ones of the analysis. */
warpbound_status wb_launch_maxima_make(struct wb_launch_job *job);

/* ---- launch_lower.c ---- */

/* Finds the longest run of known paths: sets lower, lower_kind, lower_method, policy, simulated
 * and, where timeline_events are asked for, worst_run. The launch's upper end is known. Errors:
 * WARPBOUND_LIMIT where an interruption or the time ended the simulations (the lower end is valid),
 * WARPBOUND_INTERNAL. */
warpbound_status wb_launch_lower_find(struct wb_launch_job *job);

/* ---- launch_sensitivity.c ---- */

/* How often the nodes of paths count in the upper end of a launch: of each sum the executions at
 * which its maxima are reached, times how often the sum counts in the formula. For people.
 * By sum, by node: how many cycles of the upper end a cost of one cycle makes; NULL of sums that do
 * not count. The arrays live in an arena. */
struct wb_launch_weights {
  double *of[WB_SUM_COUNT];
  double *edges; /* by edge: of what they pay in advance of waits */
};

/* How often a maximum counts in the bound: 0 where it is one of a phase with less than the most. */
double wb_launch_maximum_weight(const struct wb_launch_maxima *maxima,
                                const struct wb_launch_bound *bound,
                                const struct wb_launch_maximum *maximum);

/* Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_launch_weights_find(struct wb_arena *arena,
                                        const struct wb_launch_maxima *maxima,
                                        const struct wb_launch_bound *bound,
                                        struct wb_launch_weights *weights, warpbound_error *error);

/* Fills analysis->instruction_cycles of an analysis with an upper end. Errors: WARPBOUND_INTERNAL
 * (memory). */
warpbound_status wb_launch_instruction_cycles_find(struct wb_launch_job *job);

/* Fills analysis->sensitivity, the most valuable first, of an analysis with an upper end, where the
 * question asks for it. Deterministic. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_launch_sensitivity_find(struct wb_launch_job *job);

/* ---- launch_advice.c ---- */

/* Fills analysis->advice, the most valuable first, of an analysis with an upper end, where the
 * question asks for sensitivities, which are there. Deterministic. Time: that of the accesses, for
 * each of up to 16 parameters that are not given. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_launch_advice_find(struct wb_launch_job *job);

/* ---- launch_analysis.c ---- */

/* The greatest bound of all residencies that can be. The resident blocks of the shape do not count.
 * balanced: no SM meets more blocks than its share where all are resident from the start. Errors:
 * those of wb_launch_bound_evaluate. */
warpbound_status wb_launch_upper_find(const struct wb_launch_terms *terms,
                                      const struct wb_launch_shape *shape,
                                      const struct wb_residencies *residencies, bool balanced,
                                      struct wb_launch_upper *upper, warpbound_error *error);

/* Makes them the analysis's, which has the maxima that they are of. Errors: those of
 * wb_block_bound_evaluate. */
warpbound_status wb_launch_upper_take(struct wb_launch_job *job,
                                      const struct wb_launch_upper *uppers);

#endif

/* The context that the steps of a WCET analysis share. */
#ifndef WB_ANALYSIS_WCET_WCET_STEPS_H
#define WB_ANALYSIS_WCET_WCET_STEPS_H

#include "analysis/wcet/wcet.h"
#include "base/arena.h"
#include "base/work_control.h"
#include "ipet/solve/ipet_model.h"

/* All borrowed. */
struct wb_wcet_analysis {
  struct wb_wcet *wcet; /* the result */
  const struct wb_wcet_options *options;
  const struct wb_control *control;
  struct wb_launch launch;      /* the options', with what loads give */
  struct wb_fact_scopes scopes; /* the user's facts with the code that they speak of */
  warpbound_error *error;
};

/* A bound that somebody declares for the entries of a loop. */
struct wb_wcet_claim {
  const char *file; /* where it stands; NULL: in an option */
  size_t line;
  size_t column;
  enum wb_bound_source source;
  uint64_t bound;
  bool per_warp;
};

/* ---- wcet_depths.c ---- */

/* Gives the options of the control flow what the user's facts say of the depth of recursion.
 * Errors: WARPBOUND_INVALID_INPUT (no function of that name is called), WARPBOUND_INTERNAL. */
warpbound_status wb_wcet_find_depths(struct wb_wcet_analysis *analysis,
                                     struct wb_simt_options *simt);

/* ---- wcet_loops.c: steps of the analysis, in their order ---- */

/* The loops of the graph. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_wcet_find_loops(struct wb_wcet_analysis *analysis);

/* The user's facts about this function and those linked behind it. Errors: those of
 * wb_facts_resolve. */
warpbound_status wb_wcet_resolve_facts(struct wb_wcet_analysis *analysis);

/* The loop bounds that the code shows. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_wcet_find_bounds(struct wb_wcet_analysis *analysis);

/* ---- wcet_sums.c ---- */

/* Which sums over the iterations of the loop around are bounds of the warp. Errors:
 * WARPBOUND_INTERNAL (memory). */
warpbound_status wb_wcet_judge_sums(struct wb_wcet_analysis *analysis);

/* The limit by the sum of a loop. False where there is none. */
bool wb_wcet_limit_sum(const struct wb_wcet *wcet, uint32_t loop, struct wb_ipet_loop_limit *limit);

/* ---- wcet_loads.c ---- */

/* What a load gives, or an instruction that writes an integer of which the code tells no range,
 * where that is from least to most; the number is WB_NO_REGISTER where it writes no register, or is
 * neither. */
struct wb_load_range wb_wcet_load_range(const struct wb_function *function, uint32_t instruction,
                                        int64_t least, int64_t most);

/* What loads and other instructions give, by the facts and options; states each assumption. Errors:
 * WARPBOUND_INVALID_INPUT, of options WARPBOUND_USAGE (no such instruction is at the place; the
 * range is none of what it gives; nothing is left of two ranges); WARPBOUND_INTERNAL. */
warpbound_status wb_wcet_find_loads(struct wb_wcet_analysis *analysis);

/* ---- wcet_dead.c ---- */

/* The blocks that no thread of the launch comes to, or that come to a call that none makes. Errors:
 * WARPBOUND_INVALID_INPUT where ways to such calls are cut and no end is left, WARPBOUND_INTERNAL
 * (memory). */
warpbound_status wb_wcet_find_dead(struct wb_wcet_analysis *analysis);

/* ---- wcet_barriers.c ---- */

/* A copy of the function where barriers that name a count of threads may turn out to be of the
 * whole block. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_wcet_copy_barriers(struct wb_wcet_analysis *analysis);

/* Makes barriers of the block of those. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_wcet_count_barriers(struct wb_wcet_analysis *analysis);

/* ---- wcet_losses.c ---- */

/* Of each loop without a bound where its number is lost, and what may bound it. Errors:
 * WARPBOUND_INTERNAL. */
warpbound_status wb_wcet_find_losses(struct wb_wcet_analysis *analysis);

/* What is declared of a loop that does nothing but wait and has no other bound: the least bound, in
 * *claim. False where there is none. */
bool wb_wcet_spin_claim(const struct wb_wcet_analysis *analysis, size_t loop,
                        struct wb_wcet_claim *claim);

/* ---- wcet_copies.c ---- */

/* How many turns of the source's loop one turn of a compiled loop is. */
struct wb_source_turns {
  uint64_t number;           /* at least 1 */
  uint64_t step, other_step; /* of this loop's counter, and of another copy's, where number > 1 */
  size_t other;              /* that copy */
};

/* Whether all back edges of the loop come from one line, that of wb_wcet_loop_line. */
bool wb_wcet_loop_has_line(const struct wb_wcet *wcet, size_t loop);

/* Whether a loop inside it or around it is of that line too. */
bool wb_wcet_loop_shares_line(const struct wb_wcet *wcet, size_t loop);

/* Compares a loop with the others whose back edges come from its line, where none is inside
 * another: by the steps of their counters, but not by more than one copy has as many instructions
 * of some opcode as the other. That the steps are in one unit is an assumption, for the caller to
 * state. Time: loops of the function times their depth, and their code. */
struct wb_source_turns wb_wcet_source_turns(const struct wb_wcet *wcet, size_t loop);

/* ---- wcet_comments.c ---- */

/* The bound beside a loop in its source, where one line takes all of its back edges. *found: there
 * is one. Where a name of it has no value the loop's hint says so. Errors, at the bound:
 * WARPBOUND_INVALID_INPUT where its value is negative or does not fit, WARPBOUND_INTERNAL. */
warpbound_status wb_wcet_comment_claim(struct wb_wcet_analysis *analysis, size_t loop,
                                       struct wb_wcet_claim *claim, bool *found);

/* ---- wcet_retries.c ---- */

/* Bounds loops that try a compare-and-swap until it succeeds by what the threads of the launch
 * write, where that is less than what is known; states what that assumes. Errors:
 * WARPBOUND_INVALID_INPUT where a bound does not fit into 64 bits for the warp, WARPBOUND_INTERNAL.
 */
warpbound_status wb_wcet_take_retries(struct wb_wcet_analysis *analysis);

/* ---- wcet_loops.c, continued ---- */

/* Takes a bound where it is the least for the warp so far. Errors: WARPBOUND_INVALID_INPUT where it
 * does not fit into 64 bits. */
warpbound_status wb_wcet_take_bound(struct wb_wcet_analysis *analysis, struct wb_wcet_loop *loop,
                                    enum wb_bound_source source, uint64_t bound, bool per_warp);

/* The least bound of each loop. Errors: WARPBOUND_FACTS_MISSING where a loop has none,
 * WARPBOUND_INVALID_INPUT where one does not fit into 64 bits. */
warpbound_status wb_wcet_bound_loops(struct wb_wcet_analysis *analysis);

/* ---- wcet_calls.c ---- */

/* Cuts the ways to calls of code outside that no thread makes, as facts and options say; states
 * each of these. Errors: WARPBOUND_INVALID_INPUT where each thread comes to one, or a fact is of no
 * call, of options WARPBOUND_USAGE; WARPBOUND_INTERNAL. Of calls that end the launch with an error
 * and of which nothing is said none is made either, but where each thread comes to one. */
warpbound_status wb_wcet_leave_out_calls(struct wb_wcet_analysis *analysis);

/* States that no thread makes the calls of the latter that threads may come to. Errors:
 * WARPBOUND_INTERNAL. */
warpbound_status wb_wcet_note_failing(struct wb_wcet_analysis *analysis);

/* Adds what is assumed of calls of code outside to wcet->cycles, and states it; a call of which
 * nothing is known makes the result an estimate. Errors: WARPBOUND_INVALID_INPUT where a sum does
 * not fit, or a fact is of no call, of options WARPBOUND_USAGE; WARPBOUND_INTERNAL. */
warpbound_status wb_wcet_count_calls(struct wb_wcet_analysis *analysis);

/* ---- wcet_solve.c ---- */

/* Names the columns and rows of the integer program. The arena owns all. Errors:
 * WARPBOUND_INTERNAL (memory). */
warpbound_status wb_wcet_names_make(const struct wb_wcet *wcet, const struct wb_flow_system *system,
                                    struct wb_arena *arena, struct wb_ipet_names *names,
                                    warpbound_error *error);

/* Builds the flow system of loops, costs and facts, solves it in as many cases as the
 * exclusive facts ask for, and leaves the worst one in *wcet; writes the integer program where
 * a file is asked for. Errors: those of the solvers; WARPBOUND_INVALID_INPUT where the facts
 * contradict each other, naming their lines. */
warpbound_status wb_wcet_solve(struct wb_wcet_analysis *analysis);

#endif

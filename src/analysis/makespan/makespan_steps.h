/* The context that the steps of a makespan analysis share: the bracket so far, and the budget. */
#ifndef WB_ANALYSIS_MAKESPAN_MAKESPAN_STEPS_H
#define WB_ANALYSIS_MAKESPAN_MAKESPAN_STEPS_H

#include "analysis/makespan/makespan_analysis.h"
#include "analysis/makespan/makespan_result.h"
#include "base/status.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stdatomic.h>

/* A table of so many bytes takes no noticeable time; also the limit of the dense table that is made
 * only for the exact T(y) of fewer warps. */
#define SMALL_TABLE_BYTES (UINT64_C(1) << 20)

#define OUR_PROOF "proof in doc/makespan.md"

/* Borrows all. */
struct wb_makespan_analysis {
  const struct wb_problem *problem; /* of one partition: result->instance's */
  const struct wb_analysis_options *options;
  struct wb_control control; /* time, memory, threads, interruption */
  struct warpbound_result *result;
  struct wb_warp_count_table
      *warp_counts;     /* options->warp_counts, or one for this analysis alone */
  uint64_t closed_form; /* the upper bound of that name, in cycles */
  uint64_t alone;       /* cycles: no schedule of the partition by itself is longer, the warps of
                           others left out */
  bool cut_short;       /* the time limit ended a step that the method `bounds` has too */
  bool search_done;     /* the search through all states has come to its end */
  bool all_strings;     /* of a whole SM: warps run no strings but those of the question */
  bool recalled_runs;   /* the run abstraction's bound came from warp_counts */
  uint32_t settled_potentials; /* wb_potential_search_options.settled */
  const atomic_bool *closed;   /* set by the search for potentials beside the beams, where it closes
                                  the bracket; NULL: there is none */
  warpbound_error *error;
};

/* A step of an analysis; it decides by itself whether there is anything to do. */
typedef warpbound_status wb_makespan_step(struct wb_makespan_analysis *analysis);

/* Runs steps in order, up to the NULL that ends them or to the first that fails. */
warpbound_status wb_makespan_run_steps(struct wb_makespan_analysis *analysis,
                                       wb_makespan_step *const *steps);

/* ---- the question and its bracket ---- */

/* Whether the bracket is open. */
bool wb_makespan_is_open(const struct wb_makespan_analysis *analysis);

/* Whether a schedule of the partition by itself could still raise the lower end. Where partitions
 * share units, the lower end may be above all of these while the bracket is open. */
bool wb_makespan_may_rise(const struct wb_makespan_analysis *analysis);

/* Records a bound. A proven one tightens the bracket; an estimate leaves both ends as they are.
 * name and source: static. wb_makespan_finish tells where one was lost for want of memory. */
void wb_makespan_add_bound(struct wb_makespan_analysis *analysis, const char *name,
                           const char *source, warpbound_kind kind, uint64_t cycles);

/* Completes the result: the kinds of its ends (exact where the bracket is closed; an estimate where
 * the string is one) and the time. WARPBOUND_LIMIT where the bracket is open and `limited`.
 * Errors: WARPBOUND_INTERNAL (memory; the ends cross). */
warpbound_status wb_makespan_finish(struct wb_makespan_analysis *analysis, bool limited);

/* ---- the budget ---- */

/* Notes why a step ended early, if it did. what: the step. */
void wb_makespan_note_early_end(struct wb_makespan_analysis *analysis, enum wb_stop stop,
                                const char *what);

/* Whether there is time for the next step; notes it where there is none. */
bool wb_makespan_may_go_on(struct wb_makespan_analysis *analysis, const char *next);

/* Whether the method searches through states and there is time for it. */
bool wb_makespan_wants_search(struct wb_makespan_analysis *analysis);

/* Adds the states and the memory of a search to the result; peak: of its largest table. */
void wb_makespan_count_search(struct wb_makespan_analysis *analysis, uint64_t states, uint64_t peak,
                              uint64_t bytes);

/* Notes why a search gave no result. memory: the bytes that it was allowed. */
void wb_makespan_note_stop(struct wb_makespan_analysis *analysis, const char *what,
                           const struct wb_search *search, uint64_t memory);

/* Bytes for the table of the run abstraction, by the method; a solver's memory is not for tables.
 */
uint64_t wb_makespan_run_table_memory(const struct wb_makespan_analysis *analysis);

/* The independent checker's verdicts on schedules. */

/* Checks a schedule of a problem, its makespan included. Errors: WARPBOUND_CHECK_FAILED (*refusal
 * says why), WARPBOUND_INTERNAL (memory). Linear in the schedule. */
warpbound_status wb_judge_schedule(const struct wb_problem *problem,
                                   const struct wb_schedule *schedule, warpbound_error *refusal);

/* The same of a schedule of the whole SM. */
warpbound_status wb_judge_whole_schedule(const struct wb_sm_problem *problem,
                                         const struct wb_schedule *schedule,
                                         warpbound_error *refusal);

/* Steps that make upper ends: formulas, the run abstraction, and certificates of it. */

/* Adds the closed form, the serial bound and the volume. */
warpbound_status wb_makespan_bound_by_formulas(struct wb_makespan_analysis *analysis);

/* Adds the bounds that analyses of other numbers of warps have found (warp_counts). */
warpbound_status wb_makespan_use_table(struct wb_makespan_analysis *analysis);

/* Keeps a cut of the string that proves `cycles`, unless the kept one proves no more. lengths: of
 * its pieces, in instructions; taken over. */
void wb_makespan_keep_cut(struct wb_makespan_analysis *analysis, uint32_t *lengths, size_t count,
                          uint64_t cycles);

/* Keeps the cut into the string's own runs, or into single instructions, whose run abstraction is
 * the machine itself. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_makespan_keep_plain_cut(struct wb_makespan_analysis *analysis, bool single,
                                            uint64_t cycles);

/* Bounds by the table of the run abstraction, if it fits into `memory` bytes; `final`: notes where
 * it does not. */
warpbound_status wb_makespan_tighten_by_runs(struct wb_makespan_analysis *analysis, uint64_t memory,
                                             bool final);

/* Looks for a cut whose table proves the upper end, where its search has left no certificate. */
warpbound_status wb_makespan_certify(struct wb_makespan_analysis *analysis);

/* Steps that make lower ends: simulated policies, templates, and checked witnesses. */

/* Checks a schedule, of the whole SM where the question is about it, and keeps it if it is the
 * longest; takes it over in any case. source: its makespan is a lower bound from there; static, or
 * NULL. */
warpbound_status wb_makespan_offer_witness(struct wb_makespan_analysis *analysis,
                                           struct wb_schedule *schedule, const char *method,
                                           const char *source);

/* The same of a schedule that the user asked a method for: the lower end and the witness are named
 * after it also where others are as long. */
warpbound_status wb_makespan_offer_asked_witness(struct wb_makespan_analysis *analysis,
                                                 struct wb_schedule *schedule, const char *method,
                                                 const char *source);

/* Simulates one policy, checks its schedule and records its makespan. */
warpbound_status wb_makespan_simulate(struct wb_makespan_analysis *analysis,
                                      const struct wb_policy *policy);

/* Whether a simulation is within the method's budget; notes where it is not. */
bool wb_makespan_can_simulate(struct wb_makespan_analysis *analysis);

/* Whether a simulation is within the budget of the method `bounds`. */
bool wb_makespan_simulates_quickly(const struct wb_makespan_analysis *analysis);

/* Simulates the policies and evaluates the templates, within the method's budget. */
warpbound_status wb_makespan_find_schedules(struct wb_makespan_analysis *analysis);

/* Steps that search for schedules: all states, guided, beams, annealing. */

/* Searches all states in a table of at most `memory` bytes. Where units are shared the result is a
 * lower end only. */
warpbound_status wb_makespan_search_dense(struct wb_makespan_analysis *analysis, uint64_t memory);

/* Searches all states of a scheduler that is fair between blocks. */
warpbound_status wb_makespan_search_forward(struct wb_makespan_analysis *analysis);

/* Whether the guided search is to come; its first table is that of the string's runs. */
bool wb_makespan_will_guide(struct wb_makespan_analysis *analysis);

/* Searches by run abstractions of finer and finer cuts, for problems beyond the dense table. */
warpbound_status wb_makespan_search_guided(struct wb_makespan_analysis *analysis);

/* The beams of the method `bounds`. */
warpbound_status wb_makespan_search_beams_quick(struct wb_makespan_analysis *analysis);

/* The beams before the searches that may close the bracket. */
warpbound_status wb_makespan_search_beams_early(struct wb_makespan_analysis *analysis);

/* The beams with the time that those searches leave. */
warpbound_status wb_makespan_search_beams_late(struct wb_makespan_analysis *analysis);

/* Anneals, for the method `anneal`. */
warpbound_status wb_makespan_anneal(struct wb_makespan_analysis *analysis);

/* Finds the exact T(y) of as many fewer warps as a small table gives, for the literature's
 * formulas, unless a search has found them on its way. */
warpbound_status wb_makespan_search_fewer_warps(struct wb_makespan_analysis *analysis);

/* Steps that make upper ends by potentials. */

/* Bounds by quick potentials, whose cost does not depend on the number of warps. */
warpbound_status wb_makespan_tighten_by_potentials(struct wb_makespan_analysis *analysis);

/* Finds a line over all numbers of warps, where a table asks for one and no bound has given it. */
warpbound_status wb_makespan_find_line(struct wb_makespan_analysis *analysis);

/* Searches for better potentials and by beams with the rest of the time. */
warpbound_status wb_makespan_tighten_to_the_end(struct wb_makespan_analysis *analysis);

/* The step that solves an integer program in place of the searches. */

/* Plans, writes and solves the program, for the method `ilp`. Errors: WARPBOUND_USAGE (the
 * horizon), WARPBOUND_CHECK_FAILED (the solver's answer is refuted), those of the solver. */
warpbound_status wb_makespan_solve_integer_program(struct wb_makespan_analysis *analysis);

/* The analysis of a whole SM, where no partition can be taken by itself. */

/* Whether the question is about the whole SM: barriers, shared units or several strings. */
bool wb_makespan_is_whole_sm(const struct wb_makespan_analysis *analysis);

/* Adds its bounds, schedules and searches. Errors: WARPBOUND_USAGE (fairness between blocks, the
 * method `ilp`), those of the steps. */
warpbound_status wb_makespan_analyse_whole_sm(struct wb_makespan_analysis *analysis);

/* Searches by beams, through all states and by annealing, as the method asks, for warps that each
 * run any string of the whole SM's question. all: warps run no other, so that the search through
 * all states bounds them from above too. */
warpbound_status wb_makespan_search_whole_sm(struct wb_makespan_analysis *analysis, bool all);

#endif

/* Work under way: what the steps of the pipeline share (src/analysis/makespan/makespan_analysis.h),
 * and the steps. */
#ifndef WB_ANALYSIS_MAKESPAN_MAKESPAN_CONTEXT_H
#define WB_ANALYSIS_MAKESPAN_MAKESPAN_CONTEXT_H

#include "analysis/makespan/makespan_analysis.h"
#include "makespan/machine/search.h"
#include "makespan/potential/potential_search.h"

/* Bytes of a table that is cheaper than any thought about it; also of the dense table that
 * is made only for the exact T(y) of fewer warps. */
#define SMALL_TABLE_BYTES (UINT64_C(1) << 20)

#define OUR_PROOF "proof in doc/makespan.md"

/* Work under way. */
struct wb_makespan_analysis {
  const struct wb_problem *problem;
  const struct wb_analysis_options *options;
  struct wb_control control;
  struct warpbound_result *result;
  uint64_t closed_form;
  uint64_t alone; /* no schedule of the problem by itself takes longer, others' warps left out */
  bool cut_short; /* by the time limit: a step that the method `bounds` has too */
  bool dense_done;
  struct wb_warp_count_table *warp_counts;
  bool recalled_runs;          /* the table of the runs was made for more warps */
  uint32_t settled_potentials; /* wb_potential_search_options.settled */
  const atomic_bool *closed;   /* set where potentials beside the beams close the bracket */
  warpbound_error *error;
};

/* ---- work.c ---- */

bool wb_makespan_is_shared(const struct wb_makespan_analysis *analysis);

bool wb_makespan_is_open(const struct wb_makespan_analysis *analysis);

/* Whether some schedule of the problem by itself could still raise the lower end: where partitions
 * share units that end may be above all of them, and the bracket open. */
bool wb_makespan_may_rise(const struct wb_makespan_analysis *analysis);

/* Notes once why the work ended early. */
void wb_makespan_note_early_end(struct wb_makespan_analysis *analysis, enum wb_stop stop,
                                const char *what);

/* Whether there is time for the next step. */
bool wb_makespan_may_go_on(struct wb_makespan_analysis *analysis, const char *next);

/* Records a bound, and tightens the bracket by it where it is proven: an estimate leaves both ends
 * as they are. */
warpbound_status wb_makespan_add_bound(struct wb_makespan_analysis *analysis, const char *name,
                                       const char *source, warpbound_kind kind, uint64_t cycles);

void wb_makespan_count_search(struct wb_makespan_analysis *analysis,
                              const struct wb_search *search);

/* Says why a search gave nothing. */
void wb_makespan_note_stop(struct wb_makespan_analysis *analysis, const char *what,
                           const struct wb_search *search, uint64_t memory);

/* What the run abstraction may take in the end. Where a solver is to work, its memory is not
 * for tables. */
uint64_t wb_makespan_run_table_memory(const struct wb_makespan_analysis *analysis);

bool wb_makespan_wants_search(struct wb_makespan_analysis *analysis);

warpbound_status wb_makespan_add_published(struct wb_makespan_analysis *analysis, const char *name,
                                           const char *source, uint64_t cycles, uint32_t y);

/* Settles a bracket that is final: its kinds (exact where it is closed, and no number known better
 * than the string that it rests on), the time that it took. WARPBOUND_LIMIT where it is open and a
 * limit is why (`limited`). Errors: WARPBOUND_INTERNAL (memory; ends that cross). */
warpbound_status wb_makespan_settle(struct wb_makespan_analysis *analysis, bool limited);

/* A step of a pipeline; it finds by itself whether there is anything to do. */
typedef warpbound_status wb_makespan_step(struct wb_makespan_analysis *analysis);

/* Runs steps in order, up to the NULL that ends them or to the first that fails. */
warpbound_status wb_makespan_run_steps(struct wb_makespan_analysis *analysis,
                                       wb_makespan_step *const *steps);

/* ---- schedules.c ---- */

/* Every schedule passes the independent checker before anybody sees it. */
warpbound_status wb_makespan_check_schedule(const struct wb_makespan_analysis *analysis,
                                            const struct wb_problem *problem,
                                            const struct wb_schedule *schedule, const char *method);

/* Checks a schedule and keeps it if it is the longest; takes it over either way. */
warpbound_status wb_makespan_offer_witness(struct wb_makespan_analysis *analysis,
                                           struct wb_schedule *schedule, const char *method);

/* The same for a schedule of the whole SM (result->instance->whole). */
warpbound_status wb_makespan_offer_whole_witness(struct wb_makespan_analysis *analysis,
                                                 struct wb_sm_schedule *schedule,
                                                 const char *method);

warpbound_status wb_makespan_simulate(struct wb_makespan_analysis *analysis,
                                      const struct wb_policy *policy);

/* Whether simulating is within the method's means; says so where it is not. */
bool wb_makespan_can_simulate(struct wb_makespan_analysis *analysis);

/* Simulates the policies and evaluates the templates, where that is within the method's means. */
warpbound_status wb_makespan_find_schedules(struct wb_makespan_analysis *analysis);

/* Whether that is within the means of the method `bounds`. */
bool wb_makespan_simulates_quickly(const struct wb_makespan_analysis *analysis);

/* ---- bounds.c ---- */

warpbound_status wb_makespan_bound_by_formulas(struct wb_makespan_analysis *analysis);

/* What analyses of other numbers of warps have found of this one. */
warpbound_status wb_makespan_use_table(struct wb_makespan_analysis *analysis);

/* Keeps a cut of the string that proves `cycles`, if none proves less. Takes the lengths
 * over. */
void wb_makespan_keep_cut(struct wb_makespan_analysis *analysis, uint32_t *lengths, size_t count,
                          uint64_t cycles);

/* The cut into the string's own runs, or into single instructions (then the abstraction is
 * the machine itself). */
warpbound_status wb_makespan_keep_plain_cut(struct wb_makespan_analysis *analysis, bool single,
                                            uint64_t cycles);

/* What the method `bounds` may take for the table of the run abstraction. */
uint64_t wb_makespan_quick_table_memory(const struct wb_makespan_analysis *analysis);

/* The table of the run abstraction, if it fits in `memory`; `final`: say so if not. */
warpbound_status wb_makespan_tighten_by_runs(struct wb_makespan_analysis *analysis, uint64_t memory,
                                             bool final);

/* A cut of the string whose table proves the upper end, where the search that found it
 * leaves no certificate. */
warpbound_status wb_makespan_certify(struct wb_makespan_analysis *analysis);

/* ---- potentials.c ---- */

/* Quick potentials by linear programming: their cost does not depend on W. */
warpbound_status wb_makespan_tighten_by_potentials(struct wb_makespan_analysis *analysis);

/* A line over all numbers of warps, where a table wants one that no row's bound has given. */
warpbound_status wb_makespan_find_line(struct wb_makespan_analysis *analysis);

/* Better potentials and the beams with the time that is left. */
warpbound_status wb_makespan_tighten_to_the_end(struct wb_makespan_analysis *analysis);

/* ---- searches.c ---- */

/* One partition by itself is only a lower end where units are shared: the others may
 * leave them alone, or not. */
warpbound_status wb_makespan_search_dense(struct wb_makespan_analysis *analysis, uint64_t memory);

/* The exact search where the scheduler is fair between blocks. */
warpbound_status wb_makespan_search_forward(struct wb_makespan_analysis *analysis);

/* Whether the guided search is to come, whose first table is that of the string's runs. */
bool wb_makespan_will_guide(struct wb_makespan_analysis *analysis);

/* The search of what is too large for the dense table. */
warpbound_status wb_makespan_search_guided(struct wb_makespan_analysis *analysis);

/* The beams of the method `bounds`. */
warpbound_status wb_makespan_search_beams_quick(struct wb_makespan_analysis *analysis);

/* The beams before the searches that may close the bracket. */
warpbound_status wb_makespan_search_beams_early(struct wb_makespan_analysis *analysis);

/* The beams with the time that those have left. */
warpbound_status wb_makespan_search_beams_late(struct wb_makespan_analysis *analysis);

warpbound_status wb_makespan_anneal(struct wb_makespan_analysis *analysis);

/* The exact T(y) of fewer warps, as many as a small table gives, for the literature's
 * formulas, unless a search has found them on its way. */
warpbound_status wb_makespan_search_fewer_warps(struct wb_makespan_analysis *analysis);

/* ---- integer.c ---- */

warpbound_status wb_makespan_solve_integer_program(struct wb_makespan_analysis *analysis);

#endif

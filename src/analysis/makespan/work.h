/* Work under way: what the steps of the pipeline share (src/analysis/makespan/makespan_analysis.h),
 * and the steps. */
#ifndef WB_ANALYSIS_MAKESPAN_WORK_H
#define WB_ANALYSIS_MAKESPAN_WORK_H

#include "analysis/makespan/makespan_analysis.h"
#include "makespan/machine/search.h"
#include "makespan/potential/potential_search.h"

/* Bytes of a table that is cheaper than any thought about it; also of the dense table that
 * is made only for the exact T(y) of fewer warps. */
#define SMALL_TABLE_BYTES (UINT64_C(1) << 20)

#define OUR_PROOF "proof in doc/makespan.md"

/* Work under way. */
struct wb_work {
  const struct wb_problem *problem;
  const struct wb_analysis_options *options;
  struct wb_control control;
  struct warpbound_result *result;
  uint64_t closed_form;
  uint64_t alone; /* no schedule of the problem by itself takes longer, others' warps left out */
  bool cut_short; /* by the time limit: a step that the method `bounds` has too */
  bool dense_done;
  struct wb_known *known;
  bool recalled_runs;          /* the table of the runs was made for more warps */
  uint32_t settled_potentials; /* wb_potential_search_options.settled */
  const atomic_bool *closed;   /* set where potentials beside the beams close the bracket */
  warpbound_error *error;
};

/* ---- work.c ---- */

bool wb_work_is_shared(const struct wb_work *work);

bool wb_work_is_open(const struct wb_work *work);

/* Whether some schedule of the problem by itself could still raise the lower end: where partitions
 * share units that end may be above all of them, and the bracket open. */
bool wb_work_may_rise(const struct wb_work *work);

/* Notes once why the work ended early. */
void wb_work_note_early_end(struct wb_work *work, enum wb_stop stop, const char *what);

/* Whether there is time for the next step. */
bool wb_work_may_go_on(struct wb_work *work, const char *next);

/* Records a bound, and tightens the bracket by it where it is proven: an estimate leaves both ends
 * as they are. */
warpbound_status wb_work_add_bound(struct wb_work *work, const char *name, const char *source,
                                   warpbound_kind kind, uint64_t cycles);

void wb_work_count_search(struct wb_work *work, const struct wb_search *search);

/* Says why a search gave nothing. */
void wb_work_note_stop(struct wb_work *work, const char *what, const struct wb_search *search,
                       uint64_t memory);

/* What the run abstraction may take in the end. Where a solver is to work, its memory is not
 * for tables. */
uint64_t wb_work_run_table_memory(const struct wb_work *work);

bool wb_work_wants_search(struct wb_work *work);

warpbound_status wb_work_add_published(struct wb_work *work, const char *name, const char *source,
                                       uint64_t cycles, uint32_t y);

/* Settles a bracket that is final: its kinds (exact where it is closed, and no number known better
 * than the string that it rests on), the time that it took. WARPBOUND_LIMIT where it is open and a
 * limit is why (`limited`). Errors: WARPBOUND_INTERNAL (memory; ends that cross). */
warpbound_status wb_work_settle(struct wb_work *work, bool limited);

/* A step of a pipeline; it finds by itself whether there is anything to do. */
typedef warpbound_status wb_work_step(struct wb_work *work);

/* Runs steps in order, up to the NULL that ends them or to the first that fails. */
warpbound_status wb_work_run(struct wb_work *work, wb_work_step *const *steps);

/* ---- schedules.c ---- */

/* Every schedule passes the independent checker before anybody sees it. */
warpbound_status wb_work_check_schedule(const struct wb_work *work,
                                        const struct wb_problem *problem,
                                        const struct wb_schedule *schedule, const char *method);

/* Checks a schedule and keeps it if it is the longest; takes it over either way. */
warpbound_status wb_work_offer_witness(struct wb_work *work, struct wb_schedule *schedule,
                                       const char *method);

/* The same for a schedule of the whole SM (result->instance->whole). */
warpbound_status wb_work_offer_whole_witness(struct wb_work *work, struct wb_sm_schedule *schedule,
                                             const char *method);

warpbound_status wb_work_simulate(struct wb_work *work, const struct wb_policy *policy);

/* Whether simulating is within the method's means; says so where it is not. */
bool wb_work_can_simulate(struct wb_work *work);

/* Simulates the policies and evaluates the templates, where that is within the method's means. */
warpbound_status wb_work_find_schedules(struct wb_work *work);

/* Whether that is within the means of the method `bounds`. */
bool wb_work_simulates_quickly(const struct wb_work *work);

/* ---- bounds.c ---- */

warpbound_status wb_work_bound_by_formulas(struct wb_work *work);

/* What analyses of other numbers of warps have found of this one. */
warpbound_status wb_work_recall(struct wb_work *work);

/* Keeps a cut of the string that proves `cycles`, if none proves less. Takes the lengths
 * over. */
void wb_work_keep_cut(struct wb_work *work, uint32_t *lengths, size_t count, uint64_t cycles);

/* The cut into the string's own runs, or into single instructions (then the abstraction is
 * the machine itself). */
warpbound_status wb_work_keep_plain_cut(struct wb_work *work, bool single, uint64_t cycles);

/* What the method `bounds` may take for the table of the run abstraction. */
uint64_t wb_work_quick_table_memory(const struct wb_work *work);

/* The table of the run abstraction, if it fits in `memory`; `final`: say so if not. */
warpbound_status wb_work_tighten_by_runs(struct wb_work *work, uint64_t memory, bool final);

/* A cut of the string whose table proves the upper end, where the search that found it
 * leaves no certificate. */
warpbound_status wb_work_certify(struct wb_work *work);

/* ---- potentials.c ---- */

/* Quick potentials by linear programming: their cost does not depend on W. */
warpbound_status wb_work_tighten_by_potentials(struct wb_work *work);

/* A line over all numbers of warps, where a table wants one that no row's bound has given. */
warpbound_status wb_work_find_line(struct wb_work *work);

/* Better potentials and the beams with the time that is left. */
warpbound_status wb_work_tighten_to_the_end(struct wb_work *work);

/* ---- searches.c ---- */

/* One partition by itself is only a lower end where units are shared: the others may
 * leave them alone, or not. */
warpbound_status wb_work_search_dense(struct wb_work *work, uint64_t memory);

/* The exact search where the scheduler is fair between blocks. */
warpbound_status wb_work_search_forward(struct wb_work *work);

/* Whether the guided search is to come, whose first table is that of the string's runs. */
bool wb_work_will_guide(struct wb_work *work);

/* The search of what is too large for the dense table. */
warpbound_status wb_work_search_guided(struct wb_work *work);

/* The beams of the method `bounds`. */
warpbound_status wb_work_search_beams_quick(struct wb_work *work);

/* The beams before the searches that may close the bracket. */
warpbound_status wb_work_search_beams_early(struct wb_work *work);

/* The beams with the time that those have left. */
warpbound_status wb_work_search_beams_late(struct wb_work *work);

warpbound_status wb_work_anneal(struct wb_work *work);

/* The exact T(y) of fewer warps, as many as a small table gives, for the literature's
 * formulas, unless a search has found them on its way. */
warpbound_status wb_work_search_fewer_warps(struct wb_work *work);

/* ---- integer.c ---- */

warpbound_status wb_work_solve_integer_program(struct wb_work *work);

#endif

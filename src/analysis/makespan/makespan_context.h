/* The context that the steps of a makespan analysis share: the bracket so far, and the budget. */
#ifndef WB_ANALYSIS_MAKESPAN_MAKESPAN_CONTEXT_H
#define WB_ANALYSIS_MAKESPAN_MAKESPAN_CONTEXT_H

#include "analysis/makespan/makespan_options.h"
#include "analysis/result/makespan_result.h"
#include "makespan/machine/schedule.h"

#include <stdatomic.h>

/* A table of so many bytes takes no noticeable time; also the limit of the dense table that is made
 * only for the exact T(y) of fewer warps. */
#define SMALL_TABLE_BYTES (UINT64_C(1) << 20)

#define OUR_PROOF "proof in doc/makespan.md"

/* wb_analyse_makespan, for the parts of an instance (the phases between barriers). */
typedef warpbound_status wb_makespan_analyser(const struct wb_instance *instance,
                                              const struct wb_analysis_options *options,
                                              struct warpbound_result *result,
                                              warpbound_error *error);

/* Borrows all. */
struct wb_makespan_analysis {
  const struct wb_problem *problem; /* of one partition: result->instance's */
  const struct wb_analysis_options *options;
  wb_makespan_analyser *analyse_part;
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

/* Whether partitions share units. */
bool wb_makespan_is_shared(const struct wb_makespan_analysis *analysis);

/* Whether the bracket is open. */
bool wb_makespan_is_open(const struct wb_makespan_analysis *analysis);

/* Whether a schedule of the partition by itself could still raise the lower end. Where partitions
 * share units, the lower end may be above all of these while the bracket is open. */
bool wb_makespan_may_rise(const struct wb_makespan_analysis *analysis);

/* Records a bound. A proven one tightens the bracket; an estimate leaves both ends as they are.
 * name and source: static. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_makespan_add_bound(struct wb_makespan_analysis *analysis, const char *name,
                                       const char *source, warpbound_kind kind, uint64_t cycles);

/* Records a formula of the literature, which never touches the bracket. y: wb_named_bound.y.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_makespan_add_published(struct wb_makespan_analysis *analysis, const char *name,
                                           const char *source, uint64_t cycles, uint32_t y);

/* Completes the result: the kinds of its ends (exact where the bracket is closed; an estimate where
 * the string is one) and the time. WARPBOUND_LIMIT where the bracket is open and `limited`.
 * Errors: WARPBOUND_INTERNAL (memory; the ends cross). */
warpbound_status wb_makespan_settle(struct wb_makespan_analysis *analysis, bool limited);

/* ---- the budget ---- */

/* Notes why a step ended early, if it did. what: the step. */
void wb_makespan_note_early_end(struct wb_makespan_analysis *analysis, enum wb_stop stop,
                                const char *what);

/* Whether there is time for the next step; notes it where there is none. */
bool wb_makespan_may_go_on(struct wb_makespan_analysis *analysis, const char *next);

/* Whether the method searches through states and there is time for it. */
bool wb_makespan_wants_search(struct wb_makespan_analysis *analysis);

/* Adds the states and the memory of a search to the result. */
void wb_makespan_count_search(struct wb_makespan_analysis *analysis,
                              const struct wb_search *search);

/* Notes why a search gave no result. memory: the bytes that it was allowed. */
void wb_makespan_note_stop(struct wb_makespan_analysis *analysis, const char *what,
                           const struct wb_search *search, uint64_t memory);

/* Bytes for the table of the run abstraction, by the method; a solver's memory is not for tables.
 */
uint64_t wb_makespan_run_table_memory(const struct wb_makespan_analysis *analysis);

/* Bytes for that table within the method `bounds`. */
uint64_t wb_makespan_quick_table_memory(const struct wb_makespan_analysis *analysis);

#endif

/* Simulated annealing over warp precedence strings (ETFA 2013): long schedules, hence
 * lower bounds on the worst case, where no exact search reaches. */
#ifndef WB_MAKESPAN_ANNEALING_ANNEALING_H
#define WB_MAKESPAN_ANNEALING_ANNEALING_H

#include "base/random.h"
#include "base/work_control.h"
#include "makespan/annealing/annealing_evaluation.h"
#include "makespan/annealing/annealing_runs.h"
#include "makespan/runs/run_table.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The table of the string's own runs, and the run of each instruction; run_of is NULL
 * where the table did not fit, or was not to be had in time. */
struct wb_annealing_guide {
  struct wb_run_table table;
  uint32_t *run_of;
};

/* Makes a guide whose table takes at most `memory` bytes; most: no schedule is longer. Errors:
 * WARPBOUND_INTERNAL. Free with wb_annealing_guide_free, also after an error. */
warpbound_status wb_annealing_guide_start(struct wb_annealing_guide *guide,
                                          const struct wb_problem *problem, uint64_t most,
                                          uint64_t memory, const struct wb_control *control,
                                          warpbound_error *error);
void wb_annealing_guide_free(struct wb_annealing_guide *guide);

/* A place of a canonical string at which a cycle begins: one up to which the schedule is
 * the beginning of one of `goal` cycles for all that the table says; any, where there is
 * no table. Leaves two places or more after it. inside, pending: room for a number for
 * each run. Time: the string's length and runs times cycles. */
size_t wb_annealing_guide_cut(const struct wb_annealing_guide *guide,
                              const struct wb_annealing_evaluation *evaluation, uint64_t goal,
                              struct wb_random *random, uint32_t *inside, uint64_t *pending);

/* Runs the annealing on control->threads threads. upper: a proven upper bound on the
 * makespan. A run that reaches it ends, and those after it do not count: there is no
 * longer schedule. Every schedule is work-conserving, as any string's is
 * (makespan/machine/policy.h). Without a time limit the result, but for the seconds, does not
 * depend on the number of threads. WB_STOP_MEMORY: not even one run fits into the memory.
 * Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_annealing_search(const struct wb_problem *problem,
                                     const struct wb_annealing_options *options, uint64_t upper,
                                     const struct wb_control *control,
                                     struct wb_annealing_result *result, warpbound_error *error);

#endif

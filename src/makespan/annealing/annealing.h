/* Simulated annealing over warp precedence strings (ETFA 2013): long schedules, hence
 * lower bounds on the worst case, where no exact search reaches. */
#ifndef WB_MAKESPAN_ANNEALING_ANNEALING_H
#define WB_MAKESPAN_ANNEALING_ANNEALING_H

#include "base/work_control.h"
#include "makespan/annealing/annealing_result.h"
#include "model/problem.h"

#include <stdint.h>

/* Runs the annealing on control->threads threads. upper: a proven upper bound on the
 * makespan. A run that reaches it ends, and those after it do not count: there is no
 * longer schedule. Every schedule is work-conserving, as any string's is
 * (makespan/machine/precedence.h). Without a time limit the result, but for the seconds, does not
 * depend on the number of threads. WB_STOP_MEMORY: not even one run fits into the memory.
 * Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_annealing_search(const struct wb_problem *problem,
                                     const struct wb_annealing_options *options, uint64_t upper,
                                     const struct wb_control *control,
                                     struct wb_annealing_result *result, warpbound_error *error);

#endif

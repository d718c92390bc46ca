/* Simulated annealing over warp precedence strings on a whole SM, with barriers, shared units and
 * several strings: long schedules, hence lower bounds on the worst case. */
#ifndef WB_SM_ANNEALING_SM_ANNEALING_H
#define WB_SM_ANNEALING_SM_ANNEALING_H

#include "base/work_control.h"
#include "makespan/annealing/annealing_runs.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether a schedule of the problem can be kept. */
bool wb_sm_annealing_fits(const struct wb_sm_problem *problem);

/* Options and result are those of wb_annealing_search (makespan/annealing/annealing.h). string_of:
 * NULL where each warp may run any string: then a run begins with the longest one for all warps,
 * or, every second time through the initial strings, with any, and changes them too. published: two
 * places anywhere change their warps, taken with the printed probability; windowed: changes within
 * windows, and eight coolings, each from the longest string so far. The string is sorted by cycle
 * after each change in both. guide_memory is not used. Deterministic by seed, whatever the number
 * of threads, without a time limit. Only for what fits (asserted). Errors: WARPBOUND_INTERNAL, with
 * an empty result. */
warpbound_status wb_sm_annealing_search(const struct wb_sm_problem *problem,
                                        const uint32_t *string_of,
                                        const struct wb_annealing_options *options, uint64_t upper,
                                        const struct wb_control *control,
                                        struct wb_annealing_result *result, warpbound_error *error);

#endif

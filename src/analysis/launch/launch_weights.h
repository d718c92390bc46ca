/* How often the nodes of paths count in the upper end of a launch: of each sum the executions at
 * which its maxima are reached, times how often the sum counts in the formula. For people. */
#ifndef WB_ANALYSIS_LAUNCH_LAUNCH_WEIGHTS_H
#define WB_ANALYSIS_LAUNCH_LAUNCH_WEIGHTS_H

#include "analysis/launch/launch_maxima.h"
#include "base/arena.h"
#include "base/status.h"
#include "launch/bounds/launch_formula.h"

/* By sum, by node: how many cycles of the upper end a cost of one cycle makes; NULL of sums that do
 * not count. The arrays live in an arena. */
struct wb_launch_weights {
  double *of[WB_SUM_COUNT];
};

/* Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_launch_weights_find(struct wb_arena *arena,
                                        const struct wb_launch_maxima *maxima,
                                        const struct wb_launch_bound *bound,
                                        struct wb_launch_weights *weights, warpbound_error *error);

/* How often the maximum counts in the bound: 0 where it is one of a phase with less than the most.
 */
double wb_launch_maximum_weight(const struct wb_launch_maxima *maxima,
                                const struct wb_launch_bound *bound,
                                const struct wb_launch_maximum *maximum);

#endif

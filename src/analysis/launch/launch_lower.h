/* The lower end of the bracket of a launch: runs that the model allows (doc/launch.md). */
#ifndef WB_ANALYSIS_LAUNCH_LAUNCH_LOWER_H
#define WB_ANALYSIS_LAUNCH_LAUNCH_LOWER_H

#include "analysis/launch/launch_result.h"

/* Finds the longest run of known paths: sets lower, lower_kind, lower_method, policy, simulated
 * and, where question->events are asked for, worst_run. The launch's upper end is known. Errors:
 * WARPBOUND_LIMIT where an interruption or the time ended the simulations (the lower end is valid),
 * WARPBOUND_INTERNAL. */
warpbound_status wb_launch_lower_find(const struct wb_launch_question *question,
                                      const struct wb_control *control,
                                      struct wb_launch_analysis *analysis, warpbound_error *error);

#endif

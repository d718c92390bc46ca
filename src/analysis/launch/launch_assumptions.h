/* What the bracket of a launch rests on, in words: values of the device by kind, and what is taken
 * for true of the machine while the launch runs. */
#ifndef WB_ANALYSIS_LAUNCH_LAUNCH_ASSUMPTIONS_H
#define WB_ANALYSIS_LAUNCH_LAUNCH_ASSUMPTIONS_H

#include "analysis/launch/launch_result.h"

/* Each adds to analysis->assumptions, and counts what it adds: values that were read, but for the
 * documented ones; then the model and the surroundings, each as "name: sentence", where it can
 * matter to this launch. */
void wb_launch_state_values(struct wb_launch_analysis *analysis);
void wb_launch_state_machine(struct wb_launch_analysis *analysis);

#endif

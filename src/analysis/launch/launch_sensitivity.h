/* What smaller numbers would be worth: bounds of loops, by the prices of the proofs, and values of
 * the device, by differences on the executions at which the maxima are reached (doc/launch.md,
 * "Sensitivity"). Estimates for people; nothing rests on them. */
#ifndef WB_ANALYSIS_LAUNCH_LAUNCH_SENSITIVITY_H
#define WB_ANALYSIS_LAUNCH_LAUNCH_SENSITIVITY_H

#include "analysis/launch/launch_result.h"
#include "base/status.h"

/* Fills analysis->sensitivity, the most valuable first, of an analysis with an upper end.
 * Deterministic. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_launch_sensitivity_find(struct wb_launch_analysis *analysis,
                                            warpbound_error *error);

/* Fills analysis->instruction_cycles of an analysis with an upper end. Errors: WARPBOUND_INTERNAL
 * (memory). */
warpbound_status wb_launch_instruction_cycles_find(struct wb_launch_analysis *analysis,
                                                   warpbound_error *error);

#endif

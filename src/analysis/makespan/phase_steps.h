/* The phases between barriers: what each can take at most adds up to what the block can
 * (doc/makespan.md, "Barriers"). */
#ifndef WB_ANALYSIS_MAKESPAN_PHASE_STEPS_H
#define WB_ANALYSIS_MAKESPAN_PHASE_STEPS_H

#include "analysis/makespan/makespan_context.h"

/* More distinct phases than this are not analysed one by one. */
#define WB_DISTINCT_PHASE_LIMIT ((size_t)4096)

/* Whether the bracket is the sum of those of phases: one block, with barriers, on partitions that
 * share no unit. */
bool wb_makespan_has_phases(const struct wb_makespan_analysis *analysis);

/* Analyses each distinct phase, with its share of the time, and adds the sums of their ends; their
 * schedules one after the other become the witness. Errors: those of wb_analyse_makespan. */
warpbound_status wb_makespan_add_up_phases(struct wb_makespan_analysis *analysis);

#endif

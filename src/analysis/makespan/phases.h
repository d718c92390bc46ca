/* A block's barriers cut the strings of its warps into phases that follow one another: what each
 * phase can take at most adds up to what the block can (doc/makespan.md, "Barriers"). */
#ifndef WB_ANALYSIS_MAKESPAN_PHASES_H
#define WB_ANALYSIS_MAKESPAN_PHASES_H

#include "analysis/makespan/work.h"

/* More distinct phases than this are not analysed one by one. */
#define WB_DISTINCT_PHASE_LIMIT ((size_t)4096)

/* Whether phases decide: one block, with barriers, on partitions that share no unit. */
bool wb_work_has_phases(const struct wb_work *work);

/* Analyses each distinct phase by itself, with its share of the time, and takes the sums of their
 * ends as ends of the bracket; their schedules, one after the other, become the witness.
 * Errors: those of wb_analyse_makespan. */
warpbound_status wb_work_add_up_phases(struct wb_work *work);

#endif

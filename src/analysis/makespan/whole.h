/* The pipeline for questions about a whole SM. */
#ifndef WB_ANALYSIS_MAKESPAN_WHOLE_H
#define WB_ANALYSIS_MAKESPAN_WHOLE_H

#include "analysis/makespan/work.h"

/* Whether the question is about the whole SM: no partition can be taken by itself. */
bool wb_work_is_whole(const struct wb_work *work);

/* Its bounds, searches and schedules, in order. */
warpbound_status wb_work_run_whole(struct wb_work *work);

/* Searches by beams, through all states, and by annealing, as the method asks, for warps that each
 * run any string of the whole SM's question. all: they run no other, so that the search through all
 * states bounds them from above too. */
warpbound_status wb_work_search_whole(struct wb_work *work, bool all);

#endif

/* The pipeline for questions about a whole SM. */
#ifndef WB_ANALYSIS_MAKESPAN_WHOLE_SM_STEPS_H
#define WB_ANALYSIS_MAKESPAN_WHOLE_SM_STEPS_H

#include "analysis/makespan/makespan_context.h"

/* Whether the question is about the whole SM: no partition can be taken by itself. */
bool wb_makespan_is_whole_sm(const struct wb_makespan_analysis *analysis);

/* Its bounds, searches and schedules, in order. */
warpbound_status wb_makespan_analyse_whole_sm(struct wb_makespan_analysis *analysis);

/* Searches by beams, through all states, and by annealing, as the method asks, for warps that each
 * run any string of the whole SM's question. all: they run no other, so that the search through all
 * states bounds them from above too. */
warpbound_status wb_makespan_search_whole_sm(struct wb_makespan_analysis *analysis, bool all);

#endif

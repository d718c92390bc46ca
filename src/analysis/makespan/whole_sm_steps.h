/* The analysis of a whole SM, where no partition can be taken by itself. */
#ifndef WB_ANALYSIS_MAKESPAN_WHOLE_SM_STEPS_H
#define WB_ANALYSIS_MAKESPAN_WHOLE_SM_STEPS_H

#include "analysis/makespan/makespan_context.h"

/* Whether the question is about the whole SM: barriers, shared units or several strings. */
bool wb_makespan_is_whole_sm(const struct wb_makespan_analysis *analysis);

/* Adds its bounds, schedules and searches. Errors: WARPBOUND_USAGE (fairness between blocks, the
 * method `ilp`), those of the steps. */
warpbound_status wb_makespan_analyse_whole_sm(struct wb_makespan_analysis *analysis);

/* Searches by beams, through all states and by annealing, as the method asks, for warps that each
 * run any string of the whole SM's question. all: warps run no other, so that the search through
 * all states bounds them from above too. */
warpbound_status wb_makespan_search_whole_sm(struct wb_makespan_analysis *analysis, bool all);

#endif

/* Steps that search for schedules: all states, guided, beams, annealing. */
#ifndef WB_ANALYSIS_MAKESPAN_SEARCH_STEPS_H
#define WB_ANALYSIS_MAKESPAN_SEARCH_STEPS_H

#include "analysis/makespan/makespan_context.h"

/* Searches all states in a table of at most `memory` bytes. Where units are shared the result is a
 * lower end only. */
warpbound_status wb_makespan_search_dense(struct wb_makespan_analysis *analysis, uint64_t memory);

/* Searches all states of a scheduler that is fair between blocks. */
warpbound_status wb_makespan_search_forward(struct wb_makespan_analysis *analysis);

/* Whether the guided search is to come; its first table is that of the string's runs. */
bool wb_makespan_will_guide(struct wb_makespan_analysis *analysis);

/* Searches by run abstractions of finer and finer cuts, for problems beyond the dense table. */
warpbound_status wb_makespan_search_guided(struct wb_makespan_analysis *analysis);

/* The beams of the method `bounds`. */
warpbound_status wb_makespan_search_beams_quick(struct wb_makespan_analysis *analysis);

/* The beams before the searches that may close the bracket. */
warpbound_status wb_makespan_search_beams_early(struct wb_makespan_analysis *analysis);

/* The beams with the time that those searches leave. */
warpbound_status wb_makespan_search_beams_late(struct wb_makespan_analysis *analysis);

/* Anneals, for the method `anneal`. */
warpbound_status wb_makespan_anneal(struct wb_makespan_analysis *analysis);

/* Finds the exact T(y) of as many fewer warps as a small table gives, for the literature's
 * formulas, unless a search has found them on its way. */
warpbound_status wb_makespan_search_fewer_warps(struct wb_makespan_analysis *analysis);

#endif

/* Steps that make upper ends by potentials. */
#ifndef WB_ANALYSIS_MAKESPAN_POTENTIAL_STEPS_H
#define WB_ANALYSIS_MAKESPAN_POTENTIAL_STEPS_H

#include "analysis/makespan/makespan_context.h"

/* Bounds by quick potentials, whose cost does not depend on the number of warps. */
warpbound_status wb_makespan_tighten_by_potentials(struct wb_makespan_analysis *analysis);

/* Finds a line over all numbers of warps, where a table asks for one and no bound has given it. */
warpbound_status wb_makespan_find_line(struct wb_makespan_analysis *analysis);

/* Searches for better potentials and by beams with the rest of the time. */
warpbound_status wb_makespan_tighten_to_the_end(struct wb_makespan_analysis *analysis);

#endif

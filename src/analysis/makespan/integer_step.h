/* The step that solves an integer program in place of the searches. */
#ifndef WB_ANALYSIS_MAKESPAN_INTEGER_STEP_H
#define WB_ANALYSIS_MAKESPAN_INTEGER_STEP_H

#include "analysis/makespan/makespan_context.h"

/* Plans, writes and solves the program, for the method `ilp`. Errors: WARPBOUND_USAGE (the
 * horizon), WARPBOUND_CHECK_FAILED (the solver's answer is refuted), those of the solver. */
warpbound_status wb_makespan_solve_integer_program(struct wb_makespan_analysis *analysis);

#endif

/* The integer program of ECRTS 2012 (figure 3) for any set of unit types and a cap on
 * issue slots: its optimum within a horizon of H >= T(W) cycles is T(W). doc/integer_program.md
 * has every row with its meaning, and says where the paper's text was not at hand. */
#ifndef WB_MAKESPAN_ILP_INTEGER_PROGRAM_H
#define WB_MAKESPAN_ILP_INTEGER_PROGRAM_H

#include "base/status.h"
#include "linear/linear_model.h"
#include "makespan/ilp/integer_plan.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stdint.h>

/* Builds the program of one partition. Time and memory: linear in plan->size. *model is to be
 * freed by wb_linear_model_free, also after an error.
 * Errors: WARPBOUND_LIMIT (more than solvers count), WARPBOUND_INTERNAL. */
warpbound_status wb_integer_program_build(const struct wb_problem *problem,
                                          const struct wb_integer_plan *plan,
                                          struct wb_linear_model *model, warpbound_error *error);

/* Reads a solution back: for each warp and instruction the one cycle whose variable is near
 * 1. values has a number for each column. That the schedule is valid is for the checker to
 * say. Errors: WARPBOUND_CHECK_FAILED (an instruction issues never or twice), WARPBOUND_LIMIT,
 * WARPBOUND_INTERNAL. */
warpbound_status wb_integer_program_schedule(const struct wb_problem *problem,
                                             const struct wb_integer_plan *plan,
                                             const double *values, struct wb_schedule *schedule,
                                             warpbound_error *error);

#endif

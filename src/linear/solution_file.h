/* Readers of the solution files that solvers write. */
#ifndef WB_LINEAR_SOLUTION_FILE_H
#define WB_LINEAR_SOLUTION_FILE_H

#include "base/status.h"
#include "linear/linear_model.h"
#include "linear/solver.h"

/* Reads a solution of the model from the text of a file. The dialect is known by its first
 * line:
 *   CBC     "Optimal - objective value 5.0", then "INDEX NAME VALUE COST" (solution FILE)
 *   GLPK    "c .." and "s .." lines, then "j INDEX VALUE" (-w FILE), or
 *           "Problem: .." with a table of columns (-o FILE)
 *   HiGHS   "Model status" (--solution_file FILE)
 *   SCIP    "solution status: ..", then "objective value: .." and "NAME VALUE"
 *           (write solution FILE); without the first line: feasible
 *   others  "NAME VALUE" a line, # begins a comment (Gurobi's .sol files): feasible
 * Columns that the file does not name are 0; values of integer columns are rounded where
 * they are within 1e-5 of a whole number. status, values and objective of *outcome are set,
 * and bound where the file says that the solution is optimal.
 * order: for a dialect that numbers columns (GLPK -w) which column stands where in the
 * model file, wb_lp_column_order for an LP file; NULL: the model's own, as in an MPS file.
 * Time: linear in text and model. Any bytes may be given: what is not understood is an error
 * (WARPBOUND_INVALID_INPUT) with its line; WARPBOUND_INTERNAL: memory. */
warpbound_status wb_linear_solution_parse(const char *name, const char *text, size_t length,
                                          const struct wb_linear_model *model,
                                          const uint32_t *order, struct wb_linear_outcome *outcome,
                                          warpbound_error *error);

#endif

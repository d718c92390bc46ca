/* Solvers of linear and integer programs: the outcome that all of them give, and the
 * adapters. Each runs its solver in a child process: what a solver prints goes nowhere, its
 * crash is an error here, and it ends when the time is over or the work interrupted. */
#ifndef WB_LINEAR_SOLVER_H
#define WB_LINEAR_SOLVER_H

#include "base/status.h"
#include "base/work_control.h"
#include "linear/linear_model.h"

enum wb_linear_status {
  WB_LINEAR_NONE,       /* ended without a solution */
  WB_LINEAR_FEASIBLE,   /* a solution; whether it is the best was not shown */
  WB_LINEAR_OPTIMAL,    /* the solver says that there is no better one */
  WB_LINEAR_INFEASIBLE, /* the solver says that there is none at all */
  WB_LINEAR_UNBOUNDED   /* the solver says that the objective has no end */
};

/* "none", "feasible", "optimal", "infeasible", "unbounded". */
const char *wb_linear_status_name(enum wb_linear_status status);

/* The outcome of a solver: its word, in floating point. A caller that needs certainty checks the
 * values. Owned by the caller: wb_linear_outcome_free. */
struct wb_linear_outcome {
  enum wb_linear_status status;
  double *values;   /* by column, near whole numbers where it is integer; NULL: no solution */
  double objective; /* of these values, summed up here; 0 without */
  double bound; /* no solution is better, says the solver; INFINITY (-INFINITY for a minimum) where
                   it says nothing */
  enum wb_stop stop; /* why it ended early, if it did */
  double seconds;    /* of the run */
};

/* No solution and no bound. */
struct wb_linear_outcome wb_linear_outcome_none(const struct wb_linear_model *model);
void wb_linear_outcome_free(struct wb_linear_outcome *outcome);

/* Solves by CBC through its C interface, with no tolerance between incumbent and bound. At
 * the deadline and when interrupted CBC is asked for what it has; it gets a second for that.
 * The same model gives the same outcome where neither happens. nodes: most nodes of its search,
 * after which it gives what it has; 0: no limit.
 * Errors: WARPBOUND_INTERNAL (memory; CBC crashed). */
warpbound_status wb_linear_solve_by_cbc(const struct wb_linear_model *model, int nodes,
                                        const struct wb_control *control,
                                        struct wb_linear_outcome *outcome, warpbound_error *error);

/* Checks a solver command without running it: words separated by blanks, with '..' and ".."
 * around blanks; no shell reads it, so nothing else is special. In its words {model} stands
 * for the LP file or {mps} for the MPS file, {solution} for the file that the solver is to
 * write, {seconds} for the whole seconds that are left (100000000 where there is no limit).
 * {model} or {mps} and {solution} must stand in it. Messages begin with `what`.
 * Errors: WARPBOUND_USAGE, WARPBOUND_INTERNAL. */
warpbound_status wb_linear_command_check(const char *command, const char *what,
                                         warpbound_error *error);

/* Solves by a command as above: writes the model into a folder of its own (in $TMPDIR or
 * /tmp), runs the command, reads the solution file (linear/solution_file.h), removes the folder.
 * Errors: WARPBOUND_USAGE (the program cannot be started), WARPBOUND_INVALID_INPUT (it failed
 * or wrote nothing that can be read), WARPBOUND_INTERNAL. */
warpbound_status wb_linear_solve_by_command(const struct wb_linear_model *model,
                                            const char *command, const struct wb_control *control,
                                            struct wb_linear_outcome *outcome,
                                            warpbound_error *error);

#endif

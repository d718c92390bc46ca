/* The integer program of an instance, from its plan to the schedule that its solution is:
 * builds it, writes it to a file, has it solved. */
#ifndef WB_MAKESPAN_ILP_INTEGER_ANALYSIS_H
#define WB_MAKESPAN_ILP_INTEGER_ANALYSIS_H

#include "base/control.h"
#include "base/status.h"
#include "linear/solver.h"
#include "linear/writer.h"
#include "makespan/ilp/integer_program.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stdint.h>

/* horizon: in cycles, 0 for the least that is proven;
 * one below that is refused unless allow_short. file: where to write the program, or NULL.
 * command: the solver's, or NULL for CBC. Texts are borrowed. */
struct wb_integer_options {
  enum wb_integer_form form;
  uint64_t horizon;
  bool allow_short;
  const char *file;
  enum wb_linear_format format;
  bool solve;
  const char *command;
};

/* What became of it.
 *   built       whether there is a program; columns .. entries: its size
 *   short_horizon  the horizon is below every proven bound: the optimum is a lower bound only
 *   horizon_name   the bound that the horizon is, or "given"
 *   solver      "CBC", or the command; NULL where nobody was asked
 *   status, objective, bound, stop, seconds: as in struct wb_linear_outcome
 *   schedule    the solution read back, not checked yet; issue_cycle is NULL without one
 * Free with wb_integer_result_free. */
struct wb_integer_result {
  bool built;
  bool short_horizon;
  const char *horizon_name;
  struct wb_integer_plan plan;
  size_t columns, integers, rows, entries;
  const char *solver;
  enum wb_linear_status status;
  double objective;
  double bound;
  enum wb_stop stop;
  double seconds;
  struct wb_schedule schedule;
};

/* Does what the options say with the program of result->plan, which fits the memory allowed.
 * Errors: those of wb_integer_program_build, wb_file_write, of the solvers and of
 * wb_integer_program_schedule. */
warpbound_status wb_integer_analyse(const struct wb_problem *problem,
                                    const struct wb_integer_options *options,
                                    const struct wb_control *control,
                                    struct wb_integer_result *result, warpbound_error *error);
void wb_integer_result_free(struct wb_integer_result *result);

#endif

/* The integer program of an instance, from its plan to the schedule that its solution is:
 * builds it, writes it to a file, has it solved. */
#ifndef WB_MAKESPAN_ILP_INTEGER_ANALYSIS_H
#define WB_MAKESPAN_ILP_INTEGER_ANALYSIS_H

#include "base/status.h"
#include "base/work_control.h"
#include "linear/model_writer.h"
#include "linear/solver.h"
#include "makespan/ilp/integer_program.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stdint.h>

/* Texts are borrowed. */
struct wb_integer_options {
  enum wb_integer_form form;
  uint64_t horizon; /* in cycles; 0: the least that is proven */
  bool allow_short; /* a horizon below every proven bound is not refused */
  const char *file; /* to write the program to, or NULL */
  enum wb_linear_format format;
  bool solve;
  const char *command; /* the solver's; NULL: CBC */
};

/* The outcome. Free with wb_integer_result_free. */
struct wb_integer_result {
  bool built;         /* there is a program */
  bool short_horizon; /* the horizon is below every proven bound: the optimum is a lower bound only
                       */
  const char *horizon_name; /* the bound that the horizon is, or "given" */
  struct wb_integer_plan plan;
  size_t columns, integers, rows, entries;
  const char *solver; /* "CBC", or the command; NULL: no solver was asked */
  enum wb_linear_status status;
  double objective;
  double bound;
  enum wb_stop stop;
  double seconds;
  /* the solution read back, not checked; issue_cycle is NULL without one */
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

/* The integer program of ECRTS 2012 (figure 3) for any set of unit types and a cap on
 * issue slots: its optimum within a horizon of H >= T(W) cycles is T(W). doc/integer_program.md
 * has every row with its meaning, and says where the paper's text was not at hand. */
#ifndef WB_MAKESPAN_ILP_INTEGER_PROGRAM_H
#define WB_MAKESPAN_ILP_INTEGER_PROGRAM_H

#include "base/status.h"
#include "base/work_control.h"
#include "linear/linear_model.h"
#include "linear/model_writer.h"
#include "linear/solver.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stdint.h>

/* How work conservation is written.
 *   short           one row for each warp, instruction and cycle, on the counts of busy units
 *   long            by truth values: full (TL and TC of the paper), held, runs (E); held or
 *                   runs in a row for each instruction
 *   long-corrected  the same with Z = (and of held) or runs by theorem 3 of the authors'
 *                   slides, its strict side written for whole numbers */
enum wb_integer_form {
  WB_INTEGER_SHORT,
  WB_INTEGER_LONG,
  WB_INTEGER_LONG_CORRECTED,
  WB_INTEGER_FORM_COUNT
};

/* "short", "long", "long-corrected". */
const char *wb_integer_form_name(enum wb_integer_form form);

/* The program to build, known before it is built. */
struct wb_integer_plan {
  enum wb_integer_form form;
  uint32_t horizon;           /* H, in cycles */
  uint32_t slack;             /* H - I: cycles that each instruction may be late by */
  struct wb_linear_size size; /* an upper bound on the model's */
  uint64_t bytes;             /* that such a model takes (wb_linear_bytes) */
};

/* Plans the program of cycles 1 .. horizon; horizon is at least the string's length. Sizes
 * that do not fit are UINT64_MAX. */
void wb_integer_plan_make(const struct wb_problem *problem, enum wb_integer_form form,
                          uint32_t horizon, struct wb_integer_plan *plan);

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

/* The outcome. Free the schedule with wb_schedule_free. */
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

#endif

/* The size of the integer program of ECRTS 2012, by its form and horizon, before it is built. */
#ifndef WB_MAKESPAN_ILP_INTEGER_PLAN_H
#define WB_MAKESPAN_ILP_INTEGER_PLAN_H

#include "linear/linear_model.h"
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

/* Whether W warps can ever take all units of a type, so that one of them waits for it. */
bool wb_integer_is_limited(const struct wb_problem *problem, enum wb_unit unit);

/* Whether the program counts the instructions of a type in each cycle. */
bool wb_integer_is_counted(const struct wb_problem *problem, enum wb_unit unit);

#endif

/* A linear program that grows by rows, solved through its dual: there rows are columns, the
 * basis is only as large as there are unknowns, and what was an answer stays a start. */
#ifndef WB_LINEAR_DUAL_PROGRAM_H
#define WB_LINEAR_DUAL_PROGRAM_H

#include "base/work_control.h"

#include <Clp_C_Interface.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Least objective * x with low <= x <= high (high may be INFINITY) and rows * x >= least. Owns its
 * arrays and the model. */
struct wb_dual_program {
  Clp_Simplex *model; /* of the dual: a row for each unknown, a column for each row */
  size_t unknowns;
  double *value;    /* x, after a solution */
  uint64_t spent;   /* the simplex method's cost so far: iterations times entries of the matrix */
  uint64_t allowed; /* most of it; set by the caller */
};

/* Rows to add, in compressed form. No unknown twice in a row. */
struct wb_dual_rows {
  size_t count;
  const int *start;      /* row r is at start[r] .. start[r + 1] - 1 of the next two */
  const int *index;      /* unknowns */
  const double *element; /* their coefficients */
  const double *least;   /* by row */
};

/* Starts a program without rows, its cost not limited. Errors: false where memory is out. Free it,
 * failed or not. */
bool wb_dual_program_make(struct wb_dual_program *program, size_t unknowns, const double *low,
                          const double *high, const double *objective);
void wb_dual_program_free(struct wb_dual_program *program);

/* Gives the unknowns other limits; none may be INFINITY that was not, nor the other way round.
 * Errors: false where memory is out. */
bool wb_dual_program_limit(struct wb_dual_program *program, const double *low, const double *high);

/* Errors: false where memory is out. */
bool wb_dual_program_add(struct wb_dual_program *program, const struct wb_dual_rows *rows);

/* Solves, from the last answer. *least: the objective. False where there is no answer, or *stop
 * says why it ended early (WB_STOP_MEMORY: too many iterations, or beyond the cost allowed). In
 * floating point: what is built on it is to be checked. */
bool wb_dual_program_solve(struct wb_dual_program *program, const struct wb_control *control,
                           double *least, enum wb_stop *stop);

#endif

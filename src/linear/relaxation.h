/* The linear relaxation of an integer program, with its prices, by Clp. */
#ifndef WB_LINEAR_RELAXATION_H
#define WB_LINEAR_RELAXATION_H

#include "base/status.h"
#include "base/work_control.h"
#include "linear/linear_model.h"
#include "linear/solver.h"

#include <Clp_C_Interface.h>
#include <stdbool.h>
#include <stdint.h>

/* Clp_status after a batch. */
enum wb_simplex_status {
  WB_SIMPLEX_OPTIMAL = 0,
  WB_SIMPLEX_INFEASIBLE = 1,
  WB_SIMPLEX_UNBOUNDED = 2,
  WB_SIMPLEX_UNFINISHED = 3
};

/* How to run the method. A batch forgets what Clp knows of perturbation and weights, so batches
 * double: else the method might go in circles. */
struct wb_simplex_run {
  bool dual;         /* the dual method, else the primal one */
  int first;         /* iterations of the first batch */
  int last;          /* iterations of the longest batch, after which the method is given up */
  bool timed;        /* a batch also ends when the process has used as many seconds as are left */
  const char *phase; /* for the control's progress; NULL: none is reported */
  uint64_t allowed;  /* most cost: iterations times entries of the matrix */
};

/* Runs the method on a model until it is finished or stopped: by the control, which is asked before
 * each batch, or WB_STOP_MEMORY where it is given up or costs more than is allowed. Adds the cost
 * to *spent, at most up to `allowed`. */
enum wb_stop wb_simplex_run(Clp_Simplex *model, const struct wb_simplex_run *run,
                            const struct wb_control *control, uint64_t *spent);

/* The solution of the program without integrality, by Clp, in floating point: to be checked by
 * whoever builds on it. Owned by the caller: wb_linear_relaxation_free. */
struct wb_linear_relaxation {
  enum wb_linear_status status;
  double *values; /* by column; NULL unless status is WB_LINEAR_OPTIMAL */
  /* By row: the change of the objective for one unit more of the row's limit (the dual solution,
   * with the sign of the model's objective); NULL unless status is WB_LINEAR_OPTIMAL. */
  double *prices;
  double objective;
  /* By column: a solution with whole numbers where the program asks for them, near the one above;
   * NULL where that is one, or none was found. */
  double *whole;
  enum wb_stop stop; /* why it ended early */
};

/* Where the simplex method ended: of columns, then of rows. Zero-initialise; wb_linear_basis_free.
 */
struct wb_linear_basis {
  unsigned char *status;
  int rows, columns;
};

/* How to solve. Zero-initialise. */
struct wb_linear_options {
  bool whole; /* whole numbers near the solution are looked for too */
  /* Programs that differ in their objectives: each begins where the one before ended; NULL: none.
   */
  struct wb_linear_basis *basis;
  /* Of columns with large scales: by another way, which may end with other prices. */
  bool other;
  /* Of such columns: there is no solution where Clp needs many iterations. */
  bool brief;
};

/* Solves in this process, in pieces of the simplex method between which the control is
 * asked. The same model gives the same outcome where it is not stopped.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_linear_relax(const struct wb_linear_model *model,
                                 const struct wb_linear_options *options,
                                 const struct wb_control *control,
                                 struct wb_linear_relaxation *relaxation, warpbound_error *error);

void wb_linear_basis_free(struct wb_linear_basis *basis);
void wb_linear_relaxation_free(struct wb_linear_relaxation *relaxation);

#endif

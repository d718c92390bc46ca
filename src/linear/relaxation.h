/* The linear relaxation of an integer program, with its prices, by Clp. */
#ifndef WB_LINEAR_RELAXATION_H
#define WB_LINEAR_RELAXATION_H

#include "base/status.h"
#include "base/work_control.h"
#include "linear/linear_model.h"
#include "linear/solver.h"

/* The solution of the program without integrality, by Clp, in floating point: to be checked by
 * whoever builds on it. Owned by the caller: wb_linear_relaxation_free. */
struct wb_linear_relaxation {
  enum wb_linear_status status;
  double *values; /* by column; NULL unless status is WB_LINEAR_OPTIMAL */
  /* By row: the change of the objective for one unit more of the row's limit (the dual solution,
   * with the sign of the model's objective); NULL unless status is WB_LINEAR_OPTIMAL. */
  double *prices;
  double objective;
  enum wb_stop stop; /* why it ended early */
};

/* Solves in this process, in pieces of the simplex method between which the control is
 * asked. The same model gives the same outcome where it is not stopped.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_linear_relax(const struct wb_linear_model *model,
                                 const struct wb_control *control,
                                 struct wb_linear_relaxation *relaxation, warpbound_error *error);

void wb_linear_relaxation_free(struct wb_linear_relaxation *relaxation);

#endif

/* The linear relaxation of an integer program, with its prices, by Clp. */
#ifndef WB_LINEAR_RELAXATION_H
#define WB_LINEAR_RELAXATION_H

#include "base/control.h"
#include "base/status.h"
#include "linear/model.h"
#include "linear/solver.h"

/* The solution of the program without integrality. Both arrays are NULL where status is not
 * WB_LINEAR_OPTIMAL. In floating point: to be checked by whoever builds on it. Owned by the caller:
 * wb_linear_relaxation_free. */
struct wb_linear_relaxation {
  enum wb_linear_status status;
  double *values; /* by column */
  double *prices; /* by row, the dual solution: what one unit more of the row's limit adds to the
                   * objective, with the sign of the objective as the model has it */
  double objective;
  enum wb_stop stop; /* why it ended early */
};

/* Solves in this process, in batches of simplex iterations between which the control is
 * asked. The same model gives the same outcome where it is not stopped.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_linear_relax(const struct wb_linear_model *model,
                                 const struct wb_control *control,
                                 struct wb_linear_relaxation *relaxation, warpbound_error *error);

void wb_linear_relaxation_free(struct wb_linear_relaxation *relaxation);

#endif

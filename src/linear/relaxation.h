/* The linear relaxation of an integer program, with its prices, by Clp. */
#ifndef WB_LINEAR_RELAXATION_H
#define WB_LINEAR_RELAXATION_H

#include "base/control.h"
#include "base/status.h"
#include "linear/linear_model.h"
#include "linear/solver.h"

/* What Clp says of the program without integrality. values: by column; prices: by row, what
 * one unit more of its limit would add to the objective (the dual solution; the sign is that
 * of the objective as the model has it). Both NULL where status is not WB_LINEAR_OPTIMAL.
 * In floating point: to be checked by whoever builds on it. Owned by the caller:
 * wb_linear_relaxation_free. */
struct wb_linear_relaxation {
  enum wb_linear_status status;
  double *values;
  double *prices;
  double objective;
  enum wb_stop stop; /* why it ended early, if it did */
};

/* Solves in this process, in pieces of the simplex method between which the control is
 * asked. The same model gives the same outcome where it is not stopped.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_linear_relax(const struct wb_linear_model *model,
                                 const struct wb_control *control,
                                 struct wb_linear_relaxation *relaxation, warpbound_error *error);

void wb_linear_relaxation_free(struct wb_linear_relaxation *relaxation);

#endif

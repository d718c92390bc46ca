#include "linear/solver.h"

#include <math.h>
#include <stdlib.h>

const char *wb_linear_status_name(enum wb_linear_status status)
{
  static const char *const names[] = {"none", "feasible", "optimal", "infeasible", "unbounded"};
  return names[status];
}

struct wb_linear_outcome wb_linear_outcome_none(const struct wb_linear_model *model)
{
  return (struct wb_linear_outcome){.status = WB_LINEAR_NONE,
                                    .bound = model->maximise ? INFINITY : -INFINITY};
}

void wb_linear_outcome_free(struct wb_linear_outcome *outcome)
{
  free(outcome->values);
  *outcome = (struct wb_linear_outcome){0};
}

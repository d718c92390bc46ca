/* A flow system as an integer program, and as linear programs whose solutions proofs begin with. */
#ifndef WB_IPET_SOLVE_IPET_MODEL_H
#define WB_IPET_SOLVE_IPET_MODEL_H

#include "base/status.h"
#include "base/work_control.h"
#include "linear/linear_model.h"
#include "linear/relaxation.h"
#include "model/flow_system.h"

#include <stdbool.h>
#include <stdint.h>

/* Names of the columns and rows: valid in a linear model, and unique. All borrowed; NULL where no
 * file of the model is written. */
struct wb_ipet_names {
  const char *const *ports;  /* by port; of a walk: by node */
  const char *const *edges;  /* by edge */
  const char *const *limits; /* by limit */
};

/* Whether the integer program, whose numbers are doubles, holds every number of the system exactly.
 * Proofs do not need it, but a model that is written to a file is another program otherwise. */
bool wb_ipet_model_exact(const struct wb_flow_system *system);

/* Builds the program: a column for each edge (how often it is taken) and for each port that its
 * node need not leave by; a row of conservation for each port q (row q), then a row for each limit;
 * the objective is the cycles of all nodes without the constant cost of the starts. The caller
 * frees the model. Linear. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_ipet_model_build(const struct wb_flow_system *system,
                                     const struct wb_ipet_names *names,
                                     struct wb_linear_model *model, warpbound_error *error);

/* Solves the program without integrality, in floating point: the greatest cost of an execution, or
 * where `violation` the least sum of what an execution exceeds the limits by. Prices are by port,
 * then by limit. Factors beyond +-most are clamped to it. The caller frees *relaxation also after
 * an error. Errors: those of wb_linear_relax. */
warpbound_status wb_ipet_relax(const struct wb_flow_system *system, bool violation, int64_t most,
                               const struct wb_control *control,
                               struct wb_linear_relaxation *relaxation, warpbound_error *error);

#endif

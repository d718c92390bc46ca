/* Auxiliary linear programs of a flow system, whose solutions are only hints: with large factors
 * clamped, so that a solver's arithmetic can handle them, or for the least violation of the limits.
 */
#ifndef WB_IPET_SOLVE_AUXILIARY_MODEL_H
#define WB_IPET_SOLVE_AUXILIARY_MODEL_H

#include "linear/linear_model.h"
#include "model/flow_system.h"

#include <stdbool.h>
#include <stdint.h>

enum wb_auxiliary_objective {
  WB_AUXILIARY_COST,     /* maximise the cycles of the execution */
  WB_AUXILIARY_VIOLATION /* minimise the sum of what the execution exceeds the limits by */
};

/* Builds the program. Rows: conservation by port, then the limits. Factors beyond +-most are
 * clamped to it. False where memory is out; the caller frees the model also then. Linear. */
bool wb_auxiliary_model_build(const struct wb_flow_system *system,
                              enum wb_auxiliary_objective objective, int64_t most,
                              struct wb_linear_model *model);

#endif

/* Linear programs of a flow system whose solutions are hints alone: with large factors cut down,
 * so that a solver's arithmetic can do with them, or for the least violation of the limits. */
#ifndef WB_IPET_AUXILIARY_MODEL_H
#define WB_IPET_AUXILIARY_MODEL_H

#include "linear/linear_model.h"
#include "model/flow_system.h"

#include <stdbool.h>
#include <stdint.h>

/* What is asked for. */
enum wb_auxiliary_objective {
  WB_AUXILIARY_COST,     /* the most expensive execution */
  WB_AUXILIARY_VIOLATION /* an execution that breaks the limits by as little as can be, in sum */
};

/* Rows: conservation by node, then the limits. Factors beyond `most` count as `most`.
 * False where memory is out; to be freed also then. */
bool wb_auxiliary_model_build(const struct wb_flow_system *system,
                              enum wb_auxiliary_objective purpose, int64_t most,
                              struct wb_linear_model *model);

#endif

/* Linear programs of a flow system whose solutions are hints alone: with large factors cut down,
 * so that a solver's arithmetic can do with them, or for the least violation of the limits. */
#ifndef WB_IPET_ROUGH_MODEL_H
#define WB_IPET_ROUGH_MODEL_H

#include "linear/model.h"
#include "model/flow_system.h"

#include <stdbool.h>
#include <stdint.h>

/* What is asked for. */
enum wb_rough_purpose {
  WB_ROUGH_COST,     /* the most expensive execution */
  WB_ROUGH_VIOLATION /* an execution that breaks the limits by as little as can be, in sum */
};

/* Rows: conservation by node, then the limits. Factors beyond `most` count as `most`.
 * False where memory is out; to be freed also then. */
bool wb_rough_model_build(const struct wb_flow_system *system, enum wb_rough_purpose purpose,
                          int64_t most, struct wb_linear_model *model);

#endif

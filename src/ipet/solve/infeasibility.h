/* Proofs that a flow system has no execution. */
#ifndef WB_IPET_SOLVE_INFEASIBILITY_H
#define WB_IPET_SOLVE_INFEASIBILITY_H

#include "base/status.h"
#include "base/work_control.h"
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

/* By the graph: a limit has no solution by itself, or, in a walk, every path from the start to an
 * end takes an edge that a limit forbids. *proven: the checker (wb_check_flow_no_execution) accepts
 * the proof. Linear. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_flow_prove_infeasible_by_graph(const struct wb_flow_system *system,
                                                   bool *proven, warpbound_error *error);

/* By the limits: rounded prices of the linear program of the least violation, checked in the same
 * way. *proven is false where there is an execution, where fractional counts satisfy the limits,
 * and where no rounding works. Errors: those of the solver; WARPBOUND_INTERNAL. */
warpbound_status wb_flow_prove_infeasible_by_limits(const struct wb_flow_system *system,
                                                    const struct wb_control *control, bool *proven,
                                                    warpbound_error *error);

#endif

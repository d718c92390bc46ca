/* Proofs that a flow system has no execution. */
#ifndef WB_IPET_SOLVE_INFEASIBILITY_H
#define WB_IPET_SOLVE_INFEASIBILITY_H

#include "base/status.h"
#include "base/work_control.h"
#include "model/flow_system.h"

#include <stdbool.h>

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

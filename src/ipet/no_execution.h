/* Proofs that a flow system has no execution: that facts contradict each other, that a case of
 * exclusive facts is none. */
#ifndef WB_IPET_NO_EXECUTION_H
#define WB_IPET_NO_EXECUTION_H

#include "base/control.h"
#include "base/status.h"
#include "model/flow_system.h"

#include <stdbool.h>

/* By the graph alone: a limit has no solution by itself, or every way from the start to an end has
 * an edge that a limit forbids. Checked (wb_check_flow_no_execution). Linear.
 * Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_flow_prove_closed(const struct wb_flow_system *system, bool *proven,
                                      warpbound_error *error);

/* By the limits: the prices of a linear program that asks for the least violation of all of them,
 * rounded, and checked as above. *proven is false where there is an execution, where only fractions
 * are against it, and where no rounding works.
 * Errors: those of the solver; WARPBOUND_INTERNAL. */
warpbound_status wb_flow_prove_contradiction(const struct wb_flow_system *system,
                                             const struct wb_control *control, bool *proven,
                                             warpbound_error *error);

#endif

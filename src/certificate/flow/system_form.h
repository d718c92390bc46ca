/* The form of the flow system of a claim: what its checkers index with is in range. */
#ifndef WB_CERTIFICATE_FLOW_SYSTEM_FORM_H
#define WB_CERTIFICATE_FLOW_SYSTEM_FORM_H

#include "base/status.h"
#include "model/flow_system.h"

/* Checks that there is a start, and that nodes, ports, and the ports of edges are in range. Errors:
 * WARPBOUND_CHECK_FAILED with the first violation. Linear. */
warpbound_status wb_check_system_form(const struct wb_flow_system *system, warpbound_error *error);

#endif

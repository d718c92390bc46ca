#include "certificate/flow/system_form.h"

warpbound_status wb_check_system_form(const struct wb_flow_system *system, warpbound_error *error)
{
  for (size_t q = 0; q < system->port_count; q++) {
    if (system->port_node[q] >= system->node_count)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "port %zu: there is no such node", q);
  }
  for (size_t e = 0; e < system->edge_count; e++) {
    const uint32_t port = system->port[e];
    if (system->from[e] >= system->node_count || system->to[e] >= system->node_count)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "edge %zu: there is no such node", e);
    if (port != WB_FLOW_NO_PORT &&
        (port >= system->port_count || system->port_node[port] != system->from[e]))
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "edge %zu: its port is not one of the node that it leaves", e);
  }
  if (system->start_count < 1 || system->start_count > WB_FLOW_STARTS)
    return wb_fail(error, WARPBOUND_CHECK_FAILED, "an empty system");
  for (size_t s = 0; s < system->start_count; s++) {
    if (system->starts[s].node >= system->node_count || system->starts[s].runs < 0)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "an empty system");
  }
  return WARPBOUND_OK;
}

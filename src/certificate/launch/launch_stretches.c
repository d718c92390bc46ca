#include "certificate/launch/launch_stretches.h"

#include "base/memory.h"
#include "certificate/flow/flow_check.h"

#include <stdlib.h>

static bool has_negative_factor(const struct wb_flow_system *system, size_t limit)
{
  const struct wb_flow_limit *row = &system->limits[limit];
  bool negative = false;
  for (size_t t = 0; t < row->term_count; t++)
    negative |= system->terms[row->first_term + t].factor < 0;
  return negative;
}

static warpbound_status check_prices(const struct wb_flow_system *system, const bool *local,
                                     const int64_t *price, warpbound_error *error)
{
  for (size_t l = 0; l < system->limit_count; l++) {
    if (price[l] != 0 && (local == NULL || !local[l]) && has_negative_factor(system, l))
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "limit %zu has a price, but need not hold of stretches between barriers", l);
  }
  return WARPBOUND_OK;
}

/* The arrays that differ from those of the system. Owned. */
struct stretches {
  uint32_t *from, *to, *port;
  uint32_t *port_node;
  bool *ends;
  int64_t *cycles;
};

static void fill(const struct wb_flow_system *system, const bool *barrier,
                 struct stretches *stretches)
{
  const uint32_t begin = (uint32_t)system->node_count;
  const uint32_t begin_port = (uint32_t)system->port_count;
  for (size_t e = 0; e < system->edge_count; e++) {
    const bool begins = barrier[system->from[e]];
    stretches->from[e] = begins ? begin : system->from[e];
    stretches->port[e] = begins ? begin_port : system->port[e];
    stretches->to[e] = system->to[e];
  }
  stretches->from[system->edge_count] = begin;
  stretches->port[system->edge_count] = begin_port;
  stretches->to[system->edge_count] = system->starts[0].node;
  for (uint32_t q = 0; q < begin_port; q++) {
    stretches->port_node[q] = system->port_node[q];
    stretches->ends[q] = system->ends[q] || barrier[system->port_node[q]];
  }
  stretches->port_node[begin_port] = begin;
  for (uint32_t v = 0; v < begin; v++)
    stretches->cycles[v] = system->cycles[v];
}

warpbound_status wb_check_launch_stretches(const struct wb_flow_system *system, const bool *barrier,
                                           const bool *local,
                                           const struct wb_check_launch_maximum *proof,
                                           int64_t *bound, warpbound_error *error)
{
  struct stretches stretches;
  warpbound_status status = check_prices(system, local, proof->price, error);
  if (status != WARPBOUND_OK)
    return status;
  const size_t nodes = system->node_count + 1;
  const size_t edges = system->edge_count + 1;
  const size_t ports = system->port_count + 1;
  stretches = (struct stretches){.from = wb_allocate(edges, sizeof *stretches.from),
                                 .to = wb_allocate(edges, sizeof *stretches.to),
                                 .port = wb_allocate(edges, sizeof *stretches.port),
                                 .port_node = wb_allocate(ports, sizeof *stretches.port_node),
                                 .ends = wb_allocate(ports, sizeof *stretches.ends),
                                 .cycles = wb_allocate(nodes, sizeof *stretches.cycles)};
  if (stretches.from != NULL && stretches.to != NULL && stretches.port != NULL &&
      stretches.port_node != NULL && stretches.ends != NULL && stretches.cycles != NULL) {
    fill(system, barrier, &stretches);
    struct wb_flow_system parts = *system;
    parts.node_count = system->node_count + 1;
    parts.port_count = system->port_count + 1;
    parts.edge_count = system->edge_count + 1;
    parts.from = stretches.from;
    parts.to = stretches.to;
    parts.port = stretches.port;
    parts.port_node = stretches.port_node;
    parts.ends = stretches.ends;
    parts.cycles = stretches.cycles;
    parts.starts[0] = (struct wb_flow_start){(uint32_t)system->node_count, 1};
    status =
        wb_check_flow_bound(&parts, proof->price, proof->potential, proof->scale, bound, error);
  } else {
    status = wb_out_of_memory(error);
  }
  free(stretches.from);
  free(stretches.to);
  free(stretches.port);
  free(stretches.port_node);
  free(stretches.ends);
  free(stretches.cycles);
  return status;
}

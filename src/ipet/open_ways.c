#include "ipet/open_ways.h"

#include "base/memory.h"

#include <stdlib.h>

/* Edges by the node that they leave: those of v are edge[first[v]] .. edge[first[v + 1] - 1]. */
struct leaving {
  size_t *first;
  uint32_t *edge;
};

static bool leaving_make(struct leaving *leaving, const struct wb_flow_system *system)
{
  leaving->first = wb_allocate(system->node_count + 2, sizeof *leaving->first);
  leaving->edge = wb_allocate(system->edge_count, sizeof *leaving->edge);
  if (leaving->first == NULL || leaving->edge == NULL)
    return false;
  /* Counted two places further on, so that filling moves each first to its place. */
  size_t *fill = leaving->first + 1;
  for (size_t e = 0; e < system->edge_count; e++)
    fill[system->from[e] + 1]++;
  for (size_t v = 1; v <= system->node_count; v++)
    fill[v] += fill[v - 1];
  for (size_t e = 0; e < system->edge_count; e++)
    leaving->edge[fill[system->from[e]]++] = (uint32_t)e;
  return true;
}

/* False where a limit alone has no solution. */
static bool close_edges(const struct wb_flow_system *system, bool *closed)
{
  for (size_t l = 0; l < system->limit_count; l++) {
    const struct wb_flow_limit *limit = &system->limits[l];
    const struct wb_flow_term *terms = system->terms + limit->first_term;
    bool rising = true;
    for (size_t t = 0; t < limit->term_count; t++)
      rising = rising && terms[t].factor >= 0;
    if (rising && limit->constant < 0)
      return false;
    for (size_t t = 0; rising && limit->constant == 0 && t < limit->term_count; t++)
      closed[terms[t].edge] = closed[terms[t].edge] || terms[t].factor > 0;
  }
  return true;
}

/* nodes: room for all; met: by node, false. */
static bool reaches_end(const struct wb_flow_system *system, const struct leaving *leaving,
                        const bool *closed, bool *met, uint32_t *nodes)
{
  size_t count = 0;
  met[system->start] = true;
  nodes[count++] = system->start;
  for (size_t n = 0; n < count; n++) {
    const uint32_t from = nodes[n];
    if (system->ends[from])
      return true;
    for (size_t i = leaving->first[from]; i < leaving->first[from + 1]; i++) {
      const uint32_t to = system->to[leaving->edge[i]];
      if (closed[leaving->edge[i]] || met[to])
        continue;
      met[to] = true;
      nodes[count++] = to;
    }
  }
  return false;
}

warpbound_status wb_flow_open_ways(const struct wb_flow_system *system, bool *open,
                                   warpbound_error *error)
{
  struct leaving leaving = {0};
  bool *closed = wb_allocate(system->edge_count, sizeof *closed);
  bool *met = wb_allocate(system->node_count, sizeof *met);
  uint32_t *nodes = wb_allocate(system->node_count, sizeof *nodes);
  warpbound_status status = WARPBOUND_OK;
  *open = false;
  if (closed == NULL || met == NULL || nodes == NULL || !leaving_make(&leaving, system))
    status = wb_out_of_memory(error);
  else
    *open = close_edges(system, closed) && reaches_end(system, &leaving, closed, met, nodes);
  free(closed);
  free(met);
  free(nodes);
  free(leaving.first);
  free(leaving.edge);
  return status;
}

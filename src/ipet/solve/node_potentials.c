#include "ipet/solve/node_potentials.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* The first potential of a port that its node has to leave by: in effect minus infinity. */
#define NOWHERE (-(INT64_C(1) << 60))

/* Most rounds where nodes have several ports: sums of potentials may grow for very long. */
#define MOST_ROUNDS 20000

/* Sorts edges by one of their nodes: items of node v are item[first[v]] .. item[first[v + 1] - 1].
 * value: by edge, its item; NULL: its index. */
static void sort_edges(const struct wb_flow_system *system, const uint32_t *node,
                       const uint32_t *value, size_t *first, uint32_t *item)
{
  /* Counting sort: counts stand two places further on, so that filling moves each `first` to its
   * place. */
  size_t *fill = first + 1;
  for (size_t e = 0; e < system->edge_count; e++)
    fill[node[e] + 1]++;
  for (size_t v = 1; v <= system->node_count; v++)
    fill[v] += fill[v - 1];
  for (size_t e = 0; e < system->edge_count; e++)
    item[fill[node[e]]++] = value != NULL ? value[e] : (uint32_t)e;
}

/* Postorder by a depth-first search from a node, without recursion. at: by node, the next edge to
 * follow. */
static void order_from(struct wb_node_potentials *potentials, uint32_t root, size_t *at,
                       size_t *count)
{
  uint32_t *stack = potentials->stack;
  size_t depth = 0;
  potentials->changed[root] = true;
  stack[depth++] = root;
  while (depth > 0) {
    const uint32_t v = stack[depth - 1];
    if (at[v] == potentials->first[v + 1]) {
      potentials->order[(*count)++] = v;
      depth--;
      continue;
    }
    const uint32_t next = potentials->system->to[potentials->leaving[at[v]++]];
    if (potentials->changed[next])
      continue;
    potentials->changed[next] = true;
    stack[depth++] = next;
  }
}

static void order_nodes(struct wb_node_potentials *potentials)
{
  const size_t nodes = potentials->system->node_count;
  size_t *at = potentials->at;
  size_t count = 0;
  for (size_t v = 0; v < nodes; v++)
    at[v] = potentials->first[v];
  for (size_t s = 0; s < potentials->system->start_count; s++) {
    if (!potentials->changed[potentials->system->starts[s].node])
      order_from(potentials, potentials->system->starts[s].node, at, &count);
  }
  for (uint32_t v = 0; v < nodes; v++) {
    if (!potentials->changed[v])
      order_from(potentials, v, at, &count);
  }
}

bool wb_node_potentials_make(struct wb_node_potentials *potentials,
                             const struct wb_flow_system *system)
{
  const size_t nodes = system->node_count;
  const size_t edges = system->edge_count;
  const size_t ports = system->port_count;
  const size_t both = nodes + ports;
  *potentials = (struct wb_node_potentials){
      .system = system,
      .first = wb_allocate(nodes + 2, sizeof *potentials->first),
      .leaving = wb_allocate(edges, sizeof *potentials->leaving),
      .from = wb_allocate(nodes + 2, sizeof *potentials->from),
      .before = wb_allocate(edges, sizeof *potentials->before),
      .order = wb_allocate(nodes, sizeof *potentials->order),
      .gain = wb_allocate(edges, sizeof *potentials->gain),
      .potential = wb_allocate(ports, sizeof *potentials->potential),
      .value = wb_allocate(nodes, sizeof *potentials->value),
      .best_edge = wb_allocate(ports, sizeof *potentials->best_edge),
      .first_port = wb_allocate(nodes + 1, sizeof *potentials->first_port),
      .mark = wb_allocate(ports, sizeof *potentials->mark),
      .at = wb_allocate(both, sizeof *potentials->at),
      .stack = wb_allocate(both, sizeof *potentials->stack),
      .changed = wb_allocate(nodes, sizeof *potentials->changed),
      .cycles = wb_allocate(ports + edges, sizeof *potentials->cycles),
      .cycle_end = wb_allocate(ports + edges, sizeof *potentials->cycle_end),
      .side = wb_allocate(ports + edges, sizeof *potentials->side)};
  if (potentials->first == NULL || potentials->leaving == NULL || potentials->from == NULL ||
      potentials->before == NULL || potentials->order == NULL || potentials->gain == NULL ||
      potentials->potential == NULL || potentials->value == NULL || potentials->best_edge == NULL ||
      potentials->first_port == NULL || potentials->mark == NULL || potentials->at == NULL ||
      potentials->stack == NULL || potentials->changed == NULL || potentials->cycles == NULL ||
      potentials->cycle_end == NULL || potentials->side == NULL)
    return false;
  size_t *first_port = potentials->first_port;
  for (size_t q = 0; q < system->port_count; q++)
    first_port[system->port_node[q] + 1]++;
  for (size_t v = 0; v < system->node_count; v++)
    first_port[v + 1] += first_port[v];
  sort_edges(system, system->from, NULL, potentials->first, potentials->leaving);
  sort_edges(system, system->to, system->from, potentials->from, potentials->before);
  order_nodes(potentials);
  return true;
}

void wb_node_potentials_free(struct wb_node_potentials *potentials)
{
  free(potentials->first);
  free(potentials->leaving);
  free(potentials->from);
  free(potentials->before);
  free(potentials->order);
  free(potentials->gain);
  free(potentials->potential);
  free(potentials->value);
  free(potentials->best_edge);
  free(potentials->first_port);
  free(potentials->mark);
  free(potentials->at);
  free(potentials->stack);
  free(potentials->changed);
  free(potentials->cycles);
  free(potentials->cycle_end);
  free(potentials->side);
  *potentials = (struct wb_node_potentials){0};
}

/* Relaxes the edges that leave the node. False where a number does not fit. */
static bool relax_node(struct wb_node_potentials *potentials, uint32_t v)
{
  bool rises = false;
  for (size_t i = potentials->first[v]; i < potentials->first[v + 1]; i++) {
    const uint32_t e = potentials->leaving[i];
    const uint32_t q = potentials->system->port[e];
    int64_t value;
    int64_t more;
    if (q == WB_FLOW_NO_PORT)
      continue;
    if (!wb_add_signed(potentials->value[potentials->system->to[e]], potentials->gain[e], &value))
      return false;
    if (value <= potentials->potential[q])
      continue;
    if (!wb_subtract_signed(value, potentials->potential[q], &more) ||
        !wb_add_signed(potentials->value[v], more, &potentials->value[v]))
      return false;
    potentials->potential[q] = value;
    potentials->best_edge[q] = e;
    rises = true;
  }
  for (size_t i = potentials->from[v]; rises && i < potentials->from[v + 1]; i++)
    potentials->changed[potentials->before[i]] = true;
  return true;
}

/* ---- cycles ---- */

/* Notes the cycle of the best edges of the ports on top of the stack, from a place in it on. */
static void note_cycle(struct wb_node_potentials *potentials, size_t from, size_t depth)
{
  const size_t count = potentials->cycle_count;
  size_t length = count > 0 ? potentials->cycle_end[count - 1] : 0;
  int64_t side = 0;
  for (size_t i = from; i < depth; i++) {
    const uint32_t edge = potentials->best_edge[potentials->stack[i]];
    const uint32_t next = potentials->stack[i + 1 < depth ? i + 1 : from];
    const int64_t others = potentials->value[potentials->system->to[edge]];
    int64_t rest;
    potentials->cycles[length++] = edge;
    /* What does not fit is left out: the cycle then seems to gain less. */
    if (wb_subtract_signed(others, potentials->potential[next], &rest))
      (void)wb_add_signed(side, rest, &side);
  }
  potentials->cycle_end[count] = length;
  potentials->side[count] = side;
  potentials->cycle_count++;
}

/* Searches the best edges from a port on, depth first, for a cycle; ports that were met are marked
 * with the root, plus 1. */
static void search_cycle(struct wb_node_potentials *potentials, uint32_t root)
{
  const struct wb_flow_system *system = potentials->system;
  size_t *place = potentials->at; /* by port: on the stack, its next port plus 1; 0: not there */
  size_t depth = 0;
  potentials->mark[root] = root + 1;
  place[root] = 1;
  potentials->stack[depth++] = root;
  while (depth > 0) {
    const uint32_t q = potentials->stack[depth - 1];
    const uint32_t edge = potentials->best_edge[q];
    const uint32_t v = edge != NONE ? system->to[edge] : 0;
    const size_t next = edge != NONE ? potentials->first_port[v] + place[q] - 1 : SIZE_MAX;
    if (edge == NONE || next >= potentials->first_port[v + 1]) {
      place[q] = 0;
      depth--;
      continue;
    }
    place[q]++;
    if (place[next] > 0) {
      size_t from = depth - 1;
      while (potentials->stack[from] != next)
        from--;
      note_cycle(potentials, from, depth);
      break;
    }
    if (potentials->mark[next] != 0)
      continue;
    potentials->mark[next] = root + 1;
    place[next] = 1;
    potentials->stack[depth++] = (uint32_t)next;
  }
  while (depth > 0)
    place[potentials->stack[--depth]] = 0;
}

/* Edges in no port may not gain: nothing pays for them. */
static enum wb_node_potentials_outcome check_free_edges(struct wb_node_potentials *potentials)
{
  const struct wb_flow_system *system = potentials->system;
  potentials->cycle_count = 0;
  for (uint32_t e = 0; e < system->edge_count; e++) {
    int64_t gain;
    if (system->port[e] != WB_FLOW_NO_PORT)
      continue;
    if (!wb_add_signed(potentials->gain[e], potentials->value[system->to[e]], &gain))
      return WB_NODE_POTENTIALS_TOO_LARGE;
    if (gain <= 0)
      continue;
    const size_t count = potentials->cycle_count++;
    potentials->cycles[count] = e;
    potentials->cycle_end[count] = count + 1;
    potentials->side[count] = potentials->value[system->to[e]];
  }
  return potentials->cycle_count > 0 ? WB_NODE_POTENTIALS_POSITIVE_CYCLE : WB_NODE_POTENTIALS_FOUND;
}

/* ---- the search ---- */

enum wb_node_potentials_outcome wb_node_potentials_find(struct wb_node_potentials *potentials)
{
  const size_t nodes = potentials->system->node_count;
  const bool sums = !wb_flow_system_is_walk(potentials->system);
  const struct wb_flow_system *system = potentials->system;
  for (size_t v = 0; v < system->node_count; v++) {
    potentials->value[v] = 0;
    potentials->changed[v] = true;
  }
  for (size_t q = 0; q < system->port_count; q++) {
    potentials->potential[q] = system->ends[q] ? 0 : NOWHERE;
    potentials->best_edge[q] = NONE;
    potentials->value[system->port_node[q]] += potentials->potential[q];
  }
  /* Terminates: without a cycle of positive gain a best path has fewer edges than there are nodes,
   * and each round fixes one more edge of it; with such a cycle the best edges close one in the
   * end. With several ports a node the best edges make a tree of them. */
  for (size_t round = 0; !sums || round < MOST_ROUNDS; round++) {
    bool any = false;
    for (size_t i = 0; i < nodes; i++) {
      const uint32_t v = potentials->order[i];
      if (!potentials->changed[v])
        continue;
      any = true;
      potentials->changed[v] = false;
      if (!relax_node(potentials, v))
        return WB_NODE_POTENTIALS_TOO_LARGE;
    }
    if (!any)
      return check_free_edges(potentials);
    /* The cycles of best edges: each edge on one raised its port, so that the cycle gains. */
    const size_t ports = potentials->system->port_count;
    potentials->cycle_count = 0;
    memset(potentials->mark, 0, ports * sizeof *potentials->mark);
    memset(potentials->at, 0, ports * sizeof *potentials->at);
    for (uint32_t q = 0; q < ports; q++) {
      if (potentials->mark[q] == 0 && potentials->best_edge[q] != NONE)
        search_cycle(potentials, q);
    }
    if (potentials->cycle_count > 0)
      return WB_NODE_POTENTIALS_POSITIVE_CYCLE;
  }
  return WB_NODE_POTENTIALS_TOO_LARGE;
}

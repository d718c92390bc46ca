#include "ipet/solve/node_potentials.h"

#include "base/checked.h"

#include <string.h>

#define NONE UINT32_MAX

/* The first potential of a port that its node has to leave by: in effect minus infinity. */
#define NOWHERE (-(INT64_C(1) << 60))

/* Most rounds where nodes have several ports: sums of potentials may grow for very long. */
#define MOST_ROUNDS 20000

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
    if (at[v] == potentials->leaving.first[v + 1]) {
      potentials->order[(*count)++] = v;
      depth--;
      continue;
    }
    const uint32_t next = potentials->system->to[potentials->leaving.item[at[v]++]];
    if (potentials->changed[next])
      continue;
    potentials->changed[next] = true;
    stack[depth++] = next;
  }
}

bool wb_node_potentials_make(struct wb_arena *arena, const struct wb_flow_system *system,
                             struct wb_node_potentials *potentials)
{
  const size_t nodes = system->node_count;
  const size_t edges = system->edge_count;
  const size_t ports = system->port_count;
  *potentials =
      (struct wb_node_potentials){.system = system,
                                  .order = wb_arena_array(arena, uint32_t, nodes),
                                  .gain = wb_arena_array(arena, int64_t, edges),
                                  .potential = wb_arena_array(arena, int64_t, ports),
                                  .value = wb_arena_array(arena, int64_t, nodes),
                                  .best_edge = wb_arena_array(arena, uint32_t, ports),
                                  .first_port = wb_arena_array(arena, size_t, nodes + 1),
                                  .mark = wb_arena_array(arena, uint32_t, ports),
                                  .at = wb_arena_array(arena, size_t, nodes + ports),
                                  .stack = wb_arena_array(arena, uint32_t, nodes + ports),
                                  .changed = wb_arena_array(arena, bool, nodes),
                                  .cycles = wb_arena_array(arena, uint32_t, ports + edges),
                                  .cycle_end = wb_arena_array(arena, size_t, ports + edges),
                                  .side = wb_arena_array(arena, int64_t, ports + edges)};
  if (!wb_buckets_make(arena, system->from, edges, nodes, &potentials->leaving) ||
      !wb_buckets_make(arena, system->to, edges, nodes, &potentials->entering) || arena->failed)
    return false;
  for (size_t q = 0; q < ports; q++)
    potentials->first_port[system->port_node[q] + 1]++;
  for (size_t v = 0; v < nodes; v++)
    potentials->first_port[v + 1] += potentials->first_port[v];
  size_t *at = potentials->at;
  size_t count = 0;
  for (size_t v = 0; v < nodes; v++)
    at[v] = potentials->leaving.first[v];
  for (size_t s = 0; s < system->start_count; s++) {
    if (!potentials->changed[system->starts[s].node])
      order_from(potentials, system->starts[s].node, at, &count);
  }
  for (uint32_t v = 0; v < nodes; v++) {
    if (!potentials->changed[v])
      order_from(potentials, v, at, &count);
  }
  return true;
}

/* Relaxes the edges that leave the node. False where a number does not fit. */
static bool relax_node(struct wb_node_potentials *potentials, uint32_t v)
{
  bool rises = false;
  for (size_t i = potentials->leaving.first[v]; i < potentials->leaving.first[v + 1]; i++) {
    const uint32_t e = potentials->leaving.item[i];
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
  const struct wb_buckets *entering = &potentials->entering;
  for (size_t i = entering->first[v]; rises && i < entering->first[v + 1]; i++)
    potentials->changed[potentials->system->from[entering->item[i]]] = true;
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

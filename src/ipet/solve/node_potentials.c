#include "ipet/solve/node_potentials.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* The first potential of a node where an execution cannot end: in effect minus infinity. */
#define NOWHERE (-(INT64_C(1) << 60))

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
 * follow. best_edge serves as the stack. */
static void order_from(struct wb_node_potentials *potentials, uint32_t root, size_t *at,
                       size_t *count)
{
  uint32_t *stack = potentials->best_edge;
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

static bool order_nodes(struct wb_node_potentials *potentials)
{
  const size_t nodes = potentials->system->node_count;
  size_t *at = wb_allocate(nodes, sizeof *at);
  size_t count = 0;
  if (at == NULL)
    return false;
  for (size_t v = 0; v < nodes; v++)
    at[v] = potentials->first[v];
  order_from(potentials, potentials->system->start, at, &count);
  for (uint32_t v = 0; v < nodes; v++) {
    if (!potentials->changed[v])
      order_from(potentials, v, at, &count);
  }
  free(at);
  return true;
}

bool wb_node_potentials_make(struct wb_node_potentials *potentials,
                             const struct wb_flow_system *system)
{
  const size_t nodes = system->node_count;
  const size_t edges = system->edge_count;
  *potentials =
      (struct wb_node_potentials){.system = system,
                                  .first = wb_allocate(nodes + 2, sizeof *potentials->first),
                                  .leaving = wb_allocate(edges, sizeof *potentials->leaving),
                                  .from = wb_allocate(nodes + 2, sizeof *potentials->from),
                                  .before = wb_allocate(edges, sizeof *potentials->before),
                                  .order = wb_allocate(nodes, sizeof *potentials->order),
                                  .gain = wb_allocate(edges, sizeof *potentials->gain),
                                  .potential = wb_allocate(nodes, sizeof *potentials->potential),
                                  .best_edge = wb_allocate(nodes, sizeof *potentials->best_edge),
                                  .mark = wb_allocate(nodes, sizeof *potentials->mark),
                                  .changed = wb_allocate(nodes, sizeof *potentials->changed),
                                  .cycles = wb_allocate(nodes, sizeof *potentials->cycles),
                                  .cycle_end = wb_allocate(nodes, sizeof *potentials->cycle_end)};
  if (potentials->first == NULL || potentials->leaving == NULL || potentials->from == NULL ||
      potentials->before == NULL || potentials->order == NULL || potentials->gain == NULL ||
      potentials->potential == NULL || potentials->best_edge == NULL || potentials->mark == NULL ||
      potentials->changed == NULL || potentials->cycles == NULL || potentials->cycle_end == NULL)
    return false;
  sort_edges(system, system->from, NULL, potentials->first, potentials->leaving);
  sort_edges(system, system->to, system->from, potentials->from, potentials->before);
  return order_nodes(potentials);
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
  free(potentials->best_edge);
  free(potentials->mark);
  free(potentials->changed);
  free(potentials->cycles);
  free(potentials->cycle_end);
  *potentials = (struct wb_node_potentials){0};
}

/* Relaxes the edges that leave the node. False where a number does not fit. */
static bool relax_node(struct wb_node_potentials *potentials, uint32_t v)
{
  const int64_t before = potentials->potential[v];
  for (size_t i = potentials->first[v]; i < potentials->first[v + 1]; i++) {
    const uint32_t e = potentials->leaving[i];
    int64_t value;
    if (!wb_add_signed(potentials->potential[potentials->system->to[e]], potentials->gain[e],
                       &value))
      return false;
    if (value <= potentials->potential[v])
      continue;
    potentials->potential[v] = value;
    potentials->best_edge[v] = e;
  }
  for (size_t i = potentials->from[v];
       potentials->potential[v] > before && i < potentials->from[v + 1]; i++)
    potentials->changed[potentials->before[i]] = true;
  return true;
}

/* The cycles of best edges: each edge on one raised its node, so that the cycle gains. True where
 * there is one. */
static bool find_cycles(struct wb_node_potentials *potentials)
{
  const uint32_t *to = potentials->system->to;
  const size_t nodes = potentials->system->node_count;
  size_t length = 0;
  potentials->cycle_count = 0;
  memset(potentials->mark, 0, nodes * sizeof *potentials->mark);
  for (uint32_t v = 0; v < nodes; v++) {
    uint32_t at = v;
    while (potentials->mark[at] == 0 && potentials->best_edge[at] != NONE) {
      potentials->mark[at] = v + 1;
      at = to[potentials->best_edge[at]];
    }
    if (potentials->mark[at] != v + 1)
      continue;
    /* This walk has come back to one of its own nodes. */
    uint32_t u = at;
    do {
      potentials->cycles[length++] = potentials->best_edge[u];
      u = to[potentials->best_edge[u]];
    } while (u != at);
    potentials->cycle_end[potentials->cycle_count++] = length;
  }
  return potentials->cycle_count > 0;
}

enum wb_node_potentials_outcome wb_node_potentials_find(struct wb_node_potentials *potentials)
{
  const size_t nodes = potentials->system->node_count;
  for (size_t v = 0; v < nodes; v++) {
    potentials->potential[v] = potentials->system->ends[v] ? 0 : NOWHERE;
    potentials->best_edge[v] = NONE;
    potentials->changed[v] = true;
  }
  /* Terminates: without a cycle of positive gain a best path has fewer edges than there are nodes,
   * and each round fixes one more edge of it; with such a cycle the best edges close one in the
   * end. */
  for (;;) {
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
      return WB_NODE_POTENTIALS_FOUND;
    if (find_cycles(potentials))
      return WB_NODE_POTENTIALS_POSITIVE_CYCLE;
  }
}

#include "ipet/potentials.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* The potential to begin with where an execution cannot end: as good as minus infinity. */
#define NOWHERE (-(INT64_C(1) << 60))

/* Edges by one of their nodes: items of node v are item[first[v]] .. item[first[v + 1] - 1].
 * value: what stands for an edge, NULL: its index. */
static void sort_edges(const struct wb_flow_system *system, const uint32_t *node,
                       const uint32_t *value, size_t *first, uint32_t *item)
{
  /* Counted two places further on, so that filling moves each first to its place. */
  size_t *fill = first + 1;
  for (size_t e = 0; e < system->edge_count; e++)
    fill[node[e] + 1]++;
  for (size_t v = 1; v <= system->node_count; v++)
    fill[v] += fill[v - 1];
  for (size_t e = 0; e < system->edge_count; e++)
    item[fill[node[e]]++] = value != NULL ? value[e] : (uint32_t)e;
}

/* Depth first from a node, without recursion: a node is put in order when all that follows it is.
 * way: the stack; at: by node, the next edge to look at. */
static void order_from(struct wb_potentials *p, uint32_t root, size_t *at, size_t *count)
{
  uint32_t *stack = p->way;
  size_t depth = 0;
  p->changed[root] = true;
  stack[depth++] = root;
  while (depth > 0) {
    const uint32_t v = stack[depth - 1];
    if (at[v] == p->first[v + 1]) {
      p->order[(*count)++] = v;
      depth--;
      continue;
    }
    const uint32_t next = p->system->to[p->leaving[at[v]++]];
    if (p->changed[next])
      continue;
    p->changed[next] = true;
    stack[depth++] = next;
  }
}

static bool order_nodes(struct wb_potentials *p)
{
  const size_t nodes = p->system->node_count;
  size_t *at = wb_allocate(nodes, sizeof *at);
  size_t count = 0;
  if (at == NULL)
    return false;
  for (size_t v = 0; v < nodes; v++)
    at[v] = p->first[v];
  order_from(p, p->system->start, at, &count);
  for (uint32_t v = 0; v < nodes; v++) {
    if (!p->changed[v])
      order_from(p, v, at, &count);
  }
  free(at);
  return true;
}

bool wb_potentials_make(struct wb_potentials *p, const struct wb_flow_system *system)
{
  const size_t nodes = system->node_count;
  const size_t edges = system->edge_count;
  *p = (struct wb_potentials){.system = system,
                              .first = wb_allocate(nodes + 2, sizeof *p->first),
                              .leaving = wb_allocate(edges, sizeof *p->leaving),
                              .from = wb_allocate(nodes + 2, sizeof *p->from),
                              .before = wb_allocate(edges, sizeof *p->before),
                              .order = wb_allocate(nodes, sizeof *p->order),
                              .gain = wb_allocate(edges, sizeof *p->gain),
                              .potential = wb_allocate(nodes, sizeof *p->potential),
                              .way = wb_allocate(nodes, sizeof *p->way),
                              .mark = wb_allocate(nodes, sizeof *p->mark),
                              .changed = wb_allocate(nodes, sizeof *p->changed),
                              .cycles = wb_allocate(nodes, sizeof *p->cycles),
                              .cycle_end = wb_allocate(nodes, sizeof *p->cycle_end)};
  if (p->first == NULL || p->leaving == NULL || p->from == NULL || p->before == NULL ||
      p->order == NULL || p->gain == NULL || p->potential == NULL || p->way == NULL ||
      p->mark == NULL || p->changed == NULL || p->cycles == NULL || p->cycle_end == NULL)
    return false;
  sort_edges(system, system->from, NULL, p->first, p->leaving);
  sort_edges(system, system->to, system->from, p->from, p->before);
  return order_nodes(p);
}

void wb_potentials_free(struct wb_potentials *p)
{
  free(p->first);
  free(p->leaving);
  free(p->from);
  free(p->before);
  free(p->order);
  free(p->gain);
  free(p->potential);
  free(p->way);
  free(p->mark);
  free(p->changed);
  free(p->cycles);
  free(p->cycle_end);
  *p = (struct wb_potentials){0};
}

/* Looks at the edges that leave the node. False where a number does not fit. */
static bool raise_node(struct wb_potentials *p, uint32_t v)
{
  const int64_t before = p->potential[v];
  for (size_t i = p->first[v]; i < p->first[v + 1]; i++) {
    const uint32_t e = p->leaving[i];
    int64_t value;
    if (!wb_add_signed(p->potential[p->system->to[e]], p->gain[e], &value))
      return false;
    if (value <= p->potential[v])
      continue;
    p->potential[v] = value;
    p->way[v] = e;
  }
  for (size_t i = p->from[v]; p->potential[v] > before && i < p->from[v + 1]; i++)
    p->changed[p->before[i]] = true;
  return true;
}

/* The cycles of the ways, on each of which every edge brought its node more than it had: they
 * gain. True where there is one. */
static bool find_cycles(struct wb_potentials *p)
{
  const uint32_t *to = p->system->to;
  const size_t nodes = p->system->node_count;
  size_t length = 0;
  p->cycle_count = 0;
  memset(p->mark, 0, nodes * sizeof *p->mark);
  for (uint32_t v = 0; v < nodes; v++) {
    uint32_t at = v;
    while (p->mark[at] == 0 && p->way[at] != NONE) {
      p->mark[at] = v + 1;
      at = to[p->way[at]];
    }
    if (p->mark[at] != v + 1)
      continue;
    /* This walk came back to where it has been. */
    uint32_t u = at;
    do {
      p->cycles[length++] = p->way[u];
      u = to[p->way[u]];
    } while (u != at);
    p->cycle_end[p->cycle_count++] = length;
  }
  return p->cycle_count > 0;
}

enum wb_potentials_outcome wb_potentials_find(struct wb_potentials *p)
{
  const size_t nodes = p->system->node_count;
  for (size_t v = 0; v < nodes; v++) {
    p->potential[v] = p->system->ends[v] ? 0 : NOWHERE;
    p->way[v] = NONE;
    p->changed[v] = true;
  }
  /* Ends: without a cycle that gains the ways have at most as many edges as there are nodes, and
   * each time one more edge of them counts; with one the ways close it in the end. */
  for (;;) {
    bool any = false;
    for (size_t i = 0; i < nodes; i++) {
      const uint32_t v = p->order[i];
      if (!p->changed[v])
        continue;
      any = true;
      p->changed[v] = false;
      if (!raise_node(p, v))
        return WB_POTENTIALS_TOO_LARGE;
    }
    if (!any)
      return WB_POTENTIALS_FOUND;
    if (find_cycles(p))
      return WB_POTENTIALS_GAINING;
  }
}

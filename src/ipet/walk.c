#include "ipet/walk.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct walker {
  const struct wb_flow_system *system;
  int64_t *left;   /* by edge: how often it is still to be taken */
  uint32_t *first; /* by node: the next of its edges to look at */
  uint32_t *next;  /* by edge: the next one that leaves the same node */
  uint32_t *stack; /* nodes of the way under construction */
  uint32_t *nodes; /* the walk, from its end */
};

static bool walker_make(struct walker *w, const int64_t *taken, size_t length)
{
  size_t edges = w->system->edge_count;
  w->left = wb_allocate(edges, sizeof *w->left);
  w->first = wb_allocate(w->system->node_count, sizeof *w->first);
  w->next = wb_allocate(edges, sizeof *w->next);
  w->stack = wb_allocate(length, sizeof *w->stack);
  w->nodes = wb_allocate(length, sizeof *w->nodes);
  if (w->left == NULL || w->first == NULL || w->next == NULL || w->stack == NULL ||
      w->nodes == NULL)
    return false;
  memcpy(w->left, taken, edges * sizeof *w->left);
  for (size_t v = 0; v < w->system->node_count; v++)
    w->first[v] = UINT32_MAX;
  for (size_t e = edges; e-- > 0;) {
    w->next[e] = w->first[w->system->from[e]];
    w->first[w->system->from[e]] = (uint32_t)e;
  }
  return true;
}

/* Goes on along edges that are left until there is none, then steps back, giving out nodes:
 * the walk from its end. */
static void walk_back(struct walker *w)
{
  size_t depth = 0;
  size_t count = 0;
  w->stack[depth++] = w->system->start;
  while (depth > 0) {
    uint32_t node = w->stack[depth - 1];
    uint32_t edge = w->first[node];
    while (edge != UINT32_MAX && w->left[edge] == 0)
      edge = w->next[edge];
    w->first[node] = edge;
    if (edge == UINT32_MAX) {
      w->nodes[count++] = node;
      depth--;
    } else {
      w->left[edge]--;
      w->stack[depth++] = w->system->to[edge];
    }
  }
}

warpbound_status wb_ipet_walk(const struct wb_flow_system *system, const int64_t *taken,
                              size_t longest, uint32_t **nodes, size_t *count,
                              warpbound_error *error)
{
  size_t length = 1;
  for (size_t e = 0; e < system->edge_count; e++) {
    if ((uint64_t)taken[e] > longest - length)
      return wb_fail(error, WARPBOUND_LIMIT, "the worst path has more than %zu blocks", longest);
    length += (size_t)taken[e];
  }
  struct walker w = {.system = system};
  warpbound_status status = WARPBOUND_OK;
  if (!walker_make(&w, taken, length)) {
    free(w.nodes);
    status = wb_out_of_memory(error);
  } else {
    walk_back(&w);
    for (size_t i = 0; i < length / 2; i++) {
      uint32_t node = w.nodes[i];
      w.nodes[i] = w.nodes[length - 1 - i];
      w.nodes[length - 1 - i] = node;
    }
    *nodes = w.nodes;
    *count = length;
  }
  free(w.left);
  free(w.first);
  free(w.next);
  free(w.stack);
  return status;
}

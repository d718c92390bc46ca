#include "ipet/solve/euler_walk.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct walker {
  const struct wb_flow_system *system;
  int64_t *left;   /* by edge: how often it is still to be taken */
  uint32_t *first; /* by node: the next of its edges to look at */
  uint32_t *next;  /* by edge: the next one that leaves the same node */
  uint32_t *stack; /* nodes of the current trail */
  uint32_t *nodes; /* the walk, from its end */
};

static bool walker_make(struct walker *walker, const int64_t *taken, size_t length)
{
  size_t edges = walker->system->edge_count;
  walker->left = wb_allocate(edges, sizeof *walker->left);
  walker->first = wb_allocate(walker->system->node_count, sizeof *walker->first);
  walker->next = wb_allocate(edges, sizeof *walker->next);
  walker->stack = wb_allocate(length, sizeof *walker->stack);
  walker->nodes = wb_allocate(length, sizeof *walker->nodes);
  if (walker->left == NULL || walker->first == NULL || walker->next == NULL ||
      walker->stack == NULL || walker->nodes == NULL)
    return false;
  memcpy(walker->left, taken, edges * sizeof *walker->left);
  for (size_t v = 0; v < walker->system->node_count; v++)
    walker->first[v] = UINT32_MAX;
  for (size_t e = edges; e-- > 0;) {
    walker->next[e] = walker->first[walker->system->from[e]];
    walker->first[walker->system->from[e]] = (uint32_t)e;
  }
  return true;
}

/* Follows edges that are left until there is none, then steps back and puts out nodes: the walk
 * backwards. */
static void walk_back(struct walker *walker)
{
  size_t depth = 0;
  size_t count = 0;
  walker->stack[depth++] = walker->system->starts[0].node;
  while (depth > 0) {
    uint32_t node = walker->stack[depth - 1];
    uint32_t edge = walker->first[node];
    while (edge != UINT32_MAX && walker->left[edge] == 0)
      edge = walker->next[edge];
    walker->first[node] = edge;
    if (edge == UINT32_MAX) {
      walker->nodes[count++] = node;
      depth--;
    } else {
      walker->left[edge]--;
      walker->stack[depth++] = walker->system->to[edge];
    }
  }
}

warpbound_status wb_euler_walk(const struct wb_flow_system *system, const int64_t *taken,
                               size_t longest, uint32_t **nodes, size_t *count,
                               warpbound_error *error)
{
  size_t length = 1;
  for (size_t e = 0; e < system->edge_count; e++) {
    if ((uint64_t)taken[e] > longest - length)
      return wb_fail(error, WARPBOUND_LIMIT, "the worst path has more than %zu blocks", longest);
    length += (size_t)taken[e];
  }
  struct walker walker = {.system = system};
  warpbound_status status = WARPBOUND_OK;
  if (!walker_make(&walker, taken, length)) {
    free(walker.nodes);
    status = wb_out_of_memory(error);
  } else {
    walk_back(&walker);
    for (size_t i = 0; i < length / 2; i++) {
      uint32_t node = walker.nodes[i];
      walker.nodes[i] = walker.nodes[length - 1 - i];
      walker.nodes[length - 1 - i] = node;
    }
    *nodes = walker.nodes;
    *count = length;
  }
  free(walker.left);
  free(walker.first);
  free(walker.next);
  free(walker.stack);
  return status;
}

#include "ipet/solve/euler_walk.h"

#include "base/arena.h"
#include "base/buckets.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define LANES 32

/* A run of a node under way: the edge that it was come to by, and the next edge to leave by. */
struct frame {
  uint32_t node;
  uint32_t by;    /* NONE: the start */
  size_t next;    /* place in leaving.item */
  uint32_t again; /* how often the next edge was taken, where it is in no port */
  uint64_t
      used; /* ports that the run was left by, from the node's first one on; 64 are told apart */
};

struct walker {
  struct wb_arena arena; /* owns the arrays but nodes */
  const struct wb_flow_system *system;
  const int64_t *taken;
  bool apart;                /* a run leaves by each port once; else by any edge that is left */
  bool *met;                 /* by node: it can be reached from the start */
  int64_t *left;             /* by edge: how often it is still to be taken */
  struct wb_buckets leaving; /* edges by the node that they leave */
  uint32_t *first_port;      /* by node */
  struct frame *stack;       /* the runs under way */
  uint32_t *nodes;           /* the walk, from its end */
  uint32_t *edges;           /* of the walk: by which edge each node was come to */
  size_t length;
};

/* Lists edges and ports of nodes, and marks the nodes that the start leads to. False where memory
 * is out. */
static bool start(struct walker *walker)
{
  const struct wb_flow_system *system = walker->system;
  const struct wb_buckets *leaving = &walker->leaving;
  uint32_t *queue = wb_arena_array(&walker->arena, uint32_t, system->node_count);
  size_t tail = 0;
  walker->met = wb_arena_array(&walker->arena, bool, system->node_count);
  walker->left = wb_arena_array(&walker->arena, int64_t, system->edge_count);
  walker->first_port = wb_arena_array(&walker->arena, uint32_t, system->node_count);
  if (!wb_buckets_make(&walker->arena, system->from, system->edge_count, system->node_count,
                       &walker->leaving) ||
      walker->arena.failed)
    return false;
  for (size_t q = system->port_count; q-- > 0;)
    walker->first_port[system->port_node[q]] = (uint32_t)q;
  walker->met[system->starts[0].node] = true;
  queue[tail++] = system->starts[0].node;
  for (size_t head = 0; head < tail; head++) {
    for (size_t i = leaving->first[queue[head]]; i < leaving->first[queue[head] + 1]; i++) {
      const uint32_t to = system->to[leaving->item[i]];
      if (walker->met[to])
        continue;
      walker->met[to] = true;
      queue[tail++] = to;
    }
  }
  return true;
}

/* The next edge that a run is left by; NONE: none. */
static uint32_t choose_edge(const struct walker *walker, struct frame *frame)
{
  for (; frame->next < walker->leaving.first[frame->node + 1]; frame->next++) {
    const uint32_t edge = walker->leaving.item[frame->next];
    const uint32_t port = walker->system->port[edge];
    const uint32_t place =
        port != WB_FLOW_NO_PORT ? port - walker->first_port[frame->node] : UINT32_MAX;
    const uint64_t bit = place < 64 ? UINT64_C(1) << place : 0;
    bool open = walker->left[edge] > 0;
    if (walker->apart)
      open = open && (frame->used & bit) == 0 && frame->again < (bit != 0 ? 1 : LANES);
    if (open) {
      frame->used |= bit;
      frame->again++;
      return edge;
    }
    frame->again = 0;
  }
  return NONE;
}

/* Follows edges that are left until there is none, then steps back and puts out nodes: the walk
 * backwards. Returns the number of nodes. */
static size_t walk_back(struct walker *walker)
{
  const struct wb_flow_system *system = walker->system;
  size_t depth = 0;
  size_t count = 0;
  memcpy(walker->left, walker->taken, system->edge_count * sizeof *walker->left);
  walker->stack[depth++] = (struct frame){.node = system->starts[0].node,
                                          .by = NONE,
                                          .next = walker->leaving.first[system->starts[0].node]};
  while (depth > 0) {
    struct frame *frame = &walker->stack[depth - 1];
    const uint32_t edge = choose_edge(walker, frame);
    if (edge == NONE) {
      walker->nodes[count] = frame->node;
      walker->edges[count++] = frame->by;
      depth--;
      continue;
    }
    walker->left[edge]--;
    const uint32_t to = system->to[edge];
    walker->stack[depth++] =
        (struct frame){.node = to, .by = edge, .next = walker->leaving.first[to]};
  }
  return count;
}

/* Turns the walk forwards, and checks that each edge leaves a run that was there before: in each
 * beginning of the walk a port is left by at most as often as its node has run. */
static bool turn_and_check(struct walker *walker, int64_t *runs, int64_t *leaves)
{
  const struct wb_flow_system *system = walker->system;
  bool fits = true;
  for (size_t i = 0; i < walker->length / 2; i++) {
    const size_t other = walker->length - 1 - i;
    const uint32_t node = walker->nodes[i];
    const uint32_t edge = walker->edges[i];
    walker->nodes[i] = walker->nodes[other];
    walker->edges[i] = walker->edges[other];
    walker->nodes[other] = node;
    walker->edges[other] = edge;
  }
  for (size_t i = 0; i < walker->length; i++) {
    const uint32_t edge = walker->edges[i];
    if (edge != NONE && system->port[edge] != WB_FLOW_NO_PORT)
      fits &= ++leaves[system->port[edge]] <= runs[system->from[edge]];
    else if (edge != NONE)
      fits &= runs[system->from[edge]] > 0;
    runs[walker->nodes[i]]++;
  }
  return fits;
}

static warpbound_status make_walk(struct walker *walker, size_t longest, warpbound_error *error)
{
  const struct wb_flow_system *system = walker->system;
  if (!start(walker))
    return wb_out_of_memory(error);
  walker->length = 1;
  for (size_t e = 0; e < system->edge_count; e++) {
    if (!walker->met[system->from[e]])
      continue;
    if ((uint64_t)walker->taken[e] > longest - walker->length)
      return wb_fail(error, WARPBOUND_LIMIT, "the worst path has more than %zu blocks", longest);
    walker->length += (size_t)walker->taken[e];
  }
  int64_t *runs = wb_arena_array(&walker->arena, int64_t, system->node_count);
  int64_t *leaves = wb_arena_array(&walker->arena, int64_t, system->port_count);
  walker->stack = wb_arena_array(&walker->arena, struct frame, walker->length);
  walker->edges = wb_arena_array(&walker->arena, uint32_t, walker->length);
  walker->nodes = wb_allocate(walker->length, sizeof *walker->nodes);
  if (walker->arena.failed || walker->nodes == NULL)
    return wb_out_of_memory(error);
  walker->apart = !wb_flow_system_is_walk(system);
  size_t count = walk_back(walker);
  if (count < walker->length) {
    walker->apart = false;
    count = walk_back(walker);
  }
  if (count == walker->length && turn_and_check(walker, runs, leaves))
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_FACTS_MISSING,
                 "no order was found in which groups of lanes run the worst counts");
}

warpbound_status wb_euler_walk(const struct wb_flow_system *system, const int64_t *taken,
                               size_t longest, uint32_t **nodes, size_t *count,
                               warpbound_error *error)
{
  struct walker walker = {.system = system, .taken = taken};
  warpbound_status status = make_walk(&walker, longest, error);
  if (status == WARPBOUND_OK) {
    *nodes = walker.nodes;
    *count = walker.length;
  } else {
    free(walker.nodes);
  }
  wb_arena_free(&walker.arena);
  return status;
}

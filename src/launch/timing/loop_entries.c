/* What edges into loops pay in advance of the waits in them (doc/warp-timing.md). */
#include "launch/timing/warp_search.h"

#include "base/checked.h"

#define UNREACHED UINT64_MAX

/* The loops of the graph, by the order of its nodes: an edge that does not lead upwards in it goes
 * back, to a header. */
struct loops {
  struct wb_warp_search *search;
  struct wb_buckets entering; /* edges by the node that they lead to */
  uint32_t *place;            /* by node: its place in the order, plus 1; 0: not reached */
  bool *header;               /* by node */
  bool *entry;                /* by edge: it leads to a header and does not go back */
  struct wb_pending *cap;     /* by node */
  bool *inside;               /* by node: in the loop under way */
  uint32_t *members;          /* its nodes */
  size_t member_count;
  uint64_t *begin; /* scratch by node: the least time from the header to it */
  size_t header_count;
};

static bool goes_back(const struct loops *loops, uint32_t edge)
{
  const struct wb_timing_graph *graph = loops->search->graph;
  return loops->place[graph->from[edge]] >= loops->place[graph->to[edge]];
}

static bool is_interleaved(const struct loops *loops, uint32_t node)
{
  const bool *interleaved = loops->search->graph->interleaved;
  return interleaved != NULL && interleaved[node];
}

/* Finds headers and the edges into them. False where memory is out. Linear. */
static bool find_headers(struct wb_arena *scratch, struct loops *loops)
{
  const struct wb_timing_graph *graph = loops->search->graph;
  const struct wb_warp_flow *flow = &loops->search->flow;
  loops->place = wb_arena_array(scratch, uint32_t, graph->node_count);
  loops->header = wb_arena_array(scratch, bool, graph->node_count);
  loops->entry = wb_arena_array(scratch, bool, graph->edge_count);
  if (scratch->failed)
    return false;
  for (size_t n = 0; n < flow->reached_count; n++)
    loops->place[flow->order[n]] = (uint32_t)n + 1;
  for (uint32_t e = 0; e < graph->edge_count; e++) {
    const uint32_t to = graph->to[e];
    if (loops->place[graph->from[e]] == 0 || !goes_back(loops, e) || is_interleaved(loops, to) ||
        loops->header[to])
      continue;
    loops->header[to] = true;
    loops->header_count++;
  }
  for (uint32_t e = 0; e < graph->edge_count; e++)
    loops->entry[e] =
        loops->place[graph->from[e]] > 0 && loops->header[graph->to[e]] && !goes_back(loops, e);
  return true;
}

/* Marks the nodes of a header's loop: those from which an edge back to it is reached without the
 * header. */
static void mark_loop(struct loops *loops, uint32_t header)
{
  const struct wb_timing_graph *graph = loops->search->graph;
  loops->member_count = 0;
  loops->inside[header] = true;
  loops->members[loops->member_count++] = header;
  for (size_t m = 0; m < loops->member_count; m++) {
    const uint32_t node = loops->members[m];
    for (size_t i = loops->entering.first[node]; i < loops->entering.first[node + 1]; i++) {
      const uint32_t edge = loops->entering.item[i];
      const uint32_t from = graph->from[edge];
      if (loops->place[from] == 0 || loops->inside[from] ||
          (node == header && !goes_back(loops, edge)))
        continue;
      loops->inside[from] = true;
      loops->begin[from] = UNREACHED;
      loops->members[loops->member_count++] = from;
    }
  }
}

/* By keeper: the least time from the header to an instruction of its loop that waits for it, by the
 * states that there are; UINT64_MAX: none does. */
static struct wb_pending find_first_waits(struct loops *loops, uint32_t header)
{
  struct wb_warp_search *search = loops->search;
  const struct wb_warp_flow *flow = &search->flow;
  struct wb_pending waited;
  for (size_t k = 0; k < WB_KEEPER_COUNT; k++)
    *wb_pending_of(&waited, k) = UINT64_MAX;
  mark_loop(loops, header);
  loops->begin[header] = 0;
  size_t left = loops->member_count;
  for (size_t n = 0; n < flow->reached_count && left > 0; n++) {
    /* A loop with several ways in may have nodes that stand before its header. */
    const uint32_t node = flow->order[(loops->place[header] - 1 + n) % flow->reached_count];
    const uint64_t begin = loops->begin[node];
    uint64_t cycles = 0;
    uint64_t end = 0;
    if (!loops->inside[node])
      continue;
    left--;
    if (begin == UNREACHED)
      continue;
    (void)wb_warp_search_node(search, node, begin, &waited, &cycles);
    if (!wb_add(begin, cycles, &end))
      continue;
    for (size_t i = flow->leaving.first[node]; i < flow->leaving.first[node + 1]; i++) {
      uint64_t *next = &loops->begin[search->graph->to[flow->leaving.item[i]]];
      *next = wb_minimum(*next, end);
    }
  }
  for (size_t m = 0; m < loops->member_count; m++)
    loops->inside[loops->members[m]] = false;
  return waited;
}

/* Nothing that some instruction of its loop waits for comes into a header from outside. */
static void cap_at_nothing(struct loops *loops, uint32_t header)
{
  const struct wb_pending waited = find_first_waits(loops, header);
  struct wb_pending first = waited;
  for (size_t k = 0; k < WB_KEEPER_COUNT; k++)
    *wb_pending_of(&loops->cap[header], k) =
        *wb_pending_of(&first, k) < UINT64_MAX ? 0 : UINT64_MAX;
}

/* What costs no turn of the loop comes: what its own turns leave, and what is over when the first
 * instruction of it waits. */
static void cap_at_steady(struct loops *loops, uint32_t header)
{
  struct wb_pending waited = find_first_waits(loops, header);
  struct wb_pending *steady = &loops->search->pending[header];
  for (size_t k = 0; k < WB_KEEPER_COUNT; k++)
    *wb_pending_of(&loops->cap[header], k) =
        wb_maximum(*wb_pending_of(&waited, k), *wb_pending_of(steady, k));
}

static void cap_all(struct loops *loops, void (*cap)(struct loops *, uint32_t))
{
  for (size_t n = 0; n < loops->search->flow.reached_count; n++) {
    const uint32_t node = loops->search->flow.order[n];
    if (loops->header[node])
      cap(loops, node);
  }
}

/* What is left before each edge into a loop above the header's state is paid on it. */
static void pay(const struct loops *loops)
{
  struct wb_warp_search *search = loops->search;
  const struct wb_warp_flow *flow = &search->flow;
  for (size_t n = 0; n < flow->reached_count; n++) {
    const uint32_t node = flow->order[n];
    uint64_t cycles = 0;
    struct wb_pending left = wb_warp_search_node(search, node, 0, NULL, &cycles);
    for (size_t i = flow->leaving.first[node]; i < flow->leaving.first[node + 1]; i++) {
      const uint32_t edge = flow->leaving.item[i];
      struct wb_pending *at = &search->pending[search->graph->to[edge]];
      for (size_t k = 0; k < WB_KEEPER_COUNT && loops->entry[edge]; k++) {
        const uint64_t before = *wb_pending_of(&left, k);
        const uint64_t after = *wb_pending_of(at, k);
        uint64_t *advance = &search->advance[edge];
        *advance = wb_maximum(*advance, before > after ? before - after : 0);
      }
    }
  }
}

bool wb_warp_search_advance(struct wb_warp_search *search, struct wb_arena *scratch)
{
  const struct wb_timing_graph *graph = search->graph;
  struct loops loops = {.search = search};
  if (!find_headers(scratch, &loops))
    return false;
  if (loops.header_count == 0)
    return true;
  loops.cap = wb_arena_array(scratch, struct wb_pending, graph->node_count);
  loops.inside = wb_arena_array(scratch, bool, graph->node_count);
  loops.members = wb_arena_array(scratch, uint32_t, graph->node_count);
  loops.begin = wb_arena_array(scratch, uint64_t, graph->node_count);
  if (!wb_buckets_make(scratch, graph->to, graph->edge_count, graph->node_count, &loops.entering) ||
      scratch->failed)
    return false;
  /* Which keepers the loops wait for does not depend on the states, which are all 0 as yet. */
  search->entry = loops.entry;
  search->cap = loops.cap;
  cap_all(&loops, cap_at_nothing);
  wb_warp_search_states(search);
  cap_all(&loops, cap_at_steady);
  wb_warp_search_states(search);
  pay(&loops);
  search->entry = NULL;
  search->cap = NULL;
  return true;
}

#include "certificate/flow/paths_phases.h"

#include "base/checked.h"

#define UNSEEN WB_CHECK_PATH_UNSEEN

/* ---- phases ---- */

/* A search of the graph: lists of edges by the node that they leave (or enter), ended by UNSEEN,
 * and the queue of nodes. */
struct reach {
  /* By node: the first edge of its list. */
  uint32_t *first;
  /* By edge: the next of the list. */
  uint32_t *next;
  uint32_t *queue;
};

/* Lists the edges by one of their nodes. */
static void list_edges(const struct wb_flow_system *system, const uint32_t *node,
                       struct reach *reach)
{
  for (size_t v = 0; v < system->node_count; v++)
    reach->first[v] = UNSEEN;
  for (size_t e = 0; e < system->edge_count; e++) {
    reach->next[e] = reach->first[node[e]];
    reach->first[node[e]] = (uint32_t)e;
  }
}

static struct reach make_reach(struct wb_arena *arena, const struct wb_flow_system *system)
{
  return (struct reach){.first = wb_arena_array(arena, uint32_t, system->node_count),
                        .next = wb_arena_array(arena, uint32_t, system->edge_count),
                        .queue = wb_arena_array(arena, uint32_t, system->node_count)};
}

/* Whether all walks to a node, and from a start, pass equally many barriers. */
static bool nodes_agree(const struct wb_check_path_phases *phases)
{
  const struct wb_flow_system *system = phases->graph.system;
  bool agree = true;
  for (size_t e = 0; e < system->edge_count; e++) {
    const uint32_t from = system->from[e];
    agree &= phases->never[e] || phases->phase[from] == UNSEEN ||
             phases->phase[system->to[e]] == phases->phase[from] + phases->graph.barrier[from];
  }
  for (size_t s = 0; s < system->start_count; s++)
    agree &= system->starts[s].runs == 0 || phases->phase[system->starts[s].node] == 0;
  return agree;
}

warpbound_status wb_check_path_phases_make(struct wb_arena *arena,
                                           const struct wb_check_path_graph *graph,
                                           struct wb_check_path_phases *phases,
                                           warpbound_error *error)
{
  struct reach reach = make_reach(arena, graph->system);
  *phases = (struct wb_check_path_phases){
      .graph = *graph,
      .never = wb_arena_array(arena, bool, graph->system->edge_count),
      .phase = wb_arena_array(arena, uint32_t, graph->system->node_count)};
  if (arena->failed)
    return wb_out_of_memory(error);
  /* No path takes an edge of a limit of at most 0 that has no negative factor. */
  const struct wb_flow_system *system = phases->graph.system;
  for (size_t l = 0; l < system->limit_count; l++) {
    const struct wb_flow_limit *limit = &system->limits[l];
    const struct wb_flow_term *terms = system->terms + limit->first_term;
    bool forbids = limit->constant <= 0;
    for (size_t t = 0; t < limit->term_count; t++)
      forbids &= terms[t].factor >= 0;
    for (size_t t = 0; t < limit->term_count && forbids; t++)
      phases->never[terms[t].edge] |= terms[t].factor > 0;
  }
  /* Counts the barriers before each node, on some walk to it. */
  size_t tail = 0;
  list_edges(system, system->from, &reach);
  for (size_t v = 0; v < system->node_count; v++)
    phases->phase[v] = UNSEEN;
  for (size_t s = 0; s < system->start_count; s++) {
    if (system->starts[s].runs == 0 || phases->phase[system->starts[s].node] != UNSEEN)
      continue;
    phases->phase[system->starts[s].node] = 0;
    reach.queue[tail++] = system->starts[s].node;
  }
  for (size_t head = 0; head < tail; head++) {
    const uint32_t from = reach.queue[head];
    for (uint32_t e = reach.first[from]; e != UNSEEN; e = reach.next[e]) {
      const uint32_t to = system->to[e];
      if (phases->phase[to] != UNSEEN || phases->never[e])
        continue;
      phases->phase[to] = phases->phase[from] + phases->graph.barrier[from];
      reach.queue[tail++] = to;
    }
  }
  /* The count is that of all walks to a node, and of all to an end. */
  uint32_t whole = UNSEEN;
  bool same = phases->graph.final != NULL && nodes_agree(phases);
  for (size_t v = 0; same && v < system->node_count; v++) {
    if (!phases->graph.final[v] || phases->phase[v] == UNSEEN)
      continue;
    const uint32_t passed = phases->phase[v] + phases->graph.barrier[v];
    same = whole == UNSEEN || whole == passed;
    whole = passed;
  }
  phases->count = same && whole != UNSEEN ? whole + 1 : 0;
  return WARPBOUND_OK;
}

/* ---- composite paths ---- */

/* The sums of a limit's factors from one barrier to the next. */
struct stretch {
  struct reach lists;
  /* By edge: its factor in the limit. */
  int64_t *factor;
  /* By node that was seen: the sum from the barrier to it. */
  int64_t *sum;
  bool *seen;
  /* By node: groups of lanes run there; of a walk at all that can be reached. */
  bool *group;
  /* By node: some barrier is there or can be reached. */
  bool *leads_on;
};

static bool has_barrier(const struct wb_check_path_phases *phases, uint32_t node)
{
  return phases->graph.barrier[node];
}

/* Marks the nodes from which some barrier can be reached, backwards from each of them. */
static void mark_leading(const struct wb_check_path_phases *phases, struct stretch *stretch)
{
  const struct wb_flow_system *system = phases->graph.system;
  size_t tail = 0;
  list_edges(system, system->to, &stretch->lists);
  for (uint32_t v = 0; v < system->node_count; v++) {
    stretch->leads_on[v] = has_barrier(phases, v);
    if (stretch->leads_on[v])
      stretch->lists.queue[tail++] = v;
  }
  for (size_t head = 0; head < tail; head++) {
    for (uint32_t e = stretch->lists.first[stretch->lists.queue[head]]; e != UNSEEN;
         e = stretch->lists.next[e]) {
      if (phases->never[e] || stretch->leads_on[system->from[e]])
        continue;
      stretch->leads_on[system->from[e]] = true;
      stretch->lists.queue[tail++] = system->from[e];
    }
  }
  list_edges(system, system->from, &stretch->lists);
}

/* Follows the edges of a node; false where a node that leads to a barrier gets a second sum. */
static bool step(const struct wb_check_path_phases *phases, struct stretch *stretch, uint32_t node,
                 int64_t sum, size_t *tail)
{
  const struct wb_flow_system *system = phases->graph.system;
  for (uint32_t e = stretch->lists.first[node]; e != UNSEEN; e = stretch->lists.next[e]) {
    const uint32_t to = system->to[e];
    int64_t there;
    if (phases->never[e] || !stretch->leads_on[to])
      continue;
    if (!wb_add_signed(sum, stretch->factor[e], &there) ||
        (stretch->seen[to] && stretch->sum[to] != there))
      return false;
    if (stretch->seen[to])
      continue;
    stretch->seen[to] = true;
    stretch->sum[to] = there;
    stretch->lists.queue[(*tail)++] = to;
  }
  return true;
}

/* Whether all walks from a node to each barrier that can come next have one sum. */
static bool settled_from(const struct wb_check_path_phases *phases, struct stretch *stretch,
                         uint32_t node)
{
  size_t tail = 0;
  for (size_t v = 0; v < phases->graph.system->node_count; v++)
    stretch->seen[v] = false;
  bool settled = step(phases, stretch, node, 0, &tail);
  for (size_t head = 0; head < tail && settled; head++) {
    const uint32_t at = stretch->lists.queue[head];
    settled = has_barrier(phases, at) || step(phases, stretch, at, stretch->sum[at], &tail);
  }
  return settled;
}

/* ---- composite paths of several groups of lanes ---- */

/* Checks that the limit is of edges of groups; unless it is kept anyway, of the warp as a whole. */
static warpbound_status check_groups(const struct wb_check_path_phases *phases, const bool *group,
                                     const bool *interleaved, bool kept_anyway, size_t limit,
                                     warpbound_error *error)
{
  const struct wb_flow_system *system = phases->graph.system;
  const struct wb_flow_limit *row = &system->limits[limit];
  bool kept = true;
  for (size_t t = 0; t < row->term_count; t++) {
    const uint32_t edge = system->terms[row->first_term + t].edge;
    const uint32_t from = system->from[edge];
    const uint32_t to = system->to[edge];
    kept &= group[from] && group[to];
    kept &= kept_anyway || interleaved == NULL || (!interleaved[from] && !interleaved[to]);
  }
  return kept ? WARPBOUND_OK
              : wb_fail(error, WARPBOUND_CHECK_FAILED,
                        "limit %zu has a price, but need not hold of several groups of lanes, "
                        "which several warps share between barriers",
                        limit);
}

warpbound_status wb_check_path_composites(struct wb_arena *arena,
                                          const struct wb_check_path_phases *phases,
                                          const struct wb_check_path_limits *limits,
                                          warpbound_error *error)
{
  const struct wb_flow_system *system = phases->graph.system;
  struct stretch stretch = {.lists = make_reach(arena, system),
                            .factor = wb_arena_array(arena, int64_t, system->edge_count),
                            .sum = wb_arena_array(arena, int64_t, system->node_count),
                            .seen = wb_arena_array(arena, bool, system->node_count),
                            .group = wb_arena_array(arena, bool, system->node_count),
                            .leads_on = wb_arena_array(arena, bool, system->node_count)};
  if (arena->failed)
    return wb_out_of_memory(error);
  warpbound_status status = WARPBOUND_OK;
  mark_leading(phases, &stretch);
  /* The nodes of groups; those of lanes are apart from them. */
  bool *group = stretch.group;
  size_t tail = 0;
  group[system->starts[0].node] = true;
  stretch.lists.queue[tail++] = system->starts[0].node;
  for (size_t head = 0; head < tail; head++) {
    for (uint32_t e = stretch.lists.first[stretch.lists.queue[head]]; e != UNSEEN;
         e = stretch.lists.next[e]) {
      if (group[system->to[e]])
        continue;
      group[system->to[e]] = true;
      stretch.lists.queue[tail++] = system->to[e];
    }
  }
  const bool walk = wb_flow_system_is_walk(system);
  for (size_t l = 0; l < system->limit_count && status == WARPBOUND_OK; l++) {
    /* Local limits hold of each stretch between barriers, and so of their sum where the constant is
     * 0; common ones have the same sum in the stretches of all warps. */
    const bool kept = (limits->local != NULL && limits->local[l] &&
                       phases->graph.system->limits[l].constant == 0) ||
                      (limits->common != NULL && limits->common[l]);
    if (limits->priced[l] && !walk)
      status = check_groups(phases, stretch.group, limits->interleaved, kept, l, error);
    if (limits->priced[l] && !kept && status == WARPBOUND_OK) {
      /* Checks that composite paths keep a limit, which has a price. */
      const struct wb_flow_limit *row = &system->limits[l];
      for (size_t e = 0; e < system->edge_count; e++)
        stretch.factor[e] = 0;
      for (size_t t = 0; t < row->term_count; t++)
        stretch.factor[system->terms[row->first_term + t].edge] =
            system->terms[row->first_term + t].factor;
      bool settled = settled_from(phases, &stretch, system->starts[0].node);
      for (uint32_t v = 0; v < system->node_count && settled; v++)
        settled = !has_barrier(phases, v) || settled_from(phases, &stretch, v);
      status = settled
                   ? WARPBOUND_OK
                   : wb_fail(error, WARPBOUND_CHECK_FAILED,
                             "limit %zu has a price, but need not hold of paths that several warps "
                             "share between barriers",
                             l);
    }
  }
  return status;
}

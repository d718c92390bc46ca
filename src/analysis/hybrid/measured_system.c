#include "analysis/hybrid/measured_system.h"

#include "base/checked.h"
#include "base/memory.h"
#include "ipet/system/ipet_system.h"

#include <stdlib.h>

/* Numbers of our limits, above those of cases of exclusive facts. */
#define FIRST_ORIGIN (WB_IPET_ORIGIN_CASE + (1 << 24))

/* The change of a system. */
struct change {
  const struct wb_warp_graph *graph;
  const struct wb_segment_costs *costs;
  struct wb_flow_system *system;
  size_t *first_edge; /* by block: the first edge that leaves it; and one more. Edges stand by it */
  bool *exact;        /* by block: each of its runs is left by one edge, or ends the warp */
  int64_t *least;     /* by block: what each way to leave it costs at least */
  size_t nodes;       /* that are added, each with an edge */
};

/* Costs of blocks, and how many nodes and edges those of the others need. Of an exact block's edges
 * one is taken for each run, or none where the warp ends: all edges are in one port, which says so.
 */
static bool charge_blocks(struct change *change)
{
  const struct wb_segment_costs *costs = change->costs;
  const struct wb_flow_system *system = change->system;
  const bool walk = wb_flow_system_is_walk(system);
  size_t port = 0;
  for (uint32_t b = 0; b < change->graph->block_count; b++) {
    const size_t first = port;
    while (port < system->port_count && system->port_node[port] == b)
      port++;
    bool exact = port == first + 1 && (walk || !system->ends[first]);
    for (size_t e = change->first_edge[b]; e < change->first_edge[b + 1]; e++)
      exact = exact && system->port[e] == first;
    change->exact[b] = exact;
    /* The least cost of the ways to leave an exact block, the largest of another one's. */
    bool any = change->graph->ends[b];
    int64_t own = any ? costs->end[b] : 0;
    for (size_t e = change->first_edge[b]; e < change->first_edge[b + 1]; e++) {
      if (!any || (costs->edge[e] < own) != !exact)
        own = costs->edge[e];
      any = true;
    }
    if (!wb_add_signed(costs->node[b], own, &system->cycles[b]))
      return false;
    change->least[b] = own;
    for (size_t e = change->first_edge[b]; e < change->first_edge[b + 1]; e++)
      change->nodes += exact && costs->edge[e] > own;
    change->nodes += exact && change->graph->ends[b] && costs->end[b] > own;
  }
  change->nodes += costs->start > 0;
  return true;
}

/* A new node of a cost, with a port. */
static uint32_t add_node(struct wb_flow_system *system, int64_t cycles, bool ends)
{
  const uint32_t node = (uint32_t)system->node_count++;
  system->cycles[node] = cycles;
  system->port_node[system->port_count] = node;
  system->ends[system->port_count++] = ends;
  return node;
}

static void add_edge(struct wb_flow_system *system, uint32_t from, uint32_t to, uint32_t port)
{
  system->from[system->edge_count] = from;
  system->to[system->edge_count] = to;
  system->port[system->edge_count++] = port;
}

/* A new node of a cost on the way to a node. */
static uint32_t add_node_before(struct wb_flow_system *system, uint32_t to, int64_t cycles)
{
  const uint32_t node = add_node(system, cycles, false);
  add_edge(system, node, to, (uint32_t)system->port_count - 1);
  return node;
}

/* Puts nodes of what is above the least cost on the ways that leave blocks, and on the start. */
static void charge_ways(struct change *change)
{
  const struct wb_segment_costs *costs = change->costs;
  struct wb_flow_system *system = change->system;
  for (uint32_t b = 0; b < change->graph->block_count; b++) {
    const int64_t least = change->least[b];
    if (!change->exact[b])
      continue;
    for (size_t e = change->first_edge[b]; e < change->first_edge[b + 1]; e++) {
      if (costs->edge[e] > least)
        system->to[e] = add_node_before(system, system->to[e], costs->edge[e] - least);
    }
    /* The warp then ends in a node of its own; so this is for walks alone. */
    if (change->graph->ends[b] && costs->end[b] > least) {
      const uint32_t node = add_node(system, costs->end[b] - least, true);
      system->ends[b] = false;
      add_edge(system, b, node, b);
    }
  }
  if (costs->start > 0)
    system->starts[0].node = add_node_before(system, system->starts[0].node, costs->start);
}

warpbound_status wb_measured_system_costs(const struct wb_warp_graph *graph,
                                          const struct wb_segment_costs *costs,
                                          struct wb_arena *arena, struct wb_flow_system *system,
                                          warpbound_error *error)
{
  struct change change = {.graph = graph,
                          .costs = costs,
                          .system = system,
                          .first_edge = wb_arena_array(arena, size_t, graph->block_count + 1),
                          .exact = wb_arena_array(arena, bool, graph->block_count),
                          .least = wb_arena_array(arena, int64_t, graph->block_count)};
  if (arena->failed)
    return wb_out_of_memory(error);
  for (size_t e = 0; e < graph->edge_count; e++)
    change.first_edge[graph->edges[e].from + 1] = e + 1;
  for (size_t b = 0; b < graph->block_count; b++) {
    if (change.first_edge[b + 1] < change.first_edge[b])
      change.first_edge[b + 1] = change.first_edge[b];
  }
  if (!charge_blocks(&change))
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "the cycles of segments do not fit into 64 bits: %.120s", graph->function->name);
  if (!wb_flow_system_extend(change.system, change.nodes, change.nodes, change.nodes))
    return wb_out_of_memory(error);
  charge_ways(&change);
  return WARPBOUND_OK;
}

/* ---- observed counts ---- */

/* Adds the runs of a block; a run that needs no edge goes to the constant. */
static bool add_runs(const struct wb_warp_graph *graph, uint32_t block, int64_t factor,
                     struct wb_flow_system *system)
{
  if (system->failed)
    return true;
  int64_t *constant = &system->limits[system->limit_count - 1].constant;
  if (block == graph->entry_block && !wb_subtract_signed(*constant, factor, constant))
    return false;
  for (uint32_t e = 0; e < graph->edge_count; e++) {
    if (graph->edges[e].to == block && !wb_flow_term_add(system, e, factor))
      return false;
  }
  return true;
}

/* The runs of the blocks of a place, each as often as it has points of it. */
static bool limit_place(const struct wb_warp_graph *graph, const struct wb_measured_points *points,
                        uint32_t place, struct wb_flow_system *system)
{
  bool fits = true;
  wb_flow_limit_add(system, points->most_runs[place], FIRST_ORIGIN + place);
  for (uint32_t b = 0; b < graph->block_count && fits; b++) {
    int64_t factor = 0;
    for (uint32_t i = graph->blocks[b].first; i <= graph->blocks[b].last; i++)
      factor += points->place_of[i] == place;
    fits = factor == 0 || add_runs(graph, b, factor, system);
  }
  return fits;
}

warpbound_status wb_measured_system_counts(const struct wb_warp_graph *graph,
                                           const struct wb_measured_points *points,
                                           const struct wb_segment_costs *costs,
                                           struct wb_flow_system *system, warpbound_error *error)
{
  bool fits = true;
  uint32_t origin = FIRST_ORIGIN + (uint32_t)points->place_count;
  for (uint32_t p = 0; p < points->place_count && fits; p++)
    fits = points->most_runs[p] < 0 || limit_place(graph, points, p, system);
  for (size_t t = 0; t < points->transition_count && fits; t++) {
    const struct wb_transition *transition = &points->transitions[t];
    if (transition->count < 0 || transition->from == points->start)
      continue;
    /* By the edges that no other transition from its place goes over. */
    wb_flow_limit_add(system, transition->count, origin++);
    for (uint32_t e = 0; e < graph->edge_count; e++) {
      if (costs->last_place[graph->edges[e].from] == transition->from &&
          costs->only_next[e] == transition->to)
        (void)wb_flow_term_add(system, e, 1); /* a single 1 fits */
    }
  }
  /* Of groups a port says that lanes may stay, not that the warp ends. */
  const bool walk = wb_flow_system_is_walk(system);
  for (uint32_t b = 0; b < graph->block_count && walk; b++)
    system->ends[b] = system->ends[b] && !costs->never_end[b];
  for (uint32_t b = 0; b < graph->block_count && fits; b++) {
    if (!costs->never_block[b])
      continue;
    wb_flow_limit_add(system, 0, origin++);
    fits = add_runs(graph, b, 1, system);
  }
  for (uint32_t e = 0; e < graph->edge_count; e++) {
    if (!costs->never_edge[e])
      continue;
    wb_flow_limit_add(system, 0, origin++);
    (void)wb_flow_term_add(system, e, 1);
  }
  if (system->failed)
    return wb_out_of_memory(error);
  return fits ? WARPBOUND_OK
              : wb_fail(error, WARPBOUND_INVALID_INPUT,
                        "the counts do not fit into 64 bits: %.120s", graph->function->name);
}

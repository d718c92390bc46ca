#include "analysis/hybrid/measured_system.h"

#include "base/checked.h"
#include "base/memory.h"
#include "ipet/system/ipet_input.h"

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
  size_t nodes, edges; /* that are added */
  warpbound_error *error;
};

static warpbound_status too_large(const struct change *change)
{
  return wb_fail(change->error, WARPBOUND_INVALID_INPUT,
                 "the cycles of segments do not fit into 64 bits: %.120s",
                 change->graph->function->name);
}

static bool make_room(struct change *change)
{
  const struct wb_warp_graph *graph = change->graph;
  change->first_edge = wb_allocate(graph->block_count + 1, sizeof *change->first_edge);
  change->exact = wb_allocate(graph->block_count, sizeof *change->exact);
  change->least = wb_allocate(graph->block_count, sizeof *change->least);
  if (change->first_edge == NULL || change->exact == NULL || change->least == NULL)
    return false;
  for (size_t e = 0; e < graph->edge_count; e++)
    change->first_edge[graph->edges[e].from + 1] = e + 1;
  for (size_t b = 0; b < graph->block_count; b++) {
    if (change->first_edge[b + 1] < change->first_edge[b])
      change->first_edge[b + 1] = change->first_edge[b];
  }
  return true;
}

static void free_room(struct change *change)
{
  free(change->first_edge);
  free(change->exact);
  free(change->least);
}

/* Finds the blocks of whose edges exactly one is taken for each run, or none where the warp ends:
 * all edges are in one port, which says so. */
static void find_exact(struct change *change)
{
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
  }
}

/* The least, or the largest, cost of the ways to leave a block. */
static int64_t bound_of_ways(const struct change *change, uint32_t block, bool largest)
{
  const struct wb_segment_costs *costs = change->costs;
  bool any = change->graph->ends[block];
  int64_t bound = any ? costs->end[block] : 0;
  for (size_t e = change->first_edge[block]; e < change->first_edge[block + 1]; e++) {
    if (!any || (costs->edge[e] < bound) != largest)
      bound = costs->edge[e];
    any = true;
  }
  return bound;
}

/* Costs of blocks, and how many nodes and edges those of the others need. */
static bool charge_blocks(struct change *change)
{
  const struct wb_segment_costs *costs = change->costs;
  for (uint32_t b = 0; b < change->graph->block_count; b++) {
    const int64_t own = bound_of_ways(change, b, !change->exact[b]);
    if (!wb_add_signed(costs->node[b], own, &change->system->cycles[b]))
      return false;
    change->least[b] = own;
    for (size_t e = change->first_edge[b]; e < change->first_edge[b + 1]; e++)
      change->nodes += change->exact[b] && costs->edge[e] > own;
    change->nodes += change->exact[b] && change->graph->ends[b] && costs->end[b] > own;
  }
  change->nodes += costs->start > 0;
  change->edges = change->nodes;
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

static void charge_edge(struct change *change, size_t edge)
{
  struct wb_flow_system *system = change->system;
  const uint32_t to = system->to[edge];
  const uint32_t node =
      add_node(system, change->costs->edge[edge] - change->least[system->from[edge]], false);
  system->to[edge] = node;
  add_edge(system, node, to, (uint32_t)system->port_count - 1);
}

/* The warp then ends in a node of its own; so this is for walks alone. */
static void charge_end(struct change *change, uint32_t block)
{
  struct wb_flow_system *system = change->system;
  const uint32_t node = add_node(system, change->costs->end[block] - change->least[block], true);
  system->ends[block] = false;
  add_edge(system, block, node, block);
}

static void charge_start(struct change *change)
{
  struct wb_flow_system *system = change->system;
  const uint32_t entry = system->starts[0].node;
  system->starts[0].node = add_node(system, change->costs->start, false);
  add_edge(system, system->starts[0].node, entry, (uint32_t)system->port_count - 1);
}

static void charge_ways(struct change *change)
{
  const struct wb_segment_costs *costs = change->costs;
  for (uint32_t b = 0; b < change->graph->block_count; b++) {
    if (!change->exact[b])
      continue;
    for (size_t e = change->first_edge[b]; e < change->first_edge[b + 1]; e++) {
      if (costs->edge[e] > change->least[b])
        charge_edge(change, e);
    }
    if (change->graph->ends[b] && costs->end[b] > change->least[b])
      charge_end(change, b);
  }
  if (costs->start > 0)
    charge_start(change);
}

warpbound_status wb_measured_system_costs(const struct wb_warp_graph *graph,
                                          const struct wb_segment_costs *costs,
                                          struct wb_flow_system *system, warpbound_error *error)
{
  struct change change = {.graph = graph, .costs = costs, .system = system, .error = error};
  warpbound_status status = WARPBOUND_OK;
  if (!make_room(&change)) {
    status = wb_out_of_memory(error);
  } else {
    find_exact(&change);
    if (!charge_blocks(&change))
      status = too_large(&change);
    else if (!wb_flow_system_extend(change.system, change.nodes, change.edges, change.nodes))
      status = wb_out_of_memory(error);
    else
      charge_ways(&change);
  }
  free_room(&change);
  return status;
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

/* How many points of a place stand in a block. */
static int64_t points_in(const struct wb_measured_points *points, const struct wb_warp_block *block,
                         uint32_t place)
{
  int64_t count = 0;
  for (uint32_t i = block->first; i <= block->last; i++)
    count += points->place_of[i] == place;
  return count;
}

static bool limit_place(const struct wb_warp_graph *graph, const struct wb_measured_points *points,
                        uint32_t place, struct wb_flow_system *system)
{
  bool fits = true;
  wb_flow_limit_add(system, points->most_runs[place], FIRST_ORIGIN + place);
  for (uint32_t b = 0; b < graph->block_count && fits; b++) {
    const int64_t factor = points_in(points, &graph->blocks[b], place);
    fits = factor == 0 || add_runs(graph, b, factor, system);
  }
  return fits;
}

/* A transition, by the edges that no other transition from its place goes over. */
static void limit_transition(const struct wb_warp_graph *graph,
                             const struct wb_segment_costs *costs,
                             const struct wb_transition *transition, uint32_t origin,
                             struct wb_flow_system *system)
{
  wb_flow_limit_add(system, transition->count, origin);
  for (uint32_t e = 0; e < graph->edge_count; e++) {
    if (costs->last_place[graph->edges[e].from] == transition->from &&
        costs->only_next[e] == transition->to)
      (void)wb_flow_term_add(system, e, 1); /* a single 1 fits */
  }
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
    if (transition->count >= 0 && transition->from != points->start)
      limit_transition(graph, costs, transition, origin++, system);
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

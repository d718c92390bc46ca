/* The loop forest in two steps. First the natural loops, from inner to outer, by Tarjan's
 * method of merging a loop into its header (Testing Flow Graph Reducibility, 1974). What is
 * left between the nodes of one natural loop, its inner loops merged, has no cycle with a
 * single entry: each of its strongly connected regions is irreducible. Second, wave by wave,
 * these regions, and those of what they are without their headers.
 * A natural loop whose header turns out to be one of several headers of a region is no loop
 * of its own: its back edges go to a header of the region. Nothing but its header ties its
 * inner nodes to the region, so that what was found inside of it stands. */
#include "cfg/graph/loops.h"

#include "base/memory.h"
#include "cfg/graph/dominators.h"
#include "cfg/graph/irreducible_regions.h"
#include "cfg/graph/natural_loops.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* Work under way. headed: by node, the loop of which it is a header, or NONE; position: by node,
 * where it stands in the forest's nodes; region_loop: by region, its loop, NONE until it is met. */
struct work {
  const struct wb_flow_graph *graph;
  struct wb_edge_lists incoming;
  struct wb_dominators dominators;
  struct wb_natural_loops natural;
  struct wb_irreducible_regions regions;
  struct wb_loop_forest *forest;
  size_t loop_capacity;
  uint32_t *headed;
  uint32_t *position;
  uint32_t *region_loop;
};

/* The loop whose header is `natural`, or the region that took its place; NONE for none. */
static uint32_t loop_of(const struct work *work, uint32_t natural)
{
  return natural == NONE ? NONE : work->headed[natural];
}

static bool add_loop(struct work *work, uint32_t header, uint32_t parent, bool irreducible)
{
  struct wb_loop_forest *forest = work->forest;
  if (!wb_grow(forest->loops, &work->loop_capacity, forest->loop_count + 1))
    return false;
  uint32_t depth = parent == NONE ? 1 : forest->loops[parent].depth + 1;
  forest->loops[forest->loop_count++] = (struct wb_loop){
      .header = header, .parent = parent, .depth = depth, .irreducible = irreducible};
  return true;
}

/* The loop that the node is the first to be met of, if any. What encloses it was met before:
 * the first node of a loop that a search from the entry meets is one of its headers. */
static bool emit_loop(struct work *work, uint32_t node)
{
  uint32_t region = work->regions.region[node];
  bool region_header = work->regions.is_header[node];
  uint32_t next = (uint32_t)work->forest->loop_count;
  uint32_t around = loop_of(work, work->natural.around[node]);
  if (region_header && work->region_loop[region] == NONE) {
    work->region_loop[region] = next;
    uint32_t outer = work->regions.outer[region];
    uint32_t parent = outer != NONE ? work->region_loop[outer] : around;
    if (!add_loop(work, node, parent, true))
      return false;
  }
  uint32_t enclosing = region != NONE ? work->region_loop[region] : around;
  if (region_header) {
    work->headed[node] = enclosing;
  } else if (work->natural.is_header[node]) {
    work->headed[node] = next;
    if (!add_loop(work, node, enclosing, false))
      return false;
  }
  work->forest->innermost[node] = work->headed[node] != NONE ? work->headed[node] : enclosing;
  return true;
}

/* Loops in the order in which they are met. */
static bool emit_loops(struct work *work)
{
  for (size_t n = 0; n < work->dominators.reached; n++) {
    if (!emit_loop(work, work->dominators.order[n]))
      return false;
  }
  return true;
}

/* The nodes of each loop in a row, those of inner loops within: counted upwards, handed out
 * downwards. */
static bool place_nodes(struct work *work)
{
  struct wb_loop_forest *forest = work->forest;
  const struct wb_dominators *dominators = &work->dominators;
  size_t *free_place = wb_allocate(forest->loop_count, sizeof *free_place);
  if (free_place == NULL)
    return false;
  for (size_t n = 0; n < dominators->reached; n++) {
    uint32_t loop = forest->innermost[dominators->order[n]];
    if (loop != NONE)
      forest->loops[loop].node_count++;
  }
  for (size_t l = forest->loop_count; l-- > 0;) {
    if (forest->loops[l].parent != NONE)
      forest->loops[forest->loops[l].parent].node_count += forest->loops[l].node_count;
  }
  size_t outermost = 0;
  for (size_t l = 0; l < forest->loop_count; l++) {
    struct wb_loop *loop = &forest->loops[l];
    size_t *around = loop->parent != NONE ? &free_place[loop->parent] : &outermost;
    loop->first_node = free_place[l] = *around;
    *around += loop->node_count;
  }
  for (size_t n = 0; n < dominators->reached; n++) {
    uint32_t node = dominators->order[n];
    if (forest->innermost[node] == NONE)
      continue;
    work->position[node] = (uint32_t)free_place[forest->innermost[node]]++;
    forest->nodes[work->position[node]] = node;
  }
  free(free_place);
  return true;
}

/* The loop that an edge is a back edge of, or NONE. */
static uint32_t loop_closed_by(const struct work *work, size_t edge)
{
  const struct wb_flow_graph *graph = work->graph;
  uint32_t loop = work->headed[graph->to[edge]];
  uint32_t from = graph->from[edge];
  if (loop == NONE || work->dominators.number[from] == NONE ||
      work->forest->innermost[from] == NONE)
    return NONE;
  const struct wb_loop *row = &work->forest->loops[loop];
  return work->position[from] - row->first_node < row->node_count ? loop : NONE;
}

static void place_back_edges(struct work *work)
{
  struct wb_loop_forest *forest = work->forest;
  size_t edges = work->graph->edge_count;
  for (size_t e = 0; e < edges; e++) {
    uint32_t loop = loop_closed_by(work, e);
    if (loop != NONE)
      forest->loops[loop].back_edge_count++;
  }
  size_t first = 0;
  for (size_t l = 0; l < forest->loop_count; l++) {
    forest->loops[l].first_back_edge = first;
    first += forest->loops[l].back_edge_count;
    forest->loops[l].back_edge_count = 0;
  }
  for (size_t e = 0; e < edges; e++) {
    uint32_t l = loop_closed_by(work, e);
    if (l == NONE)
      continue;
    struct wb_loop *loop = &forest->loops[l];
    forest->back_edges[loop->first_back_edge + loop->back_edge_count++] = (uint32_t)e;
  }
}

static bool allocate(struct work *work)
{
  size_t nodes = work->graph->node_count;
  size_t edges = work->graph->edge_count;
  size_t regions = work->regions.count;
  struct wb_loop_forest *forest = work->forest;
  work->headed = wb_allocate(nodes, sizeof *work->headed);
  work->position = wb_allocate(nodes, sizeof *work->position);
  work->region_loop = wb_allocate(regions, sizeof *work->region_loop);
  forest->back_edges = wb_allocate(edges, sizeof *forest->back_edges);
  forest->nodes = wb_allocate(nodes, sizeof *forest->nodes);
  forest->innermost = wb_allocate(nodes, sizeof *forest->innermost);
  if (work->headed == NULL || work->position == NULL || work->region_loop == NULL ||
      forest->back_edges == NULL || forest->nodes == NULL || forest->innermost == NULL)
    return false;
  memset(work->headed, 0xff, nodes * sizeof *work->headed);
  memset(work->region_loop, 0xff, regions * sizeof *work->region_loop);
  memset(forest->innermost, 0xff, nodes * sizeof *forest->innermost);
  return true;
}

static bool make(struct work *work)
{
  const struct wb_flow_graph *graph = work->graph;
  if (!wb_natural_loops_make(graph, &work->incoming, &work->dominators, &work->natural) ||
      !wb_irreducible_regions_make(&work->incoming, &work->dominators, work->natural.source,
                                   graph->node_count, &work->regions) ||
      !allocate(work) || !emit_loops(work) || !place_nodes(work))
    return false;
  place_back_edges(work);
  return true;
}

static void work_free(struct work *work)
{
  wb_edge_lists_free(&work->incoming);
  wb_dominators_free(&work->dominators);
  wb_natural_loops_free(&work->natural);
  wb_irreducible_regions_free(&work->regions);
  free(work->headed);
  free(work->position);
  free(work->region_loop);
}

warpbound_status wb_loop_forest_make(const struct wb_flow_graph *graph,
                                     struct wb_loop_forest *forest, warpbound_error *error)
{
  *forest = (struct wb_loop_forest){0};
  struct work work = {.graph = graph, .forest = forest};
  warpbound_status status = WARPBOUND_OK;
  if (!wb_edge_lists_make(graph->to, graph->edge_count, graph->node_count, &work.incoming))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = wb_dominators_make(graph, &work.incoming, &work.dominators, error);
  if (status == WARPBOUND_OK && !make(&work))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK) {
    forest->dominators = work.dominators.immediate;
    work.dominators.immediate = NULL;
  } else {
    wb_loop_forest_free(forest);
  }
  work_free(&work);
  return status;
}

void wb_loop_forest_free(struct wb_loop_forest *forest)
{
  free(forest->loops);
  free(forest->back_edges);
  free(forest->nodes);
  free(forest->innermost);
  free(forest->dominators);
  *forest = (struct wb_loop_forest){0};
}

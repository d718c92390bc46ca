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

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* The forest under way. */
struct forest_builder {
  const struct wb_flow_graph *graph;     /* borrowed */
  struct wb_edge_lists incoming;         /* its edges by their ends */
  struct wb_dominators dominators;       /* its dominators */
  struct wb_natural_loops natural;       /* its natural loops */
  struct wb_irreducible_regions regions; /* its irreducible regions */
  struct wb_loop_forest *forest;         /* the outcome */
  size_t loop_capacity;                  /* room in the forest's loops */
  uint32_t *headed;                      /* by node: the loop of which it is a header, or NONE */
  uint32_t *position;                    /* by node: where it stands in the forest's nodes */
  uint32_t *region_loop;                 /* by region: its loop, NONE until it is met */
};

/* The loop whose header is `natural`, or the region that took its place; NONE for none. */
static uint32_t loop_of(const struct forest_builder *builder, uint32_t natural)
{
  return natural == NONE ? NONE : builder->headed[natural];
}

static bool add_loop(struct forest_builder *builder, uint32_t header, uint32_t parent,
                     bool irreducible)
{
  struct wb_loop_forest *forest = builder->forest;
  if (!wb_grow(forest->loops, &builder->loop_capacity, forest->loop_count + 1))
    return false;
  uint32_t depth = parent == NONE ? 1 : forest->loops[parent].depth + 1;
  forest->loops[forest->loop_count++] = (struct wb_loop){
      .header = header, .parent = parent, .depth = depth, .irreducible = irreducible};
  return true;
}

/* The loop that the node is the first to be met of, if any. What encloses it was met before:
 * the first node of a loop that a search from the entry meets is one of its headers. */
static bool emit_loop(struct forest_builder *builder, uint32_t node)
{
  uint32_t region = builder->regions.region[node];
  bool region_header = builder->regions.is_header[node];
  uint32_t next = (uint32_t)builder->forest->loop_count;
  uint32_t around = loop_of(builder, builder->natural.around[node]);
  if (region_header && builder->region_loop[region] == NONE) {
    builder->region_loop[region] = next;
    uint32_t outer = builder->regions.outer[region];
    uint32_t parent = outer != NONE ? builder->region_loop[outer] : around;
    if (!add_loop(builder, node, parent, true))
      return false;
  }
  uint32_t enclosing = region != NONE ? builder->region_loop[region] : around;
  if (region_header) {
    builder->headed[node] = enclosing;
  } else if (builder->natural.is_header[node]) {
    builder->headed[node] = next;
    if (!add_loop(builder, node, enclosing, false))
      return false;
  }
  builder->forest->innermost[node] =
      builder->headed[node] != NONE ? builder->headed[node] : enclosing;
  return true;
}

/* Loops in the order in which they are met. */
static bool emit_loops(struct forest_builder *builder)
{
  for (size_t n = 0; n < builder->dominators.reached; n++) {
    if (!emit_loop(builder, builder->dominators.order[n]))
      return false;
  }
  return true;
}

/* The nodes of each loop in a row, those of inner loops within: counted upwards, handed out
 * downwards. */
static bool place_nodes(struct forest_builder *builder)
{
  struct wb_loop_forest *forest = builder->forest;
  const struct wb_dominators *dominators = &builder->dominators;
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
    builder->position[node] = (uint32_t)free_place[forest->innermost[node]]++;
    forest->nodes[builder->position[node]] = node;
  }
  free(free_place);
  return true;
}

/* The loop that an edge is a back edge of, or NONE. */
static uint32_t loop_closed_by(const struct forest_builder *builder, size_t edge)
{
  const struct wb_flow_graph *graph = builder->graph;
  uint32_t loop = builder->headed[graph->to[edge]];
  uint32_t from = graph->from[edge];
  if (loop == NONE || builder->dominators.number[from] == NONE ||
      builder->forest->innermost[from] == NONE)
    return NONE;
  const struct wb_loop *row = &builder->forest->loops[loop];
  return builder->position[from] - row->first_node < row->node_count ? loop : NONE;
}

static void place_back_edges(struct forest_builder *builder)
{
  struct wb_loop_forest *forest = builder->forest;
  size_t edges = builder->graph->edge_count;
  for (size_t e = 0; e < edges; e++) {
    uint32_t loop = loop_closed_by(builder, e);
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
    uint32_t l = loop_closed_by(builder, e);
    if (l == NONE)
      continue;
    struct wb_loop *loop = &forest->loops[l];
    forest->back_edges[loop->first_back_edge + loop->back_edge_count++] = (uint32_t)e;
  }
}

static bool allocate(struct forest_builder *builder)
{
  size_t nodes = builder->graph->node_count;
  size_t edges = builder->graph->edge_count;
  size_t regions = builder->regions.count;
  struct wb_loop_forest *forest = builder->forest;
  builder->headed = wb_allocate(nodes, sizeof *builder->headed);
  builder->position = wb_allocate(nodes, sizeof *builder->position);
  builder->region_loop = wb_allocate(regions, sizeof *builder->region_loop);
  forest->back_edges = wb_allocate(edges, sizeof *forest->back_edges);
  forest->nodes = wb_allocate(nodes, sizeof *forest->nodes);
  forest->innermost = wb_allocate(nodes, sizeof *forest->innermost);
  if (builder->headed == NULL || builder->position == NULL || builder->region_loop == NULL ||
      forest->back_edges == NULL || forest->nodes == NULL || forest->innermost == NULL)
    return false;
  memset(builder->headed, 0xff, nodes * sizeof *builder->headed);
  memset(builder->region_loop, 0xff, regions * sizeof *builder->region_loop);
  memset(forest->innermost, 0xff, nodes * sizeof *forest->innermost);
  return true;
}

static bool make(struct forest_builder *builder)
{
  const struct wb_flow_graph *graph = builder->graph;
  if (!wb_natural_loops_make(graph, &builder->incoming, &builder->dominators, &builder->natural) ||
      !wb_irreducible_regions_make(&builder->incoming, &builder->dominators,
                                   builder->natural.source, graph->node_count, &builder->regions) ||
      !allocate(builder) || !emit_loops(builder) || !place_nodes(builder))
    return false;
  place_back_edges(builder);
  return true;
}

static void builder_free(struct forest_builder *builder)
{
  wb_edge_lists_free(&builder->incoming);
  wb_dominators_free(&builder->dominators);
  wb_natural_loops_free(&builder->natural);
  wb_irreducible_regions_free(&builder->regions);
  free(builder->headed);
  free(builder->position);
  free(builder->region_loop);
}

warpbound_status wb_loop_forest_make(const struct wb_flow_graph *graph,
                                     struct wb_loop_forest *forest, warpbound_error *error)
{
  *forest = (struct wb_loop_forest){0};
  struct forest_builder builder = {.graph = graph, .forest = forest};
  warpbound_status status = WARPBOUND_OK;
  if (!wb_edge_lists_make(graph->to, graph->edge_count, graph->node_count, &builder.incoming))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = wb_dominators_make(graph, &builder.incoming, &builder.dominators, error);
  if (status == WARPBOUND_OK && !make(&builder))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK) {
    forest->dominators = builder.dominators.immediate;
    builder.dominators.immediate = NULL;
    assert(wb_loop_forest_check(graph, forest) == NULL);
  } else {
    wb_loop_forest_free(forest);
  }
  builder_free(&builder);
  return status;
}

/* ---- invariants ---- */

/* Whether a node is in a loop: climbs from its innermost one. */
static bool holds(const struct wb_loop_forest *forest, uint32_t loop, uint32_t node)
{
  uint32_t at = forest->innermost[node];
  while (at != NONE && forest->loops[at].depth > forest->loops[loop].depth)
    at = forest->loops[at].parent;
  return at == loop;
}

/* The loop's place among the others, and its header. */
static const char *check_loop(const struct wb_loop_forest *forest, uint32_t number)
{
  const struct wb_loop *loop = &forest->loops[number];
  if (loop->parent != NONE) {
    if (loop->parent >= number)
      return "a loop stands before the one that encloses it";
    const struct wb_loop *parent = &forest->loops[loop->parent];
    if (loop->depth != parent->depth + 1 || loop->first_node < parent->first_node ||
        loop->first_node + loop->node_count > parent->first_node + parent->node_count)
      return "a loop is not inside of its parent";
  } else if (loop->depth != 1) {
    return "an outermost loop has not depth 1";
  }
  return holds(forest, number, loop->header) ? NULL : "a header is not in its loop";
}

static const char *check_back_edges(const struct wb_flow_graph *graph,
                                    const struct wb_loop_forest *forest, uint32_t number)
{
  const struct wb_loop *loop = &forest->loops[number];
  for (size_t i = 0; i < loop->back_edge_count; i++) {
    const uint32_t edge = forest->back_edges[loop->first_back_edge + i];
    if (edge >= graph->edge_count || !holds(forest, number, graph->from[edge]) ||
        !holds(forest, number, graph->to[edge]))
      return "a back edge is not inside of its loop";
    if (!loop->irreducible && graph->to[edge] != loop->header)
      return "a back edge of a reducible loop goes past its header";
  }
  return loop->back_edge_count > 0 ? NULL : "a loop has no back edge";
}

/* The nodes of the rows of outermost loops, each in the row of its innermost loop. */
static const char *check_rows(const struct wb_flow_graph *graph,
                              const struct wb_loop_forest *forest)
{
  size_t in_rows = 0;
  size_t in_loops = 0;
  for (size_t l = 0; l < forest->loop_count; l++) {
    const struct wb_loop *loop = &forest->loops[l];
    for (size_t i = 0; loop->depth == 1 && i < loop->node_count; i++) {
      const size_t at = loop->first_node + i;
      const uint32_t innermost = forest->innermost[forest->nodes[at]];
      if (innermost == NONE || at < forest->loops[innermost].first_node ||
          at - forest->loops[innermost].first_node >= forest->loops[innermost].node_count)
        return "a node is not in the row of its innermost loop";
      in_rows++;
    }
  }
  for (size_t n = 0; n < graph->node_count; n++)
    in_loops += forest->innermost[n] != NONE;
  return in_rows == in_loops ? NULL : "the rows do not hold each node of a loop once";
}

/* The header of a reducible loop dominates its nodes where the immediate dominator of every other
 * node is in the loop too: the way up the dominator tree leaves the loop at the header alone. */
static const char *check_dominated(const struct wb_loop_forest *forest, uint32_t node)
{
  uint32_t loop = forest->innermost[node];
  if (loop != NONE && forest->loops[loop].header == node)
    loop = forest->loops[loop].parent;
  if (loop == NONE || forest->loops[loop].irreducible || forest->loops[loop].header == node)
    return NULL;
  return holds(forest, loop, forest->dominators[node])
             ? NULL
             : "the header of a reducible loop does not dominate it";
}

const char *wb_loop_forest_check(const struct wb_flow_graph *graph,
                                 const struct wb_loop_forest *forest)
{
  const char *broken = wb_flow_graph_check(graph);
  for (size_t n = 0; broken == NULL && n < graph->node_count; n++) {
    const uint32_t loop = forest->innermost[n];
    if (loop != NONE && (loop >= forest->loop_count || forest->dominators[n] == NONE))
      broken = "a node is in no loop that there is, or is not reachable";
  }
  for (uint32_t l = 0; broken == NULL && l < forest->loop_count; l++) {
    broken = check_loop(forest, l);
    if (broken == NULL)
      broken = check_back_edges(graph, forest, l);
  }
  if (broken == NULL)
    broken = check_rows(graph, forest);
  for (uint32_t n = 0; broken == NULL && n < graph->node_count; n++)
    broken = check_dominated(forest, n);
  return broken;
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

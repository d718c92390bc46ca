/* The loop forest in two steps. First the natural loops, from inner to outer, by Tarjan's
 * method of merging a loop into its header (Testing Flow Graph Reducibility, 1974). What is
 * left between the nodes of one natural loop, its inner loops merged, has no cycle with a
 * single entry: each of its strongly connected regions is irreducible. Second, wave by wave,
 * these regions, and those of what they are without their headers.
 * A natural loop whose header turns out to be one of several headers of a region is no loop
 * of its own: its back edges go to a header of the region. Nothing but its header ties its
 * inner nodes to the region, so that what was found inside of it stands. */
#include "cfg/graph/loops.h"

#include "base/buckets.h"
#include "cfg/graph/flow_graph.h"

#include <assert.h>
#include <string.h>

#define NONE UINT32_MAX

/* The forest under way. */
struct forest_builder {
  const struct wb_flow_graph *graph; /* borrowed */
  struct wb_edge_lists incoming;     /* its edges by their ends */
  struct wb_dominators dominators;   /* its dominators */
  struct wb_loop_forest *forest;     /* the outcome */
  struct wb_arena arena;             /* of the arrays below */

  /* ---- natural loops ---- */

  uint32_t *around;    /* by node: the header of the innermost natural loop that holds it (for a
                        * header, of the loop around its own), or NONE */
  bool *heads_natural; /* by node: it is the header of a natural loop */
  uint32_t *merged;    /* by node: on the way to the header that it went into, itself where it is
                        * not merged */
  uint32_t *body;      /* the loop that is being found, without its header */
  size_t body_count;   /* nodes of the body */
  /* By edge, the node into which its origin is merged while its target is not merged yet: the
   * header of the natural loop around the target, or a node beside it in that loop; the target
   * itself for back edges of natural loops and for edges from nodes that are not reachable; no
   * matter for edges to such nodes. */
  uint32_t *source;

  /* ---- irreducible regions ----
   * A natural loop is in a region by its header alone: its other nodes can be in regions inside of
   * the loop. */

  uint32_t *region;    /* by node: the innermost region that holds it, or NONE */
  bool *heads_region;  /* by node: it is one of that region's headers */
  uint32_t *outer;     /* by region: the region around it with no natural loop between them, which
                        * stands before it, or NONE */
  size_t region_count; /* regions */
  uint32_t *component; /* by node: active nodes of one component can be in one region: 0 at first,
                        * then the region; NONE for what is not active */
  uint32_t *settled;   /* by node: its component after the wave under way */
  uint32_t *active;    /* nodes: at first all, then those of regions without headers */

  /* ---- the search for components (Tarjan, Depth-First Search and Linear Graph Algorithms, 1972),
   * against the edges ---- */

  uint32_t clock;
  uint32_t *path;    /* nodes: where the search is */
  size_t depth;      /* of path */
  uint32_t *open;    /* nodes whose component is not settled */
  size_t open_count; /* such nodes */
  uint32_t *index;   /* by node: when the search met it */
  uint32_t *low;     /* by node: the earliest open node that it is known to come from; NONE once
                      * its component is settled */
  uint32_t *next;    /* by node: the edge to look at next */

  /* ---- the forest ---- */

  uint32_t *headed;      /* by node: the loop of which it is a header, or NONE */
  uint32_t *position;    /* by node: where it stands in the forest's nodes */
  uint32_t *region_loop; /* by region: its loop, NONE until it is met */
};

/* ---- natural loops ---- */

/* The node into which a node is merged by now. */
static uint32_t find(struct forest_builder *builder, uint32_t node)
{
  uint32_t *merged = builder->merged;
  while (merged[node] != node) {
    merged[node] = merged[merged[node]];
    node = merged[node];
  }
  return node;
}

/* Puts a node into the body of the header's loop. */
static void absorb(struct forest_builder *builder, uint32_t node, uint32_t header)
{
  if (node == header || builder->around[node] == header)
    return;
  builder->around[node] = header;
  builder->body[builder->body_count++] = node;
}

/* Notes where each edge into a node that is about to be merged begins, as far as things are
 * merged by now. Edges from nowhere and back edges are marked already. */
static void note_sources(struct forest_builder *builder, uint32_t node, uint32_t header)
{
  const uint32_t *first = builder->incoming.first;
  for (uint32_t i = first[node]; i < first[node + 1]; i++) {
    uint32_t edge = builder->incoming.list[i];
    if (builder->source[edge] == node)
      continue;
    uint32_t from = find(builder, builder->graph->from[edge]);
    builder->source[edge] = from;
    if (header != NONE)
      absorb(builder, from, header);
  }
}

/* Inner headers have higher numbers: their loops are merged before. Near linear. */
static void find_natural_loops(struct forest_builder *builder)
{
  const struct wb_dominators *dominators = &builder->dominators;
  const uint32_t *first = builder->incoming.first;
  for (size_t n = dominators->reached; n-- > 0;) {
    uint32_t header = dominators->order[n];
    builder->body_count = 0;
    /* Edges into the header that do not matter to regions: from nowhere, and back edges. */
    for (uint32_t i = first[header]; i < first[header + 1]; i++) {
      uint32_t edge = builder->incoming.list[i];
      uint32_t from = builder->graph->from[edge];
      bool from_nowhere = dominators->number[from] == NONE;
      if (!from_nowhere && !wb_dominates(dominators, header, from))
        continue;
      builder->source[edge] = header;
      if (from_nowhere)
        continue;
      builder->heads_natural[header] = true;
      absorb(builder, find(builder, from), header);
    }
    for (size_t i = 0; i < builder->body_count; i++)
      note_sources(builder, builder->body[i], header);
    for (size_t i = 0; i < builder->body_count; i++)
      builder->merged[builder->body[i]] = header;
  }
  for (size_t n = 0; n < dominators->reached; n++) {
    if (builder->around[dominators->order[n]] == NONE)
      note_sources(builder, dominators->order[n], NONE);
  }
}

/* ---- irreducible regions ---- */

static void enter(struct forest_builder *builder, uint32_t node)
{
  builder->index[node] = builder->low[node] = builder->clock++;
  builder->next[node] = builder->incoming.first[node];
  builder->path[builder->depth++] = node;
  builder->open[builder->open_count++] = node;
}

/* Settles the component of which `root` is the first node: all that was opened since. Several
 * nodes are a region; a single one is in no cycle. */
static void close_component(struct forest_builder *builder, uint32_t root)
{
  size_t first = builder->open_count;
  while (builder->open[--first] != root)
    ;
  bool is_region = builder->open_count - first > 1;
  uint32_t region = is_region ? (uint32_t)builder->region_count : NONE;
  if (is_region)
    builder->outer[builder->region_count++] = builder->region[root];
  for (size_t i = first; i < builder->open_count; i++) {
    uint32_t node = builder->open[i];
    builder->low[node] = NONE;
    if (is_region)
      builder->region[node] = region;
    builder->settled[node] = region;
  }
  builder->open_count = first;
}

/* Continues with the node at the end of the path: to the next source inside of its component, or
 * back. */
static void step(struct forest_builder *builder)
{
  uint32_t node = builder->path[builder->depth - 1];
  while (builder->next[node] < builder->incoming.first[node + 1]) {
    uint32_t source = builder->source[builder->incoming.list[builder->next[node]++]];
    if (source == node || builder->component[source] != builder->component[node])
      continue;
    if (builder->index[source] == NONE) {
      enter(builder, source);
      return;
    }
    if (builder->low[source] != NONE && builder->index[source] < builder->low[node])
      builder->low[node] = builder->index[source];
  }
  builder->depth--;
  if (builder->low[node] == builder->index[node]) {
    close_component(builder, node);
    return;
  }
  uint32_t before = builder->path[builder->depth - 1];
  if (builder->low[node] < builder->low[before])
    builder->low[before] = builder->low[node];
}

/* Leaves the nodes of regions active, but not their headers; returns how many. */
static size_t remove_headers(struct forest_builder *builder, size_t active_count, bool all)
{
  uint32_t *active = builder->active;
  size_t in_regions = 0;
  for (size_t i = 0; i < active_count; i++)
    builder->component[active[i]] = builder->settled[active[i]];
  for (size_t i = 0; i < active_count; i++) {
    uint32_t node = active[i];
    if (builder->component[node] == NONE)
      continue;
    /* A header is a node that an edge leads to from outside its component. */
    const uint32_t *first = builder->incoming.first;
    bool entered = all;
    for (uint32_t e = first[node]; !entered && e < first[node + 1]; e++)
      entered = builder->component[builder->source[builder->incoming.list[e]]] !=
                builder->component[node];
    builder->heads_region[node] = entered;
    active[in_regions++] = node;
  }
  size_t kept = 0;
  for (size_t i = 0; i < in_regions; i++) {
    uint32_t node = active[i];
    if (builder->heads_region[node])
      builder->component[node] = NONE;
    else
      active[kept++] = node;
  }
  return kept;
}

/* Wave by wave: the regions of the whole, then those of what each is without its headers. Linear
 * for each of at most WB_IRREDUCIBLE_DEPTH_LIMIT waves. */
static void find_regions(struct forest_builder *builder)
{
  size_t count = builder->dominators.reached;
  memcpy(builder->active, builder->dominators.order, count * sizeof *builder->active);
  for (unsigned wave = 1; count > 0; wave++) {
    builder->clock = 0;
    for (size_t i = 0; i < count; i++)
      builder->index[builder->active[i]] = NONE;
    for (size_t i = 0; i < count; i++) {
      if (builder->index[builder->active[i]] == NONE)
        enter(builder, builder->active[i]);
      while (builder->depth > 0)
        step(builder);
    }
    count = remove_headers(builder, count, wave == WB_IRREDUCIBLE_DEPTH_LIMIT);
  }
}

/* ---- the forest ---- */

static void add_loop(struct forest_builder *builder, uint32_t header, uint32_t parent,
                     bool irreducible)
{
  struct wb_loop_forest *forest = builder->forest;
  uint32_t depth = parent == NONE ? 1 : forest->loops[parent].depth + 1;
  forest->loops[forest->loop_count++] = (struct wb_loop){
      .header = header, .parent = parent, .depth = depth, .irreducible = irreducible};
}

/* Loops in the order in which a search from the entry meets them: each node is the first one to be
 * met of at most one loop. What encloses that was met before: the first node that is met of a loop
 * is one of its headers. */
static void emit_loops(struct forest_builder *builder)
{
  struct wb_loop_forest *forest = builder->forest;
  for (size_t n = 0; n < builder->dominators.reached; n++) {
    uint32_t node = builder->dominators.order[n];
    uint32_t region = builder->region[node];
    uint32_t next = (uint32_t)forest->loop_count;
    uint32_t natural = builder->around[node];
    uint32_t around = natural == NONE ? NONE : builder->headed[natural];
    if (builder->heads_region[node] && builder->region_loop[region] == NONE) {
      uint32_t outer = builder->outer[region];
      builder->region_loop[region] = next;
      add_loop(builder, node, outer != NONE ? builder->region_loop[outer] : around, true);
    }
    uint32_t enclosing = region != NONE ? builder->region_loop[region] : around;
    if (builder->heads_region[node]) {
      builder->headed[node] = enclosing;
    } else if (builder->heads_natural[node]) {
      builder->headed[node] = next;
      add_loop(builder, node, enclosing, false);
    }
    forest->innermost[node] = builder->headed[node] != NONE ? builder->headed[node] : enclosing;
  }
}

/* The nodes of each loop in a row, those of inner loops within: counted upwards, handed out
 * downwards. free_place: by loop, zero. */
static void place_nodes(struct forest_builder *builder, size_t *free_place)
{
  struct wb_loop_forest *forest = builder->forest;
  const struct wb_dominators *dominators = &builder->dominators;
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
}

/* Edges by the loop that they are back edges of. False where memory is out. */
static bool place_back_edges(struct forest_builder *builder)
{
  struct wb_loop_forest *forest = builder->forest;
  const struct wb_flow_graph *graph = builder->graph;
  uint32_t *closed = builder->source; /* which is not needed any more; by edge: the loop, or NONE */
  for (size_t e = 0; e < graph->edge_count; e++) {
    const uint32_t from = graph->from[e];
    const uint32_t loop = builder->headed[graph->to[e]];
    closed[e] = NONE;
    if (loop == NONE || builder->dominators.number[from] == NONE || forest->innermost[from] == NONE)
      continue;
    const struct wb_loop *row = &forest->loops[loop];
    if (builder->position[from] - row->first_node < row->node_count)
      closed[e] = loop;
  }
  struct wb_buckets back_edges;
  if (!wb_buckets_make(&forest->arena, closed, graph->edge_count, forest->loop_count, &back_edges))
    return false;
  forest->back_edges = back_edges.item;
  for (size_t l = 0; l < forest->loop_count; l++) {
    forest->loops[l].first_back_edge = back_edges.first[l];
    forest->loops[l].back_edge_count = back_edges.first[l + 1] - back_edges.first[l];
  }
  return true;
}

/* False where memory is out. */
static bool allocate(struct forest_builder *builder)
{
  const size_t nodes = builder->graph->node_count;
  const size_t edges = builder->graph->edge_count;
  struct wb_loop_forest *forest = builder->forest;
  struct wb_arena *arena = &builder->arena;
  /* By node; those of the second list begin as NONE. Each region and each loop has a node. */
  uint32_t **zeroed[] = {&builder->merged,  &builder->body, &builder->outer,  &builder->component,
                         &builder->settled, &builder->path, &builder->active, &builder->open,
                         &builder->index,   &builder->low,  &builder->next,   &builder->position};
  uint32_t **unset[] = {&builder->around, &builder->region, &builder->headed,
                        &builder->region_loop};
  for (size_t a = 0; a < sizeof zeroed / sizeof zeroed[0]; a++)
    *zeroed[a] = wb_arena_array(arena, uint32_t, nodes);
  for (size_t a = 0; a < sizeof unset / sizeof unset[0]; a++)
    *unset[a] = wb_arena_array(arena, uint32_t, nodes);
  builder->source = wb_arena_array(arena, uint32_t, edges);
  builder->heads_natural = wb_arena_array(arena, bool, nodes);
  builder->heads_region = wb_arena_array(arena, bool, nodes);
  forest->loops = wb_arena_array(&forest->arena, struct wb_loop, nodes);
  forest->nodes = wb_arena_array(&forest->arena, uint32_t, nodes);
  forest->innermost = wb_arena_array(&forest->arena, uint32_t, nodes);
  forest->dominators = wb_arena_array(&forest->arena, uint32_t, nodes);
  if (arena->failed || forest->arena.failed)
    return false;
  for (size_t a = 0; a < sizeof unset / sizeof unset[0]; a++)
    memset(*unset[a], 0xff, nodes * sizeof **unset[a]);
  memset(builder->source, 0xff, edges * sizeof *builder->source);
  memset(forest->innermost, 0xff, nodes * sizeof *forest->innermost);
  for (size_t n = 0; n < nodes; n++)
    builder->merged[n] = (uint32_t)n;
  memcpy(forest->dominators, builder->dominators.immediate, nodes * sizeof *forest->dominators);
  return true;
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
  if (status == WARPBOUND_OK && !allocate(&builder))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK) {
    find_natural_loops(&builder);
    find_regions(&builder);
    emit_loops(&builder);
    size_t *free_place = wb_arena_array(&builder.arena, size_t, forest->loop_count);
    if (free_place != NULL)
      place_nodes(&builder, free_place);
    if (free_place == NULL || !place_back_edges(&builder))
      status = wb_out_of_memory(error);
  }
  assert(status != WARPBOUND_OK || wb_loop_forest_check(graph, forest) == NULL);
  if (status != WARPBOUND_OK)
    wb_loop_forest_free(forest);
  wb_edge_lists_free(&builder.incoming);
  wb_dominators_free(&builder.dominators);
  wb_arena_free(&builder.arena);
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

/* The loop's place among the others, its header and its back edges. */
static const char *check_loop(const struct wb_flow_graph *graph,
                              const struct wb_loop_forest *forest, uint32_t number)
{
  const struct wb_loop *loop = &forest->loops[number];
  if (loop->parent == NONE && loop->depth != 1)
    return "an outermost loop has not depth 1";
  if (loop->parent != NONE && loop->parent >= number)
    return "a loop stands before the one that encloses it";
  const struct wb_loop *parent = loop->parent != NONE ? &forest->loops[loop->parent] : NULL;
  if (parent != NULL &&
      (loop->depth != parent->depth + 1 || loop->first_node < parent->first_node ||
       loop->first_node + loop->node_count > parent->first_node + parent->node_count))
    return "a loop is not inside of its parent";
  if (!holds(forest, number, loop->header))
    return "a header is not in its loop";
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

const char *wb_loop_forest_check(const struct wb_flow_graph *graph,
                                 const struct wb_loop_forest *forest)
{
  const char *broken = wb_flow_graph_check(graph);
  for (size_t n = 0; broken == NULL && n < graph->node_count; n++) {
    const uint32_t loop = forest->innermost[n];
    if (loop != NONE && (loop >= forest->loop_count || forest->dominators[n] == NONE))
      broken = "a node is in no loop that there is, or is not reachable";
  }
  for (uint32_t l = 0; broken == NULL && l < forest->loop_count; l++)
    broken = check_loop(graph, forest, l);
  if (broken == NULL)
    broken = check_rows(graph, forest);
  /* The header of a reducible loop dominates its nodes where the immediate dominator of every other
   * node is in the loop too: the way up the dominator tree leaves the loop at the header alone. */
  for (uint32_t n = 0; broken == NULL && n < graph->node_count; n++) {
    uint32_t loop = forest->innermost[n];
    if (loop != NONE && forest->loops[loop].header == n)
      loop = forest->loops[loop].parent;
    if (loop != NONE && !forest->loops[loop].irreducible && forest->loops[loop].header != n &&
        !holds(forest, loop, forest->dominators[n]))
      broken = "the header of a reducible loop does not dominate it";
  }
  return broken;
}

void wb_loop_forest_free(struct wb_loop_forest *forest)
{
  wb_arena_free(&forest->arena);
  *forest = (struct wb_loop_forest){0};
}

/* What the choices of a caller leave of a path graph. */
#include "flow/paths/longest_path.h"
#include "flow/paths/path_graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* A flow graph with its edges by node, and marks of nodes around one in question. Owns its lists
 * and its arena. */
struct marking {
  struct wb_flow_graph flow;
  struct wb_edge_lists outgoing;
  struct wb_edge_lists incoming;
  bool *before;    /* by node: the node in question can be reached from it */
  bool *after;     /* by node: it can be reached from the node in question */
  bool *barred;    /* by edge: not to be followed */
  uint32_t *stack; /* scratch: nodes */
  struct wb_arena arena;
};

static void marking_free(struct marking *marking)
{
  wb_edge_lists_free(&marking->outgoing);
  wb_edge_lists_free(&marking->incoming);
  wb_arena_free(&marking->arena);
}

/* False: memory is out. To be freed also then. */
static bool marking_make(const struct wb_path_graph *graph, struct marking *marking)
{
  struct wb_arena *arena = &marking->arena;
  const struct wb_flow_graph *flow = &marking->flow;
  *marking = (struct marking){0};
  if (!wb_path_flow_make(graph, arena, &marking->flow))
    return false;
  marking->before = wb_arena_array(arena, bool, flow->node_count);
  marking->after = wb_arena_array(arena, bool, flow->node_count);
  marking->barred = wb_arena_array(arena, bool, flow->edge_count);
  marking->stack = wb_arena_array(arena, uint32_t, flow->node_count);
  return !arena->failed &&
         wb_edge_lists_make(flow->from, flow->edge_count, flow->node_count, &marking->outgoing) &&
         wb_edge_lists_make(flow->to, flow->edge_count, flow->node_count, &marking->incoming);
}

/* Marks the nodes that are reachable from `start`, itself included, by edges that are not barred.
 * lists: the edges by the node that the search leaves; ends: by edge, the node that it comes to. */
static void mark(const struct marking *marking, const struct wb_edge_lists *lists,
                 const uint32_t *ends, uint32_t start, bool *marked)
{
  size_t depth = 0;
  memset(marked, 0, marking->flow.node_count * sizeof *marked);
  marked[start] = true;
  marking->stack[depth++] = start;
  while (depth > 0) {
    uint32_t node = marking->stack[--depth];
    for (uint32_t i = lists->first[node]; i < lists->first[node + 1]; i++) {
      uint32_t edge = lists->list[i];
      uint32_t next = ends[edge];
      if (marking->barred[edge] || marked[next])
        continue;
      marked[next] = true;
      marking->stack[depth++] = next;
    }
  }
}

static void mark_both(struct marking *marking, uint32_t start, uint32_t end)
{
  mark(marking, &marking->incoming, marking->flow.from, end, marking->before);
  mark(marking, &marking->outgoing, marking->flow.to, start, marking->after);
}

warpbound_status wb_path_graph_prune(struct wb_path_graph *graph, unsigned kinds,
                                     warpbound_error *error)
{
  size_t kept = 0;
  for (size_t e = 0; e < graph->edge_count; e++) {
    if (graph->edges[e].kind & kinds)
      graph->edges[kept++] = graph->edges[e];
  }
  graph->edge_count = kept;
  struct marking marking;
  const bool made = marking_make(graph, &marking);
  if (made)
    mark_both(&marking, 0, graph->block_count);
  kept = 0;
  for (size_t e = 0; made && e < graph->edge_count; e++) {
    const struct wb_path_edge *edge = &graph->edges[e];
    if (marking.after[edge->from] && marking.before[edge->to])
      graph->edges[kept++] = *edge;
  }
  graph->edge_count = kept;
  marking_free(&marking);
  assert(wb_path_graph_is_valid(graph));
  return made ? WARPBOUND_OK : wb_out_of_memory(error);
}

/* The choice of edges within a region. */
struct region {
  const struct wb_path_graph *graph;
  const struct wb_loop_forest *forest;
  uint32_t loop;     /* the region; NONE: the whole function */
  uint32_t test;     /* the node that tests the loop at its head, or NONE */
  uint32_t inner;    /* the next loop inside that holds the required block, or NONE */
  uint32_t required; /* the required block, or the header of `inner` in its place */
};

static bool within(const struct region *region, uint32_t loop, uint32_t node)
{
  return loop == NONE ? node < region->graph->block_count
                      : wb_path_loop_holds(region->forest, loop, node);
}

/* Whether an edge belongs to a pass through the region: inside it, and not back to its start. */
static bool of_pass(const struct region *region, const struct wb_path_edge *edge)
{
  return within(region, region->loop, edge->from) && within(region, region->loop, edge->to) &&
         (region->loop == NONE || edge->to != region->forest->loops[region->loop].header);
}

/* Whether the edge passes by the required node: the node cannot be reached any more. */
static bool passes_by(const struct region *region, const struct marking *marking,
                      const struct wb_path_edge *edge)
{
  return !(marking->after[edge->from] ||
           (region->inner != NONE &&
            wb_path_loop_holds(region->forest, region->inner, edge->from))) &&
         !(within(region, region->loop, edge->to) && of_pass(region, edge) &&
           marking->before[edge->to]);
}

/* Drops the edges of a region by which a pass would miss the required node. */
static void choose_region(const struct region *region, const struct marking *marking, bool *dropped)
{
  const struct wb_path_graph *graph = region->graph;
  bool other_exit = region->loop == NONE;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_path_edge *edge = &graph->edges[e];
    if (within(region, region->loop, edge->from) && !within(region, region->loop, edge->to) &&
        !passes_by(region, marking, edge))
      other_exit = true;
  }
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_path_edge *edge = &graph->edges[e];
    if (!within(region, region->loop, edge->from) || !passes_by(region, marking, edge))
      continue;
    bool leaves = region->loop != NONE && !within(region, region->loop, edge->to);
    if (!leaves || (other_exit && edge->from != region->test))
      dropped[e] = true;
  }
}

/* From the innermost loop around the block outwards. */
static void choose(const struct wb_path_graph *graph, uint32_t block,
                   const struct wb_loop_forest *forest, const bool *jump, struct marking *marking,
                   bool *dropped)
{
  const struct wb_longest_path_question question = {
      .graph = &marking->flow, .jump = jump, .forest = forest};
  struct region region = {graph, forest, forest->innermost[block], NONE, NONE, block};
  for (;;) {
    bool whole = region.loop == NONE;
    region.test = whole ? NONE : wb_path_loop_test(&question, &marking->outgoing, region.loop);
    for (size_t e = 0; e < graph->edge_count; e++)
      marking->barred[e] = !of_pass(&region, &graph->edges[e]);
    mark_both(marking, region.required, region.required);
    choose_region(&region, marking, dropped);
    if (whole)
      return;
    region.inner = region.loop;
    region.required = forest->loops[region.loop].header;
    region.loop = forest->loops[region.loop].parent;
  }
}

warpbound_status wb_path_graph_reducible(const struct wb_path_graph *graph,
                                         const struct wb_loop_forest *forest, const char *file,
                                         warpbound_error *error)
{
  for (size_t l = 0; l < forest->loop_count; l++) {
    if (!forest->loops[l].irreducible)
      continue;
    const struct wb_path_block *block = &graph->blocks[forest->loops[l].header];
    const struct wb_instruction *first = &graph->function->instructions[block->first];
    return wb_fail_at(error, WARPBOUND_FACTS_MISSING, file, first->line, first->column,
                      "this loop can be entered at several places, so that how often it is done "
                      "does not say what a path is; choose branches with --take");
  }
  return WARPBOUND_OK;
}

warpbound_status wb_path_graph_require(struct wb_path_graph *graph, uint32_t block,
                                       const char *file, warpbound_error *error)
{
  struct marking marking;
  struct wb_loop_forest forest = {0};
  warpbound_status status = marking_make(graph, &marking) ? WARPBOUND_OK : wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = wb_loop_forest_make(&marking.flow, &forest, error);
  if (status == WARPBOUND_OK)
    status = wb_path_graph_reducible(graph, &forest, file, error);
  bool *jump = wb_arena_array(&marking.arena, bool, (size_t)graph->block_count + 1);
  bool *dropped = wb_arena_array(&marking.arena, bool, graph->edge_count);
  if (status == WARPBOUND_OK && marking.arena.failed)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK) {
    for (uint32_t b = 0; b < graph->block_count; b++)
      jump[b] = wb_path_graph_jumps(graph, b);
    choose(graph, block, &forest, jump, &marking, dropped);
    size_t kept = 0;
    for (size_t e = 0; e < graph->edge_count; e++) {
      if (!dropped[e])
        graph->edges[kept++] = graph->edges[e];
    }
    graph->edge_count = kept;
  }
  wb_loop_forest_free(&forest);
  marking_free(&marking);
  assert(wb_path_graph_is_valid(graph));
  return status;
}

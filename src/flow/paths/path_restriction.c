#include "flow/paths/path_restriction.h"

#include "base/memory.h"
#include "cfg/graph/dominators.h"
#include "flow/paths/longest_path.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* Marks the nodes that are reachable from `start`, itself included. lists: the edges by the node
 * that the search leaves; ends: by edge, the node that it comes to; barred: by edge, not to be
 * followed, or NULL. */
static bool mark(const struct wb_edge_lists *lists, const uint32_t *ends, size_t node_count,
                 uint32_t start, const bool *barred, bool *marked)
{
  uint32_t *stack = wb_allocate(node_count, sizeof *stack);
  if (stack == NULL)
    return false;
  size_t depth = 0;
  memset(marked, 0, node_count * sizeof *marked);
  marked[start] = true;
  stack[depth++] = start;
  while (depth > 0) {
    uint32_t node = stack[--depth];
    for (uint32_t i = lists->first[node]; i < lists->first[node + 1]; i++) {
      uint32_t edge = lists->list[i];
      uint32_t next = ends[edge];
      if ((barred != NULL && barred[edge]) || marked[next])
        continue;
      marked[next] = true;
      stack[depth++] = next;
    }
  }
  free(stack);
  return true;
}

/* A flow graph with its edges by node, and marks of nodes around one in question. */
struct marking {
  struct wb_path_flow flow;
  struct wb_edge_lists outgoing;
  struct wb_edge_lists incoming;
  bool *before; /* by node: the node in question can be reached from it */
  bool *after;  /* by node: it can be reached from the node in question */
  bool *barred; /* by edge: not to be followed */
};

static void marking_free(struct marking *marking)
{
  wb_path_flow_free(&marking->flow);
  wb_edge_lists_free(&marking->outgoing);
  wb_edge_lists_free(&marking->incoming);
  free(marking->before);
  free(marking->after);
  free(marking->barred);
}

static warpbound_status marking_make(const struct wb_path_graph *graph, struct marking *marking,
                                     warpbound_error *error)
{
  *marking = (struct marking){0};
  warpbound_status status = wb_path_flow_make(graph, &marking->flow, error);
  if (status != WARPBOUND_OK)
    return status;
  const struct wb_flow_graph *flow = &marking->flow.graph;
  marking->before = wb_allocate(flow->node_count, sizeof *marking->before);
  marking->after = wb_allocate(flow->node_count, sizeof *marking->after);
  marking->barred = wb_allocate(flow->edge_count, sizeof *marking->barred);
  if (marking->before != NULL && marking->after != NULL && marking->barred != NULL &&
      wb_edge_lists_make(flow->from, flow->edge_count, flow->node_count, &marking->outgoing) &&
      wb_edge_lists_make(flow->to, flow->edge_count, flow->node_count, &marking->incoming))
    return WARPBOUND_OK;
  marking_free(marking);
  return wb_out_of_memory(error);
}

static bool mark_both(struct marking *marking, uint32_t start, uint32_t end)
{
  const struct wb_flow_graph *flow = &marking->flow.graph;
  return mark(&marking->incoming, flow->from, flow->node_count, end, marking->barred,
              marking->before) &&
         mark(&marking->outgoing, flow->to, flow->node_count, start, marking->barred,
              marking->after);
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
  warpbound_status status = marking_make(graph, &marking, error);
  if (status != WARPBOUND_OK)
    return status;
  if (!mark_both(&marking, 0, graph->block_count))
    status = wb_out_of_memory(error);
  kept = 0;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_path_edge *edge = &graph->edges[e];
    if (marking.after[edge->from] && marking.before[edge->to])
      graph->edges[kept++] = *edge;
  }
  graph->edge_count = kept;
  marking_free(&marking);
  assert(wb_path_graph_is_valid(graph));
  return status;
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

static bool holds(const struct wb_loop_forest *forest, uint32_t loop, uint32_t node)
{
  uint32_t around = forest->innermost[node];
  while (around != NONE && around != loop)
    around = forest->loops[around].parent;
  return around == loop;
}

static bool within(const struct region *region, uint32_t loop, uint32_t node)
{
  return loop == NONE ? node < region->graph->block_count : holds(region->forest, loop, node);
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
           (region->inner != NONE && holds(region->forest, region->inner, edge->from))) &&
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
static warpbound_status choose(const struct wb_path_graph *graph, uint32_t block,
                               const struct wb_loop_forest *forest, const bool *jump,
                               struct marking *marking, bool *dropped, warpbound_error *error)
{
  const struct wb_longest_path_question question = {
      .graph = &marking->flow.graph, .jump = jump, .forest = forest};
  struct region region = {graph, forest, forest->innermost[block], NONE, NONE, block};
  for (;;) {
    bool whole = region.loop == NONE;
    region.test = whole ? NONE : wb_path_loop_test(&question, &marking->outgoing, region.loop);
    for (size_t e = 0; e < graph->edge_count; e++)
      marking->barred[e] = !of_pass(&region, &graph->edges[e]);
    if (!mark_both(marking, region.required, region.required))
      return wb_out_of_memory(error);
    choose_region(&region, marking, dropped);
    if (whole)
      return WARPBOUND_OK;
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

static void drop(struct wb_path_graph *graph, const bool *dropped)
{
  size_t kept = 0;
  for (size_t e = 0; e < graph->edge_count; e++) {
    if (!dropped[e])
      graph->edges[kept++] = graph->edges[e];
  }
  graph->edge_count = kept;
}

warpbound_status wb_path_graph_require(struct wb_path_graph *graph, uint32_t block,
                                       const char *file, warpbound_error *error)
{
  struct marking marking;
  warpbound_status status = marking_make(graph, &marking, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_loop_forest forest;
  status = wb_loop_forest_make(&marking.flow.graph, &forest, error);
  if (status == WARPBOUND_OK) {
    bool *jump = wb_allocate((size_t)graph->block_count + 1, sizeof *jump);
    for (uint32_t b = 0; jump != NULL && b < graph->block_count; b++)
      jump[b] = wb_path_graph_jumps(graph, b);

    bool *dropped = wb_allocate(graph->edge_count, sizeof *dropped);
    status = wb_path_graph_reducible(graph, &forest, file, error);
    if (jump == NULL || dropped == NULL)
      status = wb_out_of_memory(error);
    if (status == WARPBOUND_OK)
      status = choose(graph, block, &forest, jump, &marking, dropped, error);
    if (status == WARPBOUND_OK)
      drop(graph, dropped);
    free(jump);
    free(dropped);
    wb_loop_forest_free(&forest);
  }
  marking_free(&marking);
  assert(wb_path_graph_is_valid(graph));
  return status;
}

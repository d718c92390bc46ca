#include "flow/paths/longest_path.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct wb_path_weight wb_path_weight_add(struct wb_path_weight a, struct wb_path_weight b)
{
  return (struct wb_path_weight){wb_minimum(a.length + b.length, WB_PATH_WEIGHT_LIMIT),
                                 wb_minimum(a.taken + b.taken, WB_PATH_WEIGHT_LIMIT)};
}

static uint64_t times(uint64_t a, uint64_t b)
{
  uint64_t product;
  return wb_multiply(a, b, &product) ? wb_minimum(product, WB_PATH_WEIGHT_LIMIT)
                                     : WB_PATH_WEIGHT_LIMIT;
}

bool wb_path_preferred(enum wb_path_order order, struct wb_path_weight a, struct wb_path_weight b)
{
  bool longer = a.length > b.length;
  if (order == WB_PATH_LONGEST)
    return longer || (a.length == b.length && a.taken < b.taken);
  return a.taken < b.taken || (a.taken == b.taken && longer);
}

/* The context of a search. A region is a loop, or the whole graph under the index loop_count. The
 * level of a region has the nodes that are in no loop inside it, and the headers of the next loops
 * inside. */
struct search {
  const struct wb_longest_path_question *question;
  struct wb_longest_path *path;
  struct wb_edge_lists outgoing;  /* the graph's edges by origin */
  struct wb_edge_lists levels;    /* nodes by region; edges but back edges lead onwards in them */
  uint32_t *order;                /* scratch: the nodes in reverse postorder, at the end */
  struct wb_path_weight *value;   /* by node: of the path to it within its level */
  struct wb_path_weight *leaving; /* by edge: of a pass of the last region searched that ends in it,
                                     with the full passes before */
  bool *reached;                  /* by node */
  struct wb_arena arena;
};

bool wb_path_loop_holds(const struct wb_loop_forest *forest, uint32_t loop, uint32_t node)
{
  const struct wb_loop *loops = forest->loops;
  uint32_t around = forest->innermost[node];
  while (around != NONE && around != loop &&
         (loop == NONE || loops[around].depth > loops[loop].depth))
    around = loops[around].parent;
  return loop == NONE || around == loop;
}

/* Fills `order` from its end with nodes in the order in which a depth-first search leaves them,
 * and returns their number. place: by node, the next edge to follow, zero at first. */
static size_t number_nodes(struct search *search, uint32_t *place, uint32_t *stack)
{
  const struct wb_flow_graph *graph = search->question->graph;
  size_t depth = 0;
  size_t left = 0;
  stack[depth++] = graph->entry;
  search->reached[graph->entry] = true;
  while (depth > 0) {
    uint32_t node = stack[depth - 1];
    uint32_t next_edge = search->outgoing.first[node] + place[node]++;
    if (next_edge == search->outgoing.first[node + 1]) {
      search->order[graph->node_count - ++left] = node;
      depth--;
      continue;
    }
    uint32_t next = graph->to[search->outgoing.list[next_edge]];
    if (!search->reached[next])
      stack[depth++] = next;
    search->reached[next] = true;
  }
  return left;
}

/* Prepares the search, with the nodes of each region's level in the order found. */
static bool prepare(struct search *search, struct wb_arena *path_arena)
{
  const struct wb_flow_graph *graph = search->question->graph;
  const struct wb_loop_forest *forest = search->question->forest;
  struct wb_arena *arena = &search->arena;
  struct wb_longest_path *path = search->path;
  uint32_t *place = wb_arena_array(arena, uint32_t, graph->node_count);
  uint32_t *stack = wb_arena_array(arena, uint32_t, graph->node_count);
  uint32_t *level = wb_arena_array(arena, uint32_t, graph->node_count);
  search->order = wb_arena_array(arena, uint32_t, graph->node_count);
  search->value = wb_arena_array(arena, struct wb_path_weight, graph->node_count);
  search->leaving = wb_arena_array(arena, struct wb_path_weight, graph->edge_count);
  search->reached = wb_arena_array(arena, bool, graph->node_count);
  path->before = wb_arena_array(path_arena, uint32_t, graph->node_count);
  path->again = wb_arena_array(path_arena, uint32_t, forest->loop_count);
  path->tested = wb_arena_array(path_arena, uint32_t, forest->loop_count);
  if (arena->failed || path_arena->failed ||
      !wb_edge_lists_make(graph->from, graph->edge_count, graph->node_count, &search->outgoing))
    return false;
  const size_t count = number_nodes(search, place, stack);
  const uint32_t *ordered = search->order + (graph->node_count - count);
  for (size_t i = 0; i < count; i++) {
    uint32_t loop = forest->innermost[ordered[i]];
    if (loop != NONE && forest->loops[loop].header == ordered[i])
      loop = forest->loops[loop].parent;
    level[i] = loop == NONE ? (uint32_t)forest->loop_count : loop;
  }
  if (!wb_edge_lists_make(level, count, forest->loop_count + 1, &search->levels))
    return false;
  for (size_t i = 0; i < count; i++)
    search->levels.list[i] = ordered[search->levels.list[i]];
  memset(search->reached, 0, graph->node_count * sizeof *search->reached);
  memset(path->before, 0xff, graph->node_count * sizeof *path->before);
  memset(path->again, 0xff, forest->loop_count * sizeof *path->again);
  memset(path->tested, 0xff, forest->loop_count * sizeof *path->tested);
  return true;
}

/* Whether an edge of the loop leads back to its header by a few nodes that only jump. */
static bool jumps_back(const struct wb_longest_path_question *question,
                       const struct wb_edge_lists *outgoing, uint32_t loop, uint32_t edge)
{
  const struct wb_flow_graph *graph = question->graph;
  uint32_t header = question->forest->loops[loop].header;
  uint32_t node = graph->to[edge];
  for (int j = 0; j < WB_PATH_JUMP_LIMIT && node != header && question->jump[node] &&
                  question->forest->innermost[node] == loop;
       j++)
    node = graph->to[outgoing->list[outgoing->first[node]]];
  return node == header;
}

/* The first branch after the header, if one of its edges leaves the loop and another one begins a
 * body that does more than jump back. */
uint32_t wb_path_loop_test(const struct wb_longest_path_question *question,
                           const struct wb_edge_lists *outgoing, uint32_t loop)
{
  const struct wb_flow_graph *graph = question->graph;
  const uint32_t *first = outgoing->first;
  uint32_t header = question->forest->loops[loop].header;
  uint32_t node = header;
  while (first[node + 1] - first[node] == 1) {
    node = graph->to[outgoing->list[first[node]]];
    if (node == header || question->forest->innermost[node] != loop)
      return NONE;
  }
  bool leaves = false;
  bool body = false;
  for (uint32_t i = first[node]; i < first[node + 1]; i++) {
    uint32_t edge = outgoing->list[i];
    if (!wb_path_loop_holds(question->forest, loop, graph->to[edge]))
      leaves = true;
    else
      body = body || !jumps_back(question, outgoing, loop, edge);
  }
  return leaves && body ? node : NONE;
}

/* The region that is searched. */
struct pass {
  uint32_t loop; /* NONE: the whole graph */
  uint32_t start;
  struct wb_path_weight full; /* the preferred pass from the header back to it */
};

static void arrive(struct search *search, struct pass *pass, uint32_t edge,
                   struct wb_path_weight weight)
{
  const struct wb_longest_path_question *question = search->question;
  uint32_t node = question->graph->to[edge];
  enum wb_path_order order = question->order;
  if (pass->loop != NONE && node == pass->start) {
    uint32_t *again = &search->path->again[pass->loop];
    if (*again != NONE && !wb_path_preferred(order, weight, pass->full))
      return;
    *again = edge;
    pass->full = weight;
  } else if (!wb_path_loop_holds(question->forest, pass->loop, node)) {
    search->leaving[edge] = weight;
  } else if (!search->reached[node] || wb_path_preferred(order, weight, search->value[node])) {
    search->reached[node] = true;
    search->value[node] = weight;
    search->path->before[node] = edge;
  }
}

/* Follows the edges of a node of the level; of the header of an inner loop, those that leave that
 * loop. */
static void go_on(struct search *search, struct pass *pass, uint32_t node,
                  struct wb_path_weight so_far)
{
  const struct wb_longest_path_question *question = search->question;
  const struct wb_loop_forest *forest = question->forest;
  uint32_t inner = forest->innermost[node];
  const uint32_t *first = search->outgoing.first;
  if (inner == pass->loop) {
    for (uint32_t i = first[node]; i < first[node + 1]; i++) {
      uint32_t edge = search->outgoing.list[i];
      arrive(search, pass, edge, wb_path_weight_add(so_far, question->weight[edge]));
    }
    return;
  }
  const struct wb_loop *loop = &forest->loops[inner];
  for (size_t n = 0; n < loop->node_count; n++) {
    uint32_t from = forest->nodes[loop->first_node + n];
    for (uint32_t i = first[from]; i < first[from + 1]; i++) {
      uint32_t edge = search->outgoing.list[i];
      if (!wb_path_loop_holds(forest, inner, question->graph->to[edge]))
        arrive(search, pass, edge, wb_path_weight_add(so_far, search->leaving[edge]));
    }
  }
}

/* How many full passes precede the last one of a path that leaves the loop by that edge. */
static uint32_t full_passes(const struct wb_longest_path_question *question,
                            const struct wb_longest_path *path, uint32_t loop, uint32_t edge)
{
  bool test = path->tested[loop] != NONE && question->graph->from[edge] == path->tested[loop];
  return question->iterations[loop] - (test ? 0 : 1);
}

/* Adds the full passes before the last one to the weight of leaving the loop. */
static void add_full_passes(struct search *search, const struct pass *pass)
{
  const struct wb_longest_path_question *question = search->question;
  const struct wb_loop *loop = &question->forest->loops[pass->loop];
  for (size_t n = 0; n < loop->node_count; n++) {
    uint32_t from = question->forest->nodes[loop->first_node + n];
    for (uint32_t i = search->outgoing.first[from]; i < search->outgoing.first[from + 1]; i++) {
      uint32_t edge = search->outgoing.list[i];
      if (wb_path_loop_holds(question->forest, pass->loop, question->graph->to[edge]))
        continue;
      uint32_t count = full_passes(question, search->path, pass->loop, edge);
      const struct wb_path_weight full = {times(pass->full.length, count),
                                          times(pass->full.taken, count)};
      search->leaving[edge] = wb_path_weight_add(full, search->leaving[edge]);
    }
  }
}

static void search_region(struct search *search, uint32_t region)
{
  const struct wb_longest_path_question *question = search->question;
  const struct wb_loop_forest *forest = question->forest;
  bool whole = region == forest->loop_count;
  struct pass pass = {.loop = whole ? NONE : region,
                      .start = whole ? question->graph->entry : forest->loops[region].header};
  const struct wb_path_weight nothing = {0};
  if (!whole) {
    search->path->tested[region] = wb_path_loop_test(question, &search->outgoing, region);
    go_on(search, &pass, pass.start, nothing);
  }
  for (uint32_t i = search->levels.first[region]; i < search->levels.first[region + 1]; i++) {
    uint32_t node = search->levels.list[i];
    if (whole && node == pass.start)
      go_on(search, &pass, node, nothing);
    else if (search->reached[node])
      go_on(search, &pass, node, search->value[node]);
  }
  if (!whole)
    add_full_passes(search, &pass);
}

warpbound_status wb_longest_path_find(const struct wb_longest_path_question *question,
                                      struct wb_arena *arena, struct wb_longest_path *path,
                                      warpbound_error *error)
{
  *path = (struct wb_longest_path){0};
  const struct wb_loop_forest *forest = question->forest;
  for (size_t l = 0; l < forest->loop_count; l++) {
    if (forest->loops[l].depth > WB_PATH_LOOP_DEPTH_LIMIT)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "expected loops nested at most %d deep, found deeper ones",
                     WB_PATH_LOOP_DEPTH_LIMIT);
  }
  struct search search = {.question = question, .path = path};
  const bool prepared = prepare(&search, arena);
  /* Loops stand after those around them: inner ones first, the whole graph last. */
  for (size_t l = forest->loop_count; prepared && l > 0; l--)
    search_region(&search, (uint32_t)(l - 1));
  if (prepared) {
    search_region(&search, (uint32_t)forest->loop_count);
    path->total = search.value[question->end];
  }
  wb_edge_lists_free(&search.outgoing);
  wb_edge_lists_free(&search.levels);
  wb_arena_free(&search.arena);
  return prepared ? WARPBOUND_OK : wb_out_of_memory(error);
}

/* ---- the edges of the path, one after the other ---- */

static bool push(struct wb_path_walker *walker, enum wb_path_task_kind kind, uint32_t loop,
                 uint32_t edge, uint32_t count)
{
  if (kind == WB_PATH_TASK_FULL_PASSES && count == 0)
    return true;
  bool grown = wb_grow(walker->stack, &walker->capacity, walker->depth + 1);
  if (grown)
    walker->stack[walker->depth++] = (struct wb_path_task){(uint8_t)kind, loop, edge, count};
  return grown;
}

/* Pushes a pass, its end first: the path to its last edge, node by node backwards. An inner loop
 * becomes its full passes and one pass that leaves it. */
static bool unfold(struct wb_path_walker *walker, uint32_t loop, uint32_t edge)
{
  const struct wb_longest_path_question *question = walker->question;
  const struct wb_loop_forest *forest = question->forest;
  uint32_t start = loop == NONE ? question->graph->entry : forest->loops[loop].header;
  for (;;) {
    uint32_t node = question->graph->from[edge];
    uint32_t inner = forest->innermost[node];
    while (inner != loop && forest->loops[inner].parent != loop)
      inner = forest->loops[inner].parent;
    if (inner == loop) {
      if (!push(walker, WB_PATH_TASK_EDGE, loop, edge, 1))
        return false;
    } else {
      uint32_t count = full_passes(question, walker->path, inner, edge);
      if (!push(walker, WB_PATH_TASK_PASS, inner, edge, 1) ||
          !push(walker, WB_PATH_TASK_FULL_PASSES, inner, edge, count))
        return false;
      node = forest->loops[inner].header;
    }
    if (node == start)
      return true;
    edge = walker->path->before[node];
  }
}

warpbound_status wb_path_walker_make(struct wb_path_walker *walker,
                                     const struct wb_longest_path_question *question,
                                     const struct wb_longest_path *path, warpbound_error *error)
{
  *walker = (struct wb_path_walker){.question = question, .path = path};
  bool pushed = question->end == question->graph->entry ||
                push(walker, WB_PATH_TASK_PASS, NONE, path->before[question->end], 1);
  return pushed ? WARPBOUND_OK : wb_out_of_memory(error);
}

warpbound_status wb_path_walker_next(struct wb_path_walker *walker, uint32_t *edge,
                                     warpbound_error *error)
{
  while (walker->depth > 0) {
    struct wb_path_task task = walker->stack[--walker->depth];
    if (task.kind == WB_PATH_TASK_EDGE) {
      *edge = task.edge;
      return WARPBOUND_OK;
    }
    bool pushed;
    if (task.kind == WB_PATH_TASK_PASS)
      pushed = unfold(walker, task.loop, task.edge);
    else
      pushed = push(walker, WB_PATH_TASK_FULL_PASSES, task.loop, task.edge, task.count - 1) &&
               push(walker, WB_PATH_TASK_PASS, task.loop, walker->path->again[task.loop], 1);
    if (!pushed)
      return wb_out_of_memory(error);
  }
  *edge = NONE;
  return WARPBOUND_OK;
}

void wb_path_walker_free(struct wb_path_walker *walker)
{
  free(walker->stack);
  *walker = (struct wb_path_walker){0};
}

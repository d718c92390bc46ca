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

struct wb_path_weight wb_path_weight_times(struct wb_path_weight a, uint64_t count)
{
  return (struct wb_path_weight){times(a.length, count), times(a.taken, count)};
}

bool wb_path_preferred(enum wb_path_order order, struct wb_path_weight a, struct wb_path_weight b)
{
  bool longer = a.length > b.length;
  if (order == WB_PATH_LONGEST)
    return longer || (a.length == b.length && a.taken < b.taken);
  return a.taken < b.taken || (a.taken == b.taken && longer);
}

/* A search under way. A region is a loop, or the whole graph under the index loop_count; the
 * nodes of its level are those that are in no loop inside of it, and the headers of the loops
 * next inside. levels: the nodes of each level, in an order in which edges other than back edges
 * lead onwards. value: by node, the weight of the way to it within its level. leaving: by edge, the
 * weight of a pass of the region last seen to that edge, with the full passes before. */
struct search {
  const struct wb_longest_path_question *question;
  struct wb_longest_path *path;
  struct wb_edge_lists outgoing;
  struct wb_edge_lists levels;
  uint32_t *order;
  struct wb_path_weight *value;
  struct wb_path_weight *leaving;
  bool *reached;
};

/* Whether a loop (NONE: the whole graph) holds the node. */
static bool holds(const struct wb_loop_forest *forest, uint32_t loop, uint32_t node)
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
static size_t number_nodes(struct search *s, uint32_t *place, uint32_t *stack)
{
  const struct wb_flow_graph *graph = s->question->graph;
  size_t depth = 0;
  size_t left = 0;
  stack[depth++] = graph->entry;
  s->reached[graph->entry] = true;
  while (depth > 0) {
    uint32_t node = stack[depth - 1];
    uint32_t next_edge = s->outgoing.first[node] + place[node]++;
    if (next_edge == s->outgoing.first[node + 1]) {
      s->order[graph->node_count - ++left] = node;
      depth--;
      continue;
    }
    uint32_t next = graph->to[s->outgoing.list[next_edge]];
    if (!s->reached[next])
      stack[depth++] = next;
    s->reached[next] = true;
  }
  return left;
}

/* The nodes of each region's level in the order found. */
static bool make_levels(struct search *s, size_t count)
{
  const struct wb_flow_graph *graph = s->question->graph;
  const struct wb_loop_forest *forest = s->question->forest;
  uint32_t *level = wb_allocate(count, sizeof *level);
  if (level == NULL)
    return false;
  uint32_t *ordered = s->order + (graph->node_count - count);
  for (size_t i = 0; i < count; i++) {
    uint32_t loop = forest->innermost[ordered[i]];
    if (loop != NONE && forest->loops[loop].header == ordered[i])
      loop = forest->loops[loop].parent;
    level[i] = loop == NONE ? (uint32_t)forest->loop_count : loop;
  }
  bool made = wb_edge_lists_make(level, count, forest->loop_count + 1, &s->levels);
  free(level);
  for (size_t i = 0; made && i < count; i++)
    s->levels.list[i] = ordered[s->levels.list[i]];
  return made;
}

static bool prepare(struct search *s)
{
  const struct wb_flow_graph *graph = s->question->graph;
  const struct wb_loop_forest *forest = s->question->forest;
  s->order = wb_allocate(graph->node_count, sizeof *s->order);
  s->value = wb_allocate(graph->node_count, sizeof *s->value);
  s->leaving = wb_allocate(graph->edge_count, sizeof *s->leaving);
  s->reached = wb_allocate(graph->node_count, sizeof *s->reached);
  s->path->before = wb_allocate(graph->node_count, sizeof *s->path->before);
  s->path->again = wb_allocate(forest->loop_count, sizeof *s->path->again);
  s->path->tested = wb_allocate(forest->loop_count, sizeof *s->path->tested);
  if (s->order == NULL || s->value == NULL || s->leaving == NULL || s->reached == NULL ||
      s->path->before == NULL || s->path->again == NULL || s->path->tested == NULL ||
      !wb_edge_lists_make(graph->from, graph->edge_count, graph->node_count, &s->outgoing))
    return false;
  uint32_t *place = wb_allocate(graph->node_count, sizeof *place);
  uint32_t *stack = wb_allocate(graph->node_count, sizeof *stack);
  bool made = place != NULL && stack != NULL && make_levels(s, number_nodes(s, place, stack));
  free(place);
  free(stack);
  if (!made)
    return false;
  memset(s->reached, 0, graph->node_count * sizeof *s->reached);
  memset(s->path->before, 0xff, graph->node_count * sizeof *s->path->before);
  memset(s->path->again, 0xff, forest->loop_count * sizeof *s->path->again);
  memset(s->path->tested, 0xff, forest->loop_count * sizeof *s->path->tested);
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

/* The first branch behind the header, if an edge of it leaves the loop and another begins a body,
 * which does more than jump back. */
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
    if (!holds(question->forest, loop, graph->to[edge]))
      leaves = true;
    else
      body = body || !jumps_back(question, outgoing, loop, edge);
  }
  return leaves && body ? node : NONE;
}

/* What is known while a region is searched. */
struct pass {
  uint32_t loop; /* NONE: the whole graph */
  uint32_t start;
  struct wb_path_weight full; /* the preferred pass from the header back to it */
};

static void arrive(struct search *s, struct pass *pass, uint32_t edge, struct wb_path_weight weight)
{
  const struct wb_longest_path_question *question = s->question;
  uint32_t node = question->graph->to[edge];
  enum wb_path_order order = question->order;
  if (pass->loop != NONE && node == pass->start) {
    uint32_t *again = &s->path->again[pass->loop];
    if (*again != NONE && !wb_path_preferred(order, weight, pass->full))
      return;
    *again = edge;
    pass->full = weight;
  } else if (!holds(question->forest, pass->loop, node)) {
    s->leaving[edge] = weight;
  } else if (!s->reached[node] || wb_path_preferred(order, weight, s->value[node])) {
    s->reached[node] = true;
    s->value[node] = weight;
    s->path->before[node] = edge;
  }
}

/* Goes on from a node of the level: a header of a loop inside by the edges that leave that loop. */
static void go_on(struct search *s, struct pass *pass, uint32_t node, struct wb_path_weight so_far)
{
  const struct wb_longest_path_question *question = s->question;
  const struct wb_loop_forest *forest = question->forest;
  uint32_t inner = forest->innermost[node];
  const uint32_t *first = s->outgoing.first;
  if (inner == pass->loop) {
    for (uint32_t i = first[node]; i < first[node + 1]; i++) {
      uint32_t edge = s->outgoing.list[i];
      arrive(s, pass, edge, wb_path_weight_add(so_far, question->weight[edge]));
    }
    return;
  }
  const struct wb_loop *loop = &forest->loops[inner];
  for (size_t n = 0; n < loop->node_count; n++) {
    uint32_t from = forest->nodes[loop->first_node + n];
    for (uint32_t i = first[from]; i < first[from + 1]; i++) {
      uint32_t edge = s->outgoing.list[i];
      if (!holds(forest, inner, question->graph->to[edge]))
        arrive(s, pass, edge, wb_path_weight_add(so_far, s->leaving[edge]));
    }
  }
}

/* How many full passes a way does that leaves the loop by this edge. */
static uint32_t full_passes(const struct wb_longest_path_question *question,
                            const struct wb_longest_path *path, uint32_t loop, uint32_t edge)
{
  bool test = path->tested[loop] != NONE && question->graph->from[edge] == path->tested[loop];
  return question->iterations[loop] - (test ? 0 : 1);
}

/* The passes before the last are added to what leaving the loop weighs. */
static void add_full_passes(struct search *s, const struct pass *pass)
{
  const struct wb_longest_path_question *question = s->question;
  const struct wb_loop *loop = &question->forest->loops[pass->loop];
  for (size_t n = 0; n < loop->node_count; n++) {
    uint32_t from = question->forest->nodes[loop->first_node + n];
    for (uint32_t i = s->outgoing.first[from]; i < s->outgoing.first[from + 1]; i++) {
      uint32_t edge = s->outgoing.list[i];
      if (holds(question->forest, pass->loop, question->graph->to[edge]))
        continue;
      uint32_t count = full_passes(question, s->path, pass->loop, edge);
      s->leaving[edge] =
          wb_path_weight_add(wb_path_weight_times(pass->full, count), s->leaving[edge]);
    }
  }
}

static void search_region(struct search *s, uint32_t region)
{
  const struct wb_longest_path_question *question = s->question;
  const struct wb_loop_forest *forest = question->forest;
  bool whole = region == forest->loop_count;
  struct pass pass = {.loop = whole ? NONE : region,
                      .start = whole ? question->graph->entry : forest->loops[region].header};
  const struct wb_path_weight nothing = {0};
  if (!whole) {
    s->path->tested[region] = wb_path_loop_test(question, &s->outgoing, region);
    go_on(s, &pass, pass.start, nothing);
  }
  for (uint32_t i = s->levels.first[region]; i < s->levels.first[region + 1]; i++) {
    uint32_t node = s->levels.list[i];
    if (whole && node == pass.start)
      go_on(s, &pass, node, nothing);
    else if (s->reached[node])
      go_on(s, &pass, node, s->value[node]);
  }
  if (!whole)
    add_full_passes(s, &pass);
}

warpbound_status wb_longest_path_find(const struct wb_longest_path_question *question,
                                      struct wb_longest_path *path, warpbound_error *error)
{
  *path = (struct wb_longest_path){0};
  const struct wb_loop_forest *forest = question->forest;
  for (size_t l = 0; l < forest->loop_count; l++) {
    if (forest->loops[l].depth > WB_PATH_LOOP_DEPTH_LIMIT)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "expected loops nested at most %d deep, found deeper ones",
                     WB_PATH_LOOP_DEPTH_LIMIT);
  }
  struct search s = {.question = question, .path = path};
  warpbound_status status = prepare(&s) ? WARPBOUND_OK : wb_out_of_memory(error);
  /* Loops stand after those around them: inner ones first, the whole graph last. */
  for (size_t l = forest->loop_count; status == WARPBOUND_OK && l > 0; l--)
    search_region(&s, (uint32_t)(l - 1));
  if (status == WARPBOUND_OK) {
    search_region(&s, (uint32_t)forest->loop_count);
    path->total = s.value[question->end];
  }
  wb_edge_lists_free(&s.outgoing);
  wb_edge_lists_free(&s.levels);
  free(s.order);
  free(s.value);
  free(s.leaving);
  free(s.reached);
  if (status != WARPBOUND_OK)
    wb_longest_path_free(path);
  return status;
}

void wb_longest_path_free(struct wb_longest_path *path)
{
  free(path->before);
  free(path->again);
  free(path->tested);
  *path = (struct wb_longest_path){0};
}

enum task_kind {
  TASK_EDGE, /* the edge itself */
  TASK_PASS, /* a pass of the loop, or of the whole graph, that ends in the edge */
  TASK_FULL  /* `count` passes of the loop that end in its back edge */
};

static bool push(struct wb_path_walker *walker, enum task_kind kind, uint32_t loop, uint32_t edge,
                 uint32_t count)
{
  if (kind == TASK_FULL && count == 0)
    return true;
  bool grown = wb_grow(walker->stack, &walker->capacity, walker->depth + 1);
  if (grown)
    walker->stack[walker->depth++] = (struct wb_path_task){(uint8_t)kind, loop, edge, count};
  return grown;
}

/* The loop next inside of `loop` that holds the node; NONE where it is in none. */
static uint32_t inner_loop(const struct wb_loop_forest *forest, uint32_t loop, uint32_t node)
{
  uint32_t inner = forest->innermost[node];
  if (inner == loop)
    return NONE;
  while (forest->loops[inner].parent != loop)
    inner = forest->loops[inner].parent;
  return inner;
}

/* Puts a pass on the stack, its end first: the way to its last edge, node by node from behind,
 * where a loop inside is its full passes and one that leaves it. */
static bool unfold(struct wb_path_walker *walker, uint32_t loop, uint32_t edge)
{
  const struct wb_longest_path_question *question = walker->question;
  const struct wb_loop_forest *forest = question->forest;
  uint32_t start = loop == NONE ? question->graph->entry : forest->loops[loop].header;
  for (;;) {
    uint32_t node = question->graph->from[edge];
    uint32_t inner = inner_loop(forest, loop, node);
    if (inner == NONE) {
      if (!push(walker, TASK_EDGE, loop, edge, 1))
        return false;
    } else {
      uint32_t count = full_passes(question, walker->path, inner, edge);
      if (!push(walker, TASK_PASS, inner, edge, 1) || !push(walker, TASK_FULL, inner, edge, count))
        return false;
      node = forest->loops[inner].header;
    }
    if (node == start)
      return true;
    edge = walker->path->before[node];
  }
}

warpbound_status wb_path_walker_start(struct wb_path_walker *walker,
                                      const struct wb_longest_path_question *question,
                                      const struct wb_longest_path *path, warpbound_error *error)
{
  *walker = (struct wb_path_walker){.question = question, .path = path};
  bool pushed = question->end == question->graph->entry ||
                push(walker, TASK_PASS, NONE, path->before[question->end], 1);
  return pushed ? WARPBOUND_OK : wb_out_of_memory(error);
}

warpbound_status wb_path_walker_next(struct wb_path_walker *walker, uint32_t *edge,
                                     warpbound_error *error)
{
  while (walker->depth > 0) {
    struct wb_path_task task = walker->stack[--walker->depth];
    if (task.kind == TASK_EDGE) {
      *edge = task.edge;
      return WARPBOUND_OK;
    }
    bool pushed;
    if (task.kind == TASK_PASS)
      pushed = unfold(walker, task.loop, task.edge);
    else
      pushed = push(walker, TASK_FULL, task.loop, task.edge, task.count - 1) &&
               push(walker, TASK_PASS, task.loop, walker->path->again[task.loop], 1);
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

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

/* The nodes of each region's level in the order found. */
static bool make_levels(struct search *search, size_t count)
{
  const struct wb_flow_graph *graph = search->question->graph;
  const struct wb_loop_forest *forest = search->question->forest;
  uint32_t *level = wb_allocate(count, sizeof *level);
  if (level == NULL)
    return false;
  uint32_t *ordered = search->order + (graph->node_count - count);
  for (size_t i = 0; i < count; i++) {
    uint32_t loop = forest->innermost[ordered[i]];
    if (loop != NONE && forest->loops[loop].header == ordered[i])
      loop = forest->loops[loop].parent;
    level[i] = loop == NONE ? (uint32_t)forest->loop_count : loop;
  }
  bool made = wb_edge_lists_make(level, count, forest->loop_count + 1, &search->levels);
  free(level);
  for (size_t i = 0; made && i < count; i++)
    search->levels.list[i] = ordered[search->levels.list[i]];
  return made;
}

static bool prepare(struct search *search)
{
  const struct wb_flow_graph *graph = search->question->graph;
  const struct wb_loop_forest *forest = search->question->forest;
  search->order = wb_allocate(graph->node_count, sizeof *search->order);
  search->value = wb_allocate(graph->node_count, sizeof *search->value);
  search->leaving = wb_allocate(graph->edge_count, sizeof *search->leaving);
  search->reached = wb_allocate(graph->node_count, sizeof *search->reached);
  search->path->before = wb_allocate(graph->node_count, sizeof *search->path->before);
  search->path->again = wb_allocate(forest->loop_count, sizeof *search->path->again);
  search->path->tested = wb_allocate(forest->loop_count, sizeof *search->path->tested);
  if (search->order == NULL || search->value == NULL || search->leaving == NULL ||
      search->reached == NULL || search->path->before == NULL || search->path->again == NULL ||
      search->path->tested == NULL ||
      !wb_edge_lists_make(graph->from, graph->edge_count, graph->node_count, &search->outgoing))
    return false;
  uint32_t *place = wb_allocate(graph->node_count, sizeof *place);
  uint32_t *stack = wb_allocate(graph->node_count, sizeof *stack);
  bool made =
      place != NULL && stack != NULL && make_levels(search, number_nodes(search, place, stack));
  free(place);
  free(stack);
  if (!made)
    return false;
  memset(search->reached, 0, graph->node_count * sizeof *search->reached);
  memset(search->path->before, 0xff, graph->node_count * sizeof *search->path->before);
  memset(search->path->again, 0xff, forest->loop_count * sizeof *search->path->again);
  memset(search->path->tested, 0xff, forest->loop_count * sizeof *search->path->tested);
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
    if (!holds(question->forest, loop, graph->to[edge]))
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
  } else if (!holds(question->forest, pass->loop, node)) {
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
      if (!holds(forest, inner, question->graph->to[edge]))
        arrive(search, pass, edge, wb_path_weight_add(so_far, search->leaving[edge]));
    }
  }
}

uint32_t wb_path_full_passes(const struct wb_longest_path_question *question,
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
      if (holds(question->forest, pass->loop, question->graph->to[edge]))
        continue;
      uint32_t count = wb_path_full_passes(question, search->path, pass->loop, edge);
      search->leaving[edge] =
          wb_path_weight_add(wb_path_weight_times(pass->full, count), search->leaving[edge]);
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
  struct search search = {.question = question, .path = path};
  warpbound_status status = prepare(&search) ? WARPBOUND_OK : wb_out_of_memory(error);
  /* Loops stand after those around them: inner ones first, the whole graph last. */
  for (size_t l = forest->loop_count; status == WARPBOUND_OK && l > 0; l--)
    search_region(&search, (uint32_t)(l - 1));
  if (status == WARPBOUND_OK) {
    search_region(&search, (uint32_t)forest->loop_count);
    path->total = search.value[question->end];
  }
  wb_edge_lists_free(&search.outgoing);
  wb_edge_lists_free(&search.levels);
  free(search.order);
  free(search.value);
  free(search.leaving);
  free(search.reached);
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

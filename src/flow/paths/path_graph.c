#include "flow/paths/path_graph.h"

#include "isa/runtime_calls.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* ---- places and calls ---- */

bool wb_path_is_number(const char *text)
{
  return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

uint32_t wb_path_line(const char *text)
{
  unsigned long line = strtoul(text, NULL, 10);
  return line > 0 && line < UINT32_MAX ? (uint32_t)line : UINT32_MAX;
}

uint32_t wb_path_find_place(const struct wb_function *function, const char *place)
{
  if (wb_path_is_number(place)) {
    uint32_t line = wb_path_line(place);
    for (size_t i = 0; i < function->instruction_count; i++) {
      if (function->instructions[i].line == line)
        return (uint32_t)i;
    }
    return NONE;
  }
  for (size_t l = 0; l < function->label_count; l++) {
    if (strcmp(function->labels[l].name, place) == 0)
      return function->labels[l].index;
  }
  return NONE;
}

const struct wb_label *wb_path_label_at(const struct wb_function *function, uint32_t index)
{
  size_t low = 0;
  size_t high = function->label_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (function->labels[middle].index < index)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < function->label_count && function->labels[low].index == index;
  return found ? &function->labels[low] : NULL;
}

/* By name, defined ones first, then in the order of the listing. */
static int by_name(const void *a, const void *b)
{
  const struct wb_function *left = *(const struct wb_function *const *)a;
  const struct wb_function *right = *(const struct wb_function *const *)b;
  int order = strcmp(left->name, right->name);
  if (order != 0)
    return order;
  if (left->defined != right->defined)
    return left->defined ? -1 : 1;
  return (left > right) - (left < right);
}

bool wb_path_calls_make(const struct wb_code *code, const struct wb_call_assumption *assumptions,
                        size_t assumption_count, struct wb_arena *arena,
                        struct wb_path_calls *calls)
{
  *calls = (struct wb_path_calls){code, assumptions, assumption_count, NULL};
  calls->functions = wb_arena_array(arena, const struct wb_function *, code->function_count);
  if (arena->failed)
    return false;
  for (size_t f = 0; f < code->function_count; f++)
    calls->functions[f] = &code->functions[f];
  qsort(calls->functions, code->function_count, sizeof *calls->functions, by_name);
  return true;
}

struct wb_path_call wb_path_calls_find(const struct wb_path_calls *calls,
                                       const struct wb_instruction *instruction)
{
  bool indirect = instruction->transfer == WB_TRANSFER_CALL_INDIRECT;
  const char *name = indirect ? "indirect" : instruction->callee;
  struct wb_path_call call = {0};
  /* The first function of the name. */
  size_t low = 0;
  size_t high = indirect ? 0 : calls->code->function_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(calls->functions[middle]->name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  const struct wb_function *function = NULL;
  if (!indirect && low < calls->code->function_count &&
      strcmp(calls->functions[low]->name, name) == 0)
    function = calls->functions[low];
  if (function != NULL && function->defined) {
    call.function = function;
    return call;
  }
  for (size_t a = 0; a < calls->assumption_count && call.assumed == NULL; a++) {
    if (strcmp(calls->assumptions[a].name, name) == 0)
      call.assumed = &calls->assumptions[a];
  }
  const struct wb_runtime_call *runtime = indirect ? NULL : wb_runtime_call_find(name);
  call.runtime = runtime != NULL;
  call.ends_thread =
      (runtime != NULL && runtime->ends_thread) || (function != NULL && function->no_return);
  call.stops = runtime != NULL && runtime->ends_thread && call.assumed == NULL;
  return call;
}

/* ---- graphs ---- */

/* The last instruction of a line, or NONE. */
static uint32_t find_line_end(const struct wb_function *function, uint32_t line)
{
  uint32_t end = NONE;
  for (size_t i = 0; line > 0 && i < function->instruction_count; i++) {
    if (function->instructions[i].line == line)
      end = (uint32_t)i;
  }
  return end;
}

bool wb_path_graph_has(const struct wb_function *function, struct wb_path_place place)
{
  return place.index != NONE || find_line_end(function, place.line) != NONE;
}

uint32_t wb_path_graph_block(const struct wb_path_graph *graph, uint32_t instruction)
{
  uint32_t low = 0;
  uint32_t high = graph->block_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (graph->blocks[middle].first <= instruction)
      low = middle;
    else
      high = middle;
  }
  return low;
}

const struct wb_instruction *wb_path_graph_last(const struct wb_path_graph *graph, uint32_t block)
{
  const struct wb_path_block *row = &graph->blocks[block];
  return &graph->function->instructions[row->first + row->count - 1];
}

bool wb_path_graph_jumps(const struct wb_path_graph *graph, uint32_t block)
{
  const struct wb_instruction *last = wb_path_graph_last(graph, block);
  return graph->blocks[block].count == 1 && last->transfer == WB_TRANSFER_BRANCH && !last->guarded;
}

/* Makes the blocks; leaders: by instruction and one more, false. */
static bool make_blocks(struct wb_path_graph *graph, struct wb_path_place place, uint32_t line_end,
                        bool *leaders, struct wb_arena *arena)
{
  const struct wb_function *function = graph->function;
  leaders[0] = true;
  for (size_t t = 0; t < function->target_count; t++)
    leaders[function->targets[t]] = true;
  for (size_t i = 0; i < function->instruction_count; i++) {
    if (function->instructions[i].transfer != WB_TRANSFER_NEXT)
      leaders[i + 1] = true;
  }
  if (place.index != NONE)
    leaders[place.index] = true;
  if (line_end != NONE)
    leaders[line_end + 1] = true;
  for (size_t i = 0; i < function->instruction_count; i++)
    graph->block_count += leaders[i] ? 1 : 0;
  graph->blocks = wb_arena_array(arena, struct wb_path_block, graph->block_count);
  if (graph->blocks == NULL)
    return false;
  uint32_t block = 0;
  for (size_t i = 0; i < function->instruction_count; i++) {
    if (leaders[i])
      graph->blocks[block++].first = (uint32_t)i;
    graph->blocks[block - 1].count++;
  }
  return true;
}

static void add_end(struct wb_path_graph *graph, uint32_t block, enum wb_path_edge_kind kind,
                    bool taken)
{
  graph->edges[graph->edge_count++] =
      (struct wb_path_edge){block, graph->block_count, NONE, (uint8_t)kind, taken};
}

/* An edge to an instruction, or to the end of the function. */
static void add_edge(struct wb_path_graph *graph, struct wb_path_place place, uint32_t block,
                     uint32_t to, uint32_t target, bool taken)
{
  struct wb_path_edge edge = {block, graph->block_count, target, WB_PATH_ON, taken};
  if (to == place.index)
    edge.kind = WB_PATH_PLACE;
  else if (to == graph->function->instruction_count)
    edge.kind = WB_PATH_RETURN;
  else
    edge.to = wb_path_graph_block(graph, to);
  graph->edges[graph->edge_count++] = edge;
}

/* Adds the edges of a block: at most two, and those to the targets of its last instruction. */
static void add_edges(struct wb_path_graph *graph, const struct wb_path_calls *calls,
                      struct wb_path_place place, uint32_t block)
{
  const struct wb_instruction *last = wb_path_graph_last(graph, block);
  uint32_t next = graph->blocks[block].first + graph->blocks[block].count;
  const struct wb_path_call call = last->transfer == WB_TRANSFER_CALL_FUNCTION
                                       ? wb_path_calls_find(calls, last)
                                       : (struct wb_path_call){0};
  const bool ends = call.ends_thread;
  const enum wb_path_edge_kind end = call.stops ? WB_PATH_STOP : WB_PATH_EXIT;
  bool goes_on = last->guarded || last->transfer == WB_TRANSFER_NEXT ||
                 last->transfer == WB_TRANSFER_CALL_INDIRECT ||
                 (last->transfer == WB_TRANSFER_CALL_FUNCTION && !ends);
  if (goes_on)
    add_edge(graph, place, block, next, NONE, false);
  switch (last->transfer) {
  case WB_TRANSFER_BRANCH:
  case WB_TRANSFER_INDEXED_BRANCH:
    for (uint32_t t = last->first_target; t < last->first_target + last->target_count; t++)
      add_edge(graph, place, block, graph->function->targets[t], t, last->guarded);
    break;
  case WB_TRANSFER_CALL_FUNCTION:
    add_end(graph, block, ends ? end : WB_PATH_CALLEE, ends && last->guarded);
    break;
  case WB_TRANSFER_RETURN:
    add_end(graph, block, WB_PATH_RETURN, last->guarded);
    break;
  case WB_TRANSFER_EXIT:
    add_end(graph, block, WB_PATH_EXIT, last->guarded);
    break;
  case WB_TRANSFER_INDIRECT_BRANCH:
    add_end(graph, block, WB_PATH_UNKNOWN, last->guarded);
    break;
  default:
    break;
  }
}

bool wb_path_graph_make(const struct wb_function *function, const struct wb_path_calls *calls,
                        struct wb_path_place place, struct wb_arena *arena,
                        struct wb_path_graph *graph)
{
  const uint32_t line_end = find_line_end(function, place.line);
  bool *leaders = wb_arena_array(arena, bool, function->instruction_count + 2);
  size_t most = 0;
  *graph = (struct wb_path_graph){.function = function};
  if (leaders == NULL || !make_blocks(graph, place, line_end, leaders, arena))
    return false;
  for (uint32_t b = 0; b < graph->block_count; b++)
    most += 2 + (size_t)wb_path_graph_last(graph, b)->target_count;
  graph->edges = wb_arena_array(arena, struct wb_path_edge, most);
  if (graph->edges == NULL)
    return false;
  for (uint32_t b = 0; b < graph->block_count; b++) {
    if (graph->blocks[b].first + graph->blocks[b].count - 1 == line_end)
      add_end(graph, b, WB_PATH_PLACE, false);
    else
      add_edges(graph, calls, place, b);
  }
  return true;
}

bool wb_path_flow_make(const struct wb_path_graph *graph, struct wb_arena *arena,
                       struct wb_flow_graph *flow)
{
  uint32_t *from = wb_arena_array(arena, uint32_t, graph->edge_count);
  uint32_t *to = wb_arena_array(arena, uint32_t, graph->edge_count);
  if (from == NULL || to == NULL)
    return false;
  for (size_t e = 0; e < graph->edge_count; e++) {
    from[e] = graph->edges[e].from;
    to[e] = graph->edges[e].to;
  }
  *flow = (struct wb_flow_graph){.node_count = (size_t)graph->block_count + 1,
                                 .edge_count = graph->edge_count,
                                 .from = from,
                                 .to = to,
                                 .entry = 0};
  return true;
}

bool wb_path_graph_is_valid(const struct wb_path_graph *graph)
{
  uint32_t next = 0;
  for (uint32_t b = 0; b < graph->block_count; b++) {
    if (graph->blocks[b].first != next || graph->blocks[b].count == 0)
      return false;
    next += graph->blocks[b].count;
  }
  if (graph->block_count > 0 && next != graph->function->instruction_count)
    return false;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_path_edge *edge = &graph->edges[e];
    if (edge->from >= graph->block_count || edge->to > graph->block_count ||
        (edge->to < graph->block_count) != (edge->kind == WB_PATH_ON) ||
        (edge->target != NONE && edge->target >= graph->function->target_count) ||
        (e > 0 && edge->from < graph->edges[e - 1].from))
      return false;
  }
  return true;
}

/* ---- what the choices of a caller leave ---- */

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

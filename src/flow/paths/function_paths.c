#include "flow/paths/function_paths.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
/* Most loops without a number that an error names. */
#define NAMED_LOOPS 6

struct wb_path_function *wb_function_paths_of(const struct wb_function_paths *paths,
                                              const struct wb_function *function)
{
  return &paths->functions[function - paths->code->functions];
}

bool wb_goal_path_exists(const struct wb_path_function *row, enum wb_path_goal goal)
{
  if (row->function->instruction_count == 0)
    return goal == WB_PATH_GOAL_RETURN;
  return row->goal_path[goal].graph.edge_count > 0;
}

/* ---- the edges that the options leave ---- */

/* The place where the path is to end, for this function. */
static struct wb_path_place place_in(const struct wb_function_paths *paths,
                                     const struct wb_function *function)
{
  struct wb_path_place place = paths->end;
  if (function != paths->kernel)
    place.index = NONE;
  return place;
}

/* The kinds of edges (bits of enum wb_path_edge_kind) that a path of the function to the goal may
 * have, where all functions that it calls have paths. */
static unsigned edge_kinds(const struct wb_function_paths *paths,
                           const struct wb_function *function, enum wb_path_goal goal)
{
  if (goal == WB_PATH_GOAL_RETURN)
    return WB_PATH_ON | WB_PATH_RETURN;
  if (paths->options->through != NULL) {
    bool here = wb_path_graph_has(function, place_in(paths, function));
    return WB_PATH_ON | (here ? WB_PATH_PLACE : WB_PATH_CALLEE);
  }
  bool kernel = function == paths->kernel;
  return WB_PATH_ON | WB_PATH_EXIT | WB_PATH_CALLEE | (kernel ? WB_PATH_RETURN : 0) |
         (paths->stops ? WB_PATH_STOP : 0);
}

/* Keeps the paths that agree with a take, if it is about this function: of a line, those that take
 * the conditional branch, return or exit there. */
static warpbound_status apply_take(const struct wb_function_paths *paths,
                                   struct wb_path_function *row, const char *take, unsigned kinds,
                                   warpbound_error *error)
{
  struct wb_path_graph *graph = &row->graph;
  uint32_t index = wb_path_find_place(row->function, take);
  if (index == NONE || index == row->function->instruction_count || graph->edge_count == 0)
    return WARPBOUND_OK;
  warpbound_status status = WARPBOUND_OK;
  bool is_line = wb_path_is_number(take);
  /* Of a line, the take is about the instruction that may transfer control, if any. */
  const struct wb_instruction *instructions = row->function->instructions;
  for (uint32_t i = index; is_line && i < row->function->instruction_count; i++) {
    if (instructions[i].line != instructions[index].line)
      break;
    if (instructions[i].guarded && instructions[i].transfer != WB_TRANSFER_NEXT) {
      index = i;
      break;
    }
  }
  uint32_t block = wb_path_graph_block(graph, index);
  if (is_line) {
    const struct wb_instruction *last = wb_path_graph_last(graph, block);
    if (!last->guarded ||
        (last->transfer != WB_TRANSFER_BRANCH && last->transfer != WB_TRANSFER_RETURN &&
         last->transfer != WB_TRANSFER_EXIT && last->transfer != WB_TRANSFER_INDEXED_BRANCH))
      return wb_fail_at(error, WARPBOUND_USAGE, paths->code->name, last->line, last->column,
                        "--take %.60s: expected the line of a conditional branch, return or exit, "
                        "found '%.80s'",
                        take, last->opcode);
    size_t kept = 0;
    for (size_t e = 0; e < graph->edge_count; e++) {
      if (graph->edges[e].from != block || graph->edges[e].taken)
        graph->edges[kept++] = graph->edges[e];
    }
    graph->edge_count = kept;
    status = wb_path_graph_prune(graph, kinds, error);
  }
  if (status == WARPBOUND_OK)
    status = wb_path_graph_require(graph, block, paths->code->name, error);
  return status == WARPBOUND_OK ? wb_path_graph_prune(graph, kinds, error) : status;
}

/* Makes row->graph: the edges that lead to some goal and agree with the choices of `takes`; and the
 * row's arrays. Errors: WARPBOUND_USAGE (a take is about no conditional branch),
 * WARPBOUND_FACTS_MISSING (a branch to an address in a register), WARPBOUND_INTERNAL. */
static warpbound_status make_graph(struct wb_function_paths *paths, struct wb_path_function *row,
                                   warpbound_error *error)
{
  const struct wb_function *function = row->function;
  struct wb_arena *arena = &paths->arena;
  row->state = WB_PATH_UNDER_WAY;
  if (function->instruction_count == 0)
    return WARPBOUND_OK;
  row->executed = wb_arena_array(arena, bool, function->instruction_count);
  row->continued = wb_arena_array(arena, bool, function->instruction_count);
  row->ended = wb_arena_array(arena, bool, function->instruction_count);
  row->jumped = wb_arena_array(arena, bool, function->target_count);
  if (!wb_path_graph_make(function, &paths->calls, place_in(paths, function), arena, &row->graph) ||
      arena->failed)
    return wb_out_of_memory(error);
  unsigned kinds = edge_kinds(paths, function, WB_PATH_GOAL_END);
  if (function != paths->kernel)
    kinds |= edge_kinds(paths, function, WB_PATH_GOAL_RETURN);
  if (paths->options->through == NULL)
    kinds |= WB_PATH_UNKNOWN;
  warpbound_status status = wb_path_graph_prune(&row->graph, kinds, error);
  for (size_t t = 0; status == WARPBOUND_OK && t < paths->options->take_count; t++)
    status = apply_take(paths, row, paths->options->takes[t], kinds, error);
  /* An address in a register decides where the path goes on: the longest path is not known. */
  for (size_t e = 0; status == WARPBOUND_OK && e < row->graph.edge_count; e++) {
    const struct wb_instruction *last = wb_path_graph_last(&row->graph, row->graph.edges[e].from);
    if (row->graph.edges[e].kind == WB_PATH_UNKNOWN)
      status =
          wb_fail_at(error, WARPBOUND_FACTS_MISSING, paths->code->name, last->line, last->column,
                     "the listing does not name the branch's target; end the path before "
                     "with --through");
  }
  return status;
}

/* ---- the preferred path to a goal ---- */

/* Drops the edges for which the called function has no path. */
static void drop_calls(const struct wb_function_paths *paths, struct wb_path_graph *graph)
{
  size_t kept = 0;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_path_edge *edge = &graph->edges[e];
    const struct wb_instruction *last = wb_path_graph_last(graph, edge->from);
    bool possible = edge->kind != WB_PATH_CALLEE;
    if (last->transfer == WB_TRANSFER_CALL_FUNCTION) {
      struct wb_path_call call = wb_path_calls_find(&paths->calls, last);
      const struct wb_path_function *row =
          call.function != NULL ? wb_function_paths_of(paths, call.function) : NULL;
      if (edge->kind == WB_PATH_CALLEE)
        possible = row != NULL && wb_goal_path_exists(row, WB_PATH_GOAL_END);
      else if (row != NULL && edge->kind != WB_PATH_EXIT && edge->kind != WB_PATH_STOP &&
               !last->guarded)
        possible = wb_goal_path_exists(row, WB_PATH_GOAL_RETURN);
    }
    if (possible)
      graph->edges[kept++] = *edge;
  }
  graph->edge_count = kept;
}

/* The weight of a block that is left by an edge: its instructions, and the path of its callee. */
static warpbound_status weigh(const struct wb_function_paths *paths,
                              const struct wb_path_graph *graph, const struct wb_path_edge *edge,
                              struct wb_path_weight *weight, warpbound_error *error)
{
  const struct wb_instruction *last = wb_path_graph_last(graph, edge->from);
  *weight = (struct wb_path_weight){graph->blocks[edge->from].count, edge->taken ? 1 : 0};
  if (last->transfer != WB_TRANSFER_CALL_FUNCTION && last->transfer != WB_TRANSFER_CALL_INDIRECT)
    return WARPBOUND_OK;
  struct wb_path_call call = wb_path_calls_find(&paths->calls, last);
  if (call.function != NULL) {
    enum wb_path_goal goal = edge->kind == WB_PATH_CALLEE ? WB_PATH_GOAL_END : WB_PATH_GOAL_RETURN;
    const struct wb_path_function *row = wb_function_paths_of(paths, call.function);
    if (wb_goal_path_exists(row, goal))
      *weight = wb_path_weight_add(*weight, row->goal_path[goal].path.total);
    return WARPBOUND_OK;
  }
  if (call.assumed != NULL)
    weight->length += call.assumed->string.length;
  if (call.assumed != NULL || call.runtime || call.ends_thread)
    return WARPBOUND_OK;
  const bool indirect = last->transfer == WB_TRANSFER_CALL_INDIRECT;
  const char *name = indirect ? "indirect" : last->callee;
  return wb_fail_at(error, WARPBOUND_FACTS_MISSING, paths->code->name, last->line, last->column,
                    "what %s%.120s%s does is not in the listing; say so with --assume-call "
                    "%.120s=STRING",
                    indirect ? "an " : "a call of '", name, indirect ? " call" : "'", name);
}

/* The innermost loop that holds a place, or NONE. */
static uint32_t named_loop(const struct wb_path_function *row, const struct wb_goal_path *goal_path,
                           const char *place)
{
  uint32_t index = wb_path_find_place(row->function, place);
  if (index == NONE || index == row->function->instruction_count)
    return NONE;
  return goal_path->forest.innermost[wb_path_graph_block(&goal_path->graph, index)];
}

/* Names the loops without a number of iterations by their headers. */
static warpbound_status missing_iterations(const struct wb_function_paths *paths,
                                           const struct wb_goal_path *goal_path,
                                           warpbound_error *error)
{
  const struct wb_function *function = goal_path->graph.function;
  struct wb_text list = {0};
  size_t count = 0;
  uint32_t first = NONE;
  for (uint32_t b = 0; b < goal_path->graph.block_count; b++) {
    uint32_t loop = goal_path->forest.innermost[b];
    if (loop == NONE || goal_path->forest.loops[loop].header != b ||
        goal_path->iterations[loop] > 0)
      continue;
    const struct wb_label *label = wb_path_label_at(function, goal_path->graph.blocks[b].first);
    first = first == NONE ? loop : first;
    if (count++ < NAMED_LOOPS)
      wb_text_format(&list, "%s%.60s (line %u)", count > 1 ? ", " : "",
                     label != NULL ? label->name : "(no label)",
                     function->instructions[goal_path->graph.blocks[b].first].line);
  }
  if (count > NAMED_LOOPS)
    wb_text_format(&list, " and %zu more", count - NAMED_LOOPS);
  if (list.failed)
    return wb_out_of_memory(error);
  const struct wb_loop *loop = &goal_path->forest.loops[first];
  uint32_t back_edge = goal_path->forest.back_edges[loop->first_back_edge];
  const struct wb_instruction *branch =
      wb_path_graph_last(&goal_path->graph, goal_path->graph.edges[back_edge].from);
  warpbound_status status = wb_fail_at(
      error, WARPBOUND_FACTS_MISSING, paths->code->name, branch->line, branch->column, "%s: %.200s",
      count == 1
          ? "the path comes to a loop; say how often its body is done with --loop-iterations N, or "
            "end the path before with --through; its header"
          : "the path comes to loops; say how often their bodies are done with --loop-iterations "
            "LABEL=N, or N for all, or end the path before with --through; their headers",
      list.data);
  wb_text_free(&list);
  return status;
}

static warpbound_status number_loops(struct wb_function_paths *paths,
                                     const struct wb_path_function *row,
                                     struct wb_goal_path *goal_path, warpbound_error *error)
{
  const struct wb_path_options *options = paths->options;
  for (size_t o = 0; o < options->loop_count; o++) {
    uint32_t loop = named_loop(row, goal_path, options->loops[o].place);
    if (loop == NONE)
      continue;
    bool last = true;
    for (size_t later = o + 1; later < options->loop_count; later++)
      last = last && named_loop(row, goal_path, options->loops[later].place) != loop;
    goal_path->iterations[loop] = options->loops[o].iterations;
    paths->loop_option_used[o] = true;
    paths->loop_option_wins[o] = paths->loop_option_wins[o] || last;
  }
  bool missing = false;
  for (size_t l = 0; l < goal_path->forest.loop_count; l++) {
    if (goal_path->iterations[l] > 0)
      continue;
    goal_path->iterations[l] = options->iterations;
    missing = missing || options->iterations == 0;
    paths->common_iterations = true;
  }
  return missing ? missing_iterations(paths, goal_path, error) : WARPBOUND_OK;
}

static warpbound_status find_goal_path(struct wb_function_paths *paths,
                                       struct wb_path_function *row, enum wb_path_goal goal,
                                       warpbound_error *error)
{
  struct wb_goal_path *goal_path = &row->goal_path[goal];
  struct wb_path_graph *graph = &goal_path->graph;
  struct wb_arena *arena = &paths->arena;
  *graph = row->graph;
  graph->edges = wb_arena_array(arena, struct wb_path_edge, row->graph.edge_count);
  if (graph->edges == NULL) {
    graph->edge_count = 0;
    return wb_out_of_memory(error);
  }
  memcpy(graph->edges, row->graph.edges, graph->edge_count * sizeof *graph->edges);
  drop_calls(paths, graph);
  warpbound_status status =
      wb_path_graph_prune(graph, edge_kinds(paths, row->function, goal), error);
  if (status != WARPBOUND_OK || graph->edge_count == 0)
    return status;
  goal_path->weight = wb_arena_array(arena, struct wb_path_weight, graph->edge_count);
  goal_path->jump = wb_arena_array(arena, bool, (size_t)graph->block_count + 1);
  goal_path->always = wb_arena_array(arena, bool, (size_t)graph->block_count + 1);
  if (!wb_path_flow_make(graph, arena, &goal_path->flow) || arena->failed)
    return wb_out_of_memory(error);
  status = wb_loop_forest_make(&goal_path->flow, &goal_path->forest, error);
  if (status == WARPBOUND_OK)
    status = wb_path_graph_reducible(graph, &goal_path->forest, paths->code->name, error);
  if (status != WARPBOUND_OK)
    return status;
  for (uint32_t b = 0; b < graph->block_count; b++)
    goal_path->jump[b] = wb_path_graph_jumps(graph, b);
  for (size_t e = 0; status == WARPBOUND_OK && e < graph->edge_count; e++)
    status = weigh(paths, graph, &graph->edges[e], &goal_path->weight[e], error);
  /* Every path goes through the blocks that dominate the end. */
  for (uint32_t node = graph->block_count; node != 0;) {
    node = goal_path->forest.dominators[node];
    goal_path->always[node] = true;
  }
  goal_path->iterations = wb_arena_array(arena, uint32_t, goal_path->forest.loop_count);
  if (status == WARPBOUND_OK)
    status = goal_path->iterations != NULL ? number_loops(paths, row, goal_path, error)
                                           : wb_out_of_memory(error);
  goal_path->question = (struct wb_longest_path_question){.graph = &goal_path->flow,
                                                          .end = graph->block_count,
                                                          .weight = goal_path->weight,
                                                          .jump = goal_path->jump,
                                                          .forest = &goal_path->forest,
                                                          .iterations = goal_path->iterations,
                                                          .order = paths->options->order};
  if (status == WARPBOUND_OK)
    status = wb_longest_path_find(&goal_path->question, arena, &goal_path->path, error);
  return status;
}

/* ---- all functions, callees first ---- */

/* A function whose calls are being followed. */
struct visit {
  struct wb_path_function *row;
  size_t next; /* edge */
};

struct visits {
  struct visit *items;
  size_t depth;
  size_t capacity;
};

static warpbound_status enter(struct wb_function_paths *paths, struct visits *visits,
                              const struct wb_function *function, warpbound_error *error)
{
  if (!wb_grow(visits->items, &visits->capacity, visits->depth + 1))
    return wb_out_of_memory(error);
  struct wb_path_function *row = wb_function_paths_of(paths, function);
  visits->items[visits->depth++] = (struct visit){row, 0};
  return make_graph(paths, row, error);
}

/* Enters the function that the block calls, where its paths are still to be found. */
static warpbound_status follow(struct wb_function_paths *paths, struct visits *visits,
                               const struct wb_instruction *last, warpbound_error *error)
{
  if (last->transfer != WB_TRANSFER_CALL_FUNCTION)
    return WARPBOUND_OK;
  struct wb_path_call call = wb_path_calls_find(&paths->calls, last);
  if (call.function == NULL)
    return WARPBOUND_OK;
  switch ((enum wb_path_state)wb_function_paths_of(paths, call.function)->state) {
  case WB_PATH_UNDER_WAY:
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, paths->code->name, last->line, last->column,
                      "a recursive call has no kernel instruction string: %.200s",
                      call.function->name);
  case WB_PATH_FOUND:
    return WARPBOUND_OK;
  case WB_PATH_NOT_SEEN:
    break;
  }
  return enter(paths, visits, call.function, error);
}

/* All functions that the kernel calls, callees first. */
static warpbound_status find_all(struct wb_function_paths *paths, warpbound_error *error)
{
  struct visits visits = {0};
  warpbound_status status = enter(paths, &visits, paths->kernel, error);
  while (status == WARPBOUND_OK && visits.depth > 0) {
    struct visit *visit = &visits.items[visits.depth - 1];
    const struct wb_path_graph *graph = &visit->row->graph;
    if (visit->next < graph->edge_count) {
      const struct wb_path_edge *edge = &graph->edges[visit->next++];
      status = follow(paths, &visits, wb_path_graph_last(graph, edge->from), error);
    } else {
      visits.depth--;
      visit->row->state = WB_PATH_FOUND;
      const bool empty = visit->row->function->instruction_count == 0;
      if (!empty && visit->row->function != paths->kernel)
        status = find_goal_path(paths, visit->row, WB_PATH_GOAL_RETURN, error);
      if (!empty && status == WARPBOUND_OK)
        status = find_goal_path(paths, visit->row, WB_PATH_GOAL_END, error);
    }
  }
  free(visits.items);
  return status;
}

static warpbound_status no_instruction(const struct wb_function_paths *paths,
                                       warpbound_error *error)
{
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, paths->code->name, paths->kernel->line, 0,
                    "the path of '%.100s' has no instruction", paths->kernel->name);
}

static warpbound_status find_end(struct wb_function_paths *paths, warpbound_error *error)
{
  const char *through = paths->options->through;
  const struct wb_function *kernel = paths->kernel;
  paths->end = (struct wb_path_place){NONE, 0};
  if (kernel->instruction_count == 0)
    return no_instruction(paths, error);
  if (through == NULL)
    return WARPBOUND_OK;
  if (wb_path_is_number(through)) {
    paths->end.line = wb_path_line(through);
    return WARPBOUND_OK;
  }
  paths->end.index = wb_path_find_place(kernel, through);
  if (paths->end.index == 0)
    return no_instruction(paths, error);
  if (paths->end.index != NONE)
    return WARPBOUND_OK;
  return wb_fail_at(error, WARPBOUND_USAGE, paths->code->name, 0, 0,
                    "--through: expected a label of '%.100s' or a line number, found '%.100s'",
                    kernel->name, through);
}

static bool lacks_path(const struct wb_function_paths *paths)
{
  return !wb_goal_path_exists(wb_function_paths_of(paths, paths->kernel), WB_PATH_GOAL_END);
}

static void free_forests(struct wb_function_paths *paths)
{
  for (size_t f = 0; paths->functions != NULL && f < paths->code->function_count; f++)
    for (int goal = 0; goal < WB_PATH_GOAL_COUNT; goal++)
      wb_loop_forest_free(&paths->functions[f].goal_path[goal].forest);
}

static void forget_paths(struct wb_function_paths *paths)
{
  free_forests(paths);
  for (size_t f = 0; f < paths->code->function_count; f++)
    paths->functions[f] = (struct wb_path_function){.function = &paths->code->functions[f]};
}

warpbound_status wb_function_paths_find(const struct wb_code *code,
                                        const struct wb_function *kernel,
                                        const struct wb_path_options *options,
                                        struct wb_function_paths *paths, warpbound_error *error)
{
  *paths = (struct wb_function_paths){.code = code, .kernel = kernel, .options = options};
  struct wb_arena *arena = &paths->arena;
  paths->functions = wb_arena_array(arena, struct wb_path_function, code->function_count);
  paths->loop_option_used = wb_arena_array(arena, bool, options->loop_count);
  paths->loop_option_wins = wb_arena_array(arena, bool, options->loop_count);
  if (!wb_path_calls_make(code, options->calls, options->call_count, arena, &paths->calls))
    return wb_out_of_memory(error);
  for (size_t f = 0; f < code->function_count; f++)
    paths->functions[f].function = &code->functions[f];
  warpbound_status status = find_end(paths, error);
  if (status == WARPBOUND_OK)
    status = find_all(paths, error);
  if (status == WARPBOUND_OK && options->through == NULL && lacks_path(paths)) {
    /* Each path comes to a call that stops the kernel. */
    paths->stops = true;
    forget_paths(paths);
    status = find_all(paths, error);
  }
  return status;
}

void wb_function_paths_free(struct wb_function_paths *paths)
{
  free_forests(paths);
  wb_arena_free(&paths->arena);
  *paths = (struct wb_function_paths){0};
}

#include "flow/paths/path_ways.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
/* Loops without a number that an error names. */
#define NAMED_LOOPS 6

struct wb_path_function *wb_path_ways_of(const struct wb_path_ways *ways,
                                         const struct wb_function *function)
{
  return &ways->functions[function - ways->code->functions];
}

bool wb_path_way_exists(const struct wb_path_function *row, enum wb_path_goal goal)
{
  if (row->function->instruction_count == 0)
    return goal == WB_PATH_GOAL_RETURN;
  return row->way[goal].graph.edge_count > 0;
}

struct wb_path_weight wb_path_way_weight(const struct wb_path_function *row, enum wb_path_goal goal)
{
  return row->way[goal].path.total;
}

static warpbound_status unknown_call(const struct wb_path_ways *ways,
                                     const struct wb_instruction *instruction,
                                     warpbound_error *error)
{
  bool indirect = instruction->transfer == WB_TRANSFER_CALL_INDIRECT;
  const char *name = indirect ? "indirect" : instruction->callee;
  return wb_fail_at(error, WARPBOUND_FACTS_MISSING, ways->code->name, instruction->line,
                    instruction->column,
                    "what %s%.120s%s does is not in the listing; say so with --assume-call "
                    "%.120s=STRING",
                    indirect ? "an " : "a call of '", name, indirect ? " call" : "'", name);
}

/* Drops the edges for which the called function has no way. */
static void drop_calls(const struct wb_path_ways *ways, struct wb_path_graph *graph)
{
  size_t kept = 0;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_path_edge *edge = &graph->edges[e];
    const struct wb_instruction *last = wb_path_graph_last(graph, edge->from);
    bool possible = edge->kind != WB_PATH_CALLEE;
    if (last->transfer == WB_TRANSFER_CALL_FUNCTION) {
      struct wb_path_call call = wb_path_calls_find(&ways->calls, last);
      const struct wb_path_function *row =
          call.function != NULL ? wb_path_ways_of(ways, call.function) : NULL;
      if (edge->kind == WB_PATH_CALLEE)
        possible = row != NULL && wb_path_way_exists(row, WB_PATH_GOAL_END);
      else if (row != NULL && edge->kind != WB_PATH_EXIT && !last->guarded)
        possible = wb_path_way_exists(row, WB_PATH_GOAL_RETURN);
    }
    if (possible)
      graph->edges[kept++] = *edge;
  }
  graph->edge_count = kept;
}

/* What leaving a block by an edge weighs: its instructions, and what it calls. */
static warpbound_status weigh(const struct wb_path_ways *ways, const struct wb_path_graph *graph,
                              const struct wb_path_edge *edge, struct wb_path_weight *weight,
                              warpbound_error *error)
{
  const struct wb_instruction *last = wb_path_graph_last(graph, edge->from);
  *weight = (struct wb_path_weight){graph->blocks[edge->from].count, edge->taken ? 1 : 0};
  if (last->transfer != WB_TRANSFER_CALL_FUNCTION && last->transfer != WB_TRANSFER_CALL_INDIRECT)
    return WARPBOUND_OK;
  struct wb_path_call call = wb_path_calls_find(&ways->calls, last);
  if (call.function != NULL) {
    enum wb_path_goal goal = edge->kind == WB_PATH_CALLEE ? WB_PATH_GOAL_END : WB_PATH_GOAL_RETURN;
    const struct wb_path_function *row = wb_path_ways_of(ways, call.function);
    if (wb_path_way_exists(row, goal))
      *weight = wb_path_weight_add(*weight, wb_path_way_weight(row, goal));
    return WARPBOUND_OK;
  }
  if (call.assumed != NULL)
    weight->length += call.assumed->string.length;
  return call.assumed != NULL || call.runtime || call.ends_thread ? WARPBOUND_OK
                                                                  : unknown_call(ways, last, error);
}

/* The innermost loop that holds a place, or NONE. */
static uint32_t named_loop(const struct wb_path_function *row, const struct wb_path_way *way,
                           const char *place)
{
  uint32_t index = wb_path_find_place(row->function, place);
  if (index == NONE || index == row->function->instruction_count)
    return NONE;
  return way->forest.innermost[wb_path_graph_block(&way->graph, index)];
}

/* Loops that nobody gives a number, by their headers. */
static warpbound_status missing_iterations(const struct wb_path_ways *ways,
                                           const struct wb_path_way *way, warpbound_error *error)
{
  const struct wb_function *function = way->graph.function;
  struct wb_text list = {0};
  size_t count = 0;
  uint32_t first = NONE;
  for (uint32_t b = 0; b < way->graph.block_count; b++) {
    uint32_t loop = way->forest.innermost[b];
    if (loop == NONE || way->forest.loops[loop].header != b || way->iterations[loop] > 0)
      continue;
    const struct wb_label *label = wb_path_label_at(function, way->graph.blocks[b].first);
    first = first == NONE ? loop : first;
    if (count++ < NAMED_LOOPS)
      wb_text_format(&list, "%s%.60s (line %u)", count > 1 ? ", " : "",
                     label != NULL ? label->name : "(no label)",
                     function->instructions[way->graph.blocks[b].first].line);
  }
  if (count > NAMED_LOOPS)
    wb_text_format(&list, " and %zu more", count - NAMED_LOOPS);
  if (list.failed)
    return wb_out_of_memory(error);
  const struct wb_loop *loop = &way->forest.loops[first];
  uint32_t back_edge = way->forest.back_edges[loop->first_back_edge];
  warpbound_status status = wb_path_ways_fail(
      ways, WARPBOUND_FACTS_MISSING,
      wb_path_graph_last(&way->graph, way->graph.edges[back_edge].from), error,
      count == 1
          ? "the path comes to a loop; say how often its body is done with --loop-iterations N, or "
            "end the path before with --through; its header"
          : "the path comes to loops; say how often their bodies are done with --loop-iterations "
            "LABEL=N, or N for all, or end the path before with --through; their headers",
      list.data);
  wb_text_free(&list);
  return status;
}

static warpbound_status number_loops(struct wb_path_ways *ways, const struct wb_path_function *row,
                                     struct wb_path_way *way, warpbound_error *error)
{
  const struct wb_path_options *options = ways->options;
  for (size_t o = 0; o < options->loop_count; o++) {
    uint32_t loop = named_loop(row, way, options->loops[o].place);
    if (loop == NONE)
      continue;
    bool last = true;
    for (size_t later = o + 1; later < options->loop_count; later++)
      last = last && named_loop(row, way, options->loops[later].place) != loop;
    way->iterations[loop] = options->loops[o].iterations;
    ways->used[o] = true;
    ways->wins[o] = ways->wins[o] || last;
  }
  bool missing = false;
  for (size_t l = 0; l < way->forest.loop_count; l++) {
    if (way->iterations[l] > 0)
      continue;
    way->iterations[l] = options->iterations;
    missing = missing || options->iterations == 0;
    ways->loops = true;
  }
  return missing ? missing_iterations(ways, way, error) : WARPBOUND_OK;
}

/* Marks the blocks that every way goes through: those that dominate the end. */
static void mark_always(struct wb_path_way *way)
{
  uint32_t node = way->graph.block_count;
  while (node != 0) {
    node = way->forest.dominators[node];
    way->always[node] = true;
  }
}

static warpbound_status prepare_way(struct wb_path_ways *ways, const struct wb_path_function *row,
                                    struct wb_path_way *way, warpbound_error *error)
{
  const struct wb_path_graph *graph = &way->graph;
  warpbound_status status = wb_path_flow_make(graph, &way->flow, error);
  if (status == WARPBOUND_OK)
    status = wb_loop_forest_make(&way->flow.graph, &way->forest, error);
  if (status == WARPBOUND_OK)
    status = wb_path_graph_reducible(graph, &way->forest, ways->code->name, error);
  if (status != WARPBOUND_OK)
    return status;
  size_t nodes = (size_t)graph->block_count + 1;
  way->weight = wb_allocate(graph->edge_count, sizeof *way->weight);
  way->jump = wb_allocate(nodes, sizeof *way->jump);
  way->always = wb_allocate(nodes, sizeof *way->always);
  way->iterations = wb_allocate(way->forest.loop_count, sizeof *way->iterations);
  if (way->weight == NULL || way->jump == NULL || way->always == NULL || way->iterations == NULL)
    return wb_out_of_memory(error);
  for (uint32_t b = 0; b < graph->block_count; b++)
    way->jump[b] = wb_path_graph_jumps(graph, b);
  for (size_t e = 0; status == WARPBOUND_OK && e < graph->edge_count; e++)
    status = weigh(ways, graph, &graph->edges[e], &way->weight[e], error);
  mark_always(way);
  return status == WARPBOUND_OK ? number_loops(ways, row, way, error) : status;
}

static warpbound_status find_way(struct wb_path_ways *ways, struct wb_path_function *row,
                                 enum wb_path_goal goal, warpbound_error *error)
{
  struct wb_path_way *way = &row->way[goal];
  warpbound_status status = wb_path_graph_copy(&row->graph, &way->graph, error);
  if (status != WARPBOUND_OK)
    return status;
  drop_calls(ways, &way->graph);
  status = wb_path_graph_prune(&way->graph, wb_path_ways_kinds(ways, row->function, goal), error);
  if (status != WARPBOUND_OK || way->graph.edge_count == 0)
    return status;
  status = prepare_way(ways, row, way, error);
  way->question = (struct wb_longest_path_question){.graph = &way->flow.graph,
                                                    .end = way->graph.block_count,
                                                    .weight = way->weight,
                                                    .jump = way->jump,
                                                    .forest = &way->forest,
                                                    .iterations = way->iterations,
                                                    .order = ways->options->order};
  if (status == WARPBOUND_OK)
    status = wb_longest_path_find(&way->question, &way->path, error);
  return status;
}

static warpbound_status close_function(struct wb_path_ways *ways, struct wb_path_function *row,
                                       warpbound_error *error)
{
  row->state = WB_PATH_FOUND;
  if (row->function->instruction_count == 0)
    return WARPBOUND_OK;
  warpbound_status status = WARPBOUND_OK;
  if (row->function != ways->kernel)
    status = find_way(ways, row, WB_PATH_GOAL_RETURN, error);
  return status == WARPBOUND_OK ? find_way(ways, row, WB_PATH_GOAL_END, error) : status;
}

/* A function whose calls are being followed, up to the edge `next`. */
struct visit {
  struct wb_path_function *row;
  size_t next;
};

struct visits {
  struct visit *items;
  size_t depth;
  size_t capacity;
};

static warpbound_status enter(struct wb_path_ways *ways, struct visits *visits,
                              const struct wb_function *function, warpbound_error *error)
{
  if (!wb_grow(visits->items, &visits->capacity, visits->depth + 1))
    return wb_out_of_memory(error);
  struct wb_path_function *row = wb_path_ways_of(ways, function);
  visits->items[visits->depth++] = (struct visit){row, 0};
  return wb_path_ways_open(ways, row, error);
}

/* Enters what the edge's block calls, where that is still to be found. */
static warpbound_status follow(struct wb_path_ways *ways, struct visits *visits,
                               const struct wb_instruction *last, warpbound_error *error)
{
  if (last->transfer != WB_TRANSFER_CALL_FUNCTION)
    return WARPBOUND_OK;
  struct wb_path_call call = wb_path_calls_find(&ways->calls, last);
  if (call.function == NULL)
    return WARPBOUND_OK;
  switch ((enum wb_path_state)wb_path_ways_of(ways, call.function)->state) {
  case WB_PATH_UNDER_WAY:
    return wb_path_ways_fail(ways, WARPBOUND_INVALID_INPUT, last, error,
                             "a recursive call has no kernel instruction string",
                             call.function->name);
  case WB_PATH_FOUND:
    return WARPBOUND_OK;
  case WB_PATH_NOT_SEEN:
    break;
  }
  return enter(ways, visits, call.function, error);
}

/* All functions that the kernel calls, each after those that it calls. */
static warpbound_status find_all(struct wb_path_ways *ways, warpbound_error *error)
{
  struct visits visits = {0};
  warpbound_status status = enter(ways, &visits, ways->kernel, error);
  while (status == WARPBOUND_OK && visits.depth > 0) {
    struct visit *visit = &visits.items[visits.depth - 1];
    const struct wb_path_graph *graph = &visit->row->graph;
    if (visit->next < graph->edge_count) {
      const struct wb_path_edge *edge = &graph->edges[visit->next++];
      status = follow(ways, &visits, wb_path_graph_last(graph, edge->from), error);
    } else {
      visits.depth--;
      status = close_function(ways, visit->row, error);
    }
  }
  free(visits.items);
  return status;
}

static warpbound_status no_instruction(const struct wb_path_ways *ways, warpbound_error *error)
{
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, ways->code->name, ways->kernel->line, 0,
                    "the path of '%.100s' has no instruction", ways->kernel->name);
}

static warpbound_status find_end(struct wb_path_ways *ways, warpbound_error *error)
{
  const char *through = ways->options->through;
  const struct wb_function *kernel = ways->kernel;
  ways->end = (struct wb_path_place){NONE, 0};
  if (kernel->instruction_count == 0)
    return no_instruction(ways, error);
  if (through == NULL)
    return WARPBOUND_OK;
  if (wb_path_is_number(through)) {
    ways->end.line = wb_path_line(through);
    return WARPBOUND_OK;
  }
  ways->end.index = wb_path_find_place(kernel, through);
  if (ways->end.index == 0)
    return no_instruction(ways, error);
  if (ways->end.index != NONE)
    return WARPBOUND_OK;
  return wb_fail_at(error, WARPBOUND_USAGE, ways->code->name, 0, 0,
                    "--through: expected a label of '%.100s' or a line number, found '%.100s'",
                    kernel->name, through);
}

warpbound_status wb_path_ways_find(const struct wb_code *code, const struct wb_function *kernel,
                                   const struct wb_path_options *options, struct wb_path_ways *ways,
                                   warpbound_error *error)
{
  *ways = (struct wb_path_ways){.code = code, .kernel = kernel, .options = options};
  ways->functions = wb_allocate(code->function_count, sizeof *ways->functions);
  ways->used = wb_allocate(options->loop_count, sizeof *ways->used);
  ways->wins = wb_allocate(options->loop_count, sizeof *ways->wins);
  if (ways->functions == NULL || ways->used == NULL || ways->wins == NULL)
    return wb_out_of_memory(error);
  for (size_t f = 0; f < code->function_count; f++)
    ways->functions[f].function = &code->functions[f];
  warpbound_status status =
      wb_path_calls_make(code, options->calls, options->call_count, &ways->calls, error);
  if (status == WARPBOUND_OK)
    status = find_end(ways, error);
  return status == WARPBOUND_OK ? find_all(ways, error) : status;
}

static void free_way(struct wb_path_way *way)
{
  wb_path_graph_free(&way->graph);
  wb_path_flow_free(&way->flow);
  wb_loop_forest_free(&way->forest);
  wb_longest_path_free(&way->path);
  free(way->weight);
  free(way->jump);
  free(way->always);
  free(way->iterations);
}

void wb_path_ways_free(struct wb_path_ways *ways)
{
  for (size_t f = 0; ways->functions != NULL && f < ways->code->function_count; f++) {
    struct wb_path_function *row = &ways->functions[f];
    wb_path_graph_free(&row->graph);
    free_way(&row->way[WB_PATH_GOAL_RETURN]);
    free_way(&row->way[WB_PATH_GOAL_END]);
    free(row->done);
    free(row->onward);
    free(row->ended);
    free(row->jumped);
  }
  free(ways->functions);
  free(ways->used);
  free(ways->wins);
  wb_path_calls_free(&ways->calls);
  *ways = (struct wb_path_ways){0};
}

#include "flow/paths/path_opening.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

bool wb_path_is_number(const char *text)
{
  return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
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

warpbound_status wb_path_ways_fail(const struct wb_path_ways *ways, warpbound_status status,
                                   const struct wb_instruction *at, warpbound_error *error,
                                   const char *message, const char *detail)
{
  return wb_fail_at(error, status, ways->code->name, at->line, at->column, "%s%s%.200s", message,
                    detail != NULL ? ": " : "", detail != NULL ? detail : "");
}

/* Where the path is to end, within this function. */
static struct wb_path_place place_in(const struct wb_path_ways *ways,
                                     const struct wb_function *function)
{
  struct wb_path_place place = ways->end;
  if (function != ways->kernel)
    place.index = NONE;
  return place;
}

unsigned wb_path_ways_kinds(const struct wb_path_ways *ways, const struct wb_function *function,
                            enum wb_path_goal goal)
{
  if (goal == WB_PATH_GOAL_RETURN)
    return WB_PATH_ON | WB_PATH_RETURN;
  if (ways->options->through != NULL) {
    bool here = wb_path_graph_has(function, place_in(ways, function));
    return WB_PATH_ON | (here ? WB_PATH_PLACE : WB_PATH_CALLEE);
  }
  bool kernel = function == ways->kernel;
  return WB_PATH_ON | WB_PATH_EXIT | WB_PATH_CALLEE | (kernel ? WB_PATH_RETURN : 0);
}

/* Keeps the ways by which the conditional branch, return or exit at the end of a block is done. */
static warpbound_status take_branch(const struct wb_path_ways *ways, struct wb_path_graph *graph,
                                    uint32_t block, const char *take, warpbound_error *error)
{
  const struct wb_instruction *last = wb_path_graph_last(graph, block);
  bool can = last->guarded &&
             (last->transfer == WB_TRANSFER_BRANCH || last->transfer == WB_TRANSFER_RETURN ||
              last->transfer == WB_TRANSFER_EXIT || last->transfer == WB_TRANSFER_INDEXED_BRANCH);
  if (!can)
    return wb_fail_at(error, WARPBOUND_USAGE, ways->code->name, last->line, last->column,
                      "--take %.60s: expected the line of a conditional branch, return or exit, "
                      "found '%.80s'",
                      take, last->opcode);
  size_t kept = 0;
  for (size_t e = 0; e < graph->edge_count; e++) {
    if (graph->edges[e].from != block || graph->edges[e].taken)
      graph->edges[kept++] = graph->edges[e];
  }
  graph->edge_count = kept;
  return WARPBOUND_OK;
}

/* The instruction of a line that a take is about: what does something to control, if any. */
static uint32_t branch_of_line(const struct wb_function *function, uint32_t first)
{
  uint32_t line = function->instructions[first].line;
  for (size_t i = first; i < function->instruction_count; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    if (instruction->line != line)
      break;
    if (instruction->guarded && instruction->transfer != WB_TRANSFER_NEXT)
      return (uint32_t)i;
  }
  return first;
}

/* Leaves the ways that go by one of the takes, if it is about this function. */
static warpbound_status apply_take(const struct wb_path_ways *ways, struct wb_path_function *row,
                                   const char *take, unsigned kinds, warpbound_error *error)
{
  uint32_t index = wb_path_find_place(row->function, take);
  if (index == NONE || index == row->function->instruction_count || row->graph.edge_count == 0)
    return WARPBOUND_OK;
  warpbound_status status = WARPBOUND_OK;
  bool is_line = wb_path_is_number(take);
  if (is_line)
    index = branch_of_line(row->function, index);
  uint32_t block = wb_path_graph_block(&row->graph, index);
  if (is_line) {
    status = take_branch(ways, &row->graph, block, take, error);
    if (status == WARPBOUND_OK)
      status = wb_path_graph_prune(&row->graph, kinds, error);
  }
  if (status == WARPBOUND_OK)
    status = wb_path_graph_require(&row->graph, block, ways->code->name, error);
  return status == WARPBOUND_OK ? wb_path_graph_prune(&row->graph, kinds, error) : status;
}

/* A register decides where the path goes on: it cannot be said which way is the longest. */
static warpbound_status refuse_unknown(const struct wb_path_ways *ways,
                                       const struct wb_path_graph *graph, warpbound_error *error)
{
  for (size_t e = 0; e < graph->edge_count; e++) {
    if (graph->edges[e].kind == WB_PATH_UNKNOWN)
      return wb_path_ways_fail(
          ways, WARPBOUND_FACTS_MISSING, wb_path_graph_last(graph, graph->edges[e].from), error,
          "the listing does not name the branch's target; end the path before with "
          "--through",
          NULL);
  }
  return WARPBOUND_OK;
}

warpbound_status wb_path_ways_open(const struct wb_path_ways *ways, struct wb_path_function *row,
                                   warpbound_error *error)
{
  const struct wb_function *function = row->function;
  row->state = WB_PATH_UNDER_WAY;
  if (function->instruction_count == 0)
    return WARPBOUND_OK;
  row->done = wb_allocate(function->instruction_count, sizeof *row->done);
  row->onward = wb_allocate(function->instruction_count, sizeof *row->onward);
  row->ended = wb_allocate(function->instruction_count, sizeof *row->ended);
  row->jumped = wb_allocate(function->target_count, sizeof *row->jumped);
  if (row->done == NULL || row->onward == NULL || row->ended == NULL || row->jumped == NULL)
    return wb_out_of_memory(error);
  unsigned kinds = wb_path_ways_kinds(ways, function, WB_PATH_GOAL_END);
  if (function != ways->kernel)
    kinds |= wb_path_ways_kinds(ways, function, WB_PATH_GOAL_RETURN);
  if (ways->options->through == NULL)
    kinds |= WB_PATH_UNKNOWN;
  warpbound_status status =
      wb_path_graph_make(function, &ways->calls, place_in(ways, function), &row->graph, error);
  if (status == WARPBOUND_OK)
    status = wb_path_graph_prune(&row->graph, kinds, error);
  for (size_t t = 0; status == WARPBOUND_OK && t < ways->options->take_count; t++)
    status = apply_take(ways, row, ways->options->takes[t], kinds, error);
  return status == WARPBOUND_OK ? refuse_unknown(ways, &row->graph, error) : status;
}

#include "flow/paths/constrained_graph.h"

#include "base/memory.h"
#include "flow/paths/path_place.h"
#include "flow/paths/path_restriction.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* The place where the path is to end, for this function. */
static struct wb_path_place place_in(const struct wb_function_paths *paths,
                                     const struct wb_function *function)
{
  struct wb_path_place place = paths->end;
  if (function != paths->kernel)
    place.index = NONE;
  return place;
}

unsigned wb_goal_edge_kinds(const struct wb_function_paths *paths,
                            const struct wb_function *function, enum wb_path_goal goal)
{
  if (goal == WB_PATH_GOAL_RETURN)
    return WB_PATH_ON | WB_PATH_RETURN;
  if (paths->options->through != NULL) {
    bool here = wb_path_graph_has(function, place_in(paths, function));
    return WB_PATH_ON | (here ? WB_PATH_PLACE : WB_PATH_CALLEE);
  }
  bool kernel = function == paths->kernel;
  return WB_PATH_ON | WB_PATH_EXIT | WB_PATH_CALLEE | (kernel ? WB_PATH_RETURN : 0);
}

/* Keeps the edges by which the conditional branch, return or exit at the end of a block is taken.
 */
static warpbound_status take_branch(const struct wb_function_paths *paths,
                                    struct wb_path_graph *graph, uint32_t block, const char *take,
                                    warpbound_error *error)
{
  const struct wb_instruction *last = wb_path_graph_last(graph, block);
  bool can = last->guarded &&
             (last->transfer == WB_TRANSFER_BRANCH || last->transfer == WB_TRANSFER_RETURN ||
              last->transfer == WB_TRANSFER_EXIT || last->transfer == WB_TRANSFER_INDEXED_BRANCH);
  if (!can)
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
  return WARPBOUND_OK;
}

/* The instruction of a line that a take is about: the one that may transfer control, if any. */
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

/* Keeps the paths that agree with a take, if it is about this function. */
static warpbound_status apply_take(const struct wb_function_paths *paths,
                                   struct wb_path_function *row, const char *take, unsigned kinds,
                                   warpbound_error *error)
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
    status = take_branch(paths, &row->graph, block, take, error);
    if (status == WARPBOUND_OK)
      status = wb_path_graph_prune(&row->graph, kinds, error);
  }
  if (status == WARPBOUND_OK)
    status = wb_path_graph_require(&row->graph, block, paths->code->name, error);
  return status == WARPBOUND_OK ? wb_path_graph_prune(&row->graph, kinds, error) : status;
}

static warpbound_status refuse_branch(const struct wb_function_paths *paths,
                                      const struct wb_instruction *branch, warpbound_error *error)
{
  return wb_fail_at(error, WARPBOUND_FACTS_MISSING, paths->code->name, branch->line, branch->column,
                    "the listing does not name the branch's target; end the path before with "
                    "--through");
}

/* An address in a register decides where the path goes on: the longest path is not known. */
static warpbound_status refuse_unknown(const struct wb_function_paths *paths,
                                       const struct wb_path_graph *graph, warpbound_error *error)
{
  for (size_t e = 0; e < graph->edge_count; e++) {
    if (graph->edges[e].kind == WB_PATH_UNKNOWN)
      return refuse_branch(paths, wb_path_graph_last(graph, graph->edges[e].from), error);
  }
  return WARPBOUND_OK;
}

warpbound_status wb_constrained_graph_make(const struct wb_function_paths *paths,
                                           struct wb_path_function *row, warpbound_error *error)
{
  const struct wb_function *function = row->function;
  row->state = WB_PATH_UNDER_WAY;
  if (function->instruction_count == 0)
    return WARPBOUND_OK;
  row->executed = wb_allocate(function->instruction_count, sizeof *row->executed);
  row->continued = wb_allocate(function->instruction_count, sizeof *row->continued);
  row->ended = wb_allocate(function->instruction_count, sizeof *row->ended);
  row->jumped = wb_allocate(function->target_count, sizeof *row->jumped);
  if (row->executed == NULL || row->continued == NULL || row->ended == NULL || row->jumped == NULL)
    return wb_out_of_memory(error);
  unsigned kinds = wb_goal_edge_kinds(paths, function, WB_PATH_GOAL_END);
  if (function != paths->kernel)
    kinds |= wb_goal_edge_kinds(paths, function, WB_PATH_GOAL_RETURN);
  if (paths->options->through == NULL)
    kinds |= WB_PATH_UNKNOWN;
  warpbound_status status =
      wb_path_graph_make(function, &paths->calls, place_in(paths, function), &row->graph, error);
  if (status == WARPBOUND_OK)
    status = wb_path_graph_prune(&row->graph, kinds, error);
  for (size_t t = 0; status == WARPBOUND_OK && t < paths->options->take_count; t++)
    status = apply_take(paths, row, paths->options->takes[t], kinds, error);
  return status == WARPBOUND_OK ? refuse_unknown(paths, &row->graph, error) : status;
}

#include "flow/paths/kernel_path.h"

#include "base/memory.h"
#include "flow/paths/function_paths.h"
#include "flow/paths/path_assumptions.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* A function that the path is in. */
struct frame {
  struct wb_path_function *row;
  const struct wb_goal_path *goal_path;
  struct wb_path_walker walker;
  bool skipped; /* some paths do not come here */
};

struct walk {
  const struct wb_function_paths *paths;
  struct wb_kernel_path *path;
  struct frame *frames;
  size_t depth;
  size_t capacity;
  struct wb_path_barriers barriers;
  warpbound_error *error;
};

/* Enters the path of a function to a goal; a function without instructions has nothing to walk. */
static warpbound_status push(struct walk *walk, struct wb_path_function *row,
                             enum wb_path_goal goal, bool skipped)
{
  if (row->function->instruction_count == 0)
    return WARPBOUND_OK;
  if (!wb_grow(walk->frames, &walk->capacity, walk->depth + 1))
    return wb_out_of_memory(walk->error);
  struct frame *frame = &walk->frames[walk->depth++];
  const struct wb_goal_path *goal_path = &row->goal_path[goal];
  *frame = (struct frame){.row = row, .goal_path = goal_path, .skipped = skipped};
  return wb_path_walker_make(&frame->walker, &goal_path->question, &goal_path->path, walk->error);
}

/* Appends letters of one unit type to the path's string, for an instruction. */
static warpbound_status append(struct walk *walk, const struct wb_instruction *instruction,
                               enum wb_unit unit, size_t length)
{
  struct wb_kernel_string *string = &walk->path->string;
  if (length > WB_STRING_LIMIT - string->length)
    return wb_fail_at(walk->error, WARPBOUND_INVALID_INPUT, walk->paths->code->name,
                      instruction->line, instruction->column,
                      "the path up to here is longer than %zu instructions", WB_STRING_LIMIT);
  return wb_kernel_string_append(string, unit, length, WB_STRING_LIMIT, walk->error);
}

/* Notes an instruction when the path executes it first. */
static warpbound_status note(struct walk *walk, const struct wb_instruction *instruction,
                             bool skipped)
{
  struct wb_kernel_path *path = walk->path;
  if (instruction->assumption != NULL)
    wb_list_add(&path->assumptions, "%s", instruction->assumption);
  if (instruction->several) {
    if (!wb_grow(path->several, &path->several_capacity, path->several_count + 1))
      return wb_out_of_memory(walk->error);
    path->several[path->several_count++] = instruction;
  }
  bool barrier = instruction->unit == WB_UNIT_BARRIER || instruction->partial_barrier;
  bool noted = !barrier ||
               wb_path_barriers_add(&walk->barriers, instruction, skipped || instruction->guarded);
  return noted ? WARPBOUND_OK : wb_out_of_memory(walk->error);
}

static warpbound_status record(struct walk *walk, const struct frame *frame, uint32_t block)
{
  struct wb_kernel_path *path = walk->path;
  const struct wb_path_block *row = &frame->goal_path->graph.blocks[block];
  bool skipped = frame->skipped || !frame->goal_path->always[block];
  warpbound_status status = WARPBOUND_OK;
  for (uint32_t i = row->first; status == WARPBOUND_OK && i < row->first + row->count; i++) {
    const struct wb_instruction *instruction = &frame->row->function->instructions[i];
    if (!wb_grow(path->steps, &path->step_capacity, path->step_count + 1))
      return wb_out_of_memory(walk->error);
    path->steps[path->step_count++] = instruction;
    status = append(walk, instruction, (enum wb_unit)instruction->unit, 1);
    if (status == WARPBOUND_OK && !frame->row->executed[i])
      status = note(walk, instruction, skipped);
    frame->row->executed[i] = true;
  }
  return status;
}

static warpbound_status call(struct walk *walk, const struct wb_instruction *instruction,
                             const struct wb_path_edge *edge, bool skipped)
{
  struct wb_path_call call = wb_path_calls_find(&walk->paths->calls, instruction);
  struct wb_list *assumptions = &walk->path->assumptions;
  const char *name =
      instruction->transfer == WB_TRANSFER_CALL_FUNCTION ? instruction->callee : "indirect";
  if (call.function != NULL) {
    struct wb_path_function *row = wb_function_paths_of(walk->paths, call.function);
    enum wb_path_goal goal = edge->kind == WB_PATH_CALLEE ? WB_PATH_GOAL_END : WB_PATH_GOAL_RETURN;
    return wb_goal_path_exists(row, goal) ? push(walk, row, goal, skipped || instruction->guarded)
                                          : WARPBOUND_OK;
  }
  if (call.assumed != NULL) {
    const struct wb_kernel_string *string = &call.assumed->string;
    warpbound_status status = WARPBOUND_OK;
    wb_list_add(assumptions, "a call of '%s' does the string given for it", name);
    for (size_t r = 0; status == WARPBOUND_OK && r < string->run_count; r++)
      status = append(walk, instruction, string->runs[r].unit, string->runs[r].length);
    return status;
  }
  wb_list_add(assumptions, "what a call of '%s'%s does is not in the listing and not counted%s",
              name, call.runtime ? ", of the CUDA runtime," : "",
              call.ends_thread ? "; it ends the thread" : "");
  return WARPBOUND_OK;
}

/* Marks where the path goes on at the end of a block, unless it ends there. */
static void mark(const struct walk *walk, const struct frame *frame,
                 const struct wb_path_edge *edge)
{
  if (edge->kind == WB_PATH_PLACE && walk->paths->end.line > 0)
    return;
  const struct wb_path_block *block = &frame->goal_path->graph.blocks[edge->from];
  uint32_t last = block->first + block->count - 1;
  if (edge->target != NONE)
    frame->row->jumped[edge->target] = true;
  else if (edge->taken)
    frame->row->ended[last] = true;
  else
    frame->row->continued[last] = true;
}

static warpbound_status step(struct walk *walk)
{
  struct frame *frame = &walk->frames[walk->depth - 1];
  uint32_t index;
  warpbound_status status = wb_path_walker_next(&frame->walker, &index, walk->error);
  if (status != WARPBOUND_OK)
    return status;
  if (index == NONE) {
    wb_path_walker_free(&frame->walker);
    walk->depth--;
    return WARPBOUND_OK;
  }
  const struct wb_path_edge *edge = &frame->goal_path->graph.edges[index];
  status = record(walk, frame, edge->from);
  mark(walk, frame, edge);
  const struct wb_instruction *last = wb_path_graph_last(&frame->goal_path->graph, edge->from);
  if (status == WARPBOUND_OK &&
      (last->transfer == WB_TRANSFER_CALL_FUNCTION || last->transfer == WB_TRANSFER_CALL_INDIRECT))
    status = call(walk, last, edge, frame->skipped || !frame->goal_path->always[edge->from]);
  return status;
}

/* No path leads from the kernel's entry to the place where it is to end. */
static warpbound_status no_path(const struct wb_function_paths *paths, warpbound_error *error)
{
  const struct wb_path_options *options = paths->options;
  const char *name = paths->kernel->name;
  if (options->through != NULL)
    return wb_fail_at(error, WARPBOUND_USAGE, paths->code->name, 0, 0,
                      "--through: no path of '%.100s'%s comes to '%.100s'", name,
                      options->take_count > 0 ? " that goes by --take" : "", options->through);
  if (options->take_count > 0)
    return wb_fail_at(error, WARPBOUND_USAGE, paths->code->name, 0, 0,
                      "--take: no path of '%.100s' goes by all of it and comes to an end", name);
  const struct wb_function *kernel = paths->kernel;
  for (size_t i = 0; i < kernel->instruction_count; i++) {
    const struct wb_instruction *instruction = &kernel->instructions[i];
    if (instruction->transfer == WB_TRANSFER_BRANCH &&
        kernel->targets[instruction->first_target] <= i)
      return wb_fail_at(error, WARPBOUND_FACTS_MISSING, paths->code->name, instruction->line,
                        instruction->column,
                        "no path of '%.100s' comes to an end; found no branch that leaves this "
                        "loop; end the path before with --through",
                        name);
  }
  return wb_fail_at(error, WARPBOUND_FACTS_MISSING, paths->code->name, kernel->line, 0,
                    "no path of '%.100s' comes to an end; end it before with --through", name);
}

/* Whether the path executes the instruction that a take means. */
static bool is_taken(const struct wb_function_paths *paths, const char *take)
{
  for (size_t f = 0; f < paths->code->function_count; f++) {
    const struct wb_path_function *row = &paths->functions[f];
    uint32_t index = row->executed != NULL ? wb_path_find_place(row->function, take) : NONE;
    if (index != NONE && index < row->function->instruction_count && row->executed[index])
      return true;
  }
  return false;
}

/* Refuses options that have no effect. */
static warpbound_status check_options(const struct wb_function_paths *paths, warpbound_error *error)
{
  const struct wb_path_options *options = paths->options;
  for (size_t o = 0; o < options->loop_count; o++) {
    if (!paths->loop_option_used[o])
      return wb_fail_at(error, WARPBOUND_USAGE, paths->code->name, 0, 0,
                        "--loop-iterations: no path of '%.100s' has a loop that holds '%.100s'",
                        paths->kernel->name, options->loops[o].place);
  }
  for (size_t t = 0; t < options->take_count; t++) {
    if (!is_taken(paths, options->takes[t]))
      return wb_fail_at(error, WARPBOUND_USAGE, paths->code->name, 0, 0,
                        "--take: the path of '%.100s' does not come to '%.100s'",
                        paths->kernel->name, options->takes[t]);
  }
  return WARPBOUND_OK;
}

static warpbound_status walk_all(struct walk *walk)
{
  const struct wb_function_paths *paths = walk->paths;
  struct wb_path_function *kernel = wb_function_paths_of(paths, paths->kernel);
  if (!wb_goal_path_exists(kernel, WB_PATH_GOAL_END))
    return no_path(paths, walk->error);
  wb_path_state_choice(paths, &walk->path->assumptions);
  warpbound_status status = push(walk, kernel, WB_PATH_GOAL_END, false);
  while (status == WARPBOUND_OK && walk->depth > 0)
    status = step(walk);
  if (status == WARPBOUND_OK)
    status = check_options(paths, walk->error);
  if (status == WARPBOUND_OK)
    status = wb_path_find_arms(paths, walk->path, walk->error);
  if (status != WARPBOUND_OK)
    return status;
  wb_path_state_findings(walk->path, &walk->barriers, &walk->path->assumptions);
  return walk->path->assumptions.failed || walk->path->estimate.failed
             ? wb_out_of_memory(walk->error)
             : WARPBOUND_OK;
}

warpbound_status wb_kernel_path_walk(const struct wb_code *code, const struct wb_function *kernel,
                                     const struct wb_path_options *options,
                                     struct wb_kernel_path *path, warpbound_error *error)
{
  *path = (struct wb_kernel_path){0};
  wb_estimate_because(&path->estimate, "ptx", code->name,
                      "give the machine code of the kernel: a cubin, a fat binary, a program, or a "
                      "listing of cuobjdump -sass",
                      "PTX is not machine code: the string is of one path, and the compiler may "
                      "make other instructions of it");
  struct wb_function_paths paths;
  struct walk walk = {.paths = &paths, .path = path, .error = error};
  warpbound_status status = wb_function_paths_find(code, kernel, options, &paths, error);
  if (status == WARPBOUND_OK)
    status = walk_all(&walk);
  while (walk.depth > 0)
    wb_path_walker_free(&walk.frames[--walk.depth].walker);
  free(walk.frames);
  wb_path_barriers_free(&walk.barriers);
  wb_function_paths_free(&paths);
  if (status != WARPBOUND_OK)
    wb_kernel_path_free(path);
  return status;
}

void wb_kernel_path_free(struct wb_kernel_path *path)
{
  wb_kernel_string_free(&path->string);
  free(path->steps);
  free(path->several);
  free(path->arms);
  wb_estimate_free(&path->estimate);
  wb_list_free(&path->assumptions);
  *path = (struct wb_kernel_path){0};
}

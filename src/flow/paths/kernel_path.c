#include "flow/paths/kernel_path.h"

#include "base/memory.h"
#include "base/text.h"
#include "flow/paths/function_paths.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Instructions. Owns the array; the instructions are borrowed. */
struct path_places {
  const struct wb_instruction **items;
  size_t count;
  size_t capacity;
};

/* The barriers of a path, each instruction once. */
struct path_barriers {
  struct path_places skipped; /* for all warps of the block, but other paths skip them */
  struct path_places partial; /* perhaps for a part of the warps only */
};

/* ---- sentences ---- */

/* Most places that a sentence names. */
#define NAMED ((size_t)4)

/* Adds to `list` which calls the path leaves out, as they stop the kernel. */
static void state_stops(const struct wb_function_paths *paths, struct wb_list *list)
{
  for (size_t f = 0; f < paths->code->function_count; f++) {
    const struct wb_path_function *row = &paths->functions[f];
    for (size_t i = 0; row->state == WB_PATH_FOUND && i < row->function->instruction_count; i++) {
      const struct wb_instruction *at = &row->function->instructions[i];
      if (at->transfer == WB_TRANSFER_CALL_FUNCTION && wb_path_calls_find(&paths->calls, at).stops)
        wb_list_add(list,
                    "no assertion fails: the path comes to no call of '%s', which stops the "
                    "kernel (--assume-call %s=STRING: it is made, and does the string)",
                    at->callee, at->callee);
    }
  }
}

/* Adds to `list` which of the possible paths was chosen. */
static void state_choice(const struct wb_function_paths *paths, struct wb_list *list)
{
  const struct wb_path_options *options = paths->options;
  wb_list_add(list, "PTX is not machine code: each PTX instruction is counted as one machine "
                    "instruction of its unit type, so that the string and all that rests on it "
                    "are estimates");
  if (options->order == WB_PATH_LONGEST)
    wb_list_add(list, "the string is that of a path of most instructions (doc/ptx.md); every warp "
                      "takes it");
  else
    wb_list_add(list, "the string is that of the fall-through path, which takes the fewest "
                      "conditional branches (doc/ptx.md); every warp takes it");
  for (size_t o = 0; o < options->loop_count; o++) {
    const struct wb_loop_iterations *loop = &options->loops[o];
    if (paths->loop_option_wins[o])
      wb_list_add(
          list,
          "the body of the loop at %s%s is done %u time%s for each time that the path enters "
          "it (--loop-iterations)",
          wb_path_is_number(loop->place) ? "line " : "", loop->place, loop->iterations,
          loop->iterations == 1 ? "" : "s");
  }
  const char *other = options->loop_count > 0 ? "other " : "";
  if (paths->common_iterations && options->iterations == 1)
    wb_list_add(list, "each %sloop's body is done once for each time that the path enters it",
                other);
  else if (paths->common_iterations)
    wb_list_add(list, "each %sloop's body is done %u times for each time that the path enters it",
                other, options->iterations);
  if (options->through != NULL && paths->end.line == 0)
    wb_list_add(list, "the path ends before '%s' (--through)", options->through);
  else if (options->through != NULL)
    wb_list_add(list, "the path ends after line %s (--through)", options->through);
  for (size_t t = 0; t < options->take_count; t++) {
    if (wb_path_is_number(options->takes[t]))
      wb_list_add(list, "the branch of line %s is taken (--take)", options->takes[t]);
    else
      wb_list_add(list, "the path goes through '%s' (--take)", options->takes[t]);
  }
  if (options->through == NULL && !paths->stops)
    state_stops(paths, list);
}

/* Adds an arm unless memory is out. */
static bool add_arm(struct wb_kernel_path *path, const struct wb_function *function, uint32_t from,
                    uint32_t to, bool falls)
{
  bool grown = wb_grow(path->arms, &path->arm_capacity, path->arm_count + 1);
  if (!grown)
    return false;
  const struct wb_label *label = falls ? NULL : wb_path_label_at(function, to);
  path->arms[path->arm_count++] = (struct wb_path_arm){
      .branch = &function->instructions[from],
      .label = label != NULL ? label->name : NULL,
      .line = to < function->instruction_count ? function->instructions[to].line : 0,
      .falls = falls};
  return true;
}

/* Adds the targets of a branch that the path never goes to, each once. seen: by instruction, all
 * false before and after. */
static bool add_targets(const struct wb_path_function *row, uint32_t from, bool *seen,
                        struct wb_kernel_path *path)
{
  const struct wb_function *function = row->function;
  const struct wb_instruction *branch = &function->instructions[from];
  const uint32_t *targets = &function->targets[branch->first_target];
  bool added = true;
  for (uint32_t t = 0; t < branch->target_count; t++)
    seen[targets[t]] = seen[targets[t]] || row->jumped[branch->first_target + t];
  for (uint32_t t = 0; added && t < branch->target_count; t++) {
    if (!seen[targets[t]])
      added = add_arm(path, function, from, targets[t], false);
    seen[targets[t]] = true;
  }
  for (uint32_t t = 0; t < branch->target_count; t++)
    seen[targets[t]] = false;
  return added;
}

static bool add_arms(const struct wb_path_function *row, bool *seen, struct wb_kernel_path *path)
{
  const struct wb_function *function = row->function;
  bool added = true;
  for (uint32_t i = 0; added && i < function->instruction_count; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    bool branches = instruction->transfer == WB_TRANSFER_BRANCH ||
                    instruction->transfer == WB_TRANSFER_INDEXED_BRANCH;
    bool ends =
        instruction->transfer == WB_TRANSFER_RETURN || instruction->transfer == WB_TRANSFER_EXIT;
    bool left = row->continued[i] || row->ended[i]; /* the path goes on from here in some way */
    for (uint32_t t = 0; !left && t < instruction->target_count; t++)
      left = row->jumped[instruction->first_target + t];
    if ((!branches && !ends) || !left)
      continue;
    if (instruction->guarded && !row->continued[i])
      added = add_arm(path, function, i, i + 1, true);
    if (added && branches)
      added = add_targets(row, i, seen, path);
    if (added && ends && instruction->guarded && !row->ended[i])
      added = add_arm(path, function, i, (uint32_t)function->instruction_count, false);
  }
  return added;
}

/* Fills path->arms with the targets of the path's branches that the path never goes to, in the
 * order of the listing. Errors: WARPBOUND_INTERNAL. */
static warpbound_status find_arms(const struct wb_function_paths *paths,
                                  struct wb_kernel_path *path, warpbound_error *error)
{
  for (size_t f = 0; f < paths->code->function_count; f++) {
    const struct wb_path_function *row = &paths->functions[f];
    if (row->executed == NULL)
      continue;
    bool *seen = wb_allocate(row->function->instruction_count + 1, sizeof *seen);
    bool added = seen != NULL && add_arms(row, seen, path);
    free(seen);
    if (!added)
      return wb_out_of_memory(error);
  }
  return WARPBOUND_OK;
}

static void write_more(struct wb_text *text, size_t count)
{
  if (count > NAMED)
    wb_text_format(text, " and %zu more", count - NAMED);
}

/* "line 7 div.rn.f64, line 9 ..." */
static void write_places(const struct wb_instruction *const *items, size_t count,
                         struct wb_text *text)
{
  for (size_t i = 0; i < count && i < NAMED; i++)
    wb_text_format(text, "%sline %u %.60s", i > 0 ? ", " : "", items[i]->line, items[i]->opcode);
  write_more(text, count);
}

static void add_sentence(struct wb_list *list, struct wb_text *text)
{
  if (text->failed)
    list->failed = true;
  else
    wb_list_add(list, "%s", text->data);
  wb_text_free(text);
}

/* Adds to `list` the instructions that can become several, the arms left out and the barriers. */
static void state_findings(const struct wb_kernel_path *path, const struct path_barriers *barriers,
                           struct wb_list *list)
{
  struct wb_text text = {0};
  if (path->several_count > 0) {
    wb_text_format(&text,
                   "%zu instruction%s of the path can become several machine instructions and "
                   "%s counted as one: ",
                   path->several_count, path->several_count == 1 ? "" : "s",
                   path->several_count == 1 ? "is" : "are");
    write_places(path->several, path->several_count, &text);
    add_sentence(list, &text);
  }
  if (path->arm_count > 0) {
    wb_text_format(&text, "%zu arm%s of branches on the path %s left out: ", path->arm_count,
                   path->arm_count == 1 ? "" : "s", path->arm_count == 1 ? "is" : "are");
    for (size_t a = 0; a < path->arm_count && a < NAMED; a++) {
      const struct wb_path_arm *arm = &path->arms[a];
      wb_text_format(&text, "%sline %u %.40s", a > 0 ? ", " : "", arm->branch->line,
                     arm->branch->opcode);
      if (arm->label != NULL)
        wb_text_format(&text, " to %.60s", arm->label);
      else if (arm->falls)
        wb_text_string(&text, " falling through");
    }
    write_more(&text, path->arm_count);
    add_sentence(list, &text);
  }
  if (barriers->partial.count > 0) {
    wb_text_string(&text, "a barrier that may be for a part of the block's warps is counted as N, "
                          "waiting there is not modelled: ");
    write_places(barriers->partial.items, barriers->partial.count, &text);
    add_sentence(list, &text);
  }
  if (barriers->skipped.count > 0) {
    wb_text_string(&text, "a barrier in code that other paths skip is one of every warp: ");
    write_places(barriers->skipped.items, barriers->skipped.count, &text);
    add_sentence(list, &text);
  }
}

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
  struct path_barriers barriers;
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
  struct path_places *places = NULL;
  if (instruction->assumption != NULL)
    wb_list_add(&path->assumptions, "%s", instruction->assumption);
  if (instruction->several) {
    if (!wb_grow(path->several, &path->several_capacity, path->several_count + 1))
      return wb_out_of_memory(walk->error);
    path->several[path->several_count++] = instruction;
  }
  if (instruction->partial_barrier)
    places = &walk->barriers.partial;
  else if (instruction->unit == WB_UNIT_BARRIER && (skipped || instruction->guarded))
    places = &walk->barriers.skipped;
  if (places == NULL)
    return WARPBOUND_OK;
  if (!wb_grow(places->items, &places->capacity, places->count + 1))
    return wb_out_of_memory(walk->error);
  places->items[places->count++] = instruction;
  return WARPBOUND_OK;
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

static warpbound_status step(struct walk *walk)
{
  struct frame *frame = &walk->frames[walk->depth - 1];
  const struct wb_path_graph *graph = &frame->goal_path->graph;
  uint32_t index;
  warpbound_status status = wb_path_walker_next(&frame->walker, &index, walk->error);
  if (status != WARPBOUND_OK)
    return status;
  if (index == NONE) {
    wb_path_walker_free(&frame->walker);
    walk->depth--;
    return WARPBOUND_OK;
  }
  const struct wb_path_edge *edge = &graph->edges[index];
  const uint32_t end = graph->blocks[edge->from].first + graph->blocks[edge->from].count - 1;
  status = record(walk, frame, edge->from);
  /* Where the path goes on, unless it ends at a line. */
  if (edge->kind != WB_PATH_PLACE || walk->paths->end.line == 0) {
    if (edge->target != NONE)
      frame->row->jumped[edge->target] = true;
    else if (edge->taken)
      frame->row->ended[end] = true;
    else
      frame->row->continued[end] = true;
  }
  const struct wb_instruction *last = wb_path_graph_last(graph, edge->from);
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
    bool executed = false; /* the instruction that the take means */
    for (size_t f = 0; f < paths->code->function_count && !executed; f++) {
      const struct wb_path_function *row = &paths->functions[f];
      const uint32_t index =
          row->executed != NULL ? wb_path_find_place(row->function, options->takes[t]) : NONE;
      executed = index != NONE && index < row->function->instruction_count && row->executed[index];
    }
    if (!executed)
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
  state_choice(paths, &walk->path->assumptions);
  warpbound_status status = push(walk, kernel, WB_PATH_GOAL_END, false);
  while (status == WARPBOUND_OK && walk->depth > 0)
    status = step(walk);
  if (status == WARPBOUND_OK)
    status = check_options(paths, walk->error);
  if (status == WARPBOUND_OK)
    status = find_arms(paths, walk->path, walk->error);
  if (status != WARPBOUND_OK)
    return status;
  state_findings(walk->path, &walk->barriers, &walk->path->assumptions);
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
  free(walk.barriers.skipped.items);
  free(walk.barriers.partial.items);
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

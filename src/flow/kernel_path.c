#include "flow/kernel_path.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX

/* What the walk knows of an instruction as the header of a loop: the step at which
 * it was last reached from outside a back edge, and, valid for that entry only, how
 * many times a back edge to it was taken since. */
struct header {
  uint64_t entered;
  uint64_t counted_entry;
  uint32_t taken;
};

/* A function under way. leaving: index of the unconditional back edge that is used
 * up; the walk takes the next conditional branch that leaves its loop. */
struct frame {
  const struct wb_function *function;
  struct header *headers;
  uint32_t at;
  uint32_t leaving;
};

struct walk {
  const struct wb_program *program;
  const struct wb_path_options *options;
  struct wb_kernel_path *path;
  struct frame *frames;
  size_t depth;
  size_t frame_capacity;
  uint64_t arrivals;
  uint32_t stop_index; /* in the kernel, before it; NOWHERE: none */
  uint32_t stop_line;  /* after its last instruction; 0: none */
  bool stopped;
  warpbound_error *error;
};

static warpbound_status fail(struct walk *walk, warpbound_status status,
                             const struct wb_instruction *instruction, const char *message,
                             const char *detail)
{
  return wb_fail_at(walk->error, status, walk->program->name, instruction->line,
                    instruction->column, "%s%s%.200s", message, detail != NULL ? ": " : "",
                    detail != NULL ? detail : "");
}

static const char *label_at(const struct wb_function *function, uint32_t index)
{
  for (size_t l = 0; l < function->label_count; l++) {
    if (function->labels[l].index == index)
      return function->labels[l].name;
  }
  return "(no label)";
}

/* Enters a function; call is NULL for the kernel itself. */
static warpbound_status push(struct walk *walk, const struct wb_function *function,
                             const struct wb_instruction *call)
{
  for (size_t f = 0; call != NULL && f < walk->depth; f++) {
    if (walk->frames[f].function == function)
      return fail(walk, WARPBOUND_INVALID_INPUT, call,
                  "a recursive call has no kernel instruction string", function->name);
  }
  void *frames = walk->frames;
  if (!wb_grow(&frames, &walk->frame_capacity, walk->depth + 1, sizeof *walk->frames))
    return wb_out_of_memory(walk->error);
  walk->frames = frames;
  struct header *headers = wb_allocate(function->instruction_count + 1, sizeof *headers);
  if (headers == NULL)
    return wb_out_of_memory(walk->error);
  walk->frames[walk->depth++] = (struct frame){function, headers, 0, NOWHERE};
  headers[0].entered = ++walk->arrivals;
  return WARPBOUND_OK;
}

static void pop(struct walk *walk)
{
  free(walk->frames[--walk->depth].headers);
}

static void arrive(struct walk *walk, struct frame *frame, uint32_t index)
{
  frame->at = index;
  frame->headers[index].entered = ++walk->arrivals;
}

/* Whether a branch at `from` may still be taken back to `target`, counting it. */
static bool take_back_edge(struct walk *walk, struct frame *frame, uint32_t target)
{
  struct header *header = &frame->headers[target];
  if (header->counted_entry != header->entered) {
    header->counted_entry = header->entered;
    header->taken = 0;
  }
  if (header->taken + 1 >= walk->options->iterations)
    return false;
  header->taken++;
  return true;
}

static bool leaves_loop(const struct frame *frame, uint32_t target)
{
  const struct wb_function *function = frame->function;
  const struct wb_instruction *back = &function->instructions[frame->leaving];
  return target > frame->leaving || target < function->targets[back->first_target];
}

static warpbound_status back_edge(struct walk *walk, struct frame *frame, uint32_t target)
{
  uint32_t from = frame->at;
  const struct wb_instruction *branch = &frame->function->instructions[from];
  if (walk->options->iterations == 0)
    return fail(
        walk, WARPBOUND_FACTS_MISSING, branch,
        "the path comes to a loop; say how often its body is done with --loop-iterations N, or "
        "end the path before with --through; its header",
        label_at(frame->function, target));
  if (frame->leaving == NOWHERE && take_back_edge(walk, frame, target)) {
    frame->at = target;
    return WARPBOUND_OK;
  }
  if (branch->guarded) {
    arrive(walk, frame, from + 1);
    return WARPBOUND_OK;
  }
  if (frame->leaving != NOWHERE)
    return fail(walk, WARPBOUND_FACTS_MISSING, branch,
                "found no branch that leaves this loop; end the path before with --through", NULL);
  frame->leaving = from;
  frame->at = target;
  return WARPBOUND_OK;
}

static warpbound_status branch(struct walk *walk, struct frame *frame,
                               const struct wb_instruction *instruction)
{
  uint32_t target = frame->function->targets[instruction->first_target];
  bool leaves = frame->leaving != NOWHERE && leaves_loop(frame, target);
  if (leaves)
    frame->leaving = NOWHERE;
  else if (target <= frame->at)
    return back_edge(walk, frame, target);
  bool taken = leaves || !instruction->guarded;
  arrive(walk, frame, taken ? target : frame->at + 1);
  return WARPBOUND_OK;
}

/* The first target ahead: which one a thread takes, the listing does not say. */
static warpbound_status indexed_branch(struct walk *walk, struct frame *frame,
                                       const struct wb_instruction *instruction)
{
  for (uint32_t t = 0; t < instruction->target_count; t++) {
    uint32_t target = frame->function->targets[instruction->first_target + t];
    if (target <= frame->at)
      continue;
    wb_list_add(&walk->path->assumptions,
                "line %u: the indexed branch goes to the first of its targets ahead, %s",
                instruction->line, label_at(frame->function, target));
    frame->leaving = NOWHERE;
    arrive(walk, frame, target);
    return WARPBOUND_OK;
  }
  return fail(walk, WARPBOUND_FACTS_MISSING, instruction,
              "no target ahead; end the path before with --through", NULL);
}

/* Appends what an instruction does to the path's string. */
static warpbound_status append(struct walk *walk, const struct wb_instruction *instruction,
                               enum wb_unit unit, size_t length)
{
  struct wb_kernel_string *string = &walk->path->string;
  if (length > WB_STRING_LIMIT - string->length)
    return wb_fail_at(walk->error, WARPBOUND_INVALID_INPUT, walk->program->name, instruction->line,
                      instruction->column, "the path up to here is longer than %zu instructions",
                      WB_STRING_LIMIT);
  return wb_kernel_string_append(string, unit, length, WB_STRING_LIMIT, walk->error);
}

/* indirect: the call goes to what a register holds, and `name` is "indirect". */
static warpbound_status unknown_call(struct walk *walk, const struct wb_instruction *instruction,
                                     const char *name, bool indirect)
{
  return wb_fail_at(walk->error, WARPBOUND_FACTS_MISSING, walk->program->name, instruction->line,
                    instruction->column,
                    "what %s%.120s%s does is not in the listing; say so with --assume-call "
                    "%.120s=STRING",
                    indirect ? "an " : "a call of '", name, indirect ? " call" : "'", name);
}

static warpbound_status assumed_call(struct walk *walk, const struct wb_instruction *instruction,
                                     const char *name, bool indirect)
{
  for (size_t c = 0; c < walk->options->call_count; c++) {
    const struct wb_call_assumption *call = &walk->options->calls[c];
    if (strcmp(call->name, name) != 0)
      continue;
    wb_list_add(&walk->path->assumptions, "a call of '%s' does the string given for it", name);
    warpbound_status status = WARPBOUND_OK;
    for (size_t r = 0; status == WARPBOUND_OK && r < call->string.run_count; r++)
      status = append(walk, instruction, call->string.runs[r].unit, call->string.runs[r].length);
    return status;
  }
  return unknown_call(walk, instruction, name, indirect);
}

static warpbound_status call(struct walk *walk, struct frame *frame,
                             const struct wb_instruction *instruction)
{
  arrive(walk, frame, frame->at + 1);
  if (instruction->flow == WB_FLOW_INDIRECT_CALL)
    return assumed_call(walk, instruction, "indirect", true);
  const struct wb_function *callee = wb_program_find_function(walk->program, instruction->callee);
  if (callee == NULL || !callee->defined)
    return assumed_call(walk, instruction, instruction->callee, false);
  return push(walk, callee, instruction);
}

/* A return or exit that some lanes may not do is passed by, except on the way out
 * of a loop. */
static bool ends(const struct frame *frame, const struct wb_instruction *instruction)
{
  return !instruction->guarded || frame->leaving != NOWHERE;
}

static warpbound_status go_on(struct walk *walk, struct frame *frame,
                              const struct wb_instruction *instruction)
{
  switch ((enum wb_flow)instruction->flow) {
  case WB_FLOW_BRANCH:
    return branch(walk, frame, instruction);
  case WB_FLOW_INDEXED_BRANCH:
    return indexed_branch(walk, frame, instruction);
  case WB_FLOW_INDIRECT_BRANCH:
    return fail(walk, WARPBOUND_FACTS_MISSING, instruction,
                "the listing does not name the branch's target; end the path before with --through",
                NULL);
  case WB_FLOW_CALL:
  case WB_FLOW_INDIRECT_CALL:
    return call(walk, frame, instruction);
  case WB_FLOW_RETURN:
    if (ends(frame, instruction)) {
      pop(walk);
      return WARPBOUND_OK;
    }
    break;
  case WB_FLOW_EXIT:
    if (ends(frame, instruction)) {
      while (walk->depth > 0)
        pop(walk);
      return WARPBOUND_OK;
    }
    break;
  case WB_FLOW_NEXT:
    break;
  }
  arrive(walk, frame, frame->at + 1);
  return WARPBOUND_OK;
}

static warpbound_status record(struct walk *walk, const struct wb_instruction *instruction)
{
  struct wb_kernel_path *path = walk->path;
  void *steps = path->steps;
  if (!wb_grow(&steps, &path->step_capacity, path->step_count + 1, sizeof *path->steps))
    return wb_out_of_memory(walk->error);
  path->steps = steps;
  path->steps[path->step_count++] = instruction;
  if (instruction->assumption != NULL)
    wb_list_add(&path->assumptions, "%s", instruction->assumption);
  return append(walk, instruction, (enum wb_unit)instruction->unit, 1);
}

/* Whether the instruction is the last one on the line where the path is to end. */
static bool ends_line(const struct walk *walk, const struct frame *frame)
{
  const struct wb_function *function = frame->function;
  if (walk->stop_line == 0 || function->instructions[frame->at].line != walk->stop_line)
    return false;
  return frame->at + 1 >= function->instruction_count ||
         function->instructions[frame->at + 1].line != walk->stop_line;
}

static warpbound_status step(struct walk *walk)
{
  struct frame *frame = &walk->frames[walk->depth - 1];
  if (walk->depth == 1 && frame->at == walk->stop_index) {
    walk->stopped = true;
    pop(walk);
    return WARPBOUND_OK;
  }
  if (frame->at == frame->function->instruction_count) {
    pop(walk);
    return WARPBOUND_OK;
  }
  const struct wb_instruction *instruction = &frame->function->instructions[frame->at];
  warpbound_status status = record(walk, instruction);
  if (status != WARPBOUND_OK)
    return status;
  if (ends_line(walk, frame)) {
    walk->stopped = true;
    while (walk->depth > 0)
      pop(walk);
    return WARPBOUND_OK;
  }
  return go_on(walk, frame, instruction);
}

static bool is_number(const char *text)
{
  return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

static warpbound_status find_end(struct walk *walk, const struct wb_function *kernel)
{
  const char *through = walk->options->through;
  walk->stop_index = NOWHERE;
  if (through == NULL)
    return WARPBOUND_OK;
  if (is_number(through)) {
    unsigned long line = strtoul(through, NULL, 10);
    walk->stop_line = line > 0 && line < UINT32_MAX ? (uint32_t)line : UINT32_MAX;
    return WARPBOUND_OK;
  }
  for (size_t l = 0; l < kernel->label_count; l++) {
    if (strcmp(kernel->labels[l].name, through) == 0) {
      walk->stop_index = kernel->labels[l].index;
      return WARPBOUND_OK;
    }
  }
  return wb_fail_at(walk->error, WARPBOUND_USAGE, walk->program->name, 0, 0,
                    "--through: expected a label of '%.100s' or a line number, found '%.100s'",
                    kernel->name, through);
}

static void state_assumptions(struct walk *walk)
{
  struct wb_list *list = &walk->path->assumptions;
  wb_list_add(list, "the string is that of the fall-through path: conditional forward branches are "
                    "not taken");
  if (walk->options->iterations == 1)
    wb_list_add(list, "each loop's body is done once for each time that the path enters it");
  else if (walk->options->iterations > 1)
    wb_list_add(list, "each loop's body is done %u times for each time that the path enters it",
                walk->options->iterations);
  if (walk->stop_index != NOWHERE)
    wb_list_add(list, "the path ends before '%s' (--through)", walk->options->through);
  else if (walk->stop_line > 0)
    wb_list_add(list, "the path ends after line %s (--through)", walk->options->through);
  wb_list_add(list, "a PTX instruction is one machine instruction of its unit type");
}

static warpbound_status walk_all(struct walk *walk, const struct wb_function *kernel)
{
  warpbound_status status = find_end(walk, kernel);
  if (status != WARPBOUND_OK)
    return status;
  state_assumptions(walk);
  status = push(walk, kernel, NULL);
  while (status == WARPBOUND_OK && walk->depth > 0)
    status = step(walk);
  if (status != WARPBOUND_OK)
    return status;
  if (walk->options->through != NULL && !walk->stopped)
    return wb_fail_at(walk->error, WARPBOUND_USAGE, walk->program->name, 0, 0,
                      "--through: the fall-through path of '%.100s' does not come to '%.100s'",
                      kernel->name, walk->options->through);
  if (walk->path->string.length == 0)
    return wb_fail_at(walk->error, WARPBOUND_INVALID_INPUT, walk->program->name, kernel->line, 0,
                      "the path of '%.100s' has no instruction", kernel->name);
  return walk->path->assumptions.failed ? wb_out_of_memory(walk->error) : WARPBOUND_OK;
}

warpbound_status wb_kernel_path_walk(const struct wb_program *program,
                                     const struct wb_function *kernel,
                                     const struct wb_path_options *options,
                                     struct wb_kernel_path *path, warpbound_error *error)
{
  *path = (struct wb_kernel_path){0};
  struct walk walk = {.program = program, .options = options, .path = path, .error = error};
  warpbound_status status = walk_all(&walk, kernel);
  while (walk.depth > 0)
    pop(&walk);
  free(walk.frames);
  if (status != WARPBOUND_OK)
    wb_kernel_path_free(path);
  return status;
}

void wb_kernel_path_free(struct wb_kernel_path *path)
{
  wb_kernel_string_free(&path->string);
  free(path->steps);
  wb_list_free(&path->assumptions);
  *path = (struct wb_kernel_path){0};
}

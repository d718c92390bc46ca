#include "instrument/points/point_choice.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* Most edges of a kernel's control flow: several indexed branches may share one long list. */
#define EDGE_LIMIT (UINT64_C(1) << 24)

/* What is known of an instruction. */
enum mark {
  MARK_REACHED = 1, /* a thread can come to it */
  MARK_OPEN = 2,    /* on the path of the depth-first search */
  MARK_BLOCK = 4,   /* begins a basic block */
  MARK_LOOP = 8,    /* the target of an edge back along that path: the header of a loop */
  MARK_POINT = 16
};

struct choice {
  const struct wb_code *code;
  const struct wb_function *function;
  uint8_t *marks; /* by instruction */
  uint32_t *path; /* the depth-first search's: instructions to do, or to leave */
  size_t path_length;
  warpbound_error *error;
};

/* ---- reachable instructions and loop headers ---- */

/* Of one instruction being visited. */
struct step {
  struct choice *choice;
  size_t from;
};

/* A successor that was not reached yet is to be searched. It may be entered several times: whoever
 * takes it first searches it. */
static void find_successor(void *context, size_t to)
{
  const struct step *step = context;
  struct choice *choice = step->choice;
  if (to == SIZE_MAX)
    return;
  if ((choice->marks[to] & MARK_OPEN) != 0)
    choice->marks[to] |= MARK_LOOP;
  else if ((choice->marks[to] & MARK_REACHED) == 0)
    choice->path[choice->path_length++] = (uint32_t)to;
}

/* Searches depth first. An instruction stands on the path until all that it leads to was searched:
 * it is met a second time then, and left. Each edge puts one entry there at most. */
static void search(struct choice *choice)
{
  choice->path[choice->path_length++] = 0;
  while (choice->path_length > 0) {
    const uint32_t at = choice->path[choice->path_length - 1];
    if ((choice->marks[at] & MARK_REACHED) != 0) {
      choice->marks[at] &= (uint8_t)~MARK_OPEN; /* left, or an entry that came too late */
      choice->path_length--;
      continue;
    }
    choice->marks[at] |= MARK_REACHED | MARK_OPEN;
    struct step step = {choice, at};
    wb_ptx_successors(choice->function, at, find_successor, &step);
  }
}

/* ---- blocks ---- */

static void begin_block(void *context, size_t to)
{
  if (to != SIZE_MAX)
    ((struct choice *)context)->marks[to] |= MARK_BLOCK;
}

/* Marks the instructions that begin a block: targets, and those after a transfer. */
static void find_blocks(struct choice *choice)
{
  for (size_t i = 0; i < choice->function->instruction_count; i++) {
    const struct wb_instruction *at = &choice->function->instructions[i];
    const bool call =
        at->transfer == WB_TRANSFER_CALL_FUNCTION || at->transfer == WB_TRANSFER_CALL_INDIRECT;
    if ((choice->marks[i] & MARK_REACHED) != 0 && at->transfer != WB_TRANSFER_NEXT && !call)
      wb_ptx_successors(choice->function, i, begin_block, choice);
  }
}

/* ---- the choice ---- */

static bool same_line(const struct wb_instruction *a, const struct wb_instruction *b)
{
  return a->source_file == b->source_file && a->source_line == b->source_line;
}

static bool at_line_change(const struct choice *choice, size_t i)
{
  const struct wb_instruction *at = &choice->function->instructions[i];
  return at->source_file != 0 && i > 0 && !same_line(at, at - 1);
}

static warpbound_status choose_places(struct choice *choice, enum wb_point_places places)
{
  bool lines = false;
  for (size_t i = 0; i < choice->function->instruction_count; i++) {
    const uint8_t wanted = places == WB_POINTS_NONE    ? 0
                           : places == WB_POINTS_LOOPS ? MARK_LOOP
                                                       : MARK_BLOCK;
    lines |= choice->function->instructions[i].source_file != 0;
    if ((choice->marks[i] & wanted) != 0 ||
        (places == WB_POINTS_LINES && at_line_change(choice, i)))
      choice->marks[i] |= MARK_POINT;
  }
  if (places == WB_POINTS_LINES && !lines)
    return wb_fail_at(
        choice->error, WARPBOUND_INVALID_INPUT, choice->code->name, choice->function->line, 0,
        "expected .loc in kernel %.120s (nvcc -lineinfo), found none", choice->function->name);
  return WARPBOUND_OK;
}

/* Whether a file of the listing is the one that the user names: its whole path, or its end. */
static bool is_file(const char *path, const char *name, size_t length)
{
  const size_t path_length = strlen(path);
  if (path_length < length || memcmp(path + path_length - length, name, length) != 0)
    return false;
  return path_length == length || path[path_length - length - 1] == '/' ||
         path[path_length - length - 1] == '\\';
}

/* The number after `text`, or 0 where that is no number up to UINT32_MAX. */
static uint32_t number_of(const char *text)
{
  char *end;
  if (*text < '0' || *text > '9')
    return 0;
  const unsigned long long number = strtoull(text, &end, 10);
  return *end == '\0' && number <= UINT32_MAX ? (uint32_t)number : 0;
}

static bool name_label(struct choice *choice, const char *name)
{
  bool found = false;
  for (size_t l = 0; l < choice->function->label_count; l++) {
    const struct wb_label *label = &choice->function->labels[l];
    if (strcmp(label->name, name) != 0 || label->index == choice->function->instruction_count)
      continue;
    choice->marks[label->index] |= MARK_POINT;
    found = true;
  }
  return found;
}

/* The first instruction of a source line in each block. */
static bool name_source_line(struct choice *choice, const char *name, const char *colon)
{
  const uint32_t line = number_of(colon + 1);
  bool found = false;
  bool before = false; /* the instruction before is of that line too */
  for (size_t i = 0; i < choice->function->instruction_count && line != 0; i++) {
    const struct wb_instruction *at = &choice->function->instructions[i];
    const bool here =
        at->source_file != 0 && at->source_line == line &&
        is_file(choice->code->files[at->source_file - 1], name, (size_t)(colon - name));
    if (here && (!before || (choice->marks[i] & MARK_BLOCK) != 0))
      choice->marks[i] |= MARK_POINT;
    found |= here;
    before = here;
  }
  return found;
}

/* The first instruction on a line of the PTX. */
static bool name_text_line(struct choice *choice, const char *name)
{
  const uint32_t line = number_of(name);
  for (size_t i = 0; i < choice->function->instruction_count && line != 0; i++) {
    if (choice->function->instructions[i].line == line) {
      choice->marks[i] |= MARK_POINT;
      return true;
    }
  }
  return false;
}

static warpbound_status choose_named(struct choice *choice, const char *name)
{
  const char *colon = strrchr(name, ':');
  if (name_label(choice, name) || name_text_line(choice, name) ||
      (colon != NULL && name_source_line(choice, name, colon)))
    return WARPBOUND_OK;
  return wb_fail(choice->error, WARPBOUND_USAGE,
                 "--point: expected a label, FILE:LINE or a line of the PTX where kernel %.120s "
                 "has an instruction, found '%.120s'",
                 choice->function->name, name);
}

/* ---- the result ---- */

static warpbound_status collect(const struct choice *choice, struct wb_points *points)
{
  const size_t count = choice->function->instruction_count;
  points->instructions = wb_allocate(count, sizeof *points->instructions);
  points->point_at = wb_allocate(count, sizeof *points->point_at);
  if (points->instructions == NULL || points->point_at == NULL)
    return wb_out_of_memory(choice->error);
  for (size_t i = 0; i < count; i++) {
    if ((choice->marks[i] & MARK_POINT) == 0 || (choice->marks[i] & MARK_REACHED) == 0)
      continue;
    points->point_at[i] = (uint32_t)(WB_POINT_FIRST_PLACE + points->place_count);
    points->instructions[points->place_count++] = (uint32_t)i;
  }
  return WARPBOUND_OK;
}

/* A place that a branch may reach without naming it could be anywhere. *edges: of all instructions.
 */
static warpbound_status check_branches(const struct choice *choice, uint64_t *edges)
{
  *edges = 1;
  for (size_t i = 0; i < choice->function->instruction_count; i++) {
    const struct wb_instruction *at = &choice->function->instructions[i];
    if (at->transfer == WB_TRANSFER_INDIRECT_BRANCH)
      return wb_fail_at(choice->error, WARPBOUND_INVALID_INPUT, choice->code->name, at->line,
                        at->column, "expected a branch that names its targets, found '%.40s'",
                        at->opcode);
    *edges += (uint64_t)at->target_count + 1;
    if (*edges > EDGE_LIMIT)
      return wb_fail_at(choice->error, WARPBOUND_INVALID_INPUT, choice->code->name, at->line,
                        at->column, "expected at most %llu transfers of control, found more",
                        (unsigned long long)EDGE_LIMIT);
  }
  return WARPBOUND_OK;
}

static warpbound_status choose(struct choice *choice, const struct wb_point_options *options,
                               struct wb_points *points)
{
  uint64_t edges;
  warpbound_status status = check_branches(choice, &edges);
  if (status != WARPBOUND_OK)
    return status;
  choice->path = wb_allocate((size_t)edges, sizeof *choice->path);
  if (choice->path == NULL)
    return wb_out_of_memory(choice->error);
  if (choice->function->instruction_count > 0)
    search(choice);
  find_blocks(choice);
  status = choose_places(choice, options->places);
  for (size_t n = 0; n < options->named_count && status == WARPBOUND_OK; n++)
    status = choose_named(choice, options->named[n]);
  return status == WARPBOUND_OK ? collect(choice, points) : status;
}

warpbound_status wb_points_choose(const struct wb_code *code, size_t kernel,
                                  const struct wb_point_options *options, struct wb_points *points,
                                  warpbound_error *error)
{
  const struct wb_function *function = &code->functions[kernel];
  struct choice choice = {
      .code = code,
      .function = function,
      .marks = wb_allocate(function->instruction_count, 1),
      .error = error,
  };
  *points = (struct wb_points){0};
  warpbound_status status =
      choice.marks != NULL ? choose(&choice, options, points) : wb_out_of_memory(error);
  free(choice.marks);
  free(choice.path);
  if (status != WARPBOUND_OK)
    wb_points_free(points);
  return status;
}

void wb_points_free(struct wb_points *points)
{
  free(points->instructions);
  free(points->point_at);
  *points = (struct wb_points){0};
}

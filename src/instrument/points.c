#include "instrument/points.h"

#include "base/memory.h"
#include "base/status.h"
#include "frontend/ptx/ptx_lexer.h"

#include <stdlib.h>
#include <string.h>

/* Most instructions and transitions visited, of all searches together. */
#define STEP_LIMIT (UINT64_C(1) << 28)
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

/* ---- what a thread can do next, by the PTX ---- */

bool wb_ptx_ends_thread(const struct wb_instruction *instruction)
{
  return instruction->transfer == WB_TRANSFER_RETURN ||
         (instruction->transfer == WB_TRANSFER_EXIT && strcmp(instruction->opcode, "exit") == 0);
}

void wb_ptx_successors(const struct wb_function *function, size_t instruction,
                       wb_successor_visitor *visit, void *context)
{
  const struct wb_instruction *at = &function->instructions[instruction];
  const bool jumps = at->transfer == WB_TRANSFER_BRANCH ||
                     at->transfer == WB_TRANSFER_INDEXED_BRANCH ||
                     at->transfer == WB_TRANSFER_INDIRECT_BRANCH ||
                     at->transfer == WB_TRANSFER_EXIT || at->transfer == WB_TRANSFER_RETURN;
  const bool goes_on = at->guarded || !jumps;
  bool ends = wb_ptx_ends_thread(at);
  for (size_t t = 0; t < at->target_count; t++) {
    const uint32_t target = function->targets[at->first_target + t];
    ends |= target == function->instruction_count;
    if (target != function->instruction_count)
      visit(context, target);
  }
  if (goes_on && instruction + 1 < function->instruction_count)
    visit(context, instruction + 1);
  else if (goes_on)
    ends = true;
  if (ends)
    visit(context, SIZE_MAX);
}

/* ---- reachable instructions and loop headers ---- */

/* A successor that was not reached yet is to be searched. It may be entered several times: whoever
 * takes it first searches it. */
static void find_successor(void *context, size_t to)
{
  struct choice *choice = context;
  if (to == SIZE_MAX)
    return;
  if ((choice->marks[to] & MARK_OPEN) != 0)
    choice->marks[to] |= MARK_LOOP;
  else if ((choice->marks[to] & MARK_REACHED) == 0)
    choice->path[choice->path_length++] = (uint32_t)to;
}

/* ---- blocks ---- */

static void begin_block(void *context, size_t to)
{
  if (to != SIZE_MAX)
    ((struct choice *)context)->marks[to] |= MARK_BLOCK;
}

/* ---- the choice ---- */

static warpbound_status choose_places(struct choice *choice, enum wb_point_places places)
{
  bool lines = false;
  for (size_t i = 0; i < choice->function->instruction_count; i++) {
    const uint8_t wanted = places == WB_POINTS_NONE    ? 0
                           : places == WB_POINTS_LOOPS ? MARK_LOOP
                                                       : MARK_BLOCK;
    const struct wb_instruction *at = &choice->function->instructions[i];
    const bool line_changes =
        at->source_file != 0 && i > 0 &&
        (at->source_file != at[-1].source_file || at->source_line != at[-1].source_line);
    lines |= at->source_file != 0;
    if ((choice->marks[i] & wanted) != 0 || (places == WB_POINTS_LINES && line_changes))
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

static warpbound_status choose_named(struct choice *choice, const char *name)
{
  const char *colon = strrchr(name, ':');
  const uint32_t line = number_of(name);
  bool found = false;
  for (size_t l = 0; l < choice->function->label_count; l++) {
    const struct wb_label *label = &choice->function->labels[l];
    if (strcmp(label->name, name) != 0 || label->index == choice->function->instruction_count)
      continue;
    choice->marks[label->index] |= MARK_POINT;
    found = true;
  }
  /* The first instruction on a line of the PTX. */
  for (size_t i = 0; i < choice->function->instruction_count && line != 0 && !found; i++) {
    found = choice->function->instructions[i].line == line;
    choice->marks[i] |= found ? MARK_POINT : 0;
  }
  if (found || (colon != NULL && name_source_line(choice, name, colon)))
    return WARPBOUND_OK;
  return wb_fail(choice->error, WARPBOUND_USAGE,
                 "--point: expected a label, FILE:LINE or a line of the PTX where kernel %.120s "
                 "has an instruction, found '%.120s'",
                 choice->function->name, name);
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

warpbound_status wb_points_choose(const struct wb_code *code, size_t kernel,
                                  const struct wb_point_options *options, struct wb_arena *arena,
                                  struct wb_points *points, warpbound_error *error)
{
  const struct wb_function *function = &code->functions[kernel];
  const size_t count = function->instruction_count;
  struct choice choice = {.code = code, .function = function, .error = error};
  uint64_t edges;
  *points = (struct wb_points){0};
  warpbound_status status = check_branches(&choice, &edges);
  if (status != WARPBOUND_OK)
    return status;
  choice.marks = wb_arena_array(arena, uint8_t, count);
  choice.path = wb_arena_array(arena, uint32_t, (size_t)edges);
  points->instructions = wb_arena_array(arena, uint32_t, count);
  points->point_at = wb_arena_array(arena, uint32_t, count);
  if (arena->failed)
    return wb_out_of_memory(error);
  if (count > 0) {
    /* Searches depth first. An instruction stands on the path until all that it leads to was
     * searched: it is met a second time then, and left. Each edge puts one entry there at most. */
    choice.path[choice.path_length++] = 0;
    while (choice.path_length > 0) {
      const uint32_t at = choice.path[choice.path_length - 1];
      if ((choice.marks[at] & MARK_REACHED) != 0) {
        choice.marks[at] &= (uint8_t)~MARK_OPEN; /* left, or an entry that came too late */
        choice.path_length--;
        continue;
      }
      choice.marks[at] |= MARK_REACHED | MARK_OPEN;
      wb_ptx_successors(choice.function, at, find_successor, &choice);
    }
  }
  /* Marks the instructions that begin a block: targets, and those after a transfer. */
  for (size_t i = 0; i < choice.function->instruction_count; i++) {
    const struct wb_instruction *at = &choice.function->instructions[i];
    const bool call =
        at->transfer == WB_TRANSFER_CALL_FUNCTION || at->transfer == WB_TRANSFER_CALL_INDIRECT;
    if ((choice.marks[i] & MARK_REACHED) != 0 && at->transfer != WB_TRANSFER_NEXT && !call)
      wb_ptx_successors(choice.function, i, begin_block, &choice);
  }
  status = choose_places(&choice, options->places);
  for (size_t n = 0; n < options->named_count && status == WARPBOUND_OK; n++)
    status = choose_named(&choice, options->named[n]);
  for (size_t i = 0; i < count && status == WARPBOUND_OK; i++) {
    if ((choice.marks[i] & MARK_POINT) == 0 || (choice.marks[i] & MARK_REACHED) == 0)
      continue;
    points->point_at[i] = (uint32_t)(WB_POINT_FIRST_PLACE + points->place_count);
    points->instructions[points->place_count++] = (uint32_t)i;
  }
  return status;
}

/* ---- the graph of points ---- */

/* The making of a graph of points. */
struct making {
  const struct wb_code *code;
  const struct wb_function *function;
  const struct wb_points *points;
  struct wb_point_graph *graph;
  size_t capacity; /* of transitions */
  uint32_t *seen;  /* by instruction, then by point: the last search that met it, + 1 */
  uint32_t *waiting;
  size_t waiting_count;
  uint32_t from; /* the point whose transitions are searched */
  uint64_t steps;
  bool failed; /* memory is out */
  warpbound_error *error;
};

/* A thread goes on to an instruction: to its point, or through it. */
static void enter(void *context, size_t to)
{
  struct making *making = context;
  making->steps++;
  if (to == SIZE_MAX || making->points->point_at[to] != 0) {
    struct wb_point_graph *graph = making->graph;
    const uint32_t point = to == SIZE_MAX ? WB_POINT_END : making->points->point_at[to];
    uint32_t *seen = &making->seen[making->function->instruction_count + point];
    if (*seen == making->from + 1)
      return;
    *seen = making->from + 1;
    const bool grown = wb_grow(graph->transitions, &making->capacity, graph->transition_count + 1);
    making->failed |= !grown;
    if (grown)
      graph->transitions[graph->transition_count++] =
          (struct wb_point_transition){.from = making->from, .to = point};
  } else if (making->seen[to] != making->from + 1) {
    making->seen[to] = making->from + 1;
    making->waiting[making->waiting_count++] = (uint32_t)to;
  }
}

static warpbound_status too_large(const struct making *making)
{
  return wb_fail_at(making->error, WARPBOUND_INVALID_INPUT, making->code->name,
                    making->function->line, 0,
                    "kernel %.120s has too many transitions between points: choose fewer points "
                    "(--at loops, --point)",
                    making->function->name);
}

/* All points that a thread can pass next after each. */
static warpbound_status find_transitions(struct making *making)
{
  struct wb_point_graph *graph = making->graph;
  for (uint32_t point = 0; point < graph->point_count; point++) {
    graph->first[point] = graph->transition_count;
    making->from = point;
    if (point == WB_POINT_START)
      enter(making, making->function->instruction_count > 0 ? 0 : SIZE_MAX);
    if (point >= WB_POINT_FIRST_PLACE)
      wb_ptx_successors(making->function,
                        making->points->instructions[point - WB_POINT_FIRST_PLACE], enter, making);
    while (making->waiting_count > 0)
      wb_ptx_successors(making->function, making->waiting[--making->waiting_count], enter, making);
    if (making->failed)
      return wb_out_of_memory(making->error);
    if (making->steps > STEP_LIMIT || graph->transition_count > WB_ROW_LIMIT)
      return too_large(making);
  }
  graph->first[graph->point_count] = graph->transition_count;
  return WARPBOUND_OK;
}

/* The sources of each point: `order` has the transitions by `to`, `start` the first of each. */
struct sources {
  size_t *start;
  uint32_t *order;
  uint32_t *taken; /* by colour: the last point that may not have it, + 1 */
};

/* The least colour that no other source of its targets has: points are coloured in order. */
static void colour_point(struct making *making, struct sources *sources, uint32_t point)
{
  struct wb_point_graph *graph = making->graph;
  for (size_t t = graph->first[point]; t < graph->first[point + 1]; t++) {
    const uint32_t to = graph->transitions[t].to;
    for (size_t s = sources->start[to]; s < sources->start[to + 1]; s++) {
      const uint32_t other = graph->transitions[sources->order[s]].from;
      if (other >= point)
        break; /* the sources of a point ascend */
      sources->taken[graph->colour[other]] = point + 1;
      making->steps++;
    }
    if (making->steps > STEP_LIMIT)
      return;
  }
  uint32_t colour = 0;
  while (sources->taken[colour] == point + 1)
    colour++;
  graph->colour[point] = colour;
}

/* Gives each point as many rows as its sources' colours need. */
static warpbound_status place_rows(const struct making *making, const struct sources *sources)
{
  struct wb_point_graph *graph = making->graph;
  uint64_t next = WB_ROW_FIRST;
  for (size_t point = 0; point < graph->point_count; point++) {
    uint32_t colours = 0;
    graph->first_row[point] = (uint32_t)next;
    for (size_t s = sources->start[point]; s < sources->start[point + 1]; s++) {
      struct wb_point_transition *transition = &graph->transitions[sources->order[s]];
      const uint32_t colour = graph->colour[transition->from];
      transition->row = (uint32_t)next + colour;
      colours = colour >= colours ? colour + 1 : colours;
    }
    next += colours;
    if (next > WB_ROW_LIMIT)
      return too_large(making);
  }
  graph->row_count = (uint32_t)next;
  return WARPBOUND_OK;
}

warpbound_status wb_point_graph_make(const struct wb_code *code, size_t kernel,
                                     const struct wb_points *points, struct wb_arena *arena,
                                     struct wb_point_graph *graph, warpbound_error *error)
{
  const struct wb_function *function = &code->functions[kernel];
  const size_t point_count = points->place_count + WB_POINT_FIRST_PLACE;
  const size_t instructions = function->instruction_count;
  *graph = (struct wb_point_graph){
      .first = wb_arena_array(arena, size_t, point_count + 1),
      .colour = wb_arena_array(arena, uint32_t, point_count),
      .first_row = wb_arena_array(arena, uint32_t, point_count),
      .point_count = point_count,
  };
  struct making making = {
      .code = code,
      .function = function,
      .points = points,
      .graph = graph,
      .seen = wb_arena_array(arena, uint32_t, instructions + point_count),
      .waiting = wb_arena_array(arena, uint32_t, instructions),
      .error = error,
  };
  warpbound_status status = arena->failed ? wb_out_of_memory(error) : find_transitions(&making);
  if (status != WARPBOUND_OK)
    return status;
  struct sources sources = {
      .start = wb_arena_array(arena, size_t, graph->point_count + 2),
      .order = wb_arena_array(arena, uint32_t, graph->transition_count),
      .taken = wb_arena_array(arena, uint32_t, graph->point_count + 1),
  };
  if (arena->failed)
    return wb_out_of_memory(error);
  for (size_t t = 0; t < graph->transition_count; t++)
    sources.start[graph->transitions[t].to + 1]++;
  for (size_t point = 0; point < graph->point_count; point++)
    sources.start[point + 1] += sources.start[point];
  for (size_t t = graph->transition_count; t-- > 0;) {
    const uint32_t to = graph->transitions[t].to;
    sources.order[--sources.start[to + 1]] = (uint32_t)t;
  }
  /* Each start has moved to its own beginning, one place too far on. */
  for (size_t point = 0; point < graph->point_count; point++)
    sources.start[point] = sources.start[point + 1];
  sources.start[graph->point_count] = graph->transition_count;
  for (uint32_t point = 0; point < graph->point_count && making.steps <= STEP_LIMIT; point++)
    colour_point(&making, &sources, point);
  return making.steps <= STEP_LIMIT ? place_rows(&making, &sources) : too_large(&making);
}

void wb_point_graph_free(struct wb_point_graph *graph)
{
  free(graph->transitions);
  *graph = (struct wb_point_graph){0};
}

/* ---- the text ---- */

/* A walk over the tokens of a text that the front end has accepted. */
struct walk {
  const char *text;
  struct wb_ptx_lexer lexer;
  struct wb_ptx_token token;     /* the next one */
  struct wb_ptx_token before[3]; /* the last ones that were taken, the latest first */
  struct wb_kernel_text *found;
  const struct wb_function *function;
  size_t next_instruction;
  struct wb_text_part location; /* the last .loc of the body */
  bool in_instruction; /* its opcode was met, and its ';' not yet: words with dots are its own */
  bool wide_registers;
  bool size_given;
};

static void take(struct walk *walk)
{
  walk->before[2] = walk->before[1];
  walk->before[1] = walk->before[0];
  walk->before[0] = walk->token;
  walk->token = wb_ptx_lexer_next(&walk->lexer);
}

static bool at(const struct walk *walk, const char *word)
{
  return wb_ptx_token_is(&walk->token, word);
}

static bool ended(const struct walk *walk)
{
  return walk->token.kind == WB_PTX_END || walk->token.kind == WB_PTX_INVALID;
}

static size_t end_of_last(const struct walk *walk)
{
  return (size_t)(walk->before[0].text - walk->text) + walk->before[0].length;
}

/* ---- the head ---- */

/* 806 of "8.6". */
static uint32_t version_of(const struct wb_ptx_token *token)
{
  const char *dot = memchr(token->text, '.', token->length);
  uint32_t major = 0;
  uint32_t minor = 0;
  for (size_t i = 0; i < token->length && i < 8; i++) {
    const char *c = token->text + i;
    if (*c >= '0' && *c <= '9' && (dot == NULL || c < dot))
      major = major * 10 + (uint32_t)(*c - '0');
    else if (*c >= '0' && *c <= '9')
      minor = minor * 10 + (uint32_t)(*c - '0');
  }
  return major < 10000 && minor < 100 ? major * 100 + minor : 0;
}

/* The directives that stand before all others. */
static void read_head(struct walk *walk)
{
  for (;;) {
    if (at(walk, ".version")) {
      take(walk);
      walk->found->version = version_of(&walk->token);
      take(walk);
    } else if (at(walk, ".target")) {
      take(walk);
      while (walk->token.kind == WB_PTX_WORD) {
        take(walk);
        if (walk->token.kind != ',')
          break;
        take(walk);
      }
    } else if (at(walk, ".address_size")) {
      take(walk);
      walk->size_given = true;
      walk->found->wide = walk->token.value == 64;
      take(walk);
    } else {
      break;
    }
  }
  walk->found->head_end = end_of_last(walk);
}

/* ---- what is noted of any token ---- */

/* The largest file number, and whether registers have 64 bits. */
static void note(struct walk *walk)
{
  const bool file = at(walk, ".file") || at(walk, ".loc");
  const bool wide = at(walk, ".u64") || at(walk, ".b64") || at(walk, ".s64");
  walk->wide_registers |= wide && wb_ptx_token_is(&walk->before[0], ".reg");
  take(walk);
  if (file && walk->token.kind == WB_PTX_INTEGER && walk->token.value <= UINT32_MAX &&
      walk->token.value > walk->found->file_number)
    walk->found->file_number = (uint32_t)walk->token.value;
}

/* Notes a token; of one that begins a text in another language, passes that text too. */
static void pass(struct walk *walk)
{
  if (at(walk, ".source_begin"))
    wb_ptx_lexer_skip_to(&walk->lexer, ".source_end");
  note(walk);
}

/* ---- the body ---- */

/* Takes `count` tokens. */
static void take_some(struct walk *walk, unsigned count)
{
  for (unsigned i = 0; i < count && !ended(walk); i++)
    note(walk);
}

/* `.loc 1 2 3, function_name $L+4, inlined_at 1 2 3` */
static void take_location(struct walk *walk)
{
  walk->location.start = (size_t)(walk->token.text - walk->text);
  take_some(walk, 4);
  while (walk->token.kind == ',') {
    take_some(walk, 1);
    const bool name = at(walk, "function_name");
    take_some(walk, name ? 2 : 4);
    if (name && walk->token.kind == '+')
      take_some(walk, 2);
  }
  walk->location.length = end_of_last(walk) - walk->location.start;
}

/* The body; the next token is its opening brace. */
static void read_body(struct walk *walk)
{
  size_t depth = 0;
  walk->found->body_start = (size_t)(walk->token.text - walk->text) + 1;
  do {
    const struct wb_instruction *next = walk->next_instruction < walk->function->instruction_count
                                            ? &walk->function->instructions[walk->next_instruction]
                                            : NULL;
    if (next != NULL && walk->token.line == next->line && walk->token.column == next->column) {
      /* The next token is the opcode of the next instruction. */
      const struct wb_ptx_token *first = &walk->token;
      struct wb_instruction_place *place = &walk->found->places[walk->next_instruction++];
      place->location = walk->location;
      if (next->guarded) {
        place->guard = (struct wb_text_part){(size_t)(walk->before[0].text - walk->text),
                                             walk->before[0].length};
        place->guard_negated = walk->before[1].kind == '!';
        first = &walk->before[place->guard_negated ? 2 : 1];
      }
      place->start = (size_t)(first->text - walk->text);
      walk->in_instruction = true;
    }
    depth += walk->token.kind == '{';
    depth -= walk->token.kind == '}';
    if (depth == 0)
      walk->found->body_end = (size_t)(walk->token.text - walk->text);
    walk->in_instruction &= walk->token.kind != ';';
    if (walk->in_instruction)
      note(walk);
    else if (at(walk, ".loc"))
      take_location(walk);
    else
      pass(walk);
  } while (depth > 0 && !ended(walk));
}

/* Goes on to the brace that opens the body, or to the ';' of a declaration: after the name. */
static void pass_heading(struct walk *walk)
{
  while (!ended(walk) && walk->token.kind != '{' && walk->token.kind != ';') {
    if (at(walk, ".pragma"))
      while (!ended(walk) && walk->token.kind != ';')
        pass(walk);
    pass(walk);
  }
}

warpbound_status wb_kernel_text_read(const struct wb_code *code, size_t kernel, const char *text,
                                     size_t length, struct wb_arena *arena,
                                     struct wb_kernel_text *places, warpbound_error *error)
{
  const struct wb_function *function = &code->functions[kernel];
  const bool known = strncmp(code->target, "sm_", 3) == 0; /* 75 of "sm_75", "sm_75a" */
  const unsigned long target = known ? strtoul(code->target + 3, NULL, 10) : 0;
  *places = (struct wb_kernel_text){.target = target < 100000 ? (uint32_t)target : 0};
  places->places = wb_arena_array(arena, struct wb_instruction_place, function->instruction_count);
  if (places->places == NULL)
    return wb_out_of_memory(error);
  struct walk walk = {.text = text, .found = places, .function = function};
  wb_ptx_lexer_start(&walk.lexer, text, length);
  bool found = false;
  walk.token = wb_ptx_lexer_next(&walk.lexer);
  read_head(&walk);
  while (!ended(&walk)) {
    const bool named =
        !found && walk.token.line == walk.function->line && at(&walk, walk.function->name);
    pass(&walk);
    if (named)
      pass_heading(&walk);
    if (named && walk.token.kind == '{') {
      read_body(&walk);
      found = true;
    }
  }
  if (!walk.size_given)
    walk.found->wide = walk.wide_registers;
  return (found && walk.token.kind == WB_PTX_END &&
          walk.next_instruction == walk.function->instruction_count)
             ? WARPBOUND_OK
             : wb_fail(error, WARPBOUND_INTERNAL, "the text of kernel %s was not found again",
                       function->name);
}

uint64_t wb_free_prefix(const char *text, size_t length)
{
  static const char word[] = "warpbound";
  const size_t word_length = sizeof word - 1;
  uint64_t next = 0;
  for (size_t i = 0; i + word_length <= length; i++) {
    if (text[i] != 'w' || memcmp(text + i, word, word_length) != 0)
      continue;
    /* The N of a "warpbound" N "_"; one of 16 digits or more no free prefix has. */
    const size_t first = i + word_length;
    size_t end = first;
    uint64_t number = 0;
    while (end < length && text[end] >= '0' && text[end] <= '9' && end - first < 16)
      number = number * 10 + (uint64_t)(text[end++] - '0');
    if (end < length && text[end] == '_' && number >= next)
      next = number + 1;
  }
  return next;
}

#include "thread_run.h"

#include "float_steps.h"
#include "local_memory.h"
#include "maxwell_lane.h"
#include "volta_lane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPERANDS 8
#define TEXT 64

struct token {
  uint8_t kind;
  uint32_t target;
  uint32_t context;
};

struct thread {
  const struct wb_warp_graph *graph;
  const struct thread_launch *launch;
  struct wb_random *random;
  bool volta; /* which of the lanes has the registers */
  struct maxwell_lane maxwell;
  struct volta_lane lane;
  struct local_memory local;
  uint32_t group;      /* the lanes that run with it */
  uint32_t stack;      /* where the thread's stack begins */
  bool loaded_in_call; /* from local memory, in a called function */
  uint32_t points[16]; /* by barrier register: where its scope ends; 0: no scope, or not known */
  struct token tokens[THREAD_TOKENS];
  size_t token_count;
  uint32_t next;
  uint32_t context;
  bool ended;
  const char *wrong;
};

/* ---- memory ---- */

/* Small numbers, ends of ranges, and any. */
static uint32_t some_number(struct wb_random *random)
{
  static const uint32_t ends[] = {0, 1, UINT32_MAX, INT32_MAX, UINT32_C(0x80000000), 0xffff};
  const uint64_t kind = wb_random_below(random, 4);
  if (kind == 0)
    return ends[wb_random_below(random, sizeof ends / sizeof *ends)];
  if (kind == 1)
    return (uint32_t)wb_random_next(random);
  return (uint32_t)wb_random_below(random, 40) - (kind == 2 ? 10 : 0);
}

/* Where bank 0 has the parameters, the size of the block and that of the grid. */
static void find_places(uint32_t sm, uint32_t places[3])
{
  static const struct {
    uint32_t first;
    uint32_t places[3];
  } rows[] = {{0, {0x140, 0x8, 0x14}},
              {70, {0x160, 0x0, 0xc}},
              {90, {0x210, 0x0, 0xc}},
              {100, {0x380, 0x360, 0x370}}};
  size_t row = 0;
  while (row + 1 < sizeof rows / sizeof *rows && sm >= rows[row + 1].first)
    row++;
  memcpy(places, rows[row].places, sizeof rows[row].places);
}

static uint32_t constant(const struct thread *thread, uint32_t bank, uint32_t offset)
{
  const struct wb_function *function = thread->graph->function;
  uint32_t places[3];
  find_places(function->sm, places);
  if (bank == 2 && function->constants != NULL &&
      (uint64_t)offset + 4 <= function->constant_length) {
    uint32_t word = 0;
    for (unsigned byte = 0; byte < 4; byte++)
      word |= (uint32_t)(unsigned char)function->constants[offset + byte] << (8 * byte);
    return word;
  }
  if (bank == 0 && offset == (function->sm < 70 ? 0x20 : function->sm < 100 ? 0x28 : 0x37c))
    return thread->stack;
  if (bank != 0 || offset % 4 != 0)
    return some_number(thread->random);
  if (offset >= places[0] && offset < places[0] + 4 * THREAD_PARAMETERS)
    return thread->launch->parameters[(offset - places[0]) / 4];
  if (offset >= places[1] && offset < places[1] + 12)
    return thread->launch->block[(offset - places[1]) / 4];
  if (offset >= places[2] && offset < places[2] + 12)
    return thread->launch->grid[(offset - places[2]) / 4];
  return some_number(thread->random);
}

static uint32_t special(const struct thread *thread, const char *name)
{
  static const char axes[] = "XYZ";
  const struct thread_launch *launch = thread->launch;
  const char *axis = strchr(axes, name[strlen(name) - 1]);
  if (strcmp(name, "SR_LANEID") == 0)
    return launch->thread[0] % 32;
  if (axis == NULL || *axis == '\0')
    return some_number(thread->random);
  if (strncmp(name, "SR_TID.", 7) == 0)
    return launch->thread[axis - axes];
  if (strncmp(name, "SR_CTAID.", 9) == 0)
    return launch->index[axis - axes];
  if (strncmp(name, "SR_NTID.", 8) == 0)
    return launch->block[axis - axes];
  return strncmp(name, "SR_NCTAID.", 10) == 0 ? launch->grid[axis - axes]
                                              : some_number(thread->random);
}

/* ---- instructions ---- */

static uint32_t constant_at(void *context, uint32_t bank, uint32_t offset)
{
  return constant(context, bank, offset);
}

static uint32_t special_of(void *context, const char *name)
{
  return special(context, name);
}

/* A register gets any value. Which of the lanes the thread has. */
static void write_one(struct thread *thread, unsigned r)
{
  uint32_t *registers = thread->volta ? thread->lane.registers : thread->maxwell.registers;
  bool *predicates = thread->volta ? thread->lane.predicates : thread->maxwell.predicates;
  const uint32_t number = some_number(thread->random);
  const bool is_true = wb_random_below(thread->random, 2) == 0;
  if (r < WB_REGISTER_PREDICATE)
    registers[r] = number;
  else if (r < WB_REGISTER_CONDITION_CODE)
    predicates[r - WB_REGISTER_PREDICATE] = is_true;
  else if (r >= WB_REGISTER_UNIFORM && r < WB_REGISTER_UNIFORM_PREDICATE)
    thread->lane.uniform[r - WB_REGISTER_UNIFORM] = number;
  else if (r >= WB_REGISTER_UNIFORM_PREDICATE)
    thread->lane.uniform_predicates[r - WB_REGISTER_UNIFORM_PREDICATE] = is_true;
}

static void write_code(struct thread *thread)
{
  thread->maxwell.carry = wb_random_below(thread->random, 2) == 0;
  thread->maxwell.zero = wb_random_below(thread->random, 2) == 0;
}

/* What code outside that is called is assumed to keep from Volta on (doc/simt-volta.md, "What calls
 * keep"). */
static bool call_keeps(const struct thread *thread, const struct wb_instruction *instruction,
                       unsigned r)
{
  if (!thread->volta || instruction->transfer != WB_TRANSFER_CALL_OUTSIDE)
    return false;
  return r == 1 || r == 2 || (r >= 16 && r < 32) || (r >= 32 && r <= 252 && r / 4 % 2 == 1);
}

/* All that the instruction writes gets any value. */
static void write_anything(struct thread *thread, const struct wb_instruction *instruction)
{
  const struct wb_function *function = thread->graph->function;
  const bool all = instruction->unknown || instruction->transfer == WB_TRANSFER_CALL_OUTSIDE;
  for (unsigned r = 0; r < WB_REGISTER_BARRIER; r++) {
    bool written = all && !call_keeps(thread, instruction, r);
    for (uint32_t s = 0; s < instruction->write_count; s++) {
      const struct wb_register_span *span = &function->spans[instruction->first_write + s];
      written |= span->first <= r && r < (unsigned)span->first + span->count;
    }
    if (written)
      write_one(thread, r);
  }
  if (all || strstr(instruction->operands, ".CC") != NULL)
    write_code(thread);
}

/* I2F.U32.RP R0, R4 and the like: of a register or a word of constant memory as it stands. */
static bool execute_float_step(struct thread *thread, const char *opcode, const char *operands,
                               uint32_t *registers)
{
  unsigned to;
  unsigned from;
  unsigned bank;
  uint32_t word;
  const char *rest = strchr(operands, ',');
  if (rest == NULL || sscanf(operands, "R%u,", &to) != 1)
    return false;
  if (sscanf(rest, ", R%u", &from) == 1)
    word = registers[from];
  else if (sscanf(rest, ", UR%u", &from) == 1)
    word = thread->lane.uniform[from];
  else if (sscanf(rest, ", c[0x%x][0x%x]", &bank, &from) == 2 ||
           sscanf(rest, ", c[0x%x] [0x%x]", &bank, &from) == 2)
    word = constant(thread, bank, from);
  else
    return false;
  return float_step_execute(opcode, word, thread->random, &registers[to]);
}

/* VOTE.ANY R4, PT, PT and VOTEU.ANY UR4, UPT, PT give the lanes that run, which others may have
 * joined; they part at branches by the lanes' own conditions alone. */
static void read_lanes(struct thread *thread, const struct wb_instruction *instruction)
{
  const char *operands = instruction->operands;
  const char *rest = strchr(operands, ',');
  unsigned number;
  if (strncmp(instruction->opcode, "VOTE", 4) != 0 || rest == NULL ||
      (strcmp(rest, ", PT, PT") != 0 && strcmp(rest, ", UPT, PT") != 0))
    return;
  if (wb_random_below(thread->random, 2) == 0)
    thread->group |= UINT32_C(1) << wb_random_below(thread->random, 32);
  if (sscanf(operands, "UR%u", &number) == 1)
    thread->lane.uniform[number] = thread->group;
  else if (sscanf(operands, "R%u", &number) == 1)
    (thread->volta ? thread->lane.registers : thread->maxwell.registers)[number] = thread->group;
}

/* VOTE.ALL R4, P0, !P1: the lanes of the group for which the last predicate holds, those beside
 * this one any of them, and whether these are all, some, or all or none. False where it is another
 * instruction. */
static bool vote(struct thread *thread, const struct wb_instruction *instruction)
{
  unsigned number, target, source;
  char negated[2] = "";
  const char *operands = instruction->operands;
  const char *kind = strncmp(instruction->opcode, "VOTE.", 5) == 0 ? instruction->opcode + 5 : "";
  if (sscanf(operands, "R%u, P%u, P%u", &number, &target, &source) != 3 &&
      sscanf(operands, "R%u, P%u, %1[!]P%u", &number, &target, negated, &source) != 4)
    return false;
  bool *predicates = thread->volta ? thread->lane.predicates : thread->maxwell.predicates;
  const uint32_t own = UINT32_C(1) << (thread->launch->thread[0] & 31);
  const uint32_t others = (uint32_t)wb_random_next(thread->random);
  const uint32_t group = own | others | (uint32_t)wb_random_next(thread->random);
  const bool for_it = predicates[source] != (negated[0] == '!');
  uint32_t mask = (others & ~own) | (for_it ? own : 0);
  if (wb_random_below(thread->random, 2) == 0) /* all agree */
    mask = for_it ? group : 0;
  (thread->volta ? thread->lane.registers : thread->maxwell.registers)[number] = mask;
  predicates[target] = strcmp(kind, "ALL") == 0   ? mask == group
                       : strcmp(kind, "ANY") == 0 ? mask != 0
                                                  : mask == 0 || mask == group;
  return strcmp(kind, "ALL") == 0 || strcmp(kind, "ANY") == 0 || strcmp(kind, "EQ") == 0;
}

static bool execute_float(struct thread *thread, const char *opcode, const char *operands)
{
  const bool volta = thread->volta;
  struct float_lane lane = {.registers = volta ? thread->lane.registers : thread->maxwell.registers,
                            .uniform = thread->lane.uniform,
                            .predicates =
                                volta ? thread->lane.predicates : thread->maxwell.predicates,
                            .uniform_predicates = thread->lane.uniform_predicates,
                            .context = thread,
                            .constant = constant_at};
  return float_execute(&lane, opcode, operands);
}

/* An instruction that is not known writes any values. */
static void do_data(struct thread *thread, const struct wb_instruction *instruction)
{
  const struct volta_memory memory = {thread, constant_at, special_of};
  struct maxwell_lane maxwell = thread->maxwell;
  struct volta_lane lane = thread->lane;
  const char *opcode = instruction->opcode;
  const char *operands = instruction->operands;
  const bool known = !instruction->unknown &&
                     (thread->volta ? volta_lane_execute(&lane, &memory, opcode, operands)
                                    : maxwell_lane_execute(&maxwell, &memory, opcode, operands));
  struct volta_lane before_lane = thread->lane;
  struct maxwell_lane before_maxwell = thread->maxwell;
  write_anything(thread, instruction);
  if (!known && !instruction->unknown) {
    /* It reads what was there before. */
    const struct volta_lane any_lane = thread->lane;
    const struct maxwell_lane any_maxwell = thread->maxwell;
    thread->lane = before_lane;
    thread->maxwell = before_maxwell;
    if (execute_float(thread, opcode, operands) || vote(thread, instruction))
      return;
    thread->lane = any_lane;
    thread->maxwell = any_maxwell;
  }
  /* What a load gives may take the place of its address. */
  uint32_t registers[WB_REGISTER_PREDICATE];
  uint32_t *own = thread->volta ? thread->lane.registers : thread->maxwell.registers;
  memcpy(registers, thread->volta ? lane.registers : maxwell.registers, sizeof registers);
  if (!known)
    read_lanes(thread, instruction);
  thread->loaded_in_call |=
      thread->context != thread->graph->blocks[thread->graph->entry_block].context &&
      strncmp(opcode, "LDL", 3) == 0;
  if (local_memory_execute(&thread->local, opcode, operands, registers, thread->random) ||
      execute_float_step(thread, opcode, operands, registers))
    memcpy(own, registers, sizeof registers);
  if (strncmp(opcode, "BMOV", 4) == 0)
    memset(thread->points, 0, sizeof thread->points);
  if (!known)
    return;
  thread->lane = lane;
  thread->maxwell = maxwell;
  if (strstr(operands, ".CC") != NULL && !maxwell.carry_known)
    write_code(thread);
}

/* Goes where the scope of the barrier register ends; where that is not known, to any place. */
static void sync_scope(struct thread *thread, const struct wb_instruction *instruction,
                       uint32_t block)
{
  const struct wb_warp_graph *graph = thread->graph;
  uint64_t choices = 0;
  const uint32_t point = thread->points[instruction->barrier];
  thread->points[instruction->barrier] = 0;
  if (point != 0)
    thread->next = point;
  for (size_t e = 0; e < graph->edge_count && point == 0; e++) {
    if (graph->edges[e].from == block && wb_random_below(thread->random, ++choices) == 0)
      thread->next = graph->blocks[graph->edges[e].to].first;
  }
}

/* Goes where the register that links a return says, to the caller or, after a recursive call, to
 * any context of the place. A thread ends where the register may have been kept in memory: which
 * context that was is not known. */
static void return_linked(struct thread *thread, const struct wb_instruction *instruction,
                          uint32_t block)
{
  const struct wb_warp_graph *graph = thread->graph;
  const size_t index = wb_function_at(graph->function, thread->lane.registers[instruction->link]);
  const uint32_t caller = graph->contexts[thread->context].caller;
  bool found = false;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_block *to = &graph->blocks[graph->edges[e].to];
    if (graph->edges[e].from != block || to->first != index || (found && to->context != caller))
      continue;
    found = true;
    thread->next = to->first;
    thread->context = to->context;
  }
  thread->ended = !found || thread->loaded_in_call;
}

static bool push(struct thread *thread, struct token token)
{
  if (thread->token_count == THREAD_TOKENS)
    return false;
  thread->tokens[thread->token_count++] = token;
  return true;
}

static void pop(struct thread *thread, uint8_t kind)
{
  while (thread->token_count > 0) {
    const struct token token = thread->tokens[--thread->token_count];
    if (token.kind != kind)
      continue;
    thread->next = token.target;
    thread->context = token.context;
    return;
  }
  thread->wrong = "there is no token to pop";
}

/* Where a call made in the block goes, as a context. */
static uint32_t called_context(const struct thread *thread, uint32_t block)
{
  for (size_t e = 0; e < thread->graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &thread->graph->edges[e];
    if (edge->from == block && edge->kind == WB_EDGE_CALL)
      return thread->graph->blocks[edge->to].context;
  }
  return UINT32_MAX;
}

static void do_control(struct thread *thread, const struct wb_instruction *instruction,
                       uint32_t index, uint32_t block)
{
  const struct wb_function *function = thread->graph->function;
  const uint32_t *targets = &function->targets[instruction->first_target];
  switch (instruction->transfer) {
  case WB_TRANSFER_BRANCH:
    thread->next = targets[0];
    break;
  case WB_TRANSFER_INDEXED_BRANCH:
    thread->next = targets[wb_random_below(thread->random, instruction->target_count)];
    break;
  case WB_TRANSFER_PUSH:
    thread->ended = !push(thread, (struct token){instruction->token, targets[0], thread->context});
    break;
  case WB_TRANSFER_CALL:
    thread->ended = !push(thread, (struct token){WB_TOKEN_RETURN, index + 1, thread->context});
    thread->next = targets[0];
    thread->context = called_context(thread, block);
    break;
  case WB_TRANSFER_POP:
    if (instruction->token == WB_TOKEN_RETURN && !function->kernel && thread->token_count == 0)
      thread->ended = true;
    else
      pop(thread, instruction->token);
    break;
  case WB_TRANSFER_EXIT:
    thread->ended = true;
    break;
  case WB_TRANSFER_SCOPE_OPEN:
    thread->points[instruction->barrier] = targets[0];
    break;
  case WB_TRANSFER_SCOPE_SYNC:
    sync_scope(thread, instruction, block);
    break;
  case WB_TRANSFER_SCOPE_BREAK:
    thread->points[instruction->barrier] = 0;
    break;
  case WB_TRANSFER_CALL_LINKED:
    thread->next = targets[0];
    if (called_context(thread, block) != UINT32_MAX) /* else a jump */
      thread->context = called_context(thread, block);
    break;
  case WB_TRANSFER_RETURN_LINKED:
    return_linked(thread, instruction, block);
    break;
  default:
    do_data(thread, instruction);
    break;
  }
}

static bool guard_of(const struct thread *thread, uint16_t guard)
{
  if (!thread->volta)
    return thread->maxwell.predicates[guard - WB_REGISTER_PREDICATE];
  return guard >= WB_REGISTER_UNIFORM_PREDICATE
             ? thread->lane.uniform_predicates[guard - WB_REGISTER_UNIFORM_PREDICATE]
             : thread->lane.predicates[guard - WB_REGISTER_PREDICATE];
}

/* BRA P1, 0x40: the operand before the comma. */
static bool operand_holds(const struct thread *thread, const char *operands)
{
  char text[TEXT] = "";
  const size_t length = strcspn(operands, ",");
  if (length < TEXT)
    memcpy(text, operands, length);
  return volta_lane_predicate(&thread->lane, text);
}

/* What was loaded, or written otherwise, is a number of the range. */
static void load_from(struct thread *thread, const struct wb_load_range *range)
{
  const uint64_t width = (uint64_t)range->most - (uint64_t)range->least;
  const uint64_t kind = wb_random_below(thread->random, 4);
  const uint64_t any = wb_random_next(thread->random);
  const uint64_t above = kind == 0             ? 0
                         : kind == 1           ? width
                         : width == UINT64_MAX ? any
                                               : any % (width + 1);
  const uint64_t value = (uint64_t)range->least + above;
  const bool uniform = range->number >= WB_REGISTER_UNIFORM;
  uint32_t *registers = uniform         ? thread->lane.uniform
                        : thread->volta ? thread->lane.registers
                                        : thread->maxwell.registers;
  uint32_t *written = &registers[range->number - (uniform ? WB_REGISTER_UNIFORM : 0)];
  written[0] = (uint32_t)value;
  if (range->bytes == 8)
    written[1] = (uint32_t)(value >> 32);
}

/* A load of 8 or 16 bits leaves these, continued by their sign or by zeros. */
static void narrow_load(struct thread *thread, const struct wb_instruction *load)
{
  const uint16_t number = thread->graph->function->spans[load->first_write].first;
  uint32_t *registers = thread->volta ? thread->lane.registers : thread->maxwell.registers;
  if (strncmp(load->opcode, "LD", 2) != 0 || number >= WB_REGISTER_PREDICATE)
    return;
  if (strstr(load->opcode, ".U8") != NULL)
    registers[number] = (uint8_t)registers[number];
  else if (strstr(load->opcode, ".S8") != NULL)
    registers[number] = (uint32_t)(int8_t)registers[number];
  else if (strstr(load->opcode, ".U16") != NULL)
    registers[number] = (uint16_t)registers[number];
  else if (strstr(load->opcode, ".S16") != NULL)
    registers[number] = (uint32_t)(int16_t)registers[number];
}

/* Whether the thread does an instruction, by its conditions. */
static bool conditions_hold(const struct thread *thread, const struct wb_instruction *instruction)
{
  bool does = !instruction->never;
  if (instruction->guard != WB_NO_REGISTER)
    does = does && guard_of(thread, instruction->guard) != instruction->guard_negated;
  if (thread->volta && instruction->second_predicate)
    does = does && operand_holds(thread, instruction->operands);
  else if (instruction->conditional_code || instruction->second_predicate || instruction->together)
    does = does && wb_random_below(thread->random, 2) == 0;
  return does;
}

/* Whether the thread goes a way of the code as it was that is cut. */
static bool goes_cut_way(const struct thread *thread, uint32_t index)
{
  const struct wb_function *cut = thread->graph->function;
  if (wb_instruction_is_cut(cut, index))
    return conditions_hold(thread, &cut->uncut->instructions[index]) ==
           cut->instructions[index].never;
  return thread->launch->absent[index];
}

static void step(struct thread *thread, uint32_t index, uint32_t block)
{
  const struct wb_instruction *instruction = &thread->graph->function->instructions[index];
  if (thread->ended)
    return;
  if (thread->launch->left != NULL && goes_cut_way(thread, index)) {
    thread->launch->left[index] = thread->ended = true;
    return;
  }
  const bool does = conditions_hold(thread, instruction);
  thread->next = index + 1;
  if (instruction->guard != WB_NO_REGISTER && strstr(instruction->opcode, ".U") == NULL)
    thread->group = UINT32_C(1) << (thread->launch->thread[0] & 31);
  if (thread->launch->dead != NULL && thread->launch->dead[index])
    thread->wrong = "a thread comes to code that none is said to come to";
  if (does && thread->launch->idle != NULL && thread->launch->idle[index])
    thread->wrong = "a thread does what none is said to do";
  if (does)
    do_control(thread, instruction, index, block);
  if (does && instruction->write_count > 0)
    narrow_load(thread, instruction);
  for (size_t l = 0; l < thread->launch->load_count && does; l++) {
    if (thread->launch->loads[l].instruction == index)
      load_from(thread, &thread->launch->loads[l]);
  }
}

static size_t edge_taken(const struct thread *thread, uint32_t from)
{
  const struct wb_warp_graph *graph = thread->graph;
  for (size_t e = 0; e < graph->edge_count; e++) {
    const struct wb_warp_edge *edge = &graph->edges[e];
    if (edge->from == from && edge->kind != WB_EDGE_REACTIVATION &&
        graph->blocks[edge->to].first == thread->next &&
        graph->blocks[edge->to].context == thread->context)
      return e;
  }
  return SIZE_MAX;
}

const char *thread_run(const struct wb_warp_graph *graph, const struct thread_launch *launch,
                       struct wb_random *random, uint64_t most, thread_visit *visit, void *context)
{
  struct thread thread = {
      .graph = graph, .launch = launch, .random = random, .volta = graph->function->sm >= 70};
  uint32_t block = graph->entry_block;
  thread.group = UINT32_C(1) << (launch->thread[0] & 31);
  thread.stack = 0xfffdc0 + 8 * (uint32_t)wb_random_below(random, 64);
  for (unsigned r = 0; r < 255; r++) {
    thread.lane.registers[r] = thread.maxwell.registers[r] = some_number(random);
    thread.lane.uniform[r] = some_number(random);
  }
  for (unsigned p = 0; p < 7; p++) {
    thread.lane.predicates[p] = thread.maxwell.predicates[p] = wb_random_below(random, 2) == 0;
    thread.lane.uniform_predicates[p] = wb_random_below(random, 2) == 0;
  }
  thread.lane.predicates[7] = thread.maxwell.predicates[7] = true;
  thread.lane.uniform_predicates[7] = true;
  for (uint64_t taken = 0; taken < most; taken++) {
    for (uint32_t i = graph->blocks[block].first; i <= graph->blocks[block].last; i++)
      step(&thread, i, block);
    if (thread.ended || thread.wrong != NULL)
      return thread.wrong;
    const size_t edge = edge_taken(&thread, block);
    if (edge == SIZE_MAX)
      return "the graph lacks an edge that a thread takes";
    visit(context, edge);
    block = graph->edges[edge].to;
  }
  return NULL;
}

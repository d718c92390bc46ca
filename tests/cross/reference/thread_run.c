#include "thread_run.h"

#include "volta_lane.h"

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
  uint32_t registers[256]; /* the last is RZ */
  bool predicates[8];      /* the last is PT */
  bool volta;              /* `lane` takes the place of registers and predicates */
  struct volta_lane lane;
  uint32_t points[16]; /* by barrier register: where its scope ends; 0: no scope, or not known */
  bool carry;          /* of the condition code: no borrow, where it subtracted */
  bool zero;
  struct token tokens[THREAD_TOKENS];
  size_t token_count;
  uint32_t next;
  uint32_t context;
  bool ended;
  const char *wrong;
};

/* An instruction taken apart. */
struct parts {
  char text[OPERANDS][TEXT];
  size_t count;
  const char *opcode;
};

/* ---- operands ---- */

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

static void take_apart(const struct wb_instruction *instruction, struct parts *parts)
{
  const char *at = instruction->operands;
  *parts = (struct parts){.opcode = instruction->opcode};
  while (*at != '\0' && parts->count < OPERANDS) {
    const char *end = at + strcspn(at, ",");
    char *to = parts->text[parts->count++];
    size_t length = 0;
    for (; at < end; at++) {
      if (*at != ' ' && length + 1 < TEXT)
        to[length++] = *at;
    }
    to[length] = '\0';
    for (char *reuse; (reuse = strstr(to, ".reuse")) != NULL;)
      memmove(reuse, reuse + 6, strlen(reuse + 6) + 1);
    at += *at == ',';
  }
}

static uint32_t constant(const struct thread *thread, uint32_t bank, uint32_t offset)
{
  const struct wb_function *function = thread->graph->function;
  uint32_t places[3];
  /* Where bank 0 has the parameters, the size of the block and that of the grid. */
  static const struct {
    uint32_t first;
    uint32_t places[3];
  } rows[] = {{0, {0x140, 0x8, 0x14}},
              {70, {0x160, 0x0, 0xc}},
              {90, {0x210, 0x0, 0xc}},
              {100, {0x380, 0x360, 0x370}}};
  size_t row = 0;
  while (row + 1 < sizeof rows / sizeof *rows && function->sm >= rows[row + 1].first)
    row++;
  memcpy(places, rows[row].places, sizeof rows[row].places);
  if (bank == 2 && function->constants != NULL &&
      (uint64_t)offset + 4 <= function->constant_length) {
    uint32_t word = 0;
    for (unsigned byte = 0; byte < 4; byte++)
      word |= (uint32_t)(unsigned char)function->constants[offset + byte] << (8 * byte);
    return word;
  }
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

static unsigned register_number(const char *text)
{
  return text[1] == 'Z' ? 255 : (unsigned)strtoul(text + 1, NULL, 10);
}

/* c[0x0][0x140], c[0x0][R2+0x140], c[0x0][R2]: what stands there, or `further` bytes on. */
static uint32_t constant_operand(const struct thread *thread, const char *text, uint32_t further)
{
  char *end;
  const uint32_t bank = (uint32_t)strtoul(text + 2, &end, 16);
  uint32_t offset = further;
  end += 2; /* ][ */
  if (*end == 'R') {
    offset += thread->registers[register_number(end)];
    end += strcspn(end, "+]");
  }
  if (*end != ']')
    offset += (uint32_t)strtoul(end, NULL, 16);
  return constant(thread, bank, offset);
}

/* The number without its sign and half. */
static uint32_t whole(const struct thread *thread, const char *text)
{
  text += *text == '-' || *text == '~';
  if (*text == 'R')
    return thread->registers[register_number(text)];
  if (strncmp(text, "c[", 2) == 0)
    return constant_operand(thread, text, 0);
  return (uint32_t)strtoul(text, NULL, 0);
}

static uint32_t value(const struct thread *thread, const struct parts *parts, size_t which)
{
  const char *text = parts->text[which];
  const uint32_t number = whole(thread, text);
  return *text == '-' ? 0 - number : *text == '~' ? ~number : number;
}

static bool predicate(const struct thread *thread, const char *text)
{
  const bool negated = *text == '!';
  text += negated;
  return thread->predicates[text[1] == 'T' ? 7 : text[1] - '0'] != negated;
}

/* ---- arithmetic ---- */

static bool is(const struct parts *parts, const char *opcode)
{
  return strcmp(parts->opcode, opcode) == 0;
}

static bool starts(const struct parts *parts, const char *opcode)
{
  return strncmp(parts->opcode, opcode, strlen(opcode)) == 0;
}

static bool has(const struct parts *parts, const char *word)
{
  return strstr(parts->opcode, word) != NULL;
}

static uint32_t shift_right(uint32_t a, uint32_t count, bool arithmetic)
{
  const uint32_t filler = arithmetic && (a >> 31) != 0 ? UINT32_MAX : 0;
  if (count > 31)
    return filler;
  return count == 0 ? a : (a >> count) | (filler << (32 - count));
}

static uint32_t half(const struct thread *thread, const char *text)
{
  const uint32_t number = whole(thread, text);
  return strstr(text, ".H1") != NULL ? number >> 16 : number & 0xffff;
}

static uint32_t short_multiply_add(const struct thread *thread, const struct parts *parts)
{
  const uint32_t low = whole(thread, parts->text[2]) & 0xffff;
  uint32_t product = half(thread, parts->text[1]) * half(thread, parts->text[2]);
  uint32_t addend = value(thread, parts, 3);
  if (has(parts, ".PSL"))
    product <<= 16;
  if (has(parts, ".CBCC"))
    addend += low << 16;
  if (has(parts, ".CHI"))
    addend >>= 16;
  if (has(parts, ".CLO"))
    addend &= 0xffff;
  product += addend;
  return has(parts, ".MRG") ? (product & 0xffff) | (low << 16) : product;
}

static uint32_t extreme(const struct thread *thread, const struct parts *parts)
{
  const uint32_t a = value(thread, parts, 1);
  const uint32_t b = value(thread, parts, 2);
  const uint32_t turn = has(parts, ".U32") ? 0 : UINT32_C(0x80000000);
  const bool first = (a ^ turn) < (b ^ turn);
  return first == predicate(thread, parts->text[3]) ? a : b;
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

/* a + b as an adder has it: what is subtracted is complemented, and the carry in is 1 then. With X
 * it is the one of the sum before, and the sum is zero where that was too. */
static uint32_t add_with_carry(const struct thread *thread, const struct parts *parts, bool *carry,
                               bool *zero)
{
  const bool extended = has(parts, ".X");
  uint64_t sum = extended && thread->carry;
  for (size_t i = 1; i <= 2; i++) {
    const bool negated = parts->text[i][0] == '-' && parts->text[i][1] != '0';
    sum += negated ? ~whole(thread, parts->text[i]) : value(thread, parts, i);
    sum += negated && !extended;
  }
  *carry = sum >> 32 != 0;
  *zero = (uint32_t)sum == 0 && (!extended || thread->zero);
  return (uint32_t)sum;
}

/* The upper word of (high, low) << count, or the lower one of (high, low) >> count. */
static uint32_t funnel(uint32_t low, uint32_t high, uint32_t count, bool right)
{
  const uint64_t both = (uint64_t)high << 32 | low;
  return right ? (uint32_t)(both >> count) : (uint32_t)(both << count >> 32);
}

static uint32_t logic(const struct thread *thread, const struct parts *parts)
{
  const uint32_t a = value(thread, parts, 1);
  const uint32_t b = value(thread, parts, 2);
  if (has(parts, ".AND"))
    return a & b;
  if (has(parts, ".PASS_B"))
    return b;
  return has(parts, ".OR") ? a | b : a ^ b;
}

static uint32_t field(const struct thread *thread, const struct parts *parts)
{
  const uint32_t what = value(thread, parts, 2);
  const uint32_t length = what >> 8 & 0xff;
  const uint32_t bits = shift_right(value(thread, parts, 1), what & 0xff, false);
  return length > 31 ? bits : bits & ((UINT32_C(1) << length) - 1);
}

/* The result of an instruction with one; false for one that is not among them. */
static bool compute(const struct thread *thread, const struct parts *parts, uint32_t *result)
{
  const uint32_t a = value(thread, parts, 1);
  const uint32_t b = value(thread, parts, 2);
  const uint32_t c = value(thread, parts, 3);
  if (is(parts, "MOV") || is(parts, "MOV32I") || is(parts, "LDC") || is(parts, "I2I.S32.S32") ||
      is(parts, "I2I.U32.U32"))
    *result = a;
  else if (is(parts, "IMAD") || is(parts, "IMAD.U32.U32"))
    *result = a * b + c;
  else if (is(parts, "IMUL.U32.U32.HI") || is(parts, "IMUL32I.U32.U32.HI"))
    *result = (uint32_t)((uint64_t)a * b >> 32);
  else if (is(parts, "IADD3"))
    *result = a + b + c;
  else if (is(parts, "IADD3.RS"))
    *result = (uint32_t)(((uint64_t)a + b) >> 16) + c;
  else if (is(parts, "LEA"))
    *result = (a << (c & 31)) + b;
  else if (is(parts, "LEA.HI"))
    *result = funnel(a, c, value(thread, parts, 4) & 31, false) + b;
  else if (starts(parts, "SHF.L") || starts(parts, "SHF.R"))
    *result = funnel(a, c, b & 31, starts(parts, "SHF.R"));
  else if (is(parts, "ISCADD") || is(parts, "ISCADD32I"))
    *result = (a << (c & 31)) + b;
  else if (is(parts, "IMUL") || is(parts, "IMUL32I") || is(parts, "IMUL.U32.U32") ||
           is(parts, "IMUL32I.U32.U32"))
    *result = a * b;
  else if (is(parts, "SHL"))
    *result = b > 31 ? 0 : a << b;
  else if (is(parts, "SHL.W"))
    *result = a << (b & 31);
  else if (is(parts, "SHR") || is(parts, "SHR.U32"))
    *result = shift_right(a, b, !has(parts, ".U32"));
  else if (is(parts, "SHR.W") || is(parts, "SHR.U32.W"))
    *result = shift_right(a, b & 31, !has(parts, ".U32"));
  else if ((starts(parts, "LOP.") || starts(parts, "LOP32I.")) && !has(parts, "Z"))
    *result = logic(thread, parts);
  else if (is(parts, "BFE.U32"))
    *result = field(thread, parts);
  else if (is(parts, "IMNMX") || is(parts, "IMNMX.U32"))
    *result = extreme(thread, parts);
  else if (is(parts, "SEL"))
    *result = predicate(thread, parts->text[3]) ? a : b;
  else if (is(parts, "S2R"))
    *result = special(thread, parts->text[1]);
  else if (starts(parts, "XMAD") && !has(parts, "S16") && !has(parts, "CSFU") && !has(parts, ".X"))
    *result = short_multiply_add(thread, parts);
  else
    return false;
  return true;
}

/* ---- predicates ---- */

static bool joined(const char *how, bool a, bool b)
{
  if (strncmp(how, "AND", 3) == 0)
    return a && b;
  return strncmp(how, "OR", 2) == 0 ? a || b : a != b;
}

static bool compare(const struct thread *thread, const struct parts *parts)
{
  if (has(parts, ".X.")) {
    /* With X: the upper words subtracted with the borrow of the lower ones. */
    const uint32_t a = value(thread, parts, 2);
    const uint32_t b = value(thread, parts, 3);
    const uint64_t sum = (uint64_t)a + (uint32_t)~b + thread->carry;
    const bool zero = (uint32_t)sum == 0 && thread->zero;
    const bool negative = (uint32_t)sum >> 31 != 0;
    const bool overflow = ((a ^ b) & (a ^ (uint32_t)sum)) >> 31 != 0;
    const bool less = has(parts, ".U32") ? sum >> 32 == 0 : negative != overflow;
    const char *relation = parts->opcode + 6;
    bool holds = zero;
    if (relation[0] == 'N')
      holds = !zero;
    else if (relation[0] != 'E')
      holds = (relation[0] == 'L' ? less : !less && !zero) || (relation[1] == 'E' && zero);
    return joined(strrchr(parts->opcode, '.') + 1, holds, predicate(thread, parts->text[4]));
  }
  const uint32_t turn = has(parts, ".U32") ? 0 : UINT32_C(0x80000000);
  const uint32_t a = value(thread, parts, 2) ^ turn;
  const uint32_t b = value(thread, parts, 3) ^ turn;
  const char *relation = parts->opcode + 6;
  bool holds = a == b;
  if (relation[0] == 'N')
    holds = a != b;
  else if (relation[0] != 'E')
    holds = (relation[0] == 'L' ? a < b : a > b) || (relation[1] == 'E' && a == b);
  return joined(strrchr(parts->opcode, '.') + 1, holds, predicate(thread, parts->text[4]));
}

/* ---- instructions ---- */

static void write_anything(struct thread *thread, const struct wb_instruction *instruction,
                           bool code)
{
  const struct wb_function *function = thread->graph->function;
  const bool all = instruction->unknown || instruction->transfer == WB_TRANSFER_CALL_OUTSIDE;
  for (unsigned r = 0; r < WB_REGISTER_CONDITION_CODE; r++) {
    bool written = all;
    for (uint32_t s = 0; s < instruction->write_count; s++) {
      const struct wb_register_span *span = &function->spans[instruction->first_write + s];
      written |= span->first <= r && r < (unsigned)span->first + span->count;
    }
    if (written && r < WB_REGISTER_PREDICATE)
      thread->registers[r] = some_number(thread->random);
    else if (written)
      thread->predicates[r - WB_REGISTER_PREDICATE] = wb_random_below(thread->random, 2) == 0;
  }
  if (!code && !all)
    return;
  thread->carry = wb_random_below(thread->random, 2) == 0;
  thread->zero = wb_random_below(thread->random, 2) == 0;
}

/* ---- from Volta on ---- */

static uint32_t volta_constant(void *context, uint32_t bank, uint32_t offset)
{
  return constant(context, bank, offset);
}

static uint32_t volta_special(void *context, const char *name)
{
  return special(context, name);
}

static void write_anything_volta(struct thread *thread, const struct wb_instruction *instruction)
{
  const struct wb_function *function = thread->graph->function;
  const bool all = instruction->unknown || instruction->transfer == WB_TRANSFER_CALL_OUTSIDE;
  struct volta_lane *lane = &thread->lane;
  for (unsigned r = 0; r < WB_REGISTER_BARRIER; r++) {
    bool written = all;
    for (uint32_t s = 0; s < instruction->write_count; s++) {
      const struct wb_register_span *span = &function->spans[instruction->first_write + s];
      written |= span->first <= r && r < (unsigned)span->first + span->count;
    }
    if (!written)
      continue;
    if (r < WB_REGISTER_PREDICATE)
      lane->registers[r] = some_number(thread->random);
    else if (r < WB_REGISTER_CONDITION_CODE)
      lane->predicates[r - WB_REGISTER_PREDICATE] = wb_random_below(thread->random, 2) == 0;
    else if (r >= WB_REGISTER_UNIFORM && r < WB_REGISTER_UNIFORM_PREDICATE)
      lane->uniform[r - WB_REGISTER_UNIFORM] = some_number(thread->random);
    else if (r >= WB_REGISTER_UNIFORM_PREDICATE)
      lane->uniform_predicates[r - WB_REGISTER_UNIFORM_PREDICATE] =
          wb_random_below(thread->random, 2) == 0;
  }
}

static void do_volta_data(struct thread *thread, const struct wb_instruction *instruction)
{
  const struct volta_memory memory = {thread, volta_constant, volta_special};
  struct volta_lane after = thread->lane;
  const bool known =
      !instruction->unknown &&
      volta_lane_execute(&after, &memory, instruction->opcode, instruction->operands);
  write_anything_volta(thread, instruction);
  if (strncmp(instruction->opcode, "BMOV", 4) == 0)
    memset(thread->points, 0, sizeof thread->points);
  if (known)
    thread->lane = after;
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
 * any context of the place. A thread ends where it cannot know the register: it was kept in memory.
 */
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
  thread->ended = !found;
}

/* ---- data ---- */

static void do_data(struct thread *thread, const struct wb_instruction *instruction)
{
  if (thread->volta) {
    do_volta_data(thread, instruction);
    return;
  }
  const struct thread before = *thread;
  struct parts parts;
  uint32_t result;
  take_apart(instruction, &parts);
  char *to = parts.text[0];
  char *code = strstr(to, ".CC");
  if (code != NULL)
    *code = '\0';
  write_anything(thread, instruction, code != NULL);
  if (to[0] == 'R' && (is(&parts, "IADD") || is(&parts, "IADD32I") || is(&parts, "IADD.X") ||
                       is(&parts, "IADD32I.X"))) {
    bool carry;
    bool zero;
    thread->registers[register_number(to)] = add_with_carry(&before, &parts, &carry, &zero);
    if (code != NULL) {
      thread->carry = carry;
      thread->zero = zero;
    }
  } else if (is(&parts, "LDC.64") && to[1] != 'Z') {
    const unsigned number = register_number(to);
    thread->registers[number] = constant_operand(&before, parts.text[1], 0);
    thread->registers[number + 1] = constant_operand(&before, parts.text[1], 4);
  } else if (to[0] == 'R' && compute(&before, &parts, &result)) {
    thread->registers[register_number(to)] = result;
  } else if (to[0] == 'P' && to[1] != 'T' && starts(&parts, "ISETP.")) {
    thread->predicates[to[1] - '0'] = compare(&before, &parts);
  } else if (to[0] == 'P' && to[1] != 'T' && starts(&parts, "PSETP.")) {
    const bool inner = joined(parts.opcode + 6, predicate(&before, parts.text[2]),
                              predicate(&before, parts.text[3]));
    thread->predicates[to[1] - '0'] =
        joined(strrchr(parts.opcode, '.') + 1, inner, predicate(&before, parts.text[4]));
  }
  thread->registers[255] = 0;
  thread->predicates[7] = true;
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
    return thread->predicates[guard - WB_REGISTER_PREDICATE];
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
  for (unsigned r = 0; r < 255; r++)
    thread.registers[r] = some_number(random);
  for (unsigned p = 0; p < 7; p++)
    thread.predicates[p] = wb_random_below(random, 2) == 0;
  thread.predicates[7] = true;
  memcpy(thread.lane.registers, thread.registers, sizeof thread.registers);
  memcpy(thread.lane.predicates, thread.predicates, sizeof thread.predicates);
  for (unsigned r = 0; r < 255; r++)
    thread.lane.uniform[r] = some_number(random);
  for (unsigned p = 0; p < 7; p++)
    thread.lane.uniform_predicates[p] = wb_random_below(random, 2) == 0;
  thread.lane.uniform_predicates[7] = true;
  for (uint64_t taken = 0; taken < most; taken++) {
    for (uint32_t i = graph->blocks[block].first; i <= graph->blocks[block].last; i++) {
      const struct wb_instruction *instruction = &thread.graph->function->instructions[i];
      bool does = !instruction->never;
      thread.next = i + 1;
      if (instruction->guard != WB_NO_REGISTER)
        does = does && guard_of(&thread, instruction->guard) != instruction->guard_negated;
      if (thread.volta && instruction->second_predicate)
        does = does && operand_holds(&thread, instruction->operands);
      else if (instruction->conditional_code || instruction->second_predicate ||
               instruction->together)
        does = does && wb_random_below(thread.random, 2) == 0;
      if (does)
        do_control(&thread, instruction, i, block);
    }
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

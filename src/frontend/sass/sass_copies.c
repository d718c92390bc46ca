/* Which instructions from Volta on put a value unchanged elsewhere (struct wb_copy). */
#include "base/memory.h"
#include "frontend/sass/sass_parser.h"
#include "isa/lower/lower.h"
#include "isa/opcode.h"

#include <string.h>

/* An instruction whose copies are found. */
struct copying {
  struct wb_sass_parser *parser;
  struct wb_function *function;
  const struct wb_instruction *instruction;
  uint32_t index; /* of the instruction */
};

/* What a micro-operation brings: a value that a copy can have, or nothing that is known. */
struct brought {
  bool known;
  uint8_t kind;   /* enum wb_copy_kind: of registers, numbers and the launch */
  uint16_t from;  /* a register */
  uint64_t value; /* as in struct wb_copy; a number may have 64 bits */
};

#define WARP 32u

#define LOW(value) ((uint64_t)(value)&UINT32_MAX)

static bool add(const struct copying *copying, struct wb_copy copy)
{
  struct wb_function *function = copying->function;
  if (!wb_grow(function->copies, &copying->parser->copy_capacity, function->copy_count + 1))
    return wb_sass_out_of_memory(copying->parser);
  copy.instruction = copying->index;
  function->copies[function->copy_count++] = copy;
  return true;
}

/* ---- values ---- */

static struct brought number_of(uint64_t value)
{
  return (struct brought){.known = true, .kind = WB_COPY_NUMBER, .value = value};
}

/* Of block index, block size and grid size, the same for the warp; and the thread's index in x. */
static struct brought special_of(uint64_t special)
{
  if (special == WB_SPECIAL_THREAD_X)
    return (struct brought){.known = true, .kind = WB_COPY_THREAD};
  if (special < WB_SPECIAL_BLOCK_X || special > WB_SPECIAL_GRID_SIZE_Z)
    return (struct brought){.known = false};
  return (struct brought){.known = true, .kind = WB_COPY_LAUNCH, .value = special};
}

/* What a source brings; of a pair the lower word. */
static struct brought source_value(const struct wb_source *source, const struct brought *results)
{
  const struct brought unknown = {.known = false};
  if (source->kind == WB_SOURCE_NONE)
    return number_of(0);
  if (source->negated || source->complemented)
    return unknown;
  switch (source->kind) {
  case WB_SOURCE_RESULT:
    return results[source->number];
  case WB_SOURCE_REGISTER:
  case WB_SOURCE_REGISTER_PAIR:
    return (struct brought){.known = true, .kind = WB_COPY_REGISTER, .from = source->number};
  case WB_SOURCE_NUMBER:
  case WB_SOURCE_LABEL:
    return number_of(source->value);
  case WB_SOURCE_CONSTANT:
  case WB_SOURCE_CONSTANT_PAIR:
    return (struct brought){.known =
                                source->index == WB_NO_REGISTER && source->value + 4 <= UINT16_MAX,
                            .kind = WB_COPY_CONSTANT,
                            .value = (uint64_t)source->bank << 32 | source->value};
  case WB_SOURCE_SPECIAL:
    return special_of(source->value);
  default:
    return unknown;
  }
}

/* a + b, where that is one register and a number, or a number, or another value and zero. */
static struct brought sum_of(struct brought a, struct brought b)
{
  const bool swap = a.kind == WB_COPY_NUMBER;
  const struct brought number = swap ? a : b;
  struct brought other = swap ? b : a;
  other.known = a.known && b.known && number.kind == WB_COPY_NUMBER;
  if (other.kind == WB_COPY_NUMBER || other.kind == WB_COPY_REGISTER)
    other.value = LOW(other.value + number.value);
  else
    other.known = other.known && LOW(number.value) == 0;
  return other;
}

/* a * b, where one of both is 0 or 1. */
static struct brought product_of(struct brought a, struct brought b)
{
  const bool swap = b.known && b.kind == WB_COPY_NUMBER && LOW(b.value) <= 1;
  const struct brought number = swap ? b : a;
  const struct brought other = swap ? a : b;
  if (!number.known || number.kind != WB_COPY_NUMBER || LOW(number.value) > 1)
    return (struct brought){.known = false};
  return LOW(number.value) == 0 ? number_of(0) : other;
}

static bool is_number(struct brought value)
{
  return value.known && value.kind == WB_COPY_NUMBER;
}

static bool is_register(struct brought value)
{
  return value.known && value.kind == WB_COPY_REGISTER && LOW(value.value) == 0;
}

/* What is the same in all lanes of a warp where the register has neighbouring numbers there, from a
 * multiple of 32 on. */
static struct brought of_warp(struct brought value, bool same)
{
  return (struct brought){.known = same, .kind = WB_COPY_OF_WARP, .from = value.from};
}

/* a relation b, where 32 numbers from a multiple of 32 on lie on one side of the number. */
static struct brought comparison_of(const struct wb_micro_operation *operation, struct brought a,
                                    struct brought b)
{
  static const enum wb_relation turned[] = {
      [WB_RELATION_LESS] = WB_RELATION_GREATER,     [WB_RELATION_EQUAL] = WB_RELATION_EQUAL,
      [WB_RELATION_AT_MOST] = WB_RELATION_AT_LEAST, [WB_RELATION_GREATER] = WB_RELATION_LESS,
      [WB_RELATION_UNEQUAL] = WB_RELATION_UNEQUAL,  [WB_RELATION_AT_LEAST] = WB_RELATION_AT_MOST};
  const bool swap = is_number(a);
  const struct brought number = swap ? a : b;
  const struct brought other = swap ? b : a;
  const uint8_t relation = swap ? turned[operation->relation] : operation->relation;
  if (!is_number(number) || !is_register(other))
    return (struct brought){.known = false};
  const uint64_t rest = number.value % WARP;
  return of_warp(
      other, ((relation == WB_RELATION_LESS || relation == WB_RELATION_AT_LEAST) && rest == 0) ||
                 ((relation == WB_RELATION_AT_MOST || relation == WB_RELATION_GREATER) &&
                  rest == WARP - 1));
}

/* A function of three words, bit by bit, or of three predicates: of a register that is not asked
 * for its place in the warp, or of what is the same in the warp already, and of numbers. */
static struct brought function_of(const struct wb_micro_operation *operation,
                                  const struct brought *results)
{
  struct brought of = {.known = false};
  uint64_t numbers[3] = {0};
  unsigned at = 3;
  for (unsigned s = 0; s < 3; s++) {
    const struct brought value = source_value(&operation->sources[s], results);
    if (is_number(value)) {
      numbers[s] = value.value;
      continue;
    }
    if (at < 3 || !(is_register(value) || (value.known && value.kind == WB_COPY_OF_WARP)))
      return (struct brought){.known = false};
    at = s;
    of = value;
  }
  if (at == 3 || of.kind == WB_COPY_OF_WARP)
    return of;
  if (operation->kind == WB_MICRO_COMBINE)
    return (struct brought){.known = false};
  bool same = true;
  for (unsigned bit = 0; 1u << bit < WARP; bit++) {
    unsigned index = 0;
    for (unsigned s = 0; s < 3; s++)
      index |= (unsigned)(numbers[s] >> bit & 1) << (2 - s);
    const unsigned set = index | 1u << (2 - at);
    const unsigned clear = index & ~(1u << (2 - at));
    same = same && (operation->table >> set & 1) == (operation->table >> clear & 1);
  }
  return of_warp(of, same);
}

static struct brought result_of(const struct wb_micro_operation *operation,
                                const struct brought *results)
{
  const struct brought a = source_value(&operation->sources[0], results);
  const struct brought b = source_value(&operation->sources[1], results);
  switch (operation->kind) {
  case WB_MICRO_COPY:
  case WB_MICRO_WIDE_COPY:
  case WB_MICRO_SOME_LANE:
    return a;
  case WB_MICRO_SHIFT_LEFT:
    return b.known && b.kind == WB_COPY_NUMBER && b.value == 0 ? a
                                                               : (struct brought){.known = false};
  case WB_MICRO_SHIFT_RIGHT:
    return of_warp(a, is_register(a) && is_number(b) && UINT64_C(1) << (b.value & 31) >= WARP &&
                          b.value < 32);
  case WB_MICRO_COMPARE:
    return comparison_of(operation, a, b);
  case WB_MICRO_COMBINE:
  case WB_MICRO_LOOKUP:
    return function_of(operation, results);
  case WB_MICRO_MULTIPLY:
    return product_of(a, b);
  case WB_MICRO_ADD:
    if (operation->sources[3].kind == WB_SOURCE_NONE &&
        operation->sources[4].kind == WB_SOURCE_NONE)
      return sum_of(sum_of(a, b), source_value(&operation->sources[2], results));
    return (struct brought){.known = false};
  default:
    return (struct brought){.known = false};
  }
}

/* ---- registers ---- */

/* A 0 that cuobjdump prints can be what the loader replaces: nothing is known of it, for a true
 * zero is RZ. */
static bool is_left_to_loader(const struct copying *copying)
{
  if (strcmp(copying->parser->code->format, "cuobjdump") != 0)
    return false;
  for (uint32_t o = 0; o < copying->instruction->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(copying->function, copying->instruction, o);
    if (operand->kind == WB_OPERAND_NUMBER && operand->value == 0)
      return true;
  }
  return false;
}

/* Word 0 or 1 of a number of 64 bits, of a pair of registers or of constants. A number may be
 * printed with 32 bits, its upper word then being their sign or zero. */
static struct brought word_of(struct brought wide, unsigned word)
{
  switch (wide.kind) {
  case WB_COPY_NUMBER:
    wide.known = wide.known && (word == 0 || wide.value <= INT32_MAX || wide.value > UINT32_MAX);
    wide.value = word == 0 ? LOW(wide.value) : wide.value >> 32;
    return wide;
  case WB_COPY_REGISTER:
    wide.from = (uint16_t)(wide.from + word);
    return wide;
  case WB_COPY_CONSTANT:
    wide.value += 4 * word;
    return wide;
  default:
    wide.known = false;
    return wide;
  }
}

/* Whether a register that is read stands among those that earlier copies of the instruction write.
 */
static bool is_overwritten(const struct copying *copying, size_t first_copy, uint16_t number)
{
  for (size_t c = first_copy; c < copying->function->copy_count; c++)
    if (copying->function->copies[c].to == number)
      return true;
  return false;
}

/* What the micro-operations put unchanged into registers. */
static bool copy_results(const struct copying *copying)
{
  struct wb_micro_code code;
  struct brought results[WB_MICRO_LIMIT];
  const size_t first_copy = copying->function->copy_count;
  if (!wb_lower(copying->function, copying->index, &code) || is_left_to_loader(copying))
    return true;
  for (size_t o = 0; o < code.count; o++)
    results[o] = result_of(&code.operations[o], results);
  for (size_t w = 0; w < code.write_count; w++) {
    const struct wb_micro_write *write = &code.writes[w];
    for (unsigned word = 0; word < (write->wide ? 2u : 1u); word++) {
      const struct brought value =
          write->wide ? word_of(results[write->result], word) : results[write->result];
      const bool reads = value.kind == WB_COPY_REGISTER || value.kind == WB_COPY_OF_WARP;
      /* A shuffle gives the register of another lane, which may have come from another call. */
      const bool of_lane = reads && copying->instruction->agreement == WB_AGREES_BY_LANE;
      if (!value.known || of_lane || (reads && is_overwritten(copying, first_copy, value.from)))
        continue;
      const struct wb_copy copy = {.value = value.kind == WB_COPY_CONSTANT ? value.value
                                                                           : LOW(value.value),
                                   .to = (uint16_t)(write->number + word),
                                   .from = reads ? value.from : WB_NO_REGISTER,
                                   .base = WB_NO_REGISTER,
                                   .kind = value.kind};
      if (!add(copying, copy))
        return false;
    }
  }
  return true;
}

/* ---- barrier registers ---- */

static bool is_barrier(uint16_t number)
{
  return number >= WB_REGISTER_BARRIER && number < WB_REGISTER_COUNT;
}

/* BMOV B4, R5; BMOV.32.CLEAR R5, B4; BMOV.32.CLEAR RZ, B4: a number binds a barrier register to no
 * scope. */
static bool copy_barrier(const struct copying *copying)
{
  static const enum wb_modifier known[] = {WB_MODIFIER_32, WB_MODIFIER_CLEAR, WB_MODIFIER_RELIABLE,
                                           WB_MODIFIER_RECONVERGENT};
  const struct wb_instruction *instruction = copying->instruction;
  if (instruction->operand_count != 2 ||
      !wb_instruction_has_among(instruction, known, sizeof known / sizeof *known))
    return true;
  const struct wb_operand *to = wb_operand_of(copying->function, instruction, 0);
  const struct wb_operand *from = wb_operand_of(copying->function, instruction, 1);
  const bool plain = wb_operand_is_plain_register(from);
  if (!wb_operand_is_plain_register(to) || (!plain && from->kind != WB_OPERAND_NUMBER))
    return true;
  const bool clears =
      plain && is_barrier(from->number) && wb_instruction_has(instruction, WB_MODIFIER_CLEAR);
  struct wb_copy copy = {.kind = WB_COPY_NUMBER, .to = to->number, .base = WB_NO_REGISTER};
  copy.from = WB_NO_REGISTER;
  if (clears && to->number == WB_NO_REGISTER) {
    copy.to = from->number;
  } else if (plain && from->number != WB_NO_REGISTER) {
    copy.kind = WB_COPY_REGISTER;
    copy.from = from->number;
    copy.clears = clears;
  } else if (!plain) {
    copy.value = LOW(from->value);
  }
  const bool nothing = copy.to == WB_NO_REGISTER || (clears && copy.to == copy.from);
  return nothing || add(copying, copy);
}

/* ---- local memory: all words, or none ---- */

/* LDL R4, [R1+0x8]; STL.64 [R1], R4. Zeros and parts of words come from no register. */
static bool copy_local(const struct copying *copying, bool store)
{
  const struct wb_instruction *instruction = copying->instruction;
  if (instruction->operand_count != 2)
    return true;
  const struct wb_operand *address = wb_operand_of(copying->function, instruction, store ? 0 : 1);
  const struct wb_operand *data = wb_operand_of(copying->function, instruction, store ? 1 : 0);
  unsigned bytes = 0;
  const bool known = wb_instruction_local_bytes(instruction, &bytes);
  const unsigned words = bytes < 4 ? 1 : bytes / 4;
  const bool overlaps = address->number >= data->number && address->number < data->number + words;
  if (!known || address->kind != WB_OPERAND_ADDRESS || !wb_operand_is_plain_address(address) ||
      !wb_operand_is_plain_register(data) ||
      (!store && (bytes < 4 || data->number == WB_NO_REGISTER || overlaps)))
    return true;
  struct wb_copy copy = {.kind = store ? WB_COPY_STORE : WB_COPY_LOAD,
                         .base = address->number,
                         .to = WB_NO_REGISTER,
                         .from = WB_NO_REGISTER,
                         .value =
                             LOW(bytes < 4 ? address->value - address->value % 4 : address->value)};
  for (unsigned word = 0; word < words; word++) {
    const bool whole = bytes >= 4 && data->number != WB_NO_REGISTER;
    if (store)
      copy.from = (uint16_t)(whole ? data->number + word : WB_NO_REGISTER);
    else
      copy.to = (uint16_t)(data->number + word);
    if (!add(copying, copy))
      return false;
    copy.value = LOW(copy.value + 4);
  }
  return true;
}

bool wb_sass_add_copies(struct wb_sass_parser *parser, struct wb_function *function, size_t index)
{
  const struct copying copying = {parser, function, &function->instructions[index],
                                  (uint32_t)index};
  if (wb_instruction_is(copying.instruction, WB_TRAIT_MOVES_BARRIER_REGISTER))
    return copy_barrier(&copying);
  if (wb_instruction_is(copying.instruction, WB_TRAIT_LOADS_LOCAL))
    return copy_local(&copying, false);
  if (wb_instruction_is(copying.instruction, WB_TRAIT_STORES_LOCAL))
    return copy_local(&copying, true);
  return copy_results(&copying);
}

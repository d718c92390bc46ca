#include "frontend/sass/sass_copies.h"

#include "base/checked.h"
#include "base/memory.h"
#include "frontend/sass/sass_value.h"
#include "frontend/sass/text/sass_scanner.h"
#include "isa/sass_modifiers.h"
#include "isa/sass_moves.h"

#include <string.h>

/* An instruction and its operands: the result is operands[0]. */
struct copying {
  struct wb_sass_parser *parser;
  struct wb_function *function;
  size_t index;
  struct wb_sass_piece opcode;
  const struct wb_sass_operand *operands;
  size_t count;
};

#define LOW(value) ((uint64_t)(value)&UINT32_MAX)

static bool add(const struct copying *copying, struct wb_copy copy)
{
  struct wb_function *function = copying->function;
  if (!wb_grow(function->copies, &copying->parser->copy_capacity, function->copy_count + 1))
    return wb_sass_out_of_memory(copying->parser);
  copy.instruction = (uint32_t)copying->index;
  function->copies[function->copy_count++] = copy;
  return true;
}

/* Adds the copy of a value to a register; of a value that is not known, or to RZ: none. */
static bool add_value(const struct copying *copying, uint16_t to, struct wb_sass_value value)
{
  if (value.kind == WB_SASS_VALUE_NONE || to == WB_NO_REGISTER)
    return true;
  struct wb_copy copy = {.to = to, .from = WB_NO_REGISTER, .base = WB_NO_REGISTER};
  copy.value = value.kind == WB_SASS_VALUE_CONSTANT ? value.number : LOW(value.number);
  switch (value.kind) {
  case WB_SASS_VALUE_REGISTER:
    copy.kind = WB_COPY_REGISTER;
    copy.from = value.from;
    break;
  case WB_SASS_VALUE_CONSTANT:
    copy.kind = WB_COPY_CONSTANT;
    break;
  case WB_SASS_VALUE_LAUNCH:
    copy.kind = WB_COPY_LAUNCH;
    break;
  default:
    copy.kind = WB_COPY_NUMBER;
    break;
  }
  return add(copying, copy);
}

/* The words that the opcode says the instruction moves. */
static unsigned word_count(const struct copying *copying)
{
  return wb_sass_memory_width(copying->opcode.text, copying->opcode.length);
}

/* None of the registers first .. first + words - 1 is among other .. other + other_words - 1. */
static bool are_apart(uint16_t first, unsigned words, uint16_t other, unsigned other_words)
{
  return first == WB_NO_REGISTER || other == WB_NO_REGISTER || first + words <= other ||
         other + other_words <= first;
}

/* ---- one word ---- */

/* A word of an operand of a MOV. cuobjdump prints as 0 what the loader puts there: nothing is known
 * of it, for a true zero is RZ. */
static struct wb_sass_value moved_word(const struct copying *copying,
                                       const struct wb_sass_operand *operand, unsigned word,
                                       unsigned words)
{
  if (wb_sass_is_number(operand, 0) && strcmp(copying->parser->code->format, "cuobjdump") == 0)
    return (struct wb_sass_value){.kind = WB_SASS_VALUE_NONE};
  return wb_sass_word_of(copying->parser, operand, word, words);
}

static bool move_plain(const struct copying *copying)
{
  uint16_t to;
  uint16_t from;
  const unsigned words = word_count(copying);
  if (copying->count != 2 || !wb_sass_plain_register(&copying->operands[0], &to))
    return true;
  const struct wb_sass_operand *source = &copying->operands[1];
  if (words == 2 && wb_sass_plain_register(source, &from) && from != to &&
      !are_apart(from, words, to, words))
    return true;
  for (unsigned word = 0; word < words; word++) {
    const struct wb_sass_value value = moved_word(copying, source, word, words);
    const uint16_t register_of_word = (uint16_t)(to == WB_NO_REGISTER ? to : to + word);
    if (!add_value(copying, register_of_word, value))
      return false;
  }
  return true;
}

/* a + b, where that is one register and a number, or a number, or another value and zero. */
static struct wb_sass_value sum(struct wb_sass_value a, struct wb_sass_value b)
{
  const struct wb_sass_value none = {.kind = WB_SASS_VALUE_NONE};
  const bool swap = a.kind == WB_SASS_VALUE_NUMBER;
  const struct wb_sass_value number = swap ? a : b;
  struct wb_sass_value other = swap ? b : a;
  if (number.kind != WB_SASS_VALUE_NUMBER || other.kind == WB_SASS_VALUE_NONE)
    return none;
  if (other.kind == WB_SASS_VALUE_NUMBER || other.kind == WB_SASS_VALUE_REGISTER)
    other.number = LOW(other.number + number.number);
  else if (LOW(number.number) != 0)
    return none;
  return other;
}

static bool move_sum(const struct copying *copying)
{
  uint16_t to;
  struct wb_sass_value value = {.kind = WB_SASS_VALUE_NUMBER};
  size_t next = 1;
  while (next < copying->count && copying->operands[next].kind == WB_SASS_PREDICATE)
    next++;
  if (copying->count < next + 2 || !wb_sass_plain_register(&copying->operands[0], &to))
    return true;
  for (; next < copying->count; next++)
    value = sum(value, wb_sass_word_of(copying->parser, &copying->operands[next], 0, 1));
  return add_value(copying, to, value);
}

static bool is_zero(struct wb_sass_value value)
{
  return value.kind == WB_SASS_VALUE_NUMBER && LOW(value.number) == 0;
}

static bool is_one(struct wb_sass_value value)
{
  return value.kind == WB_SASS_VALUE_NUMBER && LOW(value.number) == 1;
}

/* IMAD R4, RZ, RZ, R5; IMAD.IADD R4, R5, 0x1, R6. */
static bool move_product(const struct copying *copying)
{
  uint16_t to;
  struct wb_sass_value terms[3];
  if (copying->count != 4 || !wb_sass_plain_register(&copying->operands[0], &to))
    return true;
  for (size_t t = 0; t < 3; t++)
    terms[t] = moved_word(copying, &copying->operands[t + 1], 0, 1);
  struct wb_sass_value product = {.kind = WB_SASS_VALUE_NONE};
  if (is_zero(terms[0]) || is_zero(terms[1]))
    product.kind = WB_SASS_VALUE_NUMBER;
  else if (is_one(terms[0]) || is_one(terms[1]))
    product = terms[is_one(terms[0]) ? 1 : 0];
  return add_value(copying, to, sum(product, terms[2]));
}

/* A special register of 64 bits: the high word is known of SRZ alone. */
static bool move_special(const struct copying *copying)
{
  uint16_t to;
  uint64_t number;
  const bool one = !wb_sass_begins(copying->opcode, "CS2R") ||
                   wb_sass_has_words(copying->opcode.text, copying->opcode.length, "32");
  if (copying->count != 2 || !wb_sass_plain_register(&copying->operands[0], &to) ||
      !wb_sass_launch_value(copying->operands[1].text, copying->operands[1].length, &number) ||
      (!one && number != 0))
    return true;
  const struct wb_sass_value value = {
      .kind = number == 0 ? WB_SASS_VALUE_NUMBER : WB_SASS_VALUE_LAUNCH, .number = number};
  return add_value(copying, to, value) &&
         (one || to == WB_NO_REGISTER || add_value(copying, (uint16_t)(to + 1), value));
}

static bool is_barrier(uint16_t number)
{
  return number >= WB_REGISTER_BARRIER && number < WB_REGISTER_COUNT;
}

/* BMOV B4, R5; BMOV.32.CLEAR R5, B4; BMOV.32.CLEAR RZ, B4: a number binds a barrier register to no
 * scope. */
static bool move_barrier(const struct copying *copying)
{
  uint16_t to;
  uint16_t from;
  if (copying->count != 2 || !wb_sass_plain_register(&copying->operands[0], &to))
    return true;
  const struct wb_sass_operand *source = &copying->operands[1];
  const bool plain = wb_sass_plain_register(source, &from);
  const bool clears = plain && is_barrier(from) &&
                      wb_sass_has_words(copying->opcode.text, copying->opcode.length, "CLEAR");
  if (clears && to == WB_NO_REGISTER)
    return add_value(copying, from, (struct wb_sass_value){.kind = WB_SASS_VALUE_NUMBER});
  if (!clears)
    return add_value(copying, to, wb_sass_word_of(copying->parser, source, 0, 1));
  return to == from || add(copying, (struct wb_copy){.kind = WB_COPY_REGISTER,
                                                     .to = to,
                                                     .from = from,
                                                     .base = WB_NO_REGISTER,
                                                     .clears = true});
}

/* ---- memory: all words, or none ---- */

static bool move_constant(const struct copying *copying)
{
  uint16_t to;
  const unsigned words = word_count(copying);
  if (copying->count != 2 || !wb_sass_plain_register(&copying->operands[0], &to) ||
      to == WB_NO_REGISTER)
    return true;
  struct wb_sass_value value = wb_sass_word_of(copying->parser, &copying->operands[1], 0, 1);
  if (value.kind != WB_SASS_VALUE_CONSTANT)
    return true;
  for (unsigned word = 0; word < words; word++, value.number += 4)
    if (!add_value(copying, (uint16_t)(to + word), value))
      return false;
  return true;
}

/* Where the words that an instruction moves from or to local memory stand. False: not known. */
static bool find_local(const struct copying *copying, bool store, struct wb_copy *copy,
                       uint16_t *data)
{
  int64_t offset;
  if (copying->count != 2 ||
      !wb_sass_local_address(&copying->operands[store ? 0 : 1], &copy->base, &offset) ||
      !wb_sass_plain_register(&copying->operands[store ? 1 : 0], data))
    return false;
  copy->value = LOW(offset);
  return store || (*data != WB_NO_REGISTER && are_apart(*data, word_count(copying), copy->base, 1));
}

static bool move_load(const struct copying *copying)
{
  struct wb_copy copy = {.kind = WB_COPY_LOAD, .from = WB_NO_REGISTER};
  uint16_t data;
  if (!find_local(copying, false, &copy, &data))
    return true;
  for (unsigned word = 0; word < word_count(copying); word++) {
    copy.to = (uint16_t)(data + word);
    if (!add(copying, copy))
      return false;
    copy.value = LOW(copy.value + 4);
  }
  return true;
}

/* Whether the opcode stores less than a word. */
static bool stores_part(const struct copying *copying)
{
  static const char *const parts[] = {"U8", "S8", "U16", "S16"};
  bool found = false;
  for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
    found |= wb_sass_has_words(copying->opcode.text, copying->opcode.length, parts[p]);
  return found;
}

/* Zeros and parts of words come from no register. */
static bool move_store(const struct copying *copying)
{
  struct wb_copy copy = {.kind = WB_COPY_STORE, .to = WB_NO_REGISTER};
  uint16_t data;
  if (!find_local(copying, true, &copy, &data))
    return true;
  const bool part = stores_part(copying);
  if (part)
    copy.value -= copy.value % 4;
  for (unsigned word = 0; word < word_count(copying); word++) {
    copy.from = (uint16_t)(part || data == WB_NO_REGISTER ? WB_NO_REGISTER : data + word);
    if (!add(copying, copy))
      return false;
    copy.value = LOW(copy.value + 4);
  }
  return true;
}

bool wb_sass_add_copies(struct wb_sass_parser *parser, struct wb_function *function, size_t index,
                        struct wb_sass_piece opcode, const struct wb_sass_operand *operands,
                        size_t operand_count)
{
  struct copying copying = {parser, function, index, opcode, operands, operand_count};
  const enum wb_sass_move move = wb_sass_move_of(opcode.text, opcode.length);
  /* R2UR P0, UR4, R2: the predicate says whether lanes differ. */
  if (move == WB_SASS_MOVE_PLAIN && operand_count > 0 && operands[0].kind == WB_SASS_PREDICATE) {
    copying.operands++;
    copying.count--;
  }
  switch (move) {
  case WB_SASS_MOVE_PLAIN:
    return move_plain(&copying);
  case WB_SASS_MOVE_PRODUCT:
    return move_product(&copying);
  case WB_SASS_MOVE_SUM:
    return move_sum(&copying);
  case WB_SASS_MOVE_SPECIAL:
    return move_special(&copying);
  case WB_SASS_MOVE_CONSTANT:
    return move_constant(&copying);
  case WB_SASS_MOVE_BARRIER:
    return move_barrier(&copying);
  case WB_SASS_MOVE_STORE:
    return move_store(&copying);
  case WB_SASS_MOVE_LOAD:
    return move_load(&copying);
  default:
    return true;
  }
}

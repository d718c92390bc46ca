/* The domain of strided intervals against the meaning of micro-operations, on random instructions
 * and on sums and comparisons of two words: what a lane holds is always among what the state
 * allows. A failure is shrunk before it is shown.
 *   WARPBOUND_CROSS_RUNS sequences (20000 without it), WARPBOUND_SEED */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "environment.h"
#include "interval_check.h"
#include "values/interval/interval_domain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_RUNS 20000
#define STEPS 8
#define REGISTERS 6
#define PREDICATES 3

enum type { WORD, PREDICATE, WIDE };

/* By kind: name, the type of the result, those of the sources ('w' a word, 'p' a predicate, 'd' a
 * number of 64 bits, 'n' a number of places). Kinds with sources of their own have none. */
static const struct meaning {
  const char *name;
  enum type type;
  const char *sources;
} meanings[WB_MICRO_COUNT] = {
    [WB_MICRO_COPY] = {"COPY", WORD, "w"},
    [WB_MICRO_ADD] = {"ADD", WORD, "wwwpp"},
    [WB_MICRO_MULTIPLY] = {"MULTIPLY", WORD, "ww"},
    [WB_MICRO_MULTIPLY_UPPER] = {"MULTIPLY_UPPER", WORD, "ww"},
    [WB_MICRO_SHIFT_LEFT] = {"SHIFT_LEFT", WORD, "ww"},
    [WB_MICRO_SHIFT_RIGHT] = {"SHIFT_RIGHT", WORD, "ww"},
    [WB_MICRO_FUNNEL_LEFT] = {"FUNNEL_LEFT", WORD, "wwn"},
    [WB_MICRO_FUNNEL_RIGHT] = {"FUNNEL_RIGHT", WORD, "wwn"},
    [WB_MICRO_LOOKUP] = {"LOOKUP", WORD, "www"},
    [WB_MICRO_PERMUTE] = {"PERMUTE", WORD, "www"},
    [WB_MICRO_EXTRACT] = {"EXTRACT", WORD, "w"},
    [WB_MICRO_SELECT] = {"SELECT", WORD, "wwp"},
    [WB_MICRO_MINIMUM] = {"MINIMUM", WORD, "ww"},
    [WB_MICRO_MAXIMUM] = {"MAXIMUM", WORD, "ww"},
    [WB_MICRO_ABSOLUTE] = {"ABSOLUTE", WORD, "w"},
    [WB_MICRO_COUNT_ONES] = {"COUNT_ONES", WORD, "w"},
    [WB_MICRO_LEADING_ONE] = {"LEADING_ONE", WORD, "w"},
    [WB_MICRO_REVERSE] = {"REVERSE", WORD, "w"},
    [WB_MICRO_CARRY] = {"CARRY", PREDICATE, ""},
    [WB_MICRO_COMPARE] = {"COMPARE", PREDICATE, "ww"},
    [WB_MICRO_COMPARE_UPPER] = {"COMPARE_UPPER", PREDICATE, "wwp"},
    [WB_MICRO_COMPARE_BY_CARRY] = {"COMPARE_BY_CARRY", PREDICATE, "ww"},
    [WB_MICRO_COMPARE_WIDE] = {"COMPARE_WIDE", PREDICATE, "dd"},
    [WB_MICRO_COMBINE] = {"COMBINE", PREDICATE, "ppp"},
    [WB_MICRO_IS_NOT_ZERO] = {"IS_NOT_ZERO", PREDICATE, "w"},
    [WB_MICRO_WIDE_COPY] = {"WIDE_COPY", WIDE, "d"},
    [WB_MICRO_WIDE_ADD] = {"WIDE_ADD", WIDE, "ddd"},
    [WB_MICRO_WIDE_MULTIPLY] = {"WIDE_MULTIPLY", WIDE, "ww"},
    [WB_MICRO_WIDE_SELECT] = {"WIDE_SELECT", WIDE, "ddp"},
    [WB_MICRO_WIDE_EXTEND] = {"WIDE_EXTEND", WIDE, "w"},
    [WB_MICRO_SOME_LANE] = {"SOME_LANE", WORD, "w"},
    [WB_MICRO_FUNCTION] = {"FUNCTION", WORD, "ww"},
    [WB_MICRO_UNKNOWN] = {"UNKNOWN", WORD, ""},
};

/* An instruction. What it writes stands in its code's writes, and one register more. */
struct step {
  struct wb_micro_code code;
  uint16_t guard;
  bool guard_negated;
  uint16_t lost;   /* a register that gets any number; WB_NO_REGISTER: none */
  uint64_t chance; /* seed of what is not determined */
};

struct program {
  size_t count;
  struct step steps[STEPS];
  struct interval_lane first;
  struct wb_integer start[REGISTERS];
};

/* ---- random programs ---- */

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

static uint16_t some_register(struct wb_random *random)
{
  return (uint16_t)wb_random_below(random, REGISTERS);
}

static uint16_t some_predicate(struct wb_random *random)
{
  return (uint16_t)(WB_REGISTER_PREDICATE + wb_random_below(random, PREDICATES));
}

static struct wb_source of_register(uint16_t number)
{
  return (struct wb_source){.kind = WB_SOURCE_REGISTER, .number = number, .index = WB_NO_REGISTER};
}

static struct wb_source of_number(uint64_t value)
{
  return (struct wb_source){.kind = WB_SOURCE_NUMBER, .value = value, .index = WB_NO_REGISTER};
}

static struct wb_source of_predicate(uint16_t number)
{
  return (struct wb_source){.kind = WB_SOURCE_PREDICATE, .number = number, .index = WB_NO_REGISTER};
}

static struct wb_source of_result(size_t number)
{
  return (struct wb_source){
      .kind = WB_SOURCE_RESULT, .number = (uint16_t)number, .index = WB_NO_REGISTER};
}

/* An earlier result of that type; false where none is drawn. */
static bool draw_result(struct wb_random *random, const struct wb_micro_code *code, enum type type,
                        struct wb_source *source)
{
  if (code->count == 0 || wb_random_below(random, 3) == 0)
    return false;
  const size_t number = (size_t)wb_random_below(random, code->count);
  *source = of_result(number);
  return meanings[code->operations[number].kind].type == type;
}

static struct wb_source draw_source(struct wb_random *random, const struct wb_micro_code *code,
                                    char type)
{
  struct wb_source source = of_number(0);
  const uint64_t sign = wb_random_below(random, 10);
  if (type == 'n')
    return wb_random_below(random, 16) == 0 ? of_register(some_register(random))
                                            : of_number(wb_random_below(random, 65));
  if (type == 'p') {
    if (!draw_result(random, code, PREDICATE, &source))
      source = wb_random_below(random, 4) == 0   ? of_number(wb_random_below(random, 2))
               : wb_random_below(random, 8) == 0 ? of_predicate(WB_REGISTER_CONDITION_CODE)
                                                 : of_predicate(some_predicate(random));
    source.negated = sign < 2;
    return source;
  }
  if (!draw_result(random, code, type == 'w' ? WORD : WIDE, &source)) {
    const bool number = wb_random_below(random, 3) == 0;
    source = number ? of_number(some_number(random)) : of_register(some_register(random));
    if (type == 'd' && number && wb_random_below(random, 2) == 0)
      source.value |= (uint64_t)some_number(random) << 32;
    if (type == 'd' && !number) {
      source.kind = WB_SOURCE_REGISTER_PAIR;
      source.number &= 0xfffe;
    }
  }
  source.negated = sign == 0 && source.kind != WB_SOURCE_NUMBER;
  source.complemented = sign == 1 && source.kind != WB_SOURCE_NUMBER;
  return source;
}

static size_t add(struct wb_micro_code *code, struct wb_micro_operation operation)
{
  code->operations[code->count] = operation;
  return code->count++;
}

static void add_carry(struct wb_micro_code *code, size_t sum)
{
  add(code, (struct wb_micro_operation){.kind = WB_MICRO_CARRY, .sources = {of_result(sum)}});
}

static void draw_operation(struct wb_random *random, struct wb_micro_code *code)
{
  const uint8_t kind = (uint8_t)wb_random_below(random, WB_MICRO_COUNT);
  const bool few = wb_random_below(random, 2) == 0;
  struct wb_micro_operation operation = {
      .kind = kind,
      .table = (uint8_t)wb_random_next(random),
      .relation = (uint8_t)wb_random_below(random, 6),
      .place = (uint8_t)wb_random_below(random, 32),
      .as_signed = wb_random_below(random, 2) == 0,
      .b_signed = wb_random_below(random, 2) == 0,
      .least = (uint32_t)wb_random_below(random, 40),
  };
  operation.most = operation.least + (uint32_t)wb_random_below(random, 40);
  operation.bits = (uint8_t)(1 + wb_random_below(random, 32U - operation.place));
  for (size_t s = 0; s < strlen(meanings[kind].sources); s++) {
    if (kind != WB_MICRO_ADD || s < 2 || !few)
      operation.sources[s] = draw_source(random, code, meanings[kind].sources[s]);
  }
  if (kind == WB_MICRO_PERMUTE)
    operation.sources[1] = of_number(wb_random_below(random, 0x10000));
  if (kind == WB_MICRO_COMPARE_BY_CARRY)
    operation.sources[2] = of_predicate(WB_REGISTER_CONDITION_CODE);
  if (kind == WB_MICRO_CARRY)
    return;
  const size_t number = add(code, operation);
  if (kind == WB_MICRO_ADD && wb_random_below(random, 2) == 0)
    add_carry(code, number);
}

static bool is_written(const struct wb_micro_code *code, uint16_t number)
{
  for (size_t w = 0; w < code->write_count; w++) {
    const struct wb_micro_write *write = &code->writes[w];
    if (number == write->number || (write->wide && number == write->number + 1))
      return true;
  }
  return false;
}

static void add_write(struct wb_micro_code *code, size_t result, uint16_t number)
{
  const bool wide = meanings[code->operations[result].kind].type == WIDE;
  if (!is_written(code, number) && !(wide && is_written(code, (uint16_t)(number + 1))))
    code->writes[code->write_count++] =
        (struct wb_micro_write){.number = number, .result = (uint8_t)result, .wide = wide};
}

static void draw_writes(struct wb_random *random, struct wb_micro_code *code)
{
  for (size_t r = code->count; r-- > 0 && code->write_count < 4;) {
    const enum type type = meanings[code->operations[r].kind].type;
    if (r + 1 < code->count && wb_random_below(random, 3) > 0)
      continue;
    if (type == WORD)
      add_write(code, r, some_register(random));
    else if (type == WIDE)
      add_write(code, r, some_register(random) & 0xfffe);
    else
      add_write(code, r,
                wb_random_below(random, 3) == 0 ? WB_REGISTER_CONDITION_CODE
                                                : some_predicate(random));
  }
}

static struct step *new_step(struct wb_random *random, struct program *program)
{
  struct step *step = &program->steps[program->count++];
  memset(step, 0, sizeof *step);
  step->guard = step->lost = WB_NO_REGISTER;
  step->chance = wb_random_next(random);
  return step;
}

static void draw_step(struct wb_random *random, struct program *program)
{
  struct step *step = new_step(random, program);
  const size_t wanted = 1 + (size_t)wb_random_below(random, 4);
  while (step->code.count < wanted)
    draw_operation(random, &step->code);
  draw_writes(random, &step->code);
  if (wb_random_below(random, 5) == 0) {
    step->guard = some_predicate(random);
    step->guard_negated = wb_random_below(random, 2) == 0;
  }
  const uint16_t lost = some_register(random);
  if (wb_random_below(random, 12) == 0 && !is_written(&step->code, lost))
    step->lost = lost;
}

/* A word of a sum: a register, or now and then a number. */
static struct wb_source draw_word(struct wb_random *random)
{
  return wb_random_below(random, 4) == 0 ? of_number(some_number(random))
                                         : of_register(some_register(random));
}

/* (R1, R0) + (R3, R2), the first scaled or not, or their difference: lower words, perhaps something
 * between, upper words. */
static void draw_wide_sum(struct wb_random *random, struct program *program)
{
  const uint16_t carry =
      wb_random_below(random, 2) == 0 ? WB_REGISTER_CONDITION_CODE : some_predicate(random);
  const uint16_t target = some_register(random) & 0xfffe;
  const uint64_t form = wb_random_below(random, 4); /* sum, difference, scaled twice */
  const unsigned scale = (unsigned)wb_random_below(random, 32);
  struct wb_micro_operation lower = {.kind = WB_MICRO_ADD};
  struct wb_micro_operation upper = {.kind = WB_MICRO_ADD};
  const uint16_t a = some_register(random) & 0xfffe;
  const struct wb_source low = of_register(a);
  const struct wb_source high = of_register(a + 1U);
  struct step *first = new_step(random, program);
  lower.sources[0] = low;
  upper.sources[0] = high;
  lower.sources[1] = draw_word(random);
  upper.sources[1] = lower.sources[1].kind == WB_SOURCE_REGISTER
                         ? of_register(lower.sources[1].number ^ 1U)
                         : draw_word(random);
  if (form == 1) {
    lower.sources[1].negated = lower.sources[1].kind == WB_SOURCE_REGISTER;
    upper.sources[1].complemented = upper.sources[1].kind == WB_SOURCE_REGISTER;
  }
  if (form > 1)
    lower.sources[0] = of_result(
        add(&first->code, (struct wb_micro_operation){.kind = WB_MICRO_SHIFT_LEFT,
                                                      .sources = {low, of_number(scale)}}));
  const size_t sum = add(&first->code, lower);
  add_carry(&first->code, sum);
  add_write(&first->code, sum, target);
  add_write(&first->code, sum + 1, carry);
  if (wb_random_below(random, 4) == 0)
    draw_step(random, program);
  struct step *second = new_step(random, program);
  if (form == 2)
    upper.sources[0] = of_result(
        add(&second->code, (struct wb_micro_operation){.kind = WB_MICRO_FUNNEL_LEFT,
                                                       .sources = {low, high, of_number(scale)}}));
  if (form == 3)
    upper.sources[0] = of_result(
        add(&second->code, (struct wb_micro_operation){.kind = WB_MICRO_SHIFT_RIGHT,
                                                       .as_signed = wb_random_below(random, 4) > 0,
                                                       .sources = {low, of_number(32 - scale)}}));
  upper.sources[3] = of_predicate(carry);
  add_write(&second->code, add(&second->code, upper), target + 1U);
}

/* A comparison of lower words, by a predicate or by the condition code, then one of upper words. */
static void draw_wide_comparison(struct wb_random *random, struct program *program)
{
  const uint16_t a = some_register(random) & 0xfffe;
  const bool by_carry = wb_random_below(random, 2) == 0;
  const uint16_t between = by_carry ? WB_REGISTER_CONDITION_CODE : some_predicate(random);
  const struct wb_source b = draw_word(random);
  const uint8_t relation = (uint8_t)wb_random_below(random, 6);
  struct step *first = new_step(random, program);
  struct wb_micro_operation lower = {.kind = WB_MICRO_COMPARE,
                                     .relation = relation,
                                     .as_signed = wb_random_below(random, 6) == 0,
                                     .sources = {of_register(a), b}};
  if (by_carry) {
    lower.kind = WB_MICRO_ADD;
    lower.sources[1].negated = b.kind == WB_SOURCE_REGISTER;
  }
  const size_t number = add(&first->code, lower);
  if (by_carry)
    add_carry(&first->code, number);
  add_write(&first->code, by_carry ? number + 1 : number, between);
  if (wb_random_below(random, 4) == 0)
    draw_step(random, program);
  struct step *second = new_step(random, program);
  const struct wb_source upper =
      b.kind == WB_SOURCE_REGISTER ? of_register(b.number ^ 1U) : draw_word(random);
  const size_t compared =
      add(&second->code, (struct wb_micro_operation){
                             .kind = by_carry ? WB_MICRO_COMPARE_BY_CARRY : WB_MICRO_COMPARE_UPPER,
                             .relation = relation,
                             .as_signed = wb_random_below(random, 2) == 0,
                             .sources = {of_register(a + 1U), upper, of_predicate(between)}});
  add_write(&second->code, compared, some_predicate(random));
}

/* Some registers are known, some are in an interval, the others are themselves. */
static void draw_program(uint64_t seed, struct program *program)
{
  struct wb_random random = {seed};
  const size_t wanted = 1 + (size_t)wb_random_below(&random, STEPS - 3);
  *program = (struct program){0};
  for (uint16_t r = 0; r < REGISTERS; r++) {
    const uint64_t kind = wb_random_below(&random, 4);
    const uint64_t width = wb_random_below(&random, 40);
    const uint32_t low = some_number(&random);
    uint32_t *holds = &program->first.registers[r];
    *holds = low;
    program->start[r] = kind == 0 ? wb_integer_exactly(low) : wb_integer_of_register(r);
    if (kind == 1) {
      program->start[r] = wb_integer_range(low, (int64_t)low + (int64_t)width);
      *holds += (uint32_t)wb_random_below(&random, width + 1);
    }
  }
  for (size_t p = 0; p < WB_TRUTH_COUNT; p++)
    program->first.predicates[p] = wb_random_below(&random, 2) == 0;
  while (program->count < wanted) {
    const uint64_t kind = wb_random_below(&random, 4);
    if (kind == 0)
      draw_wide_sum(&random, program);
    else if (kind == 1)
      draw_wide_comparison(&random, program);
    else
      draw_step(&random, program);
  }
}

/* ---- the lane ---- */

/* A lane, and whether the last sum that set the condition code was 0. */
struct lane {
  struct interval_lane holds;
  bool zero;
};

static uint64_t wide_register(const struct lane *lane, uint16_t number)
{
  return lane->holds.registers[number] | (uint64_t)lane->holds.registers[number + 1U] << 32;
}

/* The source as a number of its type. */
static uint64_t value_of(const struct lane *lane, const uint64_t *results,
                         const struct wb_source *source, char type)
{
  uint64_t value = 0;
  if (source->kind == WB_SOURCE_RESULT)
    value = results[source->number];
  else if (source->kind == WB_SOURCE_REGISTER)
    value = lane->holds.registers[source->number];
  else if (source->kind == WB_SOURCE_REGISTER_PAIR)
    value = wide_register(lane, source->number);
  else if (source->kind == WB_SOURCE_PREDICATE)
    value = lane->holds.predicates[wb_predicate_index(source->number)];
  else if (source->kind == WB_SOURCE_NUMBER)
    value = source->value;
  if (type == 'p')
    return source->negated ? value == 0 : value != 0;
  value = source->negated ? 0 - value : source->complemented ? ~value : value;
  return type == 'd' ? value : (uint32_t)value;
}

static uint64_t extended(uint64_t word, bool as_signed)
{
  return as_signed && word > INT32_MAX ? word | (uint64_t)UINT32_MAX << 32 : word;
}

/* An arithmetic or logical shift of a number of `width` bits by any number of places. */
static uint64_t shifted_right(uint64_t value, uint64_t count, bool as_signed, unsigned width)
{
  for (uint64_t i = 0; i < count && i < 64; i++)
    value = value >> 1 | (as_signed ? value & UINT64_C(1) << (width - 1) : 0);
  return value;
}

static uint32_t permuted(uint32_t a, uint32_t selector, uint32_t c)
{
  const uint64_t bytes = a | (uint64_t)c << 32;
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; i++) {
    const unsigned digit = selector >> 4 * i & 0xf;
    const uint32_t byte = bytes >> 8 * (digit & 7) & 0xff;
    result |= (digit < 8 ? byte : byte > 0x7f ? 0xff : 0) << 8 * i;
  }
  return result;
}

static uint64_t by_table(uint8_t table, const uint64_t *v, unsigned bits)
{
  uint64_t result = 0;
  for (unsigned i = 0; i < bits; i++) {
    const unsigned row = (unsigned)((v[0] >> i & 1) << 2 | (v[1] >> i & 1) << 1 | (v[2] >> i & 1));
    result |= (uint64_t)(table >> row & 1) << i;
  }
  return result;
}

/* Whether a sum carries. Of more than two words no one says which carry it is. */
static uint64_t carry_of(const struct lane *lane, const uint64_t *results,
                         const struct wb_micro_operation *sum, struct wb_random *chance)
{
  uint64_t total = 0;
  unsigned words = 0;
  for (size_t s = 0; s < 5; s++) {
    struct wb_source source = sum->sources[s];
    if (source.kind == WB_SOURCE_NONE)
      continue;
    if (s > 2) {
      const uint64_t carry = value_of(lane, results, &source, 'p');
      total += carry;
      words += carry != 0 || source.kind != WB_SOURCE_NUMBER;
      continue;
    }
    const bool negated = source.negated;
    source.negated = false;
    const uint64_t word = value_of(lane, results, &source, 'w');
    total += negated ? (uint64_t)(uint32_t)~word + 1 : word;
    words += word != 0 || negated || source.kind != WB_SOURCE_NUMBER;
  }
  return words > 2 ? wb_random_below(chance, 2) : total >> 32 & 1;
}

static uint64_t compare_by_carry(const struct lane *lane,
                                 const struct wb_micro_operation *operation, uint64_t a, uint64_t b)
{
  const bool carry = lane->holds.predicates[WB_TRUTH_CONDITION_CODE];
  const uint64_t low = carry && lane->zero ? 1 : carry ? 2 : 0;
  return relation_holds(a << 32 | low, (enum wb_relation)operation->relation, b << 32 | 1,
                        operation->as_signed, true);
}

static uint64_t compare_upper(const struct wb_micro_operation *operation, uint64_t a, uint64_t b,
                              bool lower)
{
  const enum wb_relation relation = (enum wb_relation)operation->relation;
  if (a == b)
    return lower || relation == WB_RELATION_UNEQUAL ? lower : 0;
  return relation_holds(a, relation, b, operation->as_signed, false);
}

static uint64_t leading_one(uint32_t bits, bool as_signed)
{
  uint32_t place = UINT32_MAX;
  for (uint32_t rest = as_signed && bits > INT32_MAX ? ~bits : bits; rest != 0; rest >>= 1)
    place++;
  return place;
}

static uint64_t count_or_reverse(uint32_t bits, bool reverse)
{
  uint32_t count = 0;
  uint32_t reversed = 0;
  for (unsigned i = 0; i < 32; i++) {
    count += bits >> i & 1;
    reversed = reversed << 1 | (bits >> i & 1);
  }
  return reverse ? reversed : count;
}

static uint64_t extremum(uint64_t a, uint64_t b, bool as_signed, enum wb_relation relation)
{
  return relation_holds(a, relation, b, as_signed, false) ? a : b;
}

/* The result of an operation on words. */
static uint64_t word_result(const struct wb_micro_operation *operation, const uint64_t v[5],
                            struct wb_random *chance)
{
  const uint64_t mask = (UINT64_C(1) << operation->bits) - 1;
  const uint64_t product =
      extended(v[0], operation->as_signed) * extended(v[1], operation->b_signed);
  const uint64_t pair = v[0] | v[1] << 32;
  uint64_t field;
  switch ((enum wb_micro_kind)operation->kind) {
  case WB_MICRO_COPY:
  case WB_MICRO_SOME_LANE:
    return v[0];
  case WB_MICRO_ADD:
    return v[0] + v[1] + v[2] + v[3] + v[4];
  case WB_MICRO_MULTIPLY:
    return v[0] * v[1];
  case WB_MICRO_MULTIPLY_UPPER:
    return product >> 32;
  case WB_MICRO_SHIFT_LEFT:
    return v[1] > 31 ? 0 : v[0] << v[1];
  case WB_MICRO_SHIFT_RIGHT:
    return shifted_right(v[0], v[1], operation->as_signed, 32);
  case WB_MICRO_FUNNEL_LEFT:
    return v[2] > 63 ? wb_random_next(chance) : pair << v[2] >> 32;
  case WB_MICRO_FUNNEL_RIGHT:
    return v[2] > 63 ? wb_random_next(chance) : shifted_right(pair, v[2], operation->as_signed, 64);
  case WB_MICRO_LOOKUP:
    return by_table(operation->table, v, 32);
  case WB_MICRO_PERMUTE:
    return permuted((uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]);
  case WB_MICRO_EXTRACT:
    field = v[0] >> operation->place & mask;
    return operation->as_signed && (field & ((mask >> 1) + 1)) != 0 ? field | ~mask : field;
  case WB_MICRO_SELECT:
    return v[2] != 0 ? v[0] : v[1];
  case WB_MICRO_MINIMUM:
    return extremum(v[0], v[1], operation->as_signed, WB_RELATION_LESS);
  case WB_MICRO_MAXIMUM:
    return extremum(v[0], v[1], operation->as_signed, WB_RELATION_GREATER);
  case WB_MICRO_ABSOLUTE:
    return v[0] > INT32_MAX ? 0 - v[0] : v[0];
  case WB_MICRO_COUNT_ONES:
  case WB_MICRO_REVERSE:
    return count_or_reverse((uint32_t)v[0], operation->kind == WB_MICRO_REVERSE);
  case WB_MICRO_LEADING_ONE:
    return leading_one((uint32_t)v[0], operation->as_signed);
  case WB_MICRO_FUNCTION:
    return operation->least + wb_random_below(chance, operation->most - operation->least + 1);
  default:
    return wb_random_next(chance);
  }
}

/* Of 64 bits. */
static uint64_t wide_result(const struct wb_micro_operation *operation, const uint64_t v[5])
{
  switch ((enum wb_micro_kind)operation->kind) {
  case WB_MICRO_WIDE_COPY:
    return v[0];
  case WB_MICRO_WIDE_ADD:
    return v[0] + v[1] + v[2];
  case WB_MICRO_WIDE_MULTIPLY:
    return extended(v[0], operation->as_signed) * extended(v[1], operation->b_signed);
  case WB_MICRO_WIDE_SELECT:
    return v[2] != 0 ? v[0] : v[1];
  default:
    return extended(v[0], operation->as_signed);
  }
}

static uint64_t predicate_result(const struct lane *lane, const uint64_t *results,
                                 const struct wb_micro_code *code, size_t index,
                                 const uint64_t v[5], struct wb_random *chance)
{
  const struct wb_micro_operation *operation = &code->operations[index];
  const enum wb_relation relation = (enum wb_relation)operation->relation;
  switch ((enum wb_micro_kind)operation->kind) {
  case WB_MICRO_CARRY:
    return carry_of(lane, results, &code->operations[operation->sources[0].number], chance);
  case WB_MICRO_COMPARE:
    return relation_holds(v[0], relation, v[1], operation->as_signed, false);
  case WB_MICRO_COMPARE_UPPER:
    return compare_upper(operation, v[0], v[1], v[2] != 0);
  case WB_MICRO_COMPARE_BY_CARRY:
    return compare_by_carry(lane, operation, v[0], v[1]);
  case WB_MICRO_COMPARE_WIDE:
    return relation_holds(v[0], relation, v[1], operation->as_signed, true);
  case WB_MICRO_COMBINE:
    return by_table(operation->table, v, 1);
  default:
    return v[0] != 0;
  }
}

static void find_results(const struct lane *lane, const struct wb_micro_code *code,
                         struct wb_random *chance, uint64_t results[WB_MICRO_LIMIT])
{
  for (size_t o = 0; o < code->count; o++) {
    const struct wb_micro_operation *operation = &code->operations[o];
    const struct meaning *meaning = &meanings[operation->kind];
    uint64_t v[5] = {0};
    for (size_t s = 0; s < strlen(meaning->sources); s++)
      v[s] = value_of(lane, results, &operation->sources[s], meaning->sources[s]);
    if (meaning->type == WORD)
      results[o] = (uint32_t)word_result(operation, v, chance);
    else if (meaning->type == WIDE)
      results[o] = wide_result(operation, v);
    else
      results[o] = predicate_result(lane, results, code, o, v, chance);
  }
}

static void execute(struct lane *lane, const struct step *step)
{
  const struct wb_micro_code *code = &step->code;
  struct wb_random chance = {step->chance};
  uint64_t results[WB_MICRO_LIMIT];
  if (step->guard != WB_NO_REGISTER &&
      lane->holds.predicates[wb_predicate_index(step->guard)] == step->guard_negated)
    return;
  find_results(lane, code, &chance, results);
  for (size_t w = 0; w < code->write_count; w++) {
    const struct wb_micro_write *write = &code->writes[w];
    const struct wb_micro_operation *operation = &code->operations[write->result];
    const size_t predicate = wb_predicate_index(write->number);
    if (predicate < WB_TRUTH_COUNT)
      lane->holds.predicates[predicate] = results[write->result] != 0;
    else
      lane->holds.registers[write->number] = (uint32_t)results[write->result];
    if (predicate == WB_TRUTH_CONDITION_CODE)
      lane->zero = operation->kind == WB_MICRO_CARRY && results[operation->sources[0].number] == 0;
    if (write->wide)
      lane->holds.registers[write->number + 1U] = (uint32_t)(results[write->result] >> 32);
  }
  if (step->lost != WB_NO_REGISTER)
    lane->holds.registers[step->lost] = (uint32_t)wb_random_next(&chance);
}

/* ---- comparison ---- */

/* The program's instructions: what they write, and their guards. */
struct listing {
  struct wb_instruction instructions[STEPS];
  struct wb_register_span spans[STEPS * (WB_MICRO_WRITE_LIMIT + 1)];
  struct wb_function function;
};

static void describe(const struct program *program, struct listing *listing)
{
  *listing = (struct listing){.function = {.sm = 87, .wide = true}};
  listing->function.instructions = listing->instructions;
  listing->function.spans = listing->spans;
  for (size_t i = 0; i < program->count; i++) {
    const struct step *step = &program->steps[i];
    struct wb_instruction *instruction = &listing->instructions[i];
    size_t spans = listing->function.span_count;
    *instruction = (struct wb_instruction){
        .first_write = (uint32_t)spans, .guard = step->guard, .guard_negated = step->guard_negated};
    for (size_t w = 0; w < step->code.write_count; w++)
      listing->spans[spans++] =
          (struct wb_register_span){step->code.writes[w].number, step->code.writes[w].wide ? 2 : 1};
    if (step->lost != WB_NO_REGISTER)
      listing->spans[spans++] = (struct wb_register_span){step->lost, 1};
    instruction->write_count = (uint16_t)(spans - listing->function.span_count);
    listing->function.span_count = spans;
  }
}

struct totals {
  size_t executed;
  size_t results;
  size_t unknown; /* of these */
  struct interval_totals of;
};

/* NULL, or what is not as the state says. */
static const char *run_program(const struct program *program, struct totals *totals)
{
  static struct wb_integer_state state; /* large, as is the context */
  static struct wb_interval_context context;
  struct wb_comparisons comparisons = {0};
  struct wb_carries carries = {0};
  struct listing listing;
  struct lane lane = {.holds = program->first};
  const char *wrong = NULL;
  describe(program, &listing);
  context.comparisons = &comparisons;
  context.carries = &carries;
  context.visit = 1;
  context.state = &state;
  wb_integer_state_identity(&state);
  for (size_t r = 0; r < REGISTERS; r++)
    state.registers[r] = program->start[r];
  for (size_t i = 0; i < program->count && wrong == NULL; i++) {
    const struct step *step = &program->steps[i];
    wb_domain_apply(&wb_interval_domain, &context, &listing.function, (uint32_t)i, &step->code);
    execute(&lane, step);
    wrong = interval_check(&state, &comparisons, &program->first, &lane.holds, &totals->of);
    totals->executed++;
    for (size_t w = 0; w < step->code.write_count; w++) {
      const struct wb_micro_write *write = &step->code.writes[w];
      totals->results += write->number < REGISTERS;
      totals->unknown +=
          write->number < REGISTERS && state.registers[write->number].width == UINT32_MAX;
    }
  }
  wb_comparisons_free(&comparisons);
  wb_carries_free(&carries);
  return wrong;
}

/* ---- failures ---- */

/* Leaves out instructions, guards and writes without which it fails too. */
static void shrink(struct program *program)
{
  struct totals totals = {0};
  bool smaller = true;
  while (smaller) {
    smaller = false;
    for (size_t i = program->count; i-- > 0;) {
      struct program less = *program;
      less.count--;
      memmove(&less.steps[i], &less.steps[i + 1], (less.count - i) * sizeof *less.steps);
      if (run_program(&less, &totals) == NULL) {
        less = *program;
        less.steps[i].lost = WB_NO_REGISTER;
        less.steps[i].code.write_count -= less.steps[i].code.write_count > 1;
        less.steps[i].guard = WB_NO_REGISTER;
      }
      if (memcmp(&less, program, sizeof less) != 0 && run_program(&less, &totals) != NULL) {
        *program = less;
        smaller = true;
        break;
      }
    }
  }
}

static void print_source(const struct wb_source *source)
{
  fprintf(stderr, " %s", source->negated ? "-" : source->complemented ? "~" : "");
  if (source->kind == WB_SOURCE_RESULT)
    fprintf(stderr, "#%u", source->number);
  else if (source->kind == WB_SOURCE_NUMBER)
    fprintf(stderr, "0x%" PRIx64, source->value);
  else if (source->kind == WB_SOURCE_PREDICATE)
    fprintf(stderr, "P%u", source->number - WB_REGISTER_PREDICATE);
  else
    fprintf(stderr, source->kind == WB_SOURCE_REGISTER_PAIR ? "R%u.64" : "R%u", source->number);
}

static void print_step(const struct step *step)
{
  const struct wb_micro_code *code = &step->code;
  if (step->guard != WB_NO_REGISTER)
    fprintf(stderr, "  @%sP%u\n", step->guard_negated ? "!" : "",
            step->guard - WB_REGISTER_PREDICATE);
  for (size_t o = 0; o < code->count; o++) {
    const struct wb_micro_operation *operation = &code->operations[o];
    fprintf(stderr, "  #%zu = %s", o, meanings[operation->kind].name);
    for (size_t s = 0; s < 5 && operation->sources[s].kind != WB_SOURCE_NONE; s++)
      print_source(&operation->sources[s]);
    fprintf(stderr, "  (table 0x%x, relation %u, signed %d %d, bits %u from %u)\n",
            operation->table, operation->relation, operation->as_signed, operation->b_signed,
            operation->bits, operation->place);
  }
  for (size_t w = 0; w < code->write_count; w++)
    fprintf(stderr, "  register %u%s <- #%u\n", code->writes[w].number,
            code->writes[w].wide ? " and the next" : "", code->writes[w].result);
  if (step->lost != WB_NO_REGISTER)
    fprintf(stderr, "  register %u is lost\n", step->lost);
  fprintf(stderr, "  --\n");
}

static void show(struct program *program, uint64_t seed)
{
  struct totals totals = {0};
  shrink(program);
  for (size_t r = 0; r < REGISTERS; r++) {
    const struct wb_integer *start = &program->start[r];
    fprintf(stderr, "  R%zu = 0x%" PRIx32 ", in 0x%" PRIx32 " + 0..0x%" PRIx32 "%s\n", r,
            program->first.registers[r], start->low, start->width,
            start->base != WB_NO_REGISTER ? " from itself" : "");
  }
  for (size_t i = 0; i < program->count; i++)
    print_step(&program->steps[i]);
  fail_msg("WARPBOUND_SEED=%" PRIu64 " WARPBOUND_CROSS_RUNS=1: %s is not as the state says", seed,
           run_program(program, &totals));
}

static void lanes_are_among_states(void **state)
{
  (void)state;
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  struct totals totals = {0};
  for (uint64_t n = 0; n < runs; n++) {
    static struct program program;
    draw_program(seed + n, &program);
    if (run_program(&program, &totals) != NULL)
      show(&program, seed + n);
  }
  printf("# %zu instructions, %zu of %zu results unknown, %zu comparisons of 64 bits, %zu pairs, "
         "%zu values under conditions, %zu truths\n",
         totals.executed, totals.unknown, totals.results, totals.of.wide_rows, totals.of.pairs,
         totals.of.conditionals, totals.of.truths);
  if (runs >= DEFAULT_RUNS) {
    assert_true(totals.unknown * 2 < totals.results);
    assert_true(totals.of.wide_rows > runs / 50);
    assert_true(totals.of.pairs > runs / 10);
    assert_true(totals.of.conditionals > runs / 10);
    assert_true(totals.of.truths > runs / 10);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_are_among_states)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

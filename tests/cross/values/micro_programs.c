#include "micro_programs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct micro_meaning micro_meanings[WB_MICRO_COUNT] = {
    [WB_MICRO_COPY] = {"COPY", MICRO_WORD, "w"},
    [WB_MICRO_ADD] = {"ADD", MICRO_WORD, "wwwpp"},
    [WB_MICRO_MULTIPLY] = {"MULTIPLY", MICRO_WORD, "ww"},
    [WB_MICRO_MULTIPLY_UPPER] = {"MULTIPLY_UPPER", MICRO_WORD, "ww"},
    [WB_MICRO_SHIFT_LEFT] = {"SHIFT_LEFT", MICRO_WORD, "ww"},
    [WB_MICRO_SHIFT_RIGHT] = {"SHIFT_RIGHT", MICRO_WORD, "ww"},
    [WB_MICRO_FUNNEL_LEFT] = {"FUNNEL_LEFT", MICRO_WORD, "wwn"},
    [WB_MICRO_FUNNEL_RIGHT] = {"FUNNEL_RIGHT", MICRO_WORD, "wwn"},
    [WB_MICRO_LOOKUP] = {"LOOKUP", MICRO_WORD, "www"},
    [WB_MICRO_PERMUTE] = {"PERMUTE", MICRO_WORD, "www"},
    [WB_MICRO_EXTRACT] = {"EXTRACT", MICRO_WORD, "w"},
    [WB_MICRO_SELECT] = {"SELECT", MICRO_WORD, "wwp"},
    [WB_MICRO_MINIMUM] = {"MINIMUM", MICRO_WORD, "ww"},
    [WB_MICRO_MAXIMUM] = {"MAXIMUM", MICRO_WORD, "ww"},
    [WB_MICRO_ABSOLUTE] = {"ABSOLUTE", MICRO_WORD, "w"},
    [WB_MICRO_COUNT_ONES] = {"COUNT_ONES", MICRO_WORD, "w"},
    [WB_MICRO_LEADING_ONE] = {"LEADING_ONE", MICRO_WORD, "w"},
    [WB_MICRO_REVERSE] = {"REVERSE", MICRO_WORD, "w"},
    [WB_MICRO_CARRY] = {"CARRY", MICRO_PREDICATE, ""},
    [WB_MICRO_COMPARE] = {"COMPARE", MICRO_PREDICATE, "ww"},
    [WB_MICRO_COMPARE_UPPER] = {"COMPARE_UPPER", MICRO_PREDICATE, "wwp"},
    [WB_MICRO_COMPARE_BY_CARRY] = {"COMPARE_BY_CARRY", MICRO_PREDICATE, "ww"},
    [WB_MICRO_COMPARE_WIDE] = {"COMPARE_WIDE", MICRO_PREDICATE, "dd"},
    [WB_MICRO_COMBINE] = {"COMBINE", MICRO_PREDICATE, "ppp"},
    [WB_MICRO_IS_NOT_ZERO] = {"IS_NOT_ZERO", MICRO_PREDICATE, "w"},
    [WB_MICRO_WIDE_COPY] = {"WIDE_COPY", MICRO_WIDE, "d"},
    [WB_MICRO_WIDE_ADD] = {"WIDE_ADD", MICRO_WIDE, "ddd"},
    [WB_MICRO_WIDE_MULTIPLY] = {"WIDE_MULTIPLY", MICRO_WIDE, "ww"},
    [WB_MICRO_WIDE_SELECT] = {"WIDE_SELECT", MICRO_WIDE, "ddp"},
    [WB_MICRO_WIDE_EXTEND] = {"WIDE_EXTEND", MICRO_WIDE, "w"},
    [WB_MICRO_SOME_LANE] = {"SOME_LANE", MICRO_WORD, "w"},
    [WB_MICRO_FUNCTION] = {"FUNCTION", MICRO_WORD, "wwww"},
    [WB_MICRO_UNKNOWN] = {"UNKNOWN", MICRO_WORD, ""},
};

/* ---- random instructions ---- */

static uint32_t some_number(struct wb_random *random)
{
  static const uint32_t ends[] = {0,
                                  1,
                                  UINT32_MAX,
                                  INT32_MAX,
                                  UINT32_C(0x80000000),
                                  0xffff,
                                  UINT32_C(0x3f800000),
                                  UINT32_C(0x7ff00000)}; /* floats */
  const uint64_t kind = wb_random_below(random, 4);
  if (kind == 0)
    return ends[wb_random_below(random, sizeof ends / sizeof *ends)];
  if (kind == 1)
    return (uint32_t)wb_random_next(random);
  return (uint32_t)wb_random_below(random, 40) - (kind == 2 ? 10 : 0);
}

static uint16_t some_register(struct wb_random *random)
{
  return (uint16_t)wb_random_below(random, MICRO_REGISTERS);
}

static uint16_t some_predicate(struct wb_random *random)
{
  return (uint16_t)(WB_REGISTER_PREDICATE + wb_random_below(random, MICRO_PREDICATES));
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
static bool draw_result(struct wb_random *random, const struct wb_micro_code *code,
                        enum micro_type type, struct wb_source *source)
{
  if (code->count == 0 || wb_random_below(random, 3) == 0)
    return false;
  const size_t number = (size_t)wb_random_below(random, code->count);
  *source = of_result(number);
  return micro_meanings[code->operations[number].kind].type == type;
}

static struct wb_source draw_source(struct wb_random *random, const struct wb_micro_code *code,
                                    char type)
{
  struct wb_source source = of_number(0);
  const uint64_t sign = wb_random_below(random, 10);
  if (type == 'n')
    return of_number(wb_random_below(random, wb_random_below(random, 3) == 0 ? 64 : 33));
  if (type == 'p') {
    if (!draw_result(random, code, MICRO_PREDICATE, &source))
      source = wb_random_below(random, 4) == 0   ? of_number(wb_random_below(random, 2))
               : wb_random_below(random, 8) == 0 ? of_predicate(WB_REGISTER_CONDITION_CODE)
                                                 : of_predicate(some_predicate(random));
    source.negated = sign < 2;
    return source;
  }
  if (!draw_result(random, code, type == 'w' ? MICRO_WORD : MICRO_WIDE, &source)) {
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
  if (kind == WB_MICRO_FUNCTION && few) {
    operation.conversion = (uint8_t)(1 + wb_random_below(random, WB_CONVERSION_COUNT - 1));
    operation.least = 0;
    operation.most = UINT32_MAX;
  }
  operation.bits = (uint8_t)(1 + wb_random_below(random, 32U - operation.place));
  for (size_t s = 0; s < strlen(micro_meanings[kind].sources); s++) {
    if (kind != WB_MICRO_ADD || s < 2 || !few)
      operation.sources[s] = draw_source(random, code, micro_meanings[kind].sources[s]);
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
  const bool wide = micro_meanings[code->operations[result].kind].type == MICRO_WIDE;
  if (!is_written(code, number) && !(wide && is_written(code, (uint16_t)(number + 1))))
    code->writes[code->write_count++] =
        (struct wb_micro_write){.number = number, .result = (uint8_t)result, .wide = wide};
}

static void draw_writes(struct wb_random *random, struct wb_micro_code *code)
{
  for (size_t r = code->count; r-- > 0 && code->write_count < 4;) {
    const enum micro_type type = micro_meanings[code->operations[r].kind].type;
    if (r + 1 < code->count && wb_random_below(random, 3) > 0)
      continue;
    if (type == MICRO_WORD)
      add_write(code, r, some_register(random));
    else if (type == MICRO_WIDE)
      add_write(code, r, some_register(random) & 0xfffe);
    else
      add_write(code, r,
                wb_random_below(random, 3) == 0 ? WB_REGISTER_CONDITION_CODE
                                                : some_predicate(random));
  }
}

static struct micro_step *new_step(struct micro_program *program)
{
  struct micro_step *step = &program->steps[program->count++];
  memset(step, 0, sizeof *step);
  step->guard = step->lost = WB_NO_REGISTER;
  return step;
}

/* Up to four copies: of pairs, exchanged words. */
static void draw_copies(struct wb_random *random, struct wb_micro_code *code)
{
  const size_t wanted = 1 + (size_t)wb_random_below(random, 4);
  while (code->count < wanted)
    add(code, (struct wb_micro_operation){.kind = WB_MICRO_COPY,
                                          .sources = {of_register(some_register(random))}});
}

static void draw_step(struct wb_random *random, struct micro_program *program)
{
  struct micro_step *step = new_step(program);
  const size_t wanted = 1 + (size_t)wb_random_below(random, 4);
  if (wb_random_below(random, 8) == 0)
    draw_copies(random, &step->code);
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
static void draw_wide_sum(struct wb_random *random, struct micro_program *program)
{
  const uint16_t carry =
      wb_random_below(random, 2) == 0 ? WB_REGISTER_CONDITION_CODE : some_predicate(random);
  const uint16_t target = some_register(random) & 0xfffe;
  const uint64_t form = wb_random_below(random, 4); /* sum, difference, scaled twice */
  const unsigned scale = (unsigned)wb_random_below(random, 32);
  const unsigned upper_scale =
      wb_random_below(random, 8) == 0 ? (unsigned)wb_random_below(random, 32) : scale;
  struct wb_micro_operation lower = {.kind = WB_MICRO_ADD};
  struct wb_micro_operation upper = {.kind = WB_MICRO_ADD};
  const uint16_t a = some_register(random) & 0xfffe;
  const struct wb_source low = of_register(a);
  const struct wb_source high = of_register(a + 1U);
  struct micro_step *first = new_step(program);
  lower.sources[0] = low;
  upper.sources[0] = high;
  lower.sources[1] = draw_word(random);
  upper.sources[1] = lower.sources[1].kind == WB_SOURCE_REGISTER
                         ? of_register(lower.sources[1].number ^ 1U)
                         : draw_word(random);
  if (form == 1) {
    if (wb_random_below(random, 8) == 0) {
      lower.sources[1] = of_number(0);
      upper.sources[1] = of_number(UINT32_MAX);
    }
    lower.sources[1].negated =
        lower.sources[1].kind != WB_SOURCE_NUMBER || lower.sources[1].value == 0;
    upper.sources[1].complemented = upper.sources[1].kind != WB_SOURCE_NUMBER;
  }
  if (wb_random_below(random, 4) == 0) {
    const uint16_t c = some_register(random);
    lower.sources[2] = of_register(c);
    upper.sources[2] = of_register(c ^ 1U);
  }
  if (wb_random_below(random, 8) == 0)
    lower.sources[0].negated = upper.sources[0].complemented = true;
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
  struct micro_step *second = new_step(program);
  if (form == 2)
    upper.sources[0] =
        of_result(add(&second->code,
                      (struct wb_micro_operation){.kind = WB_MICRO_FUNNEL_LEFT,
                                                  .sources = {low, high, of_number(upper_scale)}}));
  if (form == 3)
    upper.sources[0] = of_result(add(
        &second->code, (struct wb_micro_operation){.kind = WB_MICRO_SHIFT_RIGHT,
                                                   .as_signed = wb_random_below(random, 4) > 0,
                                                   .sources = {low, of_number(32 - upper_scale)}}));
  upper.sources[3] = of_predicate(carry);
  add_write(&second->code, add(&second->code, upper), target + 1U);
}

/* A comparison of lower words, by a predicate or by the condition code, then one of upper words. */
static void draw_wide_comparison(struct wb_random *random, struct micro_program *program)
{
  const uint16_t a = some_register(random) & 0xfffe;
  const bool by_carry = wb_random_below(random, 2) == 0;
  const uint16_t between = by_carry ? WB_REGISTER_CONDITION_CODE : some_predicate(random);
  const struct wb_source b = draw_word(random);
  const uint8_t relation = (uint8_t)wb_random_below(random, 6);
  struct micro_step *first = new_step(program);
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
  struct micro_step *second = new_step(program);
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

static void write_word(struct micro_step *step, const struct wb_micro_operation *operation,
                       uint16_t number)
{
  add_write(&step->code, add(&step->code, *operation), number);
}

/* (R1, R0) << n or >> n of one register, by two instructions: words of one number; or two choices
 * by one predicate; or copies of two words. */
static void draw_halves(struct wb_random *random, struct micro_program *program)
{
  const uint16_t a = some_register(random);
  const uint16_t b = wb_random_below(random, 2) == 0 ? a ^ 1U : some_register(random);
  const uint16_t target = some_register(random) & 0xfffe;
  const uint64_t form = wb_random_below(random, 4);
  const uint32_t places = (uint32_t)wb_random_below(random, 32);
  struct wb_micro_operation low = {.kind = WB_MICRO_SHIFT_LEFT,
                                   .sources = {of_register(a), of_number(places)}};
  struct wb_micro_operation high = {.kind = WB_MICRO_SHIFT_RIGHT,
                                    .as_signed = wb_random_below(random, 2) == 0,
                                    .sources = {of_register(a), of_number(32 - places)}};
  if (form == 1)
    high = (struct wb_micro_operation){
        .kind = WB_MICRO_FUNNEL_RIGHT,
        .sources = {of_register(a), of_register(b),
                    of_number(32 - places + wb_random_below(random, 8) / 7)}};
  if (form == 2) {
    const struct wb_source condition = of_predicate(some_predicate(random));
    low = (struct wb_micro_operation){.kind = WB_MICRO_SELECT,
                                      .sources = {of_register(a), of_register(b), condition}};
    high = (struct wb_micro_operation){
        .kind = WB_MICRO_SELECT, .sources = {of_register(a ^ 1U), of_register(b ^ 1U), condition}};
  }
  if (form == 3) {
    low = (struct wb_micro_operation){.kind = WB_MICRO_COPY, .sources = {of_register(a)}};
    high = (struct wb_micro_operation){
        .kind = WB_MICRO_PERMUTE,
        .sources = {of_register(a), of_number(wb_random_below(random, 2) == 0 ? 0xbbbb : 0x9910)}};
  }
  write_word(new_step(program), &low, target);
  write_word(new_step(program), &high, target + 1U);
}

/* The product of a half of a register with a number. */
static struct wb_source half_product(struct wb_micro_code *code, uint16_t number, bool upper,
                                     uint32_t factor)
{
  const struct wb_micro_operation half = {.kind = WB_MICRO_EXTRACT,
                                          .place = upper ? 16 : 0,
                                          .bits = 16,
                                          .sources = {of_register(number)}};
  const struct wb_source word = of_result(add(code, half));
  return of_result(add(code, (struct wb_micro_operation){.kind = WB_MICRO_MULTIPLY,
                                                         .sources = {word, of_number(factor)}}));
}

static struct wb_source after(struct wb_micro_code *code, enum wb_micro_kind kind,
                              struct wb_source a, struct wb_source b)
{
  return of_result(
      add(code, (struct wb_micro_operation){.kind = (uint8_t)kind, .sources = {a, b}}));
}

/* A product by those of halves, mostly of the same factors, or its upper word; and perhaps a word
 * more. */
static void draw_product(struct wb_random *random, struct micro_program *program)
{
  static const uint32_t factors[] = {1, 3, 5, 16, 0x3334, 0x5556, 0xaaaa, 0xaaab, 0xcccd, 0xffff};
  const uint16_t a = some_register(random);
  const uint16_t other = wb_random_below(random, 8) == 0 ? some_register(random) : a;
  const uint64_t form = wb_random_below(random, 3);
  struct wb_micro_code *code = &new_step(program)->code;
  uint32_t drawn[2];
  for (size_t f = 0; f < 2; f++)
    drawn[f] = factors[wb_random_below(random, sizeof factors / sizeof *factors)];
  if (wb_random_below(random, 3) == 0) { /* of a quotient by 3 */
    drawn[0] = 0xaaab;
    drawn[1] = 0xaaaa;
  }
  const uint32_t same = wb_random_below(random, 4) == 0 ? drawn[1] : drawn[0];
  const struct wb_source places = of_number(16);
  const struct wb_source lower = half_product(code, a, false, drawn[0]);
  struct wb_source sum = half_product(code, other, true, same);
  if (form == 0) {
    sum = after(code, WB_MICRO_ADD, after(code, WB_MICRO_SHIFT_LEFT, sum, places), lower);
  } else {
    const struct wb_source moved = after(code, WB_MICRO_SHIFT_RIGHT, lower, places);
    sum = after(code, WB_MICRO_ADD, sum, moved);
    if (form == 2) {
      sum = after(code, WB_MICRO_ADD, sum, half_product(code, a, false, drawn[1]));
      sum = after(code, WB_MICRO_SHIFT_RIGHT, sum, places);
      sum = after(code, WB_MICRO_ADD, sum, half_product(code, a, true, drawn[1]));
    }
  }
  if (wb_random_below(random, 2) == 0)
    sum = after(code, WB_MICRO_ADD, sum, of_register(some_register(random)));
  else if (wb_random_below(random, 2) == 0)
    sum = after(code, WB_MICRO_SHIFT_RIGHT, sum, of_number(wb_random_below(random, 6)));
  add_write(code, sum.number, some_register(random));
}

/* The bits of a mask in a register, or in its complement; then the register without them, with a
 * number, or copied. */
static void draw_masks(struct wb_random *random, struct micro_program *program)
{
  static const uint32_t masks[] = {1, 3, 7, 15, 31, 255, 0xffff, 12, 0xf0, 0xfffffffc, 0x80000000};
  const uint16_t a = some_register(random);
  const uint16_t bits = some_register(random);
  const struct wb_micro_operation mask = {
      .kind = WB_MICRO_LOOKUP,
      .table = wb_random_below(random, 3) == 0 ? 0x0c : 0xc0,
      .sources = {of_register(a),
                  of_number(masks[wb_random_below(random, sizeof masks / sizeof *masks)]),
                  of_number(0)}};
  struct wb_micro_operation next = {.kind = WB_MICRO_ADD,
                                    .sources = {of_register(a), of_register(bits)}};
  const uint64_t form = wb_random_below(random, 5);
  if (form < 2)
    next.sources[1].negated = true;
  else if (form == 4) { /* some more bits of it */
    next = mask;
    next.sources[1] = of_number(masks[wb_random_below(random, sizeof masks / sizeof *masks)]);
  } else if (form == 2)
    next.sources[1] = of_number(wb_random_below(random, 9));
  else
    next = (struct wb_micro_operation){.kind = WB_MICRO_COPY, .sources = {of_register(a)}};
  write_word(new_step(program), &mask, bits);
  write_word(new_step(program), &next, some_register(random));
}

/* Some bits of a register; then the register shifted to the right, perhaps with a number; then what
 * these bits have become, or others. */
static void draw_moved_bits(struct wb_random *random, struct micro_program *program)
{
  const uint16_t a = some_register(random);
  const uint16_t moved = some_register(random);
  const unsigned places = 1 + (unsigned)wb_random_below(random, 4);
  const uint32_t bits = (1U << (1 + wb_random_below(random, 4))) - 1;
  const uint64_t form = wb_random_below(random, 4);
  const struct wb_micro_operation mask = {.kind = WB_MICRO_LOOKUP,
                                          .table = 0xc0,
                                          .sources = {of_register(a), of_number(bits << places)}};
  struct wb_micro_operation shift = {.kind = WB_MICRO_SHIFT_RIGHT,
                                     .as_signed = wb_random_below(random, 2) == 0,
                                     .sources = {of_register(a), of_number(places)}};
  if (form >= 2) { /* (0, a), by a funnel */
    shift.kind = form == 2 ? WB_MICRO_FUNNEL_LEFT : WB_MICRO_FUNNEL_RIGHT;
    shift.sources[1] = of_number(0);
    shift.sources[2] = of_number(form == 2 ? 32 - places : places);
  }
  write_word(new_step(program), &mask, some_register(random));
  struct wb_micro_code *code = &new_step(program)->code;
  size_t result = add(code, shift);
  if (wb_random_below(random, 2) == 0)
    result = add(code, (struct wb_micro_operation){
                           .kind = WB_MICRO_ADD,
                           .sources = {of_result(result), of_number(wb_random_below(random, 5))}});
  add_write(code, result, moved);
  const struct wb_micro_operation last = {
      .kind = WB_MICRO_LOOKUP,
      .table = 0xc0,
      .sources = {of_register(moved),
                  of_number(wb_random_below(random, 4) == 0 ? bits >> 1 : bits)}};
  write_word(new_step(program), &last, some_register(random));
}

/* A difference of two registers, and perhaps some of its lowest bits, or a comparison of the two;
 * then one of them copied, changed by a number, or bounded by a third one, and the difference
 * again.
 */
static void draw_differences(struct wb_random *random, struct micro_program *program)
{
  static const uint8_t changes[] = {WB_MICRO_COPY, WB_MICRO_ADD, WB_MICRO_MINIMUM,
                                    WB_MICRO_MAXIMUM};
  const uint16_t a = some_register(random);
  const uint16_t b = some_register(random);
  const uint16_t changed = wb_random_below(random, 2) == 0 ? a : b;
  const uint16_t to = wb_random_below(random, 2) == 0 ? changed : some_register(random);
  struct wb_micro_operation less = {.kind = WB_MICRO_ADD,
                                    .sources = {of_register(a), of_register(b)}};
  struct wb_micro_operation change = {.kind = changes[wb_random_below(random, 4)],
                                      .as_signed = wb_random_below(random, 2) == 0,
                                      .sources = {of_register(changed)}};
  if (change.kind == WB_MICRO_ADD)
    change.sources[1] = of_number(wb_random_below(random, 9));
  else if (change.kind != WB_MICRO_COPY)
    change.sources[1] = of_register(some_register(random));
  less.sources[1].negated = true;
  const uint16_t difference = some_register(random);
  const struct wb_micro_operation bits = {
      .kind = WB_MICRO_LOOKUP,
      .table = wb_random_below(random, 8) == 0 ? 0x0c : 0xc0,
      .sources = {of_register(difference), of_number((2U << wb_random_below(random, 4)) - 1)}};
  const struct wb_micro_operation compare = {.kind = WB_MICRO_COMPARE,
                                             .relation = (uint8_t)wb_random_below(random, 6),
                                             .as_signed = wb_random_below(random, 2) == 0,
                                             .sources = {of_register(a), of_register(b)}};
  write_word(new_step(program), &less, difference);
  if (wb_random_below(random, 2) == 0)
    write_word(new_step(program), &bits, some_register(random));
  struct wb_micro_operation turned = less;
  turned.sources[0].negated = true;
  turned.sources[1].negated = false;
  if (wb_random_below(random, 4) == 0)
    write_word(new_step(program), &turned, some_register(random));
  if (wb_random_below(random, 2) == 0)
    write_word(new_step(program), &compare, some_predicate(random));
  write_word(new_step(program), &change, to);
  less.sources[changed == a ? 0 : 1].number = to;
  write_word(new_step(program), &less, some_register(random));
}

/* A lower and an upper word, added or subtracted, with what is between. */
static void draw_word_sum(struct wb_random *random, struct micro_program *program,
                          const struct wb_source words[2][2], bool subtracted,
                          const uint16_t targets[2])
{
  const uint16_t carry =
      wb_random_below(random, 2) == 0 ? WB_REGISTER_CONDITION_CODE : some_predicate(random);
  struct micro_step *step = new_step(program);
  struct wb_micro_operation sum = {.kind = WB_MICRO_ADD, .sources = {words[0][0], words[1][0]}};
  sum.sources[1].negated = subtracted;
  const size_t number = add(&step->code, sum);
  add_carry(&step->code, number);
  add_write(&step->code, number, targets[0]);
  add_write(&step->code, number + 1, carry);
  if (wb_random_below(random, 8) == 0)
    draw_step(random, program);
  sum.sources[0] = words[0][1];
  sum.sources[1] = words[1][1];
  sum.sources[1].complemented = subtracted;
  sum.sources[3] = of_predicate(carry);
  step = new_step(program);
  add_write(&step->code, add(&step->code, sum), targets[1]);
}

/* x = y + w by one instruction, then x - y or y - x. */
static void draw_whole_differences(struct wb_random *random, struct micro_program *program)
{
  const uint16_t x = some_register(random) & 0xfffe;
  const uint16_t y = some_register(random) & 0xfffe;
  const bool turned = wb_random_below(random, 4) == 0;
  struct wb_micro_operation sum = {.kind = WB_MICRO_WIDE_ADD,
                                   .sources = {of_register(y), of_number(some_number(random))}};
  sum.sources[0].kind = WB_SOURCE_REGISTER_PAIR;
  if (wb_random_below(random, 3) == 0) {
    sum.sources[1] = of_register(some_register(random) & 0xfffe);
    sum.sources[1].kind = WB_SOURCE_REGISTER_PAIR;
    sum.sources[1].negated = wb_random_below(random, 4) == 0;
  }
  if (wb_random_below(random, 4) == 0)
    sum.sources[2] = of_number(some_number(random));
  write_word(new_step(program), &sum, x);
  if (wb_random_below(random, 4) == 0)
    draw_step(random, program);
  sum.sources[0].number = turned ? y : x;
  sum.sources[1] = of_register(turned ? x : y);
  sum.sources[1].kind = WB_SOURCE_REGISTER_PAIR;
  sum.sources[1].negated = true;
  sum.sources[2] = (struct wb_source){.kind = WB_SOURCE_NONE, .index = WB_NO_REGISTER};
  write_word(new_step(program), &sum, some_register(random) & 0xfffe);
}

/* x = y + w in 64 bits, each in two registers or w a number; a copy of a word of x or y before or
 * after; then x - y or y - x, perhaps with the copy. */
static void draw_pair_differences(struct wb_random *random, struct micro_program *program)
{
  uint16_t x[2] = {some_register(random), some_register(random)};
  uint16_t y[2] = {some_register(random), some_register(random)};
  const uint16_t targets[2] = {some_register(random), some_register(random)};
  const bool number = wb_random_below(random, 3) > 0;
  const bool early = wb_random_below(random, 3) == 0;
  const uint16_t w = some_register(random) & 0xfffe;
  const uint16_t to = some_register(random);
  uint16_t *copied = early || wb_random_below(random, 2) == 0 ? &y[wb_random_below(random, 2)]
                                                              : &x[wb_random_below(random, 2)];
  const struct wb_source addends[2][2] = {
      {of_register(y[0]), of_register(y[1])},
      {number ? of_number(some_number(random)) : of_register(w),
       number ? of_number((uint32_t)wb_random_below(random, 3) - 1U) : of_register(w + 1U)}};
  const struct wb_micro_operation copy = {.kind = WB_MICRO_COPY, .sources = {of_register(*copied)}};
  if (early)
    write_word(new_step(program), &copy, to);
  draw_word_sum(random, program, addends, false, x);
  if (!early && wb_random_below(random, 2) == 0)
    write_word(new_step(program), &copy, to);
  if (wb_random_below(random, 2) == 0)
    *copied = to;
  const bool turned = wb_random_below(random, 4) == 0;
  const uint16_t *from = turned ? y : x;
  const uint16_t *less = turned ? x : y;
  const struct wb_source words[2][2] = {{of_register(from[0]), of_register(from[1])},
                                        {of_register(less[0]), of_register(less[1])}};
  draw_word_sum(random, program, words, true, targets);
}

/* The lesser or the greater one of a register and a number, and mostly the same once more as the
 * complement of the other one of their complements; then the sum of both, or one of them less some
 * of its lowest bits. */
static void draw_extremes(struct wb_random *random, struct micro_program *program)
{
  const uint16_t a = some_register(random);
  const uint32_t limit = some_number(random);
  const uint16_t first = some_register(random);
  const uint16_t second = some_register(random);
  const uint8_t kind = wb_random_below(random, 2) == 0 ? WB_MICRO_MINIMUM : WB_MICRO_MAXIMUM;
  const uint8_t other = kind == WB_MICRO_MINIMUM ? WB_MICRO_MAXIMUM : WB_MICRO_MINIMUM;
  const bool as_signed = wb_random_below(random, 2) == 0;
  const struct wb_micro_operation complement = {
      .kind = WB_MICRO_LOOKUP, .table = 0x0f, .sources = {of_register(a)}};
  struct wb_micro_operation extreme = {
      .kind = other, .as_signed = as_signed, .sources = {of_register(second), of_number(~limit)}};
  write_word(new_step(program), &complement, second);
  if (wb_random_below(random, 8) == 0)
    draw_step(random, program);
  if (wb_random_below(random, 8) > 0)
    write_word(new_step(program), &extreme, second);
  extreme = (struct wb_micro_operation){
      .kind = kind,
      .as_signed = wb_random_below(random, 8) == 0 ? !as_signed : as_signed,
      .sources = {of_register(a), of_number(limit + wb_random_below(random, 8) / 7)}};
  write_word(new_step(program), &extreme, first);
  struct wb_micro_operation last = {.kind = WB_MICRO_ADD,
                                    .sources = {of_register(first), of_register(second)}};
  if (wb_random_below(random, 2) == 0) {
    const struct wb_micro_operation bits = {
        .kind = WB_MICRO_LOOKUP,
        .table = 0xc0,
        .sources = {of_register(first), of_number((1U << wb_random_below(random, 9)) - 1)}};
    write_word(new_step(program), &bits, some_register(random));
    last.sources[1] = of_register(program->steps[program->count - 1].code.writes[0].number);
    last.sources[1].negated = true;
  }
  write_word(new_step(program), &last, some_register(random));
}

/* A predicate in a bit of a register, by a choice, by a guard or with others (P2R), perhaps
 * something else; then what the bit is. */
static void draw_flags(struct wb_random *random, struct micro_program *program)
{
  const uint16_t predicate = some_predicate(random);
  const uint16_t to = some_register(random);
  const uint32_t bit = 1U << wb_random_below(random, 4);
  const uint32_t other = 1U << wb_random_below(random, 4);
  const uint64_t form = wb_random_below(random, 3);
  const struct wb_source known[2] = {of_number(bit), of_number(0)};
  const bool turned = wb_random_below(random, 2) == 0;
  const struct wb_micro_operation compare = {
      .kind = WB_MICRO_COMPARE,
      .relation = (uint8_t)wb_random_below(random, 6),
      .as_signed = wb_random_below(random, 2) == 0,
      .sources = {of_register(some_register(random)), draw_word(random)}};
  const struct wb_micro_operation clear = {
      .kind = WB_MICRO_LOOKUP, .table = 0xc0, .sources = {of_register(to), of_number(~bit)}};
  const struct wb_micro_operation set = {
      .kind = WB_MICRO_LOOKUP, .table = 0xfc, .sources = {of_register(to), of_number(bit)}};
  const struct wb_micro_operation choice = {
      .kind = WB_MICRO_SELECT, .sources = {known[turned], known[!turned], of_predicate(predicate)}};
  write_word(new_step(program), &compare, predicate);
  struct micro_step *step = new_step(program);
  if (form == 0) {
    write_word(step, &choice, to);
  } else if (form == 1) {
    write_word(step, turned ? &set : &clear, to);
    step = new_step(program);
    write_word(step, turned ? &clear : &set, to);
    step->guard = predicate;
    step->guard_negated = wb_random_below(random, 2) == 0;
  } else {
    const size_t first = add(&step->code, choice);
    const struct wb_micro_operation second = {
        .kind = WB_MICRO_SELECT,
        .sources = {of_number(other), of_number(0), of_predicate(some_predicate(random))}};
    const struct wb_micro_operation sum = {
        .kind = WB_MICRO_ADD, .sources = {of_result(first), of_result(add(&step->code, second))}};
    write_word(step, &sum, to);
  }
  if (wb_random_below(random, 3) == 0)
    draw_step(random, program);
  step = new_step(program);
  struct wb_micro_operation read = {
      .kind = WB_MICRO_LOOKUP,
      .table = wb_random_below(random, 4) == 0 ? 0x0c : 0xc0,
      .sources = {of_register(to), of_number(wb_random_below(random, 4) == 0 ? other : bit)}};
  if (wb_random_below(random, 3) == 0)
    read = (struct wb_micro_operation){.kind = WB_MICRO_EXTRACT,
                                       .place = (uint8_t)wb_random_below(random, 4),
                                       .bits = 1,
                                       .sources = {of_register(to)}};
  struct wb_micro_operation test = {.kind = WB_MICRO_IS_NOT_ZERO,
                                    .sources = {wb_random_below(random, 3) == 0
                                                    ? of_register(to)
                                                    : of_result(add(&step->code, read))}};
  if (wb_random_below(random, 4) == 0)
    test = (struct wb_micro_operation){.kind = WB_MICRO_COMPARE,
                                       .relation = (uint8_t)wb_random_below(random, 6),
                                       .sources = {test.sources[0], of_number(0)}};
  write_word(step, &test, some_predicate(random));
}

void micro_draw(struct wb_random *random, size_t wanted, struct micro_program *program)
{
  while (program->count < wanted) {
    const uint64_t kind = wb_random_below(random, 13);
    const size_t first = program->count;
    if (kind == 0)
      draw_wide_sum(random, program);
    else if (kind == 1)
      draw_wide_comparison(random, program);
    else if (kind == 2)
      draw_halves(random, program);
    else if (kind == 3)
      draw_masks(random, program);
    else if (kind == 4)
      draw_product(random, program);
    else if (kind == 5)
      draw_differences(random, program);
    else if (kind == 6)
      draw_extremes(random, program);
    else if (kind == 7)
      draw_moved_bits(random, program);
    else if (kind == 8)
      draw_pair_differences(random, program);
    else if (kind == 9)
      draw_flags(random, program);
    else if (kind == 10)
      draw_whole_differences(random, program);
    else
      draw_step(random, program);
    if (wb_random_below(random, 6) == 0) {
      /* Some instructions in a row have one guard. */
      const uint16_t guard = some_predicate(random);
      const bool negated = wb_random_below(random, 2) == 0;
      for (size_t i = first; i < program->count && wb_random_below(random, 8) > 0; i++) {
        program->steps[i].guard = guard;
        program->steps[i].guard_negated = negated;
      }
    }
  }
}

/* ---- listings ---- */

void micro_describe(const struct micro_program *program, struct micro_listing *listing)
{
  *listing = (struct micro_listing){.function = {.sm = 87, .wide = true}};
  struct wb_function *function = &listing->function;
  function->instructions = listing->instructions;
  function->spans = listing->spans;
  for (size_t i = 0; i < program->count; i++) {
    const struct micro_step *step = &program->steps[i];
    struct wb_instruction *instruction = &listing->instructions[i];
    *instruction = (struct wb_instruction){.first_write = (uint32_t)function->span_count,
                                           .guard = step->guard,
                                           .guard_negated = step->guard_negated,
                                           .agreement = WB_AGREES_NEVER};
    for (size_t w = 0; w < step->code.write_count; w++)
      listing->spans[function->span_count++] =
          (struct wb_register_span){step->code.writes[w].number, step->code.writes[w].wide ? 2 : 1};
    if (step->lost != WB_NO_REGISTER)
      listing->spans[function->span_count++] = (struct wb_register_span){step->lost, 1};
    instruction->write_count = (uint16_t)(function->span_count - instruction->first_write);
  }
  listing->spans[function->span_count++] = (struct wb_register_span){0, MICRO_REGISTERS};
}

/* ---- failures ---- */

bool micro_leave_out(struct micro_program *program, size_t i, unsigned what)
{
  struct micro_step *step = &program->steps[i];
  bool found = true;
  switch (what) {
  case 0:
    program->count--;
    memmove(step, step + 1, (program->count - i) * sizeof *step);
    break;
  case 1:
    found = step->guard != WB_NO_REGISTER;
    step->guard = WB_NO_REGISTER;
    break;
  case 2:
    found = step->lost != WB_NO_REGISTER;
    step->lost = WB_NO_REGISTER;
    break;
  default:
    found = step->code.write_count > 1;
    step->code.write_count -= found;
  }
  return found;
}

void micro_print(const struct micro_step *step)
{
  const struct wb_micro_code *code = &step->code;
  if (step->guard != WB_NO_REGISTER)
    fprintf(stderr, "  @%sP%u\n", step->guard_negated ? "!" : "",
            step->guard - WB_REGISTER_PREDICATE);
  for (size_t o = 0; o < code->count; o++) {
    const struct wb_micro_operation *operation = &code->operations[o];
    fprintf(stderr, "  #%zu = %s", o, micro_meanings[operation->kind].name);
    for (size_t s = 0; s < 5 && operation->sources[s].kind != WB_SOURCE_NONE; s++) {
      const struct wb_source *source = &operation->sources[s];
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

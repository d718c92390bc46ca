#include "micro_programs.h"

#include "micro_pieces.h"

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

/* An earlier result of that type; false where none is drawn. */
static bool draw_result(struct wb_random *random, const struct wb_micro_code *code,
                        enum micro_type type, struct wb_source *source)
{
  if (code->count == 0 || wb_random_below(random, 3) == 0)
    return false;
  const size_t number = (size_t)wb_random_below(random, code->count);
  *source = micro_of_result(number);
  return micro_meanings[code->operations[number].kind].type == type;
}

static struct wb_source draw_source(struct wb_random *random, const struct wb_micro_code *code,
                                    char type)
{
  struct wb_source source = micro_of_number(0);
  const uint64_t sign = wb_random_below(random, 10);
  if (type == 'n')
    return micro_of_number(wb_random_below(random, wb_random_below(random, 3) == 0 ? 64 : 33));
  if (type == 'p') {
    if (!draw_result(random, code, MICRO_PREDICATE, &source))
      source = wb_random_below(random, 4) == 0   ? micro_of_number(wb_random_below(random, 2))
               : wb_random_below(random, 8) == 0 ? micro_of_predicate(WB_REGISTER_CONDITION_CODE)
                                                 : micro_of_predicate(micro_some_predicate(random));
    source.negated = sign < 2;
    return source;
  }
  if (!draw_result(random, code, type == 'w' ? MICRO_WORD : MICRO_WIDE, &source)) {
    const bool number = wb_random_below(random, 3) == 0;
    source = number ? micro_of_number(micro_some_number(random))
                    : micro_of_register(micro_some_register(random));
    if (type == 'd' && number && wb_random_below(random, 2) == 0)
      source.value |= (uint64_t)micro_some_number(random) << 32;
    if (type == 'd' && !number) {
      source.kind = WB_SOURCE_REGISTER_PAIR;
      source.number &= 0xfffe;
    }
  }
  source.negated = sign == 0 && source.kind != WB_SOURCE_NUMBER;
  source.complemented = sign == 1 && source.kind != WB_SOURCE_NUMBER;
  return source;
}

static void draw_operation(struct wb_random *random, struct wb_micro_code *code)
{
  const bool converts = wb_random_below(random, 8) == 0;
  const uint8_t kind =
      converts ? WB_MICRO_FUNCTION : (uint8_t)wb_random_below(random, WB_MICRO_COUNT);
  const bool few = converts || wb_random_below(random, 2) == 0;
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
    operation.sources[1] = micro_of_number(wb_random_below(random, 0x10000));
  if (kind == WB_MICRO_COMPARE_BY_CARRY)
    operation.sources[2] = micro_of_predicate(WB_REGISTER_CONDITION_CODE);
  if (kind == WB_MICRO_CARRY)
    return;
  const size_t number = micro_add(code, operation);
  if (kind == WB_MICRO_ADD && wb_random_below(random, 2) == 0)
    micro_add_carry(code, number);
}

static void draw_writes(struct wb_random *random, struct wb_micro_code *code)
{
  for (size_t r = code->count; r-- > 0 && code->write_count < 4;) {
    const enum micro_type type = micro_meanings[code->operations[r].kind].type;
    if (r + 1 < code->count && wb_random_below(random, 3) > 0)
      continue;
    if (type == MICRO_WORD)
      micro_add_write(code, r, micro_some_register(random));
    else if (type == MICRO_WIDE)
      micro_add_write(code, r, micro_some_register(random) & 0xfffe);
    else
      micro_add_write(code, r,
                      wb_random_below(random, 3) == 0 ? WB_REGISTER_CONDITION_CODE
                                                      : micro_some_predicate(random));
  }
}

/* Up to four copies: of pairs, exchanged words. */
static void draw_copies(struct wb_random *random, struct wb_micro_code *code)
{
  const size_t wanted = 1 + (size_t)wb_random_below(random, 4);
  while (code->count < wanted)
    micro_add(code, (struct wb_micro_operation){
                        .kind = WB_MICRO_COPY,
                        .sources = {micro_of_register(micro_some_register(random))}});
}

void micro_draw_step(struct wb_random *random, struct micro_program *program)
{
  struct micro_step *step = micro_new_step(program);
  const size_t wanted = 1 + (size_t)wb_random_below(random, 4);
  if (wb_random_below(random, 8) == 0)
    draw_copies(random, &step->code);
  while (step->code.count < wanted)
    draw_operation(random, &step->code);
  draw_writes(random, &step->code);
  if (wb_random_below(random, 5) == 0) {
    step->guard = micro_some_predicate(random);
    step->guard_negated = wb_random_below(random, 2) == 0;
  }
  const uint16_t lost = micro_some_register(random);
  if (wb_random_below(random, 12) == 0 && !micro_is_written(&step->code, lost))
    step->lost = lost;
}

/* The bits of a mask in a register, or in its complement; then the register without them, with a
 * number, or copied. */
static void draw_masks(struct wb_random *random, struct micro_program *program)
{
  static const uint32_t masks[] = {1, 3, 7, 15, 31, 255, 0xffff, 12, 0xf0, 0xfffffffc, 0x80000000};
  const uint16_t a = micro_some_register(random);
  const uint16_t bits = micro_some_register(random);
  const struct wb_micro_operation mask = {
      .kind = WB_MICRO_LOOKUP,
      .table = wb_random_below(random, 3) == 0 ? 0x0c : 0xc0,
      .sources = {micro_of_register(a),
                  micro_of_number(masks[wb_random_below(random, sizeof masks / sizeof *masks)]),
                  micro_of_number(0)}};
  struct wb_micro_operation next = {.kind = WB_MICRO_ADD,
                                    .sources = {micro_of_register(a), micro_of_register(bits)}};
  const uint64_t form = wb_random_below(random, 5);
  if (form < 2)
    next.sources[1].negated = true;
  else if (form == 4) { /* some more bits of it */
    next = mask;
    next.sources[1] = micro_of_number(masks[wb_random_below(random, sizeof masks / sizeof *masks)]);
  } else if (form == 2)
    next.sources[1] = micro_of_number(wb_random_below(random, 9));
  else
    next = (struct wb_micro_operation){.kind = WB_MICRO_COPY, .sources = {micro_of_register(a)}};
  micro_write_word(micro_new_step(program), &mask, bits);
  micro_write_word(micro_new_step(program), &next, micro_some_register(random));
}

/* Some bits of a register; then the register shifted to the right, perhaps with a number; then what
 * these bits have become, or others. */
static void draw_moved_bits(struct wb_random *random, struct micro_program *program)
{
  const uint16_t a = micro_some_register(random);
  const uint16_t moved = micro_some_register(random);
  const unsigned places = 1 + (unsigned)wb_random_below(random, 4);
  const uint32_t bits = (1U << (1 + wb_random_below(random, 4))) - 1;
  const uint64_t form = wb_random_below(random, 4);
  const struct wb_micro_operation mask = {
      .kind = WB_MICRO_LOOKUP,
      .table = 0xc0,
      .sources = {micro_of_register(a), micro_of_number(bits << places)}};
  struct wb_micro_operation shift = {.kind = WB_MICRO_SHIFT_RIGHT,
                                     .as_signed = wb_random_below(random, 2) == 0,
                                     .sources = {micro_of_register(a), micro_of_number(places)}};
  if (form >= 2) { /* (0, a), by a funnel */
    shift.kind = form == 2 ? WB_MICRO_FUNNEL_LEFT : WB_MICRO_FUNNEL_RIGHT;
    shift.sources[1] = micro_of_number(0);
    shift.sources[2] = micro_of_number(form == 2 ? 32 - places : places);
  }
  micro_write_word(micro_new_step(program), &mask, micro_some_register(random));
  struct wb_micro_code *code = &micro_new_step(program)->code;
  size_t result = micro_add(code, shift);
  if (wb_random_below(random, 2) == 0)
    result = micro_add(code, (struct wb_micro_operation){
                                 .kind = WB_MICRO_ADD,
                                 .sources = {micro_of_result(result),
                                             micro_of_number(wb_random_below(random, 5))}});
  micro_add_write(code, result, moved);
  const struct wb_micro_operation last = {
      .kind = WB_MICRO_LOOKUP,
      .table = 0xc0,
      .sources = {micro_of_register(moved),
                  micro_of_number(wb_random_below(random, 4) == 0 ? bits >> 1 : bits)}};
  micro_write_word(micro_new_step(program), &last, micro_some_register(random));
}

/* A difference of two registers, and perhaps some of its lowest bits, or a comparison of the two;
 * then one of them copied, changed by a number, or bounded by a third one, and the difference
 * again.
 */
static void draw_differences(struct wb_random *random, struct micro_program *program)
{
  static const uint8_t changes[] = {WB_MICRO_COPY, WB_MICRO_ADD, WB_MICRO_MINIMUM,
                                    WB_MICRO_MAXIMUM};
  const uint16_t a = micro_some_register(random);
  const uint16_t b = micro_some_register(random);
  const uint16_t changed = wb_random_below(random, 2) == 0 ? a : b;
  const uint16_t to = wb_random_below(random, 2) == 0 ? changed : micro_some_register(random);
  struct wb_micro_operation less = {.kind = WB_MICRO_ADD,
                                    .sources = {micro_of_register(a), micro_of_register(b)}};
  struct wb_micro_operation change = {.kind = changes[wb_random_below(random, 4)],
                                      .as_signed = wb_random_below(random, 2) == 0,
                                      .sources = {micro_of_register(changed)}};
  if (change.kind == WB_MICRO_ADD)
    change.sources[1] = micro_of_number(wb_random_below(random, 9));
  else if (change.kind != WB_MICRO_COPY)
    change.sources[1] = micro_of_register(micro_some_register(random));
  less.sources[1].negated = true;
  const uint16_t difference = micro_some_register(random);
  const struct wb_micro_operation bits = {
      .kind = WB_MICRO_LOOKUP,
      .table = wb_random_below(random, 8) == 0 ? 0x0c : 0xc0,
      .sources = {micro_of_register(difference),
                  micro_of_number((2U << wb_random_below(random, 4)) - 1)}};
  const struct wb_micro_operation compare = {
      .kind = WB_MICRO_COMPARE,
      .relation = (uint8_t)wb_random_below(random, 6),
      .as_signed = wb_random_below(random, 2) == 0,
      .sources = {micro_of_register(a), micro_of_register(b)}};
  micro_write_word(micro_new_step(program), &less, difference);
  if (wb_random_below(random, 2) == 0)
    micro_write_word(micro_new_step(program), &bits, micro_some_register(random));
  struct wb_micro_operation turned = less;
  turned.sources[0].negated = true;
  turned.sources[1].negated = false;
  if (wb_random_below(random, 4) == 0)
    micro_write_word(micro_new_step(program), &turned, micro_some_register(random));
  if (wb_random_below(random, 2) == 0)
    micro_write_word(micro_new_step(program), &compare, micro_some_predicate(random));
  micro_write_word(micro_new_step(program), &change, to);
  less.sources[changed == a ? 0 : 1].number = to;
  micro_write_word(micro_new_step(program), &less, micro_some_register(random));
}

/* The lesser or the greater one of a register and a number, and mostly the same once more as the
 * complement of the other one of their complements; then the sum of both, or one of them less some
 * of its lowest bits. */
static void draw_extremes(struct wb_random *random, struct micro_program *program)
{
  const uint16_t a = micro_some_register(random);
  const uint32_t limit = micro_some_number(random);
  const uint16_t first = micro_some_register(random);
  const uint16_t second = micro_some_register(random);
  const uint8_t kind = wb_random_below(random, 2) == 0 ? WB_MICRO_MINIMUM : WB_MICRO_MAXIMUM;
  const uint8_t other = kind == WB_MICRO_MINIMUM ? WB_MICRO_MAXIMUM : WB_MICRO_MINIMUM;
  const bool as_signed = wb_random_below(random, 2) == 0;
  const struct wb_micro_operation complement = {
      .kind = WB_MICRO_LOOKUP, .table = 0x0f, .sources = {micro_of_register(a)}};
  struct wb_micro_operation extreme = {
      .kind = other,
      .as_signed = as_signed,
      .sources = {micro_of_register(second), micro_of_number(~limit)}};
  micro_write_word(micro_new_step(program), &complement, second);
  if (wb_random_below(random, 8) == 0)
    micro_draw_step(random, program);
  if (wb_random_below(random, 8) > 0)
    micro_write_word(micro_new_step(program), &extreme, second);
  extreme = (struct wb_micro_operation){
      .kind = kind,
      .as_signed = wb_random_below(random, 8) == 0 ? !as_signed : as_signed,
      .sources = {micro_of_register(a), micro_of_number(limit + wb_random_below(random, 8) / 7)}};
  micro_write_word(micro_new_step(program), &extreme, first);
  struct wb_micro_operation last = {
      .kind = WB_MICRO_ADD, .sources = {micro_of_register(first), micro_of_register(second)}};
  if (wb_random_below(random, 2) == 0) {
    const struct wb_micro_operation bits = {
        .kind = WB_MICRO_LOOKUP,
        .table = 0xc0,
        .sources = {micro_of_register(first),
                    micro_of_number((1U << wb_random_below(random, 9)) - 1)}};
    micro_write_word(micro_new_step(program), &bits, micro_some_register(random));
    last.sources[1] = micro_of_register(program->steps[program->count - 1].code.writes[0].number);
    last.sources[1].negated = true;
  }
  micro_write_word(micro_new_step(program), &last, micro_some_register(random));
}

/* A predicate in a bit of a register, by a choice, by a guard or with others (P2R), perhaps
 * something else; then what the bit is. */
static void draw_flags(struct wb_random *random, struct micro_program *program)
{
  const uint16_t predicate = micro_some_predicate(random);
  const uint16_t to = micro_some_register(random);
  const uint32_t bit = 1U << wb_random_below(random, 4);
  const uint32_t other = 1U << wb_random_below(random, 4);
  const uint64_t form = wb_random_below(random, 3);
  const struct wb_source known[2] = {micro_of_number(bit), micro_of_number(0)};
  const bool turned = wb_random_below(random, 2) == 0;
  const struct wb_micro_operation compare = {
      .kind = WB_MICRO_COMPARE,
      .relation = (uint8_t)wb_random_below(random, 6),
      .as_signed = wb_random_below(random, 2) == 0,
      .sources = {micro_of_register(micro_some_register(random)), micro_draw_word(random)}};
  const struct wb_micro_operation clear = {
      .kind = WB_MICRO_LOOKUP,
      .table = 0xc0,
      .sources = {micro_of_register(to), micro_of_number(~bit)}};
  const struct wb_micro_operation set = {.kind = WB_MICRO_LOOKUP,
                                         .table = 0xfc,
                                         .sources = {micro_of_register(to), micro_of_number(bit)}};
  const struct wb_micro_operation choice = {
      .kind = WB_MICRO_SELECT,
      .sources = {known[turned], known[!turned], micro_of_predicate(predicate)}};
  micro_write_word(micro_new_step(program), &compare, predicate);
  struct micro_step *step = micro_new_step(program);
  if (form == 0) {
    if (wb_random_below(random, 4) == 0) /* the predicate changes at once */
      micro_write_word(step, &compare, predicate);
    micro_write_word(step, &choice, to);
  } else if (form == 1) {
    micro_write_word(step, turned ? &set : &clear, to);
    step = micro_new_step(program);
    micro_write_word(step, turned ? &clear : &set, to);
    step->guard = predicate;
    step->guard_negated = wb_random_below(random, 2) == 0;
  } else {
    const size_t first = micro_add(&step->code, choice);
    const struct wb_micro_operation second = {
        .kind = WB_MICRO_SELECT,
        .sources = {micro_of_number(other), micro_of_number(0),
                    micro_of_predicate(micro_some_predicate(random))}};
    const struct wb_micro_operation sum = {
        .kind = WB_MICRO_ADD,
        .sources = {micro_of_result(first), micro_of_result(micro_add(&step->code, second))}};
    micro_write_word(step, &sum, to);
  }
  if (wb_random_below(random, 3) == 0)
    micro_draw_step(random, program);
  step = micro_new_step(program);
  struct wb_micro_operation read = {
      .kind = WB_MICRO_LOOKUP,
      .table = wb_random_below(random, 4) == 0 ? 0x0c : 0xc0,
      .sources = {micro_of_register(to),
                  micro_of_number(wb_random_below(random, 4) == 0 ? other : bit)}};
  if (wb_random_below(random, 3) == 0)
    read = (struct wb_micro_operation){.kind = WB_MICRO_EXTRACT,
                                       .place = (uint8_t)wb_random_below(random, 4),
                                       .bits = 1,
                                       .sources = {micro_of_register(to)}};
  if (read.kind == WB_MICRO_EXTRACT && wb_random_below(random, 3) == 0) { /* of a field */
    const struct wb_micro_operation field = {.kind = WB_MICRO_EXTRACT,
                                             .place = (uint8_t)wb_random_below(random, 3),
                                             .bits = (uint8_t)(1 + wb_random_below(random, 4)),
                                             .sources = {micro_of_register(to)}};
    read.sources[0] = micro_of_result(micro_add(&step->code, field));
  }
  struct wb_micro_operation test = {
      .kind = WB_MICRO_IS_NOT_ZERO,
      .sources = {wb_random_below(random, 3) == 0 ? micro_of_register(to)
                                                  : micro_of_result(micro_add(&step->code, read))}};
  if (wb_random_below(random, 4) == 0)
    test = (struct wb_micro_operation){.kind = WB_MICRO_COMPARE,
                                       .relation = (uint8_t)wb_random_below(random, 6),
                                       .sources = {test.sources[0], micro_of_number(0)}};
  micro_write_word(step, &test, micro_some_predicate(random));
}

void micro_draw(struct wb_random *random, size_t wanted, struct micro_program *program)
{
  while (program->count < wanted) {
    const uint64_t kind = wb_random_below(random, 13);
    const size_t first = program->count;
    if (kind == 0)
      micro_draw_wide_sum(random, program);
    else if (kind == 1)
      micro_draw_wide_comparison(random, program);
    else if (kind == 2)
      micro_draw_halves(random, program);
    else if (kind == 3)
      draw_masks(random, program);
    else if (kind == 4)
      micro_draw_product(random, program);
    else if (kind == 5)
      draw_differences(random, program);
    else if (kind == 6)
      draw_extremes(random, program);
    else if (kind == 7)
      draw_moved_bits(random, program);
    else if (kind == 8)
      micro_draw_pair_differences(random, program);
    else if (kind == 9)
      draw_flags(random, program);
    else if (kind == 10)
      micro_draw_whole_differences(random, program);
    else
      micro_draw_step(random, program);
    if (wb_random_below(random, 6) == 0) {
      /* Some instructions in a row have one guard. */
      const uint16_t guard = micro_some_predicate(random);
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
    fprintf(stderr, "  (table 0x%x, relation %u, signed %d %d, bits %u from %u, conversion %u)\n",
            operation->table, operation->relation, operation->as_signed, operation->b_signed,
            operation->bits, operation->place, operation->conversion);
  }
  for (size_t w = 0; w < code->write_count; w++)
    fprintf(stderr, "  register %u%s <- #%u\n", code->writes[w].number,
            code->writes[w].wide ? " and the next" : "", code->writes[w].result);
  if (step->lost != WB_NO_REGISTER)
    fprintf(stderr, "  register %u is lost\n", step->lost);
  fprintf(stderr, "  --\n");
}

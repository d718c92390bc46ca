/* Random instructions that compute a number of 64 bits, or a product, by its words. */
#include "micro_pieces.h"

/* (R1, R0) + (R3, R2), the first scaled or not, or their difference: lower words, perhaps something
 * between, upper words. */
void micro_draw_wide_sum(struct wb_random *random, struct micro_program *program)
{
  const uint16_t carry =
      wb_random_below(random, 2) == 0 ? WB_REGISTER_CONDITION_CODE : micro_some_predicate(random);
  const uint16_t target = micro_some_register(random) & 0xfffe;
  const uint64_t form = wb_random_below(random, 4); /* sum, difference, scaled twice */
  const unsigned scale = (unsigned)wb_random_below(random, 32);
  const unsigned upper_scale =
      wb_random_below(random, 8) == 0 ? (unsigned)wb_random_below(random, 32) : scale;
  struct wb_micro_operation lower = {.kind = WB_MICRO_ADD};
  struct wb_micro_operation upper = {.kind = WB_MICRO_ADD};
  const uint16_t a = micro_some_register(random) & 0xfffe;
  const struct wb_source low = micro_of_register(a);
  const struct wb_source high = micro_of_register(a + 1U);
  struct micro_step *first = micro_new_step(program);
  lower.sources[0] = low;
  upper.sources[0] = high;
  lower.sources[1] = micro_draw_word(random);
  upper.sources[1] = lower.sources[1].kind == WB_SOURCE_REGISTER
                         ? micro_of_register(lower.sources[1].number ^ 1U)
                         : micro_draw_word(random);
  if (form == 1) {
    if (wb_random_below(random, 8) == 0) {
      lower.sources[1] = micro_of_number(0);
      upper.sources[1] = micro_of_number(UINT32_MAX);
    }
    lower.sources[1].negated =
        lower.sources[1].kind != WB_SOURCE_NUMBER || lower.sources[1].value == 0;
    upper.sources[1].complemented = upper.sources[1].kind != WB_SOURCE_NUMBER;
  }
  if (wb_random_below(random, 4) == 0) {
    const uint16_t c = micro_some_register(random);
    lower.sources[2] = micro_of_register(c);
    upper.sources[2] = micro_of_register(c ^ 1U);
  }
  if (wb_random_below(random, 8) == 0)
    lower.sources[0].negated = upper.sources[0].complemented = true;
  if (form > 1)
    lower.sources[0] = micro_of_result(micro_add(
        &first->code, (struct wb_micro_operation){.kind = WB_MICRO_SHIFT_LEFT,
                                                  .sources = {low, micro_of_number(scale)}}));
  const size_t sum = micro_add(&first->code, lower);
  micro_add_carry(&first->code, sum);
  micro_add_write(&first->code, sum, target);
  micro_add_write(&first->code, sum + 1, carry);
  if (wb_random_below(random, 4) == 0)
    micro_draw_step(random, program);
  struct micro_step *second = micro_new_step(program);
  if (form == 2)
    upper.sources[0] = micro_of_result(micro_add(
        &second->code,
        (struct wb_micro_operation){.kind = WB_MICRO_FUNNEL_LEFT,
                                    .sources = {low, high, micro_of_number(upper_scale)}}));
  if (form == 3)
    upper.sources[0] = micro_of_result(micro_add(
        &second->code,
        (struct wb_micro_operation){.kind = WB_MICRO_SHIFT_RIGHT,
                                    .as_signed = wb_random_below(random, 4) > 0,
                                    .sources = {low, micro_of_number(32 - upper_scale)}}));
  upper.sources[3] = micro_of_predicate(carry);
  micro_add_write(&second->code, micro_add(&second->code, upper), target + 1U);
}

/* A comparison of lower words, by a predicate or by the condition code, then one of upper words. */
void micro_draw_wide_comparison(struct wb_random *random, struct micro_program *program)
{
  const uint16_t a = micro_some_register(random) & 0xfffe;
  const bool by_carry = wb_random_below(random, 2) == 0;
  const uint16_t between = by_carry ? WB_REGISTER_CONDITION_CODE : micro_some_predicate(random);
  const struct wb_source b = micro_draw_word(random);
  const uint8_t relation = (uint8_t)wb_random_below(random, 6);
  struct micro_step *first = micro_new_step(program);
  struct wb_micro_operation lower = {.kind = WB_MICRO_COMPARE,
                                     .relation = relation,
                                     .as_signed = wb_random_below(random, 6) == 0,
                                     .sources = {micro_of_register(a), b}};
  if (by_carry) {
    lower.kind = WB_MICRO_ADD;
    lower.sources[1].negated = b.kind == WB_SOURCE_REGISTER;
  }
  const size_t number = micro_add(&first->code, lower);
  if (by_carry)
    micro_add_carry(&first->code, number);
  micro_add_write(&first->code, by_carry ? number + 1 : number, between);
  if (wb_random_below(random, 4) == 0)
    micro_draw_step(random, program);
  struct micro_step *second = micro_new_step(program);
  const struct wb_source upper =
      b.kind == WB_SOURCE_REGISTER ? micro_of_register(b.number ^ 1U) : micro_draw_word(random);
  const size_t compared =
      micro_add(&second->code,
                (struct wb_micro_operation){
                    .kind = by_carry ? WB_MICRO_COMPARE_BY_CARRY : WB_MICRO_COMPARE_UPPER,
                    .relation = relation,
                    .as_signed = wb_random_below(random, 2) == 0,
                    .sources = {micro_of_register(a + 1U), upper, micro_of_predicate(between)}});
  micro_add_write(&second->code, compared, micro_some_predicate(random));
}

/* (R1, R0) << n or >> n of one register, by two instructions: words of one number; or two choices
 * by one predicate; or copies of two words. */
void micro_draw_halves(struct wb_random *random, struct micro_program *program)
{
  const uint16_t a = micro_some_register(random);
  const uint16_t b = wb_random_below(random, 2) == 0 ? a ^ 1U : micro_some_register(random);
  const uint16_t target = micro_some_register(random) & 0xfffe;
  const uint64_t form = wb_random_below(random, 4);
  const uint32_t places = (uint32_t)wb_random_below(random, 32);
  struct wb_micro_operation low = {.kind = WB_MICRO_SHIFT_LEFT,
                                   .sources = {micro_of_register(a), micro_of_number(places)}};
  struct wb_micro_operation high = {
      .kind = WB_MICRO_SHIFT_RIGHT,
      .as_signed = wb_random_below(random, 2) == 0,
      .sources = {micro_of_register(a), micro_of_number(32 - places)}};
  if (form == 1)
    high = (struct wb_micro_operation){
        .kind = WB_MICRO_FUNNEL_RIGHT,
        .sources = {micro_of_register(a), micro_of_register(b),
                    micro_of_number(32 - places + wb_random_below(random, 8) / 7)}};
  if (form == 2) {
    const struct wb_source condition = micro_of_predicate(micro_some_predicate(random));
    low = (struct wb_micro_operation){
        .kind = WB_MICRO_SELECT,
        .sources = {micro_of_register(a), micro_of_register(b), condition}};
    high = (struct wb_micro_operation){
        .kind = WB_MICRO_SELECT,
        .sources = {micro_of_register(a ^ 1U), micro_of_register(b ^ 1U), condition}};
  }
  if (form == 3) {
    low = (struct wb_micro_operation){.kind = WB_MICRO_COPY, .sources = {micro_of_register(a)}};
    high = (struct wb_micro_operation){
        .kind = WB_MICRO_PERMUTE,
        .sources = {micro_of_register(a),
                    micro_of_number(wb_random_below(random, 2) == 0 ? 0xbbbb : 0x9910)}};
  }
  micro_write_word(micro_new_step(program), &low, target);
  micro_write_word(micro_new_step(program), &high, target + 1U);
}

/* The product of a half of a register with a number. */
static struct wb_source half_product(struct wb_micro_code *code, uint16_t number, bool upper,
                                     uint32_t factor)
{
  const struct wb_micro_operation half = {.kind = WB_MICRO_EXTRACT,
                                          .place = upper ? 16 : 0,
                                          .bits = 16,
                                          .sources = {micro_of_register(number)}};
  const struct wb_source word = micro_of_result(micro_add(code, half));
  return micro_of_result(
      micro_add(code, (struct wb_micro_operation){.kind = WB_MICRO_MULTIPLY,
                                                  .sources = {word, micro_of_number(factor)}}));
}

static struct wb_source after(struct wb_micro_code *code, enum wb_micro_kind kind,
                              struct wb_source a, struct wb_source b)
{
  return micro_of_result(
      micro_add(code, (struct wb_micro_operation){.kind = (uint8_t)kind, .sources = {a, b}}));
}

/* A product by those of halves, mostly of the same factors, or its upper word; and perhaps a word
 * more. */
void micro_draw_product(struct wb_random *random, struct micro_program *program)
{
  static const uint32_t factors[] = {1, 3, 5, 16, 0x3334, 0x5556, 0xaaaa, 0xaaab, 0xcccd, 0xffff};
  const uint16_t a = micro_some_register(random);
  const uint16_t other = wb_random_below(random, 8) == 0 ? micro_some_register(random) : a;
  const uint64_t form = wb_random_below(random, 3);
  struct wb_micro_code *code = &micro_new_step(program)->code;
  uint32_t drawn[2];
  for (size_t f = 0; f < 2; f++)
    drawn[f] = factors[wb_random_below(random, sizeof factors / sizeof *factors)];
  if (wb_random_below(random, 3) == 0) { /* of a quotient by 3 */
    drawn[0] = 0xaaab;
    drawn[1] = 0xaaaa;
  }
  const uint32_t same = wb_random_below(random, 4) == 0 ? drawn[1] : drawn[0];
  const struct wb_source places = micro_of_number(16);
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
    sum = after(code, WB_MICRO_ADD, sum, micro_of_register(micro_some_register(random)));
  else if (wb_random_below(random, 2) == 0)
    sum = after(code, WB_MICRO_SHIFT_RIGHT, sum, micro_of_number(wb_random_below(random, 6)));
  micro_add_write(code, sum.number, micro_some_register(random));
}

/* A lower and an upper word, added or subtracted, with what is between. */
static void draw_word_sum(struct wb_random *random, struct micro_program *program,
                          const struct wb_source words[2][2], bool subtracted,
                          const uint16_t targets[2])
{
  const uint16_t carry =
      wb_random_below(random, 2) == 0 ? WB_REGISTER_CONDITION_CODE : micro_some_predicate(random);
  struct micro_step *step = micro_new_step(program);
  struct wb_micro_operation sum = {.kind = WB_MICRO_ADD, .sources = {words[0][0], words[1][0]}};
  sum.sources[1].negated = subtracted;
  const size_t number = micro_add(&step->code, sum);
  micro_add_carry(&step->code, number);
  micro_add_write(&step->code, number, targets[0]);
  micro_add_write(&step->code, number + 1, carry);
  if (wb_random_below(random, 8) == 0)
    micro_draw_step(random, program);
  sum.sources[0] = words[0][1];
  sum.sources[1] = words[1][1];
  sum.sources[1].complemented = subtracted;
  sum.sources[3] = micro_of_predicate(carry);
  step = micro_new_step(program);
  micro_add_write(&step->code, micro_add(&step->code, sum), targets[1]);
}

/* x = y + w by one instruction, then x - y or y - x. */
void micro_draw_whole_differences(struct wb_random *random, struct micro_program *program)
{
  const uint16_t x = micro_some_register(random) & 0xfffe;
  const uint16_t y = micro_some_register(random) & 0xfffe;
  const bool turned = wb_random_below(random, 4) == 0;
  struct wb_micro_operation sum = {
      .kind = WB_MICRO_WIDE_ADD,
      .sources = {micro_of_register(y), micro_of_number(micro_some_number(random))}};
  sum.sources[0].kind = WB_SOURCE_REGISTER_PAIR;
  if (wb_random_below(random, 3) == 0) {
    sum.sources[1] = micro_of_register(micro_some_register(random) & 0xfffe);
    sum.sources[1].kind = WB_SOURCE_REGISTER_PAIR;
    sum.sources[1].negated = wb_random_below(random, 4) == 0;
  }
  if (wb_random_below(random, 4) == 0)
    sum.sources[2] = micro_of_number(micro_some_number(random));
  micro_write_word(micro_new_step(program), &sum, x);
  if (wb_random_below(random, 4) == 0)
    micro_draw_step(random, program);
  sum.sources[0].number = turned ? y : x;
  sum.sources[1] = micro_of_register(turned ? x : y);
  sum.sources[1].kind = WB_SOURCE_REGISTER_PAIR;
  sum.sources[1].negated = true;
  sum.sources[2] = (struct wb_source){.kind = WB_SOURCE_NONE, .index = WB_NO_REGISTER};
  micro_write_word(micro_new_step(program), &sum, micro_some_register(random) & 0xfffe);
}

/* x = y + w in 64 bits, each in two registers or w a number; a copy of a word of x or y before or
 * after; then x - y or y - x, perhaps with the copy. */
void micro_draw_pair_differences(struct wb_random *random, struct micro_program *program)
{
  uint16_t x[2] = {micro_some_register(random), micro_some_register(random)};
  uint16_t y[2] = {micro_some_register(random), micro_some_register(random)};
  const uint16_t targets[2] = {micro_some_register(random), micro_some_register(random)};
  const bool number = wb_random_below(random, 3) > 0;
  const bool early = wb_random_below(random, 3) == 0;
  const uint16_t w = micro_some_register(random) & 0xfffe;
  const uint16_t to = micro_some_register(random);
  uint16_t *copied = early || wb_random_below(random, 2) == 0 ? &y[wb_random_below(random, 2)]
                                                              : &x[wb_random_below(random, 2)];
  const struct wb_source addends[2][2] = {
      {micro_of_register(y[0]), micro_of_register(y[1])},
      {number ? micro_of_number(micro_some_number(random)) : micro_of_register(w),
       number ? micro_of_number((uint32_t)wb_random_below(random, 3) - 1U)
              : micro_of_register(w + 1U)}};
  const struct wb_micro_operation copy = {.kind = WB_MICRO_COPY,
                                          .sources = {micro_of_register(*copied)}};
  if (early)
    micro_write_word(micro_new_step(program), &copy, to);
  draw_word_sum(random, program, addends, false, x);
  if (!early && wb_random_below(random, 2) == 0)
    micro_write_word(micro_new_step(program), &copy, to);
  if (wb_random_below(random, 2) == 0)
    *copied = to;
  const bool turned = wb_random_below(random, 4) == 0;
  const uint16_t *from = turned ? y : x;
  const uint16_t *less = turned ? x : y;
  const struct wb_source words[2][2] = {{micro_of_register(from[0]), micro_of_register(from[1])},
                                        {micro_of_register(less[0]), micro_of_register(less[1])}};
  draw_word_sum(random, program, words, true, targets);
}

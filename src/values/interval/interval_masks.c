/* What is known of some bits of a register, in the domain of strided intervals. */
#include "values/interval/interval_domain.h"

#include "values/domain.h"

bool wb_interval_find_mask(const struct wb_interval_context *context,
                           const struct wb_micro_code *code, size_t index, struct wb_mask *mask)
{
  const struct wb_micro_operation *operation = &code->operations[index];
  struct wb_integer values[3];
  unsigned known = 0;
  unsigned variable = 3;
  *mask = (struct wb_mask){.number = WB_NO_REGISTER};
  if (operation->kind != WB_MICRO_LOOKUP)
    return false;
  for (unsigned v = 0; v < 3; v++) {
    values[v] = wb_interval_word(context, &operation->sources[v]);
    if (wb_integer_is_exact(&values[v]))
      known++;
    else if (wb_interval_source_register(&operation->sources[v]) != WB_NO_REGISTER)
      variable = v;
  }
  if (known != 2 || variable == 3)
    return false;
  values[variable] = wb_integer_exactly(0);
  const struct wb_integer of_zeros = wb_integer_lookup(values, operation->table);
  values[variable] = wb_integer_exactly(UINT32_MAX);
  const struct wb_integer of_ones = wb_integer_lookup(values, operation->table);
  const bool complemented = of_zeros.low != 0;
  if (!wb_integer_is_exact(&of_zeros) || !wb_integer_is_exact(&of_ones) ||
      (of_zeros.low != 0) == (of_ones.low != 0))
    return false;
  *mask = (struct wb_mask){.number = operation->sources[variable].number,
                           .complemented = complemented,
                           .bits = complemented ? of_zeros.low : of_ones.low};
  return true;
}

struct wb_mask wb_interval_held_mask(const struct wb_interval_context *context, uint16_t holder)
{
  const struct wb_masks *masks = &context->state->masks;
  struct wb_mask mask = {.number = WB_NO_REGISTER};
  for (size_t i = 0; i < masks->count && holder != WB_NO_REGISTER; i++) {
    if (masks->rows[i].holder == holder)
      mask = (struct wb_mask){.number = masks->rows[i].number, .bits = masks->rows[i].bits};
  }
  return mask;
}

struct wb_mask wb_interval_source_mask(const struct wb_interval_context *context,
                                       const struct wb_micro_code *code,
                                       const struct wb_source *source)
{
  struct wb_mask mask = {.number = WB_NO_REGISTER};
  if (source->kind == WB_SOURCE_REGISTER)
    return wb_interval_held_mask(context, wb_interval_source_register(source));
  if (source->kind == WB_SOURCE_RESULT && !source->negated && !source->complemented)
    wb_interval_find_mask(context, code, source->number, &mask);
  return mask;
}

/* A register less its lowest bits, which another one holds, is the register without them. */
static void refine_difference(struct wb_interval_context *context,
                              const struct wb_micro_operation *sum, struct wb_integer *word)
{
  const struct wb_masks *masks = &context->state->masks;
  uint16_t from = WB_NO_REGISTER;
  uint16_t less = WB_NO_REGISTER;
  for (size_t s = 0; s < 5; s++) {
    const struct wb_source *source = &sum->sources[s];
    if (source->kind == WB_SOURCE_REGISTER && source->negated && less == WB_NO_REGISTER)
      less = source->number;
    else if (source->kind == WB_SOURCE_REGISTER && !source->negated && !source->complemented &&
             from == WB_NO_REGISTER)
      from = source->number;
    else if (source->kind != WB_SOURCE_NONE &&
             (source->kind != WB_SOURCE_NUMBER || source->value != 0 || source->negated ||
              source->complemented))
      return;
  }
  for (size_t i = 0; i < masks->count && from != WB_NO_REGISTER && less != WB_NO_REGISTER; i++) {
    const struct wb_masked *row = &masks->rows[i];
    if (row->number != from || row->holder != less)
      continue;
    const struct wb_integer values[3] = {context->state->registers[from],
                                         wb_integer_exactly(~row->bits), wb_integer_exactly(0)};
    const struct wb_integer rest =
        wb_integer_lookup(values, wb_lookup_variable(0) & wb_lookup_variable(1));
    if (rest.base == WB_NO_REGISTER && word->base == WB_NO_REGISTER)
      wb_integer_meet(word, &rest);
  }
}

static struct wb_integer bits_of(const struct wb_integer *value, uint32_t bits)
{
  const struct wb_integer values[3] = {*value, wb_integer_exactly(bits), wb_integer_exactly(0)};
  return wb_integer_lookup(values, wb_lookup_variable(0) & wb_lookup_variable(1));
}

struct wb_integer wb_interval_masked(const struct wb_mask *mask, const struct wb_integer *bits)
{
  const struct wb_integer all = wb_integer_exactly(mask->bits);
  return mask->complemented ? wb_integer_subtract(&all, bits) : *bits;
}

void wb_interval_refine_by_masks(struct wb_interval_context *context,
                                 const struct wb_micro_code *code, size_t index)
{
  struct wb_integer *word = &context->results[index].wide.words[0];
  struct wb_mask *mask = &context->results[index].mask;
  const bool masked = wb_interval_find_mask(context, code, index, mask);
  if (context->state->masks.count == 0)
    return;
  if (code->operations[index].kind == WB_MICRO_ADD)
    refine_difference(context, &code->operations[index], word);
  if (!masked)
    return;
  const struct wb_masked *row = wb_masks_find(&context->state->masks, mask->number, mask->bits);
  if (row == NULL)
    return;
  const struct wb_integer value = wb_masked_value(context->state, row);
  const struct wb_integer bits = bits_of(&value, mask->bits);
  const struct wb_integer known = wb_interval_masked(mask, &bits);
  if (value.base == WB_NO_REGISTER && word->base == WB_NO_REGISTER)
    wb_integer_meet(word, &known);
}

/* The register was given the result, which is bits of another one that the instruction does not
 * write. */
static void note_mask(struct wb_interval_context *context, const struct wb_interval_result *result,
                      uint16_t number)
{
  const struct wb_mask *mask = &result->mask;
  struct wb_masked row = {.number = mask->number,
                          .holder = mask->complemented ? WB_NO_REGISTER : number,
                          .bits = mask->bits,
                          .value = wb_integer_top()};
  for (size_t i = 0; i < context->kept_masks.count; i++) {
    const struct wb_masked *before = &context->kept_masks.rows[i];
    if (before->number != mask->number || before->bits != mask->bits)
      continue;
    if (mask->complemented)
      return;
    row.value = before->value;
  }
  if (mask->complemented && result->wide.words[0].base == WB_NO_REGISTER)
    row.value = wb_interval_masked(mask, &result->wide.words[0]);
  wb_masks_set(&context->state->masks, &row);
}

/* The same where another register holds more bits of that one, these among them: then they are bits
 * of that holder too. */
static void chain_mask(struct wb_interval_context *context, const struct wb_interval_result *result,
                       uint16_t number)
{
  const struct wb_mask *mask = &result->mask;
  if (mask->complemented)
    return;
  for (size_t i = 0; i < context->kept_masks.count; i++) {
    const struct wb_masked *before = &context->kept_masks.rows[i];
    if (before->number != mask->number || before->holder == WB_NO_REGISTER ||
        before->holder == number || (mask->bits & ~before->bits) != 0 ||
        wb_registers_written(context->function, context->index, context->index, before->holder))
      continue;
    const struct wb_masked row = {
        .number = before->holder, .holder = number, .bits = mask->bits, .value = wb_integer_top()};
    wb_masks_set(&context->state->masks, &row);
  }
}

/* How many of the lowest bits a mask takes away, where it keeps all others; else 0. */
static unsigned lowest_bits_without(uint32_t bits)
{
  unsigned count = 0;
  while (count < 31 && (bits >> count & 1U) == 0)
    count++;
  return bits == ~((UINT32_C(1) << count) - 1) ? count : 0;
}

/* The register `low` holds the lower word of the pair without some bits. */
static void note_rounded(struct wb_interval_context *context, const struct wb_pair *pair,
                         uint16_t low, uint32_t bits)
{
  const unsigned count = lowest_bits_without(bits);
  const struct wb_wide rounded = wb_wide_round_down(&pair->value, count);
  if (count > 0 && low != pair->high)
    wb_pairs_set(&context->state->pairs, low, pair->high, &rounded);
}

/* The register was given a word of a pair without its lowest bits: it makes a pair with the other
 * word. */
static void round_pairs(struct wb_interval_context *context,
                        const struct wb_interval_result *result, uint16_t number)
{
  const struct wb_pairs *pairs = &context->kept_pairs;
  for (size_t i = 0; i < pairs->count && !result->mask.complemented; i++) {
    const struct wb_pair *pair = &pairs->rows[i];
    if (pair->low == result->mask.number &&
        !wb_registers_written(context->function, context->index, context->index, pair->high))
      note_rounded(context, pair, number, result->mask.bits);
  }
}

void wb_interval_name_bits(struct wb_interval_context *context,
                           const struct wb_interval_result *result, uint16_t number)
{
  chain_mask(context, result, number);
  if (!wb_registers_written(context->function, context->index, context->index, result->mask.number))
    note_mask(context, result, number);
  wb_interval_note_rest(context, &result->mask, number);
  round_pairs(context, result, number);
}

void wb_interval_round_held_words(struct wb_interval_context *context, const struct wb_pair *pair)
{
  const struct wb_masks *masks = &context->state->masks;
  for (size_t i = 0; i < masks->count; i++) {
    if (masks->rows[i].number == pair->low && masks->rows[i].holder != WB_NO_REGISTER)
      note_rounded(context, pair, masks->rows[i].holder, masks->rows[i].bits);
  }
}

void wb_masked_exclude(struct wb_masked *row, const struct wb_integer *value,
                       const struct wb_integer *other)
{
  if ((row->bits & (row->bits + 1)) == 0 && row->bits < INT32_MAX && value->width == row->bits &&
      wb_integer_is_exact(other) && other->low <= row->bits)
    row->value = wb_integer_range((int64_t)other->low + 1, (int64_t)other->low + row->bits);
}

bool wb_interval_find_difference(const struct wb_micro_operation *operation, uint16_t *from,
                                 uint32_t *offset)
{
  static const uint8_t words[WB_MICRO_COUNT] = {
      [WB_MICRO_COPY] = 1, [WB_MICRO_ADD] = 3, [WB_MICRO_WIDE_COPY] = 1, [WB_MICRO_WIDE_ADD] = 3};
  *from = WB_NO_REGISTER;
  *offset = 0;
  for (size_t s = 0; s < 5; s++) {
    const struct wb_source *source = &operation->sources[s];
    const bool plain = !source->negated && !source->complemented && s < words[operation->kind];
    if (source->kind == WB_SOURCE_NUMBER && plain)
      *offset += (uint32_t)source->value;
    else if ((source->kind == WB_SOURCE_REGISTER || source->kind == WB_SOURCE_REGISTER_PAIR) &&
             plain && *from == WB_NO_REGISTER)
      *from = source->number;
    else if (source->kind != WB_SOURCE_NONE)
      return false;
  }
  return *from < WB_VALUE_COUNT;
}

/* What a register is of another one: its bits from place `right` on, plus a number. */
struct moved {
  uint16_t from;
  unsigned right;
  uint32_t offset;
};

static bool is_number(const struct wb_source *source)
{
  return source->kind == WB_SOURCE_NONE ||
         (source->kind == WB_SOURCE_NUMBER && !source->negated && !source->complemented);
}

/* Whether the operation is a register shifted to the right by 1 to 31 places. (Of a signed shift
 * the sign goes on above the bits that come from the register.) */
static bool find_shift(const struct wb_micro_operation *operation, struct moved *moved)
{
  const struct wb_source *sources = operation->sources;
  const bool is_funnel =
      operation->kind == WB_MICRO_FUNNEL_LEFT || operation->kind == WB_MICRO_FUNNEL_RIGHT;
  const struct wb_source *places = &sources[is_funnel ? 2 : 1];
  if ((operation->kind != WB_MICRO_SHIFT_RIGHT && !is_funnel) || !is_number(places) ||
      places->value < 1 || places->value > 31 ||
      (is_funnel && (!is_number(&sources[1]) || sources[1].value != 0)))
    return false;
  const unsigned count = (unsigned)places->value;
  *moved = (struct moved){.from = wb_interval_source_register(&sources[0]),
                          .right = operation->kind == WB_MICRO_FUNNEL_LEFT ? 32 - count : count};
  return moved->from != WB_NO_REGISTER;
}

/* Whether the operation is such a shift, or the sum of a register or of a shift and a number. */
static bool find_moved(const struct wb_micro_code *code, size_t index, struct moved *moved)
{
  const struct wb_micro_operation *operation = &code->operations[index];
  uint32_t offset = 0;
  bool shifted = false;
  *moved = (struct moved){.from = WB_NO_REGISTER};
  if (wb_interval_find_difference(operation, &moved->from, &moved->offset) ||
      find_shift(operation, moved))
    return true;
  for (size_t s = 0; s < 5 && operation->kind == WB_MICRO_ADD; s++) {
    const struct wb_source *source = &operation->sources[s];
    if (s < 3 && is_number(source))
      offset += (uint32_t)source->value;
    else if (!shifted && source->kind == WB_SOURCE_RESULT && !source->negated &&
             !source->complemented && find_shift(&code->operations[source->number], moved))
      shifted = true;
    else if (source->kind != WB_SOURCE_NONE)
      return false;
  }
  moved->offset = offset;
  return shifted;
}

/* What `x & bits` says of the bits of x that are shifted. Numbers that are congruent to these bits
 * modulo 2^k are so modulo 2^(k - right) once both are shifted. False where it says nothing. */
static bool shift_masked(struct wb_masked *row, unsigned right)
{
  if (right > 0)
    row->value = wb_integer_shift_right(&row->value, right, false);
  row->bits >>= right;
  return row->bits != 0;
}

void wb_interval_move_masks(struct wb_interval_context *context, const struct wb_micro_code *code,
                            size_t index, uint16_t number)
{
  struct moved moved;
  if (context->kept_masks.count == 0 || number >= WB_VALUE_COUNT ||
      !find_moved(code, index, &moved))
    return;
  for (size_t i = 0; i < context->kept_masks.count; i++) {
    struct wb_masked row = context->kept_masks.rows[i];
    if (row.number != moved.from || row.value.base != WB_NO_REGISTER ||
        !shift_masked(&row, moved.right) ||
        ((moved.right == 0 || moved.offset != 0) && (row.bits & (row.bits + 1)) != 0))
      continue;
    const struct wb_integer by = wb_integer_exactly(moved.offset);
    row.value = wb_integer_add(&row.value, &by);
    row.number = number;
    row.holder = WB_NO_REGISTER;
    wb_masks_set(&context->state->masks, &row);
  }
}

#include "interval_check.h"

static uint32_t base_of(const struct wb_integer *value, const struct interval_lane *first)
{
  if (value->base == WB_NO_REGISTER)
    return 0;
  const uint32_t number = first->registers[value->base];
  if (value->shape == WB_SHIFTED_LEFT)
    return number << value->shift;
  const uint32_t filler =
      value->shape == WB_SHIFTED_RIGHT_SIGNED && number > INT32_MAX ? UINT32_MAX : 0;
  return value->shift == 0 ? number : number >> value->shift | filler << (32 - value->shift);
}

static bool allows(const struct wb_integer *value, const struct interval_lane *first,
                   uint32_t number)
{
  const uint32_t offset = number - base_of(value, first) - value->low;
  return offset <= value->width && (offset & ((UINT32_C(1) << value->align) - 1)) == 0;
}

static uint64_t wide_base(const struct wb_wide *value, const struct interval_lane *first)
{
  const uint64_t low = value->base_low == WB_NO_REGISTER ? 0 : first->registers[value->base_low];
  return value->base_high == WB_NO_REGISTER
             ? low
             : low | (uint64_t)first->registers[value->base_high] << 32;
}

bool relation_holds(uint64_t a, enum wb_relation relation, uint64_t b, bool as_signed, bool wide)
{
  const uint64_t turn = as_signed ? UINT64_C(1) << (wide ? 63 : 31) : 0;
  a ^= turn;
  b ^= turn;
  switch (relation) {
  case WB_RELATION_LESS:
    return a < b;
  case WB_RELATION_EQUAL:
    return a == b;
  case WB_RELATION_AT_MOST:
    return a <= b;
  case WB_RELATION_GREATER:
    return a > b;
  case WB_RELATION_UNEQUAL:
    return a != b;
  default:
    return a >= b;
  }
}

/* Of sides that are one number each. */
static bool holds(const struct wb_comparison *row, const struct interval_lane *first,
                  struct interval_totals *totals)
{
  uint64_t a;
  uint64_t b;
  if (row->wide) {
    if (row->wide_left.width > 0 || row->wide_right.width > 0)
      return true;
    totals->wide_rows++;
    a = wide_base(&row->wide_left, first) + row->wide_left.low;
    b = wide_base(&row->wide_right, first) + row->wide_right.low;
  } else {
    if (row->left.width > 0 || row->right.width > 0)
      return true;
    a = (uint32_t)(base_of(&row->left, first) + row->left.low);
    b = (uint32_t)(base_of(&row->right, first) + row->right.low);
  }
  return relation_holds(a, (enum wb_relation)row->relation, b, row->as_signed, row->wide);
}

/* Whether the bits may be the row's. */
static bool allows_bits(const struct wb_masked *row, const struct interval_lane *first,
                        uint32_t bits)
{
  const struct wb_integer *value = &row->value;
  if ((row->bits & (row->bits + 1)) != 0)
    return allows(value, first, bits);
  const uint32_t offset = (bits - base_of(value, first) - value->low) & row->bits;
  return offset <= value->width && (offset & ((UINT32_C(1) << value->align) - 1) & row->bits) == 0;
}

static uint64_t number_in(const struct interval_lane *now, struct wb_register_pair pair)
{
  return now->registers[pair.low] | (uint64_t)now->registers[pair.high] << 32;
}

static const char *check_values(const struct wb_integer_state *state,
                                const struct interval_lane *first, const struct interval_lane *now,
                                struct interval_totals *totals)
{
  for (uint32_t r = 0; r < WB_VALUE_COUNT; r++) {
    if (!allows(&state->registers[r], first, now->registers[r]))
      return "a register";
  }
  for (size_t p = 0; p < state->pairs.count; p++) {
    const struct wb_pair *pair = &state->pairs.rows[p];
    const uint64_t number = now->registers[pair->low] | (uint64_t)now->registers[pair->high] << 32;
    if (number - wide_base(&pair->value, first) - pair->value.low > pair->value.width)
      return "a pair";
  }
  for (size_t i = 0; i < state->conditionals.count; i++) {
    const struct wb_conditional_value *row = &state->conditionals.rows[i];
    if (now->predicates[row->predicate] == row->when &&
        !allows(&row->value, first, now->registers[row->number]))
      return "a register under a condition";
  }
  for (size_t i = 0; i < state->masks.count; i++) {
    const struct wb_masked *row = &state->masks.rows[i];
    const uint32_t bits = now->registers[row->number] & row->bits;
    if (row->holder != WB_NO_REGISTER && now->registers[row->holder] != bits)
      return "the holder of bits";
    if (!allows_bits(row, first, bits))
      return "the bits of a register";
  }
  for (size_t i = 0; i < state->differences.count; i++) {
    const struct wb_difference *row = &state->differences.rows[i];
    const uint32_t difference = now->registers[row->from] - now->registers[row->less];
    if (row->holder != WB_NO_REGISTER && now->registers[row->holder] != difference)
      return "the holder of a difference";
    if (!allows(&row->value, first, difference))
      return "the difference of two registers";
    totals->differences += row->value.width < UINT32_MAX;
  }
  for (size_t i = 0; i < state->rests.count; i++) {
    const struct wb_rest *row = &state->rests.rows[i];
    if (((now->registers[row->from] - now->registers[row->less]) & row->bits) !=
        now->registers[row->holder])
      return "the rest of a difference";
    totals->rests++;
  }
  for (size_t i = 0; i < state->orders.count; i++) {
    const struct wb_order *row = &state->orders.rows[i];
    if ((row->predicate == WB_TRUTH_COUNT || now->predicates[row->predicate] == row->when) &&
        !relation_holds(now->registers[row->left], (enum wb_relation)row->relation,
                        now->registers[row->right], row->as_signed, false))
      return "the order of two registers under a condition";
    totals->orders++;
  }
  for (size_t i = 0; i < state->wide_differences.count; i++) {
    const struct wb_wide_difference *row = &state->wide_differences.rows[i];
    const uint64_t difference = number_in(now, row->from) - number_in(now, row->less);
    if (difference - row->value.low > row->value.width)
      return "the difference of two pairs";
    if (row->held && number_in(now, row->holder) != difference)
      return "the pair that holds a difference";
    totals->held_differences += row->held;
    totals->wide_differences++;
  }
  return NULL;
}

static const char *check_flags(const struct wb_integer_state *state,
                               const struct wb_comparisons *table,
                               const struct interval_lane *first, const struct interval_lane *now,
                               struct interval_totals *totals)
{
  for (size_t i = 0; i < state->flags.count; i++) {
    const struct wb_flag *flag = &state->flags.rows[i];
    const bool is_set = (now->registers[flag->number] >> flag->bit & 1U) != 0;
    if (flag->what.truth != WB_TRUTH_UNKNOWN && (flag->what.truth == WB_TRUTH_TRUE) != is_set)
      return "a bit of a register";
    for (uint32_t row = is_set ? flag->what.when_true : flag->what.when_false; row != 0;
         row = table->rows[row].next) {
      totals->flags++;
      if (!holds(&table->rows[row], first, totals))
        return "a comparison that a bit tells";
    }
  }
  return NULL;
}

static const char *check_predicates(const struct wb_integer_state *state,
                                    const struct wb_comparisons *table,
                                    const struct interval_lane *first,
                                    const struct interval_lane *now, struct interval_totals *totals)
{
  for (size_t p = 0; p < WB_TRUTH_COUNT; p++) {
    const struct wb_implications *it = &state->predicates[p];
    const bool is_true = now->predicates[p];
    totals->truths += it->truth != WB_TRUTH_UNKNOWN;
    if (it->truth != WB_TRUTH_UNKNOWN && (it->truth == WB_TRUTH_TRUE) != is_true)
      return "the truth of a predicate";
    for (uint32_t row = is_true ? it->when_true : it->when_false; row != 0;
         row = table->rows[row].next) {
      if (!holds(&table->rows[row], first, totals))
        return "a comparison";
    }
  }
  return NULL;
}

const char *interval_check(const struct wb_integer_state *state,
                           const struct wb_comparisons *comparisons,
                           const struct interval_lane *first, const struct interval_lane *now,
                           struct interval_totals *totals)
{
  totals->pairs += state->pairs.count;
  totals->conditionals += state->conditionals.count;
  if (!wb_integer_state_is_valid(state, comparisons))
    return "the state itself";
  const char *wrong = check_values(state, first, now, totals);
  if (wrong == NULL)
    wrong = check_flags(state, comparisons, first, now, totals);
  return wrong != NULL ? wrong : check_predicates(state, comparisons, first, now, totals);
}

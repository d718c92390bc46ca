/* What is known of the differences of two numbers of 64 bits, each in two registers, in the domain
 * of strided intervals (doc/loop-bounds.md, "Differences of pairs"). */
#include "values/interval/interval_domain.h"

#include "values/domain.h"

/* ---- the list ---- */

static bool same_pair(struct wb_register_pair a, struct wb_register_pair b)
{
  return a.low == b.low && a.high == b.high;
}

static bool names(const struct wb_wide_difference *row, uint32_t number)
{
  return row->from.low == number || row->from.high == number || row->less.low == number ||
         row->less.high == number;
}

static void remove_row(struct wb_wide_differences *list, size_t row)
{
  list->count--;
  for (size_t i = row; i < list->count; i++)
    list->rows[i] = list->rows[i + 1];
}

bool wb_wide_difference_find(const struct wb_wide_differences *list, struct wb_register_pair from,
                             struct wb_register_pair less, struct wb_wide *value)
{
  const struct wb_wide zero = wb_wide_exactly(0);
  for (size_t i = 0; i < list->count; i++) {
    const struct wb_wide_difference *row = &list->rows[i];
    const bool turned = same_pair(row->from, less) && same_pair(row->less, from);
    if (!turned && (!same_pair(row->from, from) || !same_pair(row->less, less)))
      continue;
    *value = turned ? wb_wide_subtract(&zero, &row->value) : row->value;
    return true;
  }
  return false;
}

/* Whether rows may name the pair. */
static bool are_named(struct wb_register_pair pair)
{
  return pair.low < WB_VALUE_BUFFERS && pair.high < WB_VALUE_BUFFERS && pair.low != pair.high;
}

void wb_wide_difference_set(struct wb_wide_differences *list, const struct wb_wide_difference *row)
{
  const bool silent = wb_wide_is_top(&row->value);
  if ((silent && !row->held) || wb_wide_has_base(&row->value) || same_pair(row->from, row->less))
    return;
  for (size_t i = list->count; i-- > 0;) {
    const struct wb_wide_difference *old = &list->rows[i];
    if ((same_pair(old->from, row->from) && same_pair(old->less, row->less)) ||
        (same_pair(old->from, row->less) && same_pair(old->less, row->from)))
      remove_row(list, i);
  }
  if (list->count == WB_WIDE_DIFFERENCE_LIMIT && silent)
    return;
  if (list->count == WB_WIDE_DIFFERENCE_LIMIT)
    remove_row(list, 0);
  list->rows[list->count++] = *row;
}

void wb_wide_differences_forget(struct wb_wide_differences *list, uint32_t number)
{
  for (size_t i = list->count; i-- > 0;) {
    struct wb_wide_difference *row = &list->rows[i];
    row->held = row->held && row->holder.low != number && row->holder.high != number;
    if (names(row, number) || (wb_wide_is_top(&row->value) && !row->held))
      remove_row(list, i);
  }
}

/* What is known of the difference in that state: by its rows, else by the numbers of both pairs. */
static struct wb_wide value_in(const struct wb_integer_state *state,
                               const struct wb_wide_differences *list,
                               const struct wb_wide_difference *row)
{
  struct wb_wide value;
  if (wb_wide_difference_find(list, row->from, row->less, &value))
    return value;
  const struct wb_wide from =
      wb_pairs_value(&state->pairs, state->registers, row->from.low, row->from.high);
  const struct wb_wide less =
      wb_pairs_value(&state->pairs, state->registers, row->less.low, row->less.high);
  return wb_wide_subtract(&from, &less);
}

/* Whether the same pair holds the difference in that list. */
static bool is_held_in(const struct wb_wide_differences *list, const struct wb_wide_difference *row)
{
  bool held = false;
  for (size_t i = 0; i < list->count && row->held; i++) {
    const struct wb_wide_difference *other = &list->rows[i];
    held |= other->held && same_pair(other->from, row->from) && same_pair(other->less, row->less) &&
            same_pair(other->holder, row->holder);
  }
  return held;
}

void wb_wide_differences_join(struct wb_integer_state *state, const struct wb_integer_state *other)
{
  const struct wb_wide_differences before = state->wide_differences;
  const struct wb_wide_differences *its = &other->wide_differences;
  struct wb_wide_differences *joined = &state->wide_differences;
  joined->count = 0;
  for (size_t i = 0; i < before.count + its->count; i++) {
    struct wb_wide_difference row = i < before.count ? before.rows[i] : its->rows[i - before.count];
    struct wb_wide known;
    if (joined->count == WB_WIDE_DIFFERENCE_LIMIT ||
        wb_wide_difference_find(joined, row.from, row.less, &known))
      continue;
    const struct wb_wide left = value_in(state, &before, &row);
    const struct wb_wide right = value_in(other, its, &row);
    row.value = wb_wide_join(&left, &right);
    row.held = is_held_in(&before, &row) && is_held_in(its, &row);
    wb_wide_difference_set(joined, &row);
  }
}

bool wb_wide_differences_same(const struct wb_wide_differences *a,
                              const struct wb_wide_differences *b)
{
  bool same = a->count == b->count;
  for (size_t i = 0; i < a->count && same; i++) {
    const struct wb_wide_difference *mine = &a->rows[i];
    const struct wb_wide_difference *its = &b->rows[i];
    same = same_pair(mine->from, its->from) && same_pair(mine->less, its->less) &&
           mine->value.low == its->value.low && mine->value.width == its->value.width &&
           mine->held == its->held && (!mine->held || same_pair(mine->holder, its->holder));
  }
  return same;
}

bool wb_wide_differences_are_valid(const struct wb_wide_differences *list)
{
  for (size_t i = 0; i < list->count && list->count <= WB_WIDE_DIFFERENCE_LIMIT; i++) {
    const struct wb_wide_difference *row = &list->rows[i];
    if (row->from.low >= WB_VALUE_BUFFERS || row->from.high >= WB_VALUE_BUFFERS ||
        row->less.low >= WB_VALUE_BUFFERS || row->less.high >= WB_VALUE_BUFFERS ||
        same_pair(row->from, row->less) || wb_wide_has_base(&row->value) ||
        (wb_wide_is_top(&row->value) && !row->held) ||
        (row->held && (row->holder.low == row->holder.high || row->holder.low >= WB_VALUE_BUFFERS ||
                       row->holder.high >= WB_VALUE_BUFFERS || names(row, row->holder.low) ||
                       names(row, row->holder.high))))
      return false;
  }
  return list->count <= WB_WIDE_DIFFERENCE_LIMIT;
}

/* ---- what comparisons tell ---- */

/* Keeps the numbers of the set that are in the other one too, or in the least range of signed or
 * unsigned numbers around it. False where none is left. */
static bool meet(struct wb_wide *value, const struct wb_wide *other)
{
  bool some = true;
  for (int as_signed = 0; as_signed < 2 && some; as_signed++)
    some = wb_wide_assume(value, WB_RELATION_AT_LEAST, other, as_signed != 0) &&
           wb_wide_assume(value, WB_RELATION_AT_MOST, other, as_signed != 0);
  return some;
}

static struct wb_wide number_in(const struct wb_integer_state *state, struct wb_register_pair pair)
{
  return wb_pairs_value(&state->pairs, state->registers, pair.low, pair.high);
}

static bool narrow(struct wb_integer_state *state, struct wb_register_pair pair,
                   const struct wb_wide *value)
{
  struct wb_wide number = number_in(state, pair);
  const bool some = meet(&number, value);
  wb_integer_state_narrow_pair(state, pair.low, pair.high, &number);
  return some;
}

/* The difference of two numbers in ranges that do not wrap round, the first one `relation` the
 * second one. False where it is not known, or there is none. */
static bool difference_under(const struct wb_wide *left, const struct wb_wide *right,
                             enum wb_relation relation, bool as_signed, struct wb_wide *difference)
{
  struct wb_integer_end low[2];
  struct wb_integer_end high[2];
  if (!wb_wide_ends(left, as_signed, &low[0], &high[0]) ||
      !wb_wide_ends(right, as_signed, &low[1], &high[1]))
    return false;
  struct wb_integer_end least = {low[0].number - high[1].number,
                                 low[0].by_width || high[1].by_width};
  struct wb_integer_end most = {high[0].number - low[1].number,
                                high[0].by_width || low[1].by_width};
  const bool greater = relation == WB_RELATION_GREATER || relation == WB_RELATION_AT_LEAST;
  const bool less = relation == WB_RELATION_LESS || relation == WB_RELATION_AT_MOST;
  const bool equal = relation == WB_RELATION_EQUAL;
  const struct wb_integer_end from = {relation == WB_RELATION_GREATER, false};
  const struct wb_integer_end to = {relation == WB_RELATION_LESS ? -1 : 0, false};
  if ((greater || equal) && least.number < from.number)
    least = from;
  if ((less || equal) && most.number > to.number)
    most = to;
  if (least.number > most.number)
    return false;
  *difference = wb_wide_exactly((uint64_t)least.number);
  difference->width = (uint64_t)most.number - (uint64_t)least.number;
  difference->low_by_width = least.by_width;
  difference->high_by_width = most.by_width;
  return true;
}

void wb_wide_difference_assume(struct wb_integer_state *state, struct wb_register_pair left,
                               struct wb_register_pair right, enum wb_relation relation,
                               bool as_signed)
{
  for (size_t i = 0; i < state->wide_differences.count; i++) {
    struct wb_wide_difference *row = &state->wide_differences.rows[i];
    const bool turned = same_pair(row->from, right) && same_pair(row->less, left);
    struct wb_wide known;
    if (!turned && (!same_pair(row->from, left) || !same_pair(row->less, right)))
      continue;
    const struct wb_wide numbers[2] = {number_in(state, row->from), number_in(state, row->less)};
    if (difference_under(&numbers[0], &numbers[1],
                         turned ? wb_relation_mirrored(relation) : relation, as_signed, &known))
      (void)meet(&row->value, &known);
  }
}

bool wb_wide_differences_reduce(struct wb_integer_state *state)
{
  bool some = true;
  for (size_t i = 0; i < state->wide_differences.count && some; i++) {
    struct wb_wide_difference *row = &state->wide_differences.rows[i];
    if (!row->held)
      continue;
    const struct wb_wide holder = number_in(state, row->holder);
    some = meet(&row->value, &holder) && narrow(state, row->holder, &row->value);
    const struct wb_wide less = number_in(state, row->less);
    const struct wb_wide from = wb_wide_add(&less, &row->value);
    some = some && narrow(state, row->from, &from);
    const struct wb_wide number = number_in(state, row->from);
    const struct wb_wide rest = wb_wide_subtract(&number, &row->value);
    some = some && narrow(state, row->less, &rest);
  }
  return some;
}

/* ---- sums ---- */

/* The pair of a lower word of the sum, which its register still holds, and an upper one, which is a
 * register. False where there is none. */
static bool held_pair(const struct wb_interval_context *context, const struct wb_carry *carry,
                      const struct wb_addend *low, const struct wb_source *high,
                      struct wb_register_pair *pair)
{
  *pair = (struct wb_register_pair){low->source, high->number};
  return low->shift == 0 && low->source < WB_VALUE_BUFFERS && high->kind == WB_SOURCE_REGISTER &&
         high->number < WB_VALUE_BUFFERS &&
         !wb_interval_written_since(context, carry->instruction, low->source);
}

void wb_interval_note_wide_addend(struct wb_interval_context *context, size_t index,
                                  const struct wb_carry *carry, const struct wb_addend *low,
                                  const struct wb_source *high, const struct wb_wide *rest)
{
  struct wb_register_pair less;
  struct wb_interval_wide_sum *sum = &context->wide_sum;
  if (sum->count > 0 && sum->result != index)
    sum->count = 0;
  sum->result = index;
  sum->differs = false;
  if (!held_pair(context, carry, low, high, &less) || sum->count == WB_WIDE_SUM_LIMIT ||
      wb_registers_written(context->function, context->index, context->index, less.low) ||
      wb_registers_written(context->function, context->index, context->index, less.high))
    return;
  sum->rows[sum->count++] = (struct wb_wide_difference){.less = less, .value = *rest};
}

static bool writes(const struct wb_interval_context *context, uint32_t number)
{
  return wb_registers_written(context->function, context->index, context->index, number);
}

static bool writes_pair(const struct wb_interval_context *context, struct wb_register_pair pair)
{
  return writes(context, pair.low) || writes(context, pair.high);
}

void wb_interval_refine_by_wide_differences(struct wb_interval_context *context, size_t index,
                                            const struct wb_carry *carry,
                                            const struct wb_addend low[2],
                                            const struct wb_source *const high[2],
                                            struct wb_wide *number)
{
  struct wb_register_pair from;
  struct wb_register_pair less;
  struct wb_wide known;
  if (!held_pair(context, carry, &low[0], high[0], &from) ||
      !held_pair(context, carry, &low[1], high[1], &less))
    return;
  if (wb_wide_difference_find(&context->state->wide_differences, from, less, &known) &&
      known.width < number->width)
    *number = known;
  struct wb_interval_wide_sum *sum = &context->wide_sum;
  sum->result = index;
  sum->count = 0;
  sum->differs = !writes_pair(context, from) && !writes_pair(context, less);
  sum->difference =
      (struct wb_wide_difference){.from = from, .less = less, .value = *number, .held = true};
}

/* The pair that a source of an operation of 64 bits is, or, `negated`, what is subtracted of it.
 * False where it is none. */
static bool is_pair(const struct wb_source *source, bool negated, struct wb_register_pair *pair)
{
  *pair = (struct wb_register_pair){source->number, (uint16_t)(source->number + 1)};
  return source->kind == WB_SOURCE_REGISTER_PAIR && source->negated == negated &&
         !source->complemented && pair->high < WB_VALUE_BUFFERS;
}

void wb_interval_note_whole_addends(struct wb_interval_context *context,
                                    const struct wb_micro_operation *operation, size_t index)
{
  struct wb_interval_wide_sum *sum = &context->wide_sum;
  struct wb_register_pair less;
  if (sum->count > 0 && sum->result != index)
    sum->count = 0;
  sum->result = index;
  sum->differs = false;
  for (size_t s = 0; s < 3 && sum->count < WB_WIDE_SUM_LIMIT; s++) {
    struct wb_wide rest = wb_wide_exactly(0);
    if (!is_pair(&operation->sources[s], false, &less) || writes(context, less.low) ||
        writes(context, less.high))
      continue;
    for (size_t o = 0; o < 3; o++) {
      const struct wb_interval_wide other = wb_interval_wide(context, &operation->sources[o]);
      if (o != s)
        rest = wb_wide_add(&rest, &other.value);
    }
    sum->rows[sum->count++] = (struct wb_wide_difference){.less = less, .value = rest};
  }
}

void wb_interval_refine_whole_difference(const struct wb_interval_context *context,
                                         const struct wb_micro_operation *operation,
                                         struct wb_wide *number)
{
  const struct wb_source *sources = operation->sources;
  struct wb_register_pair from;
  struct wb_register_pair less;
  struct wb_wide known;
  if (sources[2].kind != WB_SOURCE_NONE)
    return;
  for (size_t s = 0; s < 2; s++) {
    if (is_pair(&sources[s], false, &from) && is_pair(&sources[1 - s], true, &less) &&
        wb_wide_difference_find(&context->state->wide_differences, from, less, &known) &&
        known.width < number->width)
      *number = known;
  }
}

/* ---- writes ---- */

/* Sets the row, and the same of registers that are known to hold the same word as one of the pair
 * that is subtracted. */
static void set_with_copies(struct wb_integer_state *state, const struct wb_wide_difference *row)
{
  struct wb_wide_difference rows[WB_WIDE_DIFFERENCE_LIMIT];
  size_t count = 0;
  rows[count++] = *row;
  for (size_t i = 0; i < state->differences.count; i++) {
    const struct wb_difference *equal = &state->differences.rows[i];
    const struct wb_integer by = wb_difference_value(state, equal);
    for (size_t turn = 0; turn < 2 && wb_integer_is_exact(&by) && by.low == 0; turn++) {
      const uint16_t is = turn == 0 ? equal->from : equal->less;
      const uint16_t other = turn == 0 ? equal->less : equal->from;
      for (size_t r = count;
           r-- > 0 && count < WB_WIDE_DIFFERENCE_LIMIT && other < WB_VALUE_BUFFERS;) {
        struct wb_wide_difference copy = rows[r];
        copy.less.low = copy.less.low == is ? other : copy.less.low;
        copy.less.high = copy.less.high == is ? other : copy.less.high;
        if (!same_pair(copy.less, rows[r].less))
          rows[count++] = copy;
      }
    }
  }
  while (count > 0)
    wb_wide_difference_set(&state->wide_differences, &rows[--count]);
}

void wb_interval_name_wide_sum(struct wb_interval_context *context, size_t result, uint16_t below,
                               uint16_t number)
{
  struct wb_interval_wide_sum *sum = &context->wide_sum;
  if (number >= WB_VALUE_BUFFERS || below >= WB_VALUE_BUFFERS)
    return;
  if (sum->differs && sum->result == result) {
    struct wb_wide_difference row = sum->difference;
    row.holder = (struct wb_register_pair){below, number};
    if (!names(&row, below) && !names(&row, number))
      wb_wide_difference_set(&context->state->wide_differences, &row);
    return;
  }
  for (size_t i = 0; i < sum->count && sum->result == result; i++) {
    struct wb_wide_difference row = sum->rows[i];
    row.from = (struct wb_register_pair){below, number};
    set_with_copies(context->state, &row);
  }
}

void wb_interval_assume_wide_difference(struct wb_integer_state *state,
                                        struct wb_register_pair left, struct wb_register_pair right,
                                        enum wb_relation relation, bool as_signed)
{
  const bool upward = relation == WB_RELATION_LESS || relation == WB_RELATION_AT_MOST;
  const bool strict = relation == WB_RELATION_LESS || relation == WB_RELATION_GREATER;
  struct wb_wide_difference row = {.from = upward ? right : left, .less = upward ? left : right};
  struct wb_wide known;
  struct wb_integer_end from[2];
  struct wb_integer_end less[2];
  if (relation == WB_RELATION_EQUAL || relation == WB_RELATION_UNEQUAL || !are_named(row.from) ||
      !are_named(row.less))
    return;
  const struct wb_wide more =
      wb_pairs_value(&state->pairs, state->registers, row.from.low, row.from.high);
  const struct wb_wide other =
      wb_pairs_value(&state->pairs, state->registers, row.less.low, row.less.high);
  if (!wb_wide_ends(&more, as_signed, &from[0], &from[1]) ||
      !wb_wide_ends(&other, as_signed, &less[0], &less[1]))
    return;
  const int64_t apart = from[0].number - less[1].number;
  const int64_t low = apart > strict ? apart : strict;
  const int64_t high = from[1].number - less[0].number;
  if (low > high)
    return;
  row.value = wb_wide_exactly((uint64_t)low);
  row.value.width = (uint64_t)(high - low);
  row.value.high_by_width = from[1].by_width || less[0].by_width;
  if (!wb_wide_difference_find(&state->wide_differences, row.from, row.less, &known))
    wb_wide_difference_set(&state->wide_differences, &row);
}

void wb_interval_copy_wide_differences(struct wb_interval_context *context, uint16_t from,
                                       uint16_t number)
{
  const struct wb_wide_differences *kept = &context->kept_wide_differences;
  if (number >= WB_VALUE_BUFFERS)
    return;
  for (size_t i = 0; i < kept->count; i++) {
    struct wb_wide_difference row = kept->rows[i];
    row.held = false;
    uint16_t *const words[4] = {&row.from.low, &row.from.high, &row.less.low, &row.less.high};
    bool copied = false;
    bool stays = true;
    for (size_t w = 0; w < 4; w++) {
      const bool is = *words[w] == from;
      copied |= is;
      stays = stays && (is || !writes(context, *words[w]));
      *words[w] = is ? number : *words[w];
    }
    if (copied && stays)
      wb_wide_difference_set(&context->state->wide_differences, &row);
  }
}

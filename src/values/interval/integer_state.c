#include "values/interval/integer_state.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void wb_integer_state_top(struct wb_integer_state *state)
{
  *state = (struct wb_integer_state){0};
  for (size_t r = 0; r < WB_VALUE_COUNT; r++)
    state->registers[r] = r < WB_VALUE_BUFFERS || r >= WB_VALUE_SLOTS
                              ? wb_integer_top()
                              : wb_integer_of_register((uint16_t)r);
}

void wb_integer_state_identity(struct wb_integer_state *state)
{
  *state = (struct wb_integer_state){0};
  for (size_t r = 0; r < WB_VALUE_COUNT; r++)
    state->registers[r] = wb_integer_of_register((uint16_t)r);
  for (size_t r = 0; r < WB_NAMED_REGISTERS; r++)
    state->sums[r] = WB_SUM_OF_START;
}

void wb_integer_state_forget_sums(struct wb_integer_state *state)
{
  for (size_t r = 0; r < WB_NAMED_REGISTERS; r++)
    state->sums[r] = 0;
  state->facts.count = 0;
}

size_t wb_predicate_index(uint32_t number)
{
  if (number >= WB_REGISTER_PREDICATE && number < WB_REGISTER_PREDICATE + WB_PREDICATE_COUNT)
    return number - WB_REGISTER_PREDICATE;
  if (number >= WB_REGISTER_UNIFORM_PREDICATE &&
      number < WB_REGISTER_UNIFORM_PREDICATE + WB_PREDICATE_COUNT)
    return number - WB_REGISTER_UNIFORM_PREDICATE + WB_PREDICATE_COUNT;
  return number == WB_REGISTER_CONDITION_CODE ? WB_TRUTH_CONDITION_CODE : WB_TRUTH_COUNT;
}

uint32_t wb_predicate_register(size_t index)
{
  if (index == WB_TRUTH_CONDITION_CODE)
    return WB_REGISTER_CONDITION_CODE;
  return (uint32_t)(index < WB_PREDICATE_COUNT
                        ? WB_REGISTER_PREDICATE + index
                        : WB_REGISTER_UNIFORM_PREDICATE + index - WB_PREDICATE_COUNT);
}

void wb_integer_state_forget_carries(struct wb_integer_state *state)
{
  for (size_t p = 0; p < WB_TRUTH_COUNT; p++)
    state->predicates[p].carry = 0;
}

void wb_integer_state_forget_comparisons(struct wb_integer_state *state)
{
  for (size_t p = 0; p < WB_TRUTH_COUNT; p++)
    state->predicates[p] = (struct wb_implications){.truth = state->predicates[p].truth};
  wb_flags_forget_comparisons(&state->flags);
}

/* Whether the lists of conditions, bits and differences are the same. */
static bool same_rows(const struct wb_integer_state *a, const struct wb_integer_state *b)
{
  bool same = a->conditionals.count == b->conditionals.count && a->masks.count == b->masks.count &&
              a->differences.count == b->differences.count;
  for (size_t i = 0; same && i < a->conditionals.count; i++) {
    const struct wb_conditional_value *mine = &a->conditionals.rows[i];
    const struct wb_conditional_value *its = &b->conditionals.rows[i];
    same = mine->number == its->number && mine->predicate == its->predicate &&
           mine->when == its->when && wb_integer_equal(&mine->value, &its->value);
  }
  for (size_t i = 0; same && i < a->masks.count; i++) {
    const struct wb_masked *mine = &a->masks.rows[i];
    const struct wb_masked *its = &b->masks.rows[i];
    same = mine->number == its->number && mine->holder == its->holder && mine->bits == its->bits &&
           wb_integer_equal(&mine->value, &its->value);
  }
  for (size_t i = 0; same && i < a->differences.count; i++) {
    const struct wb_difference *mine = &a->differences.rows[i];
    const struct wb_difference *its = &b->differences.rows[i];
    same = mine->from == its->from && mine->less == its->less && mine->holder == its->holder &&
           wb_integer_equal(&mine->value, &its->value);
  }
  return same;
}

bool wb_integer_state_same_values(const struct wb_integer_state *a,
                                  const struct wb_integer_state *b)
{
  bool same = a->pairs.count == b->pairs.count;
  for (size_t r = 0; r < WB_VALUE_COUNT && same; r++)
    same = wb_integer_equal(&a->registers[r], &b->registers[r]);
  for (size_t p = 0; p < a->pairs.count && same; p++) {
    const struct wb_pair *mine = &a->pairs.rows[p];
    const struct wb_pair *its = &b->pairs.rows[p];
    same = mine->low == its->low && mine->high == its->high &&
           wb_wide_same_base(&mine->value, &its->value) && mine->value.low == its->value.low &&
           mine->value.width == its->value.width;
  }
  for (size_t p = 0; p < WB_TRUTH_COUNT && same; p++)
    same = a->predicates[p].truth == b->predicates[p].truth;
  return same && same_rows(a, b) && wb_rests_same(&a->rests, &b->rests) &&
         wb_orders_same(&a->orders, &b->orders) && wb_flags_same_truths(&a->flags, &b->flags) &&
         wb_wide_differences_same(&a->wide_differences, &b->wide_differences);
}

uint32_t wb_comparisons_add(struct wb_comparisons *table, const struct wb_comparison *row)
{
  const size_t needed = table->count == 0 ? 2 : table->count + 1;
  if (table->failed || needed > UINT32_MAX || !wb_grow(table->rows, &table->capacity, needed)) {
    table->failed = true;
    return 0;
  }
  table->rows[0] = (struct wb_comparison){0};
  table->rows[needed - 1] = *row;
  table->count = needed;
  return (uint32_t)(needed - 1);
}

uint32_t wb_comparisons_concatenate(struct wb_comparisons *table, uint32_t a, uint32_t b)
{
  struct wb_comparison rows[WB_COMPARISON_CHAIN];
  size_t count = 0;
  if (a == 0 || b == 0)
    return a == 0 ? b : a;
  for (; a != 0 && count < WB_COMPARISON_CHAIN; a = table->rows[a].next)
    rows[count++] = table->rows[a];
  size_t left = WB_COMPARISON_CHAIN - count;
  for (uint32_t i = b; i != 0 && left > 0; i = table->rows[i].next)
    left--;
  if (left == 0) /* b would make the chain too long, whole or in part */
    b = 0;
  for (size_t i = count; i-- > 0;) {
    rows[i].next = b;
    b = wb_comparisons_add(table, &rows[i]);
  }
  return b;
}

void wb_comparisons_free(struct wb_comparisons *table)
{
  free(table->rows);
  *table = (struct wb_comparisons){0};
}

enum wb_relation wb_relation_negated(enum wb_relation relation)
{
  static const uint8_t negated[] = {
      [WB_RELATION_LESS] = WB_RELATION_AT_LEAST,   [WB_RELATION_EQUAL] = WB_RELATION_UNEQUAL,
      [WB_RELATION_AT_MOST] = WB_RELATION_GREATER, [WB_RELATION_GREATER] = WB_RELATION_AT_MOST,
      [WB_RELATION_UNEQUAL] = WB_RELATION_EQUAL,   [WB_RELATION_AT_LEAST] = WB_RELATION_LESS,
  };
  return (enum wb_relation)negated[relation];
}

enum wb_relation wb_relation_mirrored(enum wb_relation relation)
{
  static const uint8_t mirrored[] = {
      [WB_RELATION_LESS] = WB_RELATION_GREATER,     [WB_RELATION_EQUAL] = WB_RELATION_EQUAL,
      [WB_RELATION_AT_MOST] = WB_RELATION_AT_LEAST, [WB_RELATION_GREATER] = WB_RELATION_LESS,
      [WB_RELATION_UNEQUAL] = WB_RELATION_UNEQUAL,  [WB_RELATION_AT_LEAST] = WB_RELATION_AT_MOST,
  };
  return (enum wb_relation)mirrored[relation];
}

uint32_t wb_carries_add(struct wb_carries *table, const struct wb_carry *row)
{
  const size_t needed = table->count == 0 ? 2 : table->count + 1;
  if (table->failed || needed > UINT32_MAX || !wb_grow(table->rows, &table->capacity, needed)) {
    table->failed = true;
    return 0;
  }
  table->rows[needed - 1] = *row;
  table->count = needed;
  return (uint32_t)(needed - 1);
}

void wb_carries_free(struct wb_carries *table)
{
  free(table->rows);
  *table = (struct wb_carries){0};
}

/* ---- pairs of registers ---- */

const struct wb_pair *wb_pairs_find(const struct wb_pairs *pairs, uint32_t low, uint32_t high)
{
  for (size_t i = 0; i < pairs->count; i++) {
    if (pairs->rows[i].low == low && pairs->rows[i].high == high)
      return &pairs->rows[i];
  }
  return NULL;
}

struct wb_wide wb_pairs_value(const struct wb_pairs *pairs, const struct wb_integer *registers,
                              uint16_t low, uint16_t high)
{
  const struct wb_pair *pair = wb_pairs_find(pairs, low, high);
  return pair != NULL ? pair->value : wb_wide_of_words(&registers[low], &registers[high]);
}

static void remove_pair(struct wb_pairs *pairs, size_t row)
{
  pairs->count--;
  for (size_t i = row; i < pairs->count; i++)
    pairs->rows[i] = pairs->rows[i + 1];
}

void wb_pairs_set(struct wb_pairs *pairs, uint16_t low, uint16_t high, const struct wb_wide *value)
{
  for (size_t i = pairs->count; i-- > 0;) {
    if (pairs->rows[i].low == low && pairs->rows[i].high == high)
      remove_pair(pairs, i);
  }
  if (wb_wide_is_top(value) || low == high)
    return;
  if (pairs->count == WB_PAIR_LIMIT)
    remove_pair(pairs, 0);
  pairs->rows[pairs->count++] = (struct wb_pair){low, high, *value};
}

void wb_pairs_forget(struct wb_pairs *pairs, uint32_t number, bool either)
{
  for (size_t i = pairs->count; i-- > 0;) {
    if (pairs->rows[i].high == number || (either && pairs->rows[i].low == number))
      remove_pair(pairs, i);
  }
}

void wb_pairs_copy(struct wb_pairs *pairs, const struct wb_pairs *before, uint16_t from,
                   uint16_t to)
{
  for (size_t i = 0; i < before->count; i++) {
    const struct wb_pair *pair = &before->rows[i];
    if (pair->low == from && pair->high != to)
      wb_pairs_set(pairs, to, pair->high, &pair->value);
    if (pair->high == from && pair->low != to)
      wb_pairs_set(pairs, pair->low, to, &pair->value);
  }
}

void wb_pairs_join(struct wb_pairs *mine, const struct wb_integer *my_registers,
                   const struct wb_pairs *its, const struct wb_integer *its_registers)
{
  const struct wb_pairs before = *mine;
  mine->count = 0;
  for (size_t i = 0; i < before.count + its->count; i++) {
    const struct wb_pair *pair = i < before.count ? &before.rows[i] : &its->rows[i - before.count];
    const struct wb_wide left = wb_pairs_value(&before, my_registers, pair->low, pair->high);
    const struct wb_wide right = wb_pairs_value(its, its_registers, pair->low, pair->high);
    const struct wb_wide both = wb_wide_join(&left, &right);
    if (mine->count < WB_PAIR_LIMIT || wb_pairs_find(mine, pair->low, pair->high) != NULL)
      wb_pairs_set(mine, pair->low, pair->high, &both);
  }
}

void wb_integer_state_narrow_pair(struct wb_integer_state *state, uint16_t low, uint16_t high,
                                  const struct wb_wide *value)
{
  struct wb_integer words[2];
  const struct wb_wide known = wb_pairs_value(&state->pairs, state->registers, low, high);
  if (wb_wide_has_base(&known) || value->width >= known.width)
    return;
  const bool split = wb_wide_to_words(value, &words[0], &words[1]);
  if (split) {
    wb_integer_narrow(&state->registers[low], &words[0]);
    wb_integer_narrow(&state->registers[high], &words[1]);
  }
  if (!split || wb_pairs_find(&state->pairs, low, high) != NULL)
    wb_pairs_set(&state->pairs, low, high, value);
}

bool wb_pairs_are_valid(const struct wb_pairs *pairs)
{
  if (pairs->count > WB_PAIR_LIMIT)
    return false;
  for (size_t i = 0; i < pairs->count; i++) {
    const struct wb_pair *pair = &pairs->rows[i];
    const struct wb_wide *value = &pair->value;
    const bool has_base = value->base_low != WB_NO_REGISTER;
    if (pair->low == pair->high || (!has_base && value->base_high != WB_NO_REGISTER) ||
        (value->width == UINT64_MAX && (has_base || value->low != 0)) ||
        wb_pairs_find(pairs, pair->low, pair->high) != pair)
      return false;
  }
  return true;
}

/* ---- values under conditions ---- */

const struct wb_integer *wb_conditionals_find(const struct wb_conditionals *list, uint32_t number,
                                              size_t predicate, bool when)
{
  for (size_t i = 0; i < list->count; i++) {
    const struct wb_conditional_value *row = &list->rows[i];
    if (row->number == number && row->predicate == predicate && row->when == when)
      return &row->value;
  }
  return NULL;
}

static void remove_row(struct wb_conditionals *list, size_t row)
{
  list->count--;
  for (size_t i = row; i < list->count; i++)
    list->rows[i] = list->rows[i + 1];
}

void wb_conditionals_set(struct wb_conditionals *list, uint32_t number, size_t predicate, bool when,
                         const struct wb_integer *value)
{
  for (size_t i = list->count; i-- > 0;) {
    const struct wb_conditional_value *row = &list->rows[i];
    if (row->number == number && row->predicate == predicate && row->when == when)
      remove_row(list, i);
  }
  if (value->width == UINT32_MAX)
    return;
  if (list->count == WB_CONDITIONAL_LIMIT)
    remove_row(list, 0);
  list->rows[list->count++] = (struct wb_conditional_value){
      .number = (uint16_t)number, .predicate = (uint8_t)predicate, .when = when, .value = *value};
}

void wb_conditionals_forget(struct wb_conditionals *list, uint32_t number)
{
  const size_t predicate = wb_predicate_index(number);
  for (size_t i = list->count; i-- > 0;) {
    const struct wb_conditional_value *row = &list->rows[i];
    if (row->number == number || row->predicate == predicate)
      remove_row(list, i);
  }
}

/* ---- masked registers ---- */

const struct wb_masked *wb_masks_find(const struct wb_masks *list, uint32_t number, uint32_t bits)
{
  for (size_t i = 0; i < list->count; i++) {
    if (list->rows[i].number == number && list->rows[i].bits == bits)
      return &list->rows[i];
  }
  return NULL;
}

struct wb_integer wb_masked_value(const struct wb_integer_state *state, const struct wb_masked *row)
{
  const struct wb_integer *held =
      row->holder != WB_NO_REGISTER ? &state->registers[row->holder] : NULL;
  return held != NULL && held->width <= row->value.width ? *held : row->value;
}

static void remove_masked(struct wb_masks *list, size_t row)
{
  list->count--;
  for (size_t i = row; i < list->count; i++)
    list->rows[i] = list->rows[i + 1];
}

void wb_masks_set(struct wb_masks *list, const struct wb_masked *row)
{
  for (size_t i = list->count; i-- > 0;) {
    if (list->rows[i].number == row->number && list->rows[i].bits == row->bits)
      remove_masked(list, i);
  }
  if (list->count == WB_MASKED_LIMIT)
    remove_masked(list, 0);
  list->rows[list->count++] = *row;
}

void wb_masks_keep(const struct wb_integer_state *state, struct wb_masks *kept)
{
  kept->count = state->masks.count;
  for (size_t m = 0; m < kept->count; m++) {
    kept->rows[m] = state->masks.rows[m];
    kept->rows[m].value = wb_masked_value(state, &kept->rows[m]);
  }
}

void wb_masks_release(struct wb_integer_state *state, uint32_t number)
{
  for (size_t i = state->masks.count; i-- > 0;) {
    struct wb_masked *row = &state->masks.rows[i];
    if (row->number == number) {
      remove_masked(&state->masks, i);
    } else if (row->holder == number) {
      row->value = wb_masked_value(state, row);
      row->holder = WB_NO_REGISTER;
    }
  }
}

/* ---- differences of registers ---- */

static bool is_of(const struct wb_difference *row, uint32_t a, uint32_t b)
{
  return (row->from == a && row->less == b) || (row->from == b && row->less == a);
}

static const struct wb_difference *find_difference(const struct wb_differences *list, uint32_t a,
                                                   uint32_t b)
{
  for (size_t i = 0; i < list->count; i++) {
    if (is_of(&list->rows[i], a, b))
      return &list->rows[i];
  }
  return NULL;
}

static void remove_difference(struct wb_differences *list, size_t row)
{
  list->count--;
  for (size_t i = row; i < list->count; i++)
    list->rows[i] = list->rows[i + 1];
}

struct wb_integer wb_difference_value(const struct wb_integer_state *state,
                                      const struct wb_difference *row)
{
  struct wb_integer value = row->value;
  if (row->holder != WB_NO_REGISTER)
    wb_integer_narrow(&value, &state->registers[row->holder]);
  wb_rests_narrow(state, row->from, row->less, &value);
  return value;
}

bool wb_difference_find(const struct wb_integer_state *state, uint16_t from, uint16_t less,
                        struct wb_integer *value)
{
  const struct wb_integer zero = wb_integer_exactly(0);
  const struct wb_difference *row = find_difference(&state->differences, from, less);
  if (row == NULL)
    return false;
  *value = wb_difference_value(state, row);
  if (row->from != from)
    *value = wb_integer_subtract(&zero, value);
  return true;
}

/* A known number, of which there are many: a register and its copies or sums with a number. */
static bool is_known(const struct wb_difference *row)
{
  return row->holder == WB_NO_REGISTER && row->value.width == 0;
}

/* Makes place in a full list for the row: known numbers go first, and drive out no others. False
 * where there is none. */
static bool make_place(struct wb_differences *list, const struct wb_difference *row)
{
  size_t oldest = 0;
  while (oldest < list->count && !is_known(&list->rows[oldest]))
    oldest++;
  if (oldest == list->count && is_known(row))
    return false;
  remove_difference(list, oldest == list->count ? 0 : oldest);
  return true;
}

void wb_difference_set(struct wb_integer_state *state, const struct wb_difference *row)
{
  struct wb_differences *list = &state->differences;
  struct wb_difference added = *row;
  for (size_t i = list->count; i-- > 0;) {
    const struct wb_difference *old = &list->rows[i];
    if (!is_of(old, row->from, row->less))
      continue;
    if (added.holder == WB_NO_REGISTER && old->from == row->from)
      added.holder = old->holder;
    remove_difference(list, i);
  }
  if (added.holder == WB_NO_REGISTER && added.value.width == UINT32_MAX)
    return;
  if (list->count == WB_DIFFERENCE_LIMIT && !make_place(list, &added))
    return;
  list->rows[list->count++] = added;
}

void wb_differences_keep(const struct wb_integer_state *state, struct wb_differences *kept)
{
  kept->count = state->differences.count;
  for (size_t d = 0; d < kept->count; d++) {
    kept->rows[d] = state->differences.rows[d];
    kept->rows[d].value = wb_difference_value(state, &kept->rows[d]);
  }
}

void wb_differences_release(struct wb_integer_state *state, uint32_t number)
{
  struct wb_differences *list = &state->differences;
  for (size_t i = list->count; i-- > 0;) {
    struct wb_difference *row = &list->rows[i];
    if (row->holder == number) {
      row->value = wb_difference_value(state, row);
      row->holder = WB_NO_REGISTER;
    }
    if (row->from == number || row->less == number ||
        (row->holder == WB_NO_REGISTER && row->value.width == UINT32_MAX))
      remove_difference(list, i);
  }
}

/* The registers are those before they are joined. */
static void join_differences(struct wb_integer_state *state, const struct wb_integer_state *other)
{
  struct wb_differences *list = &state->differences;
  for (size_t i = list->count; i-- > 0;) {
    struct wb_difference *row = &list->rows[i];
    const struct wb_difference *its = find_difference(&other->differences, row->from, row->less);
    struct wb_integer theirs = wb_integer_top();
    const bool same = its != NULL && its->from == row->from && its->holder == row->holder;
    if (its != NULL)
      wb_difference_find(other, row->from, row->less, &theirs);
    const struct wb_integer mine = wb_difference_value(state, row);
    row->value = wb_integer_join(&mine, &theirs);
    row->holder = same ? row->holder : WB_NO_REGISTER;
    if (row->holder == WB_NO_REGISTER && row->value.width == UINT32_MAX)
      remove_difference(list, i);
  }
}

/* The registers are those before they are joined. */
static void join_masks(struct wb_integer_state *state, const struct wb_integer_state *other)
{
  for (size_t i = state->masks.count; i-- > 0;) {
    struct wb_masked *row = &state->masks.rows[i];
    const struct wb_masked *its = wb_masks_find(&other->masks, row->number, row->bits);
    if (its == NULL) {
      remove_masked(&state->masks, i);
    } else {
      const bool same = row->holder == its->holder;
      const struct wb_integer mine = same ? row->value : wb_masked_value(state, row);
      const struct wb_integer theirs = same ? its->value : wb_masked_value(other, its);
      row->value = wb_integer_join(&mine, &theirs);
      row->holder = same ? row->holder : WB_NO_REGISTER;
    }
  }
}

/* What the register holds where the predicate is so. False where it is known to be the other way.
 */
static bool find_under(const struct wb_integer_state *state, uint32_t number, size_t predicate,
                       bool when, struct wb_integer *value)
{
  const struct wb_integer *row =
      wb_conditionals_find(&state->conditionals, number, predicate, when);
  *value = row != NULL ? *row : state->registers[number];
  return state->predicates[predicate].truth != (when ? WB_TRUTH_FALSE : WB_TRUTH_TRUE);
}

/* Adds what the register holds under an outcome after either state, where that says more than the
 * register alone: a thread that came with the other outcome is none of those. */
static void join_condition(const struct wb_integer_state *state,
                           const struct wb_integer_state *other, uint32_t number, size_t predicate,
                           bool when, struct wb_conditionals *list)
{
  struct wb_integer mine;
  struct wb_integer its;
  const bool here = find_under(state, number, predicate, when, &mine);
  const bool there = find_under(other, number, predicate, when, &its);
  const struct wb_integer all =
      wb_integer_join(&state->registers[number], &other->registers[number]);
  const struct wb_integer both = wb_integer_join(&mine, &its);
  const struct wb_integer *value = here && there ? &both : here ? &mine : &its;
  if ((here || there) && value->width < all.width)
    wb_conditionals_set(list, number, predicate, when, value);
}

/* The registers and predicates are those before they are joined. */
static void join_conditionals(struct wb_integer_state *state, const struct wb_integer_state *other)
{
  const struct wb_conditionals *lists[2] = {&state->conditionals, &other->conditionals};
  struct wb_conditionals joined = {0};
  for (size_t list = 0; list < 2; list++) {
    for (size_t i = 0; i < lists[list]->count; i++) {
      const struct wb_conditional_value *row = &lists[list]->rows[i];
      join_condition(state, other, row->number, row->predicate, row->when, &joined);
    }
  }
  /* A predicate that is true on one way and false on the other tells which one a thread came. */
  for (size_t p = 0; p < WB_TRUTH_COUNT; p++) {
    const uint8_t truths[2] = {state->predicates[p].truth, other->predicates[p].truth};
    if (truths[0] == truths[1] || truths[0] == WB_TRUTH_UNKNOWN || truths[1] == WB_TRUTH_UNKNOWN)
      continue;
    for (uint32_t r = 0; r < WB_VALUE_COUNT; r++) {
      if (wb_integer_equal(&state->registers[r], &other->registers[r]))
        continue;
      join_condition(state, other, r, p, false, &joined);
      join_condition(state, other, r, p, true, &joined);
    }
  }
  state->conditionals = joined;
}

/* A sum that both know is in the union of their sets. */
static void join_sums(struct wb_integer_state *state, const struct wb_integer_state *other)
{
  for (size_t r = 0; r < WB_NAMED_REGISTERS; r++)
    state->sums[r] = state->sums[r] == other->sums[r] ? state->sums[r] : 0;
  size_t kept = 0;
  for (size_t i = 0; i < state->facts.count; i++) {
    struct wb_sum_fact fact = state->facts.rows[i];
    for (size_t o = 0; o < other->facts.count; o++) {
      if (other->facts.rows[o].sum != fact.sum)
        continue;
      fact.value = wb_integer_join(&fact.value, &other->facts.rows[o].value);
      if (fact.value.width != UINT32_MAX)
        state->facts.rows[kept++] = fact;
      break;
    }
  }
  state->facts.count = kept;
}

void wb_integer_state_join(struct wb_integer_state *state, const struct wb_integer_state *other)
{
  wb_integer_state_forget_carries(state);
  join_sums(state, other);
  join_masks(state, other);
  join_differences(state, other);
  wb_rests_join(&state->rests, &other->rests);
  wb_orders_join(state, other);
  wb_flags_join(&state->flags, &other->flags);
  join_conditionals(state, other);
  wb_wide_differences_join(state, other);
  wb_pairs_join(&state->pairs, state->registers, &other->pairs, other->registers);
  for (size_t r = 0; r < WB_VALUE_COUNT; r++)
    state->registers[r] = wb_integer_join(&state->registers[r], &other->registers[r]);
  for (size_t p = 0; p < WB_TRUTH_COUNT; p++) {
    struct wb_implications *mine = &state->predicates[p];
    const struct wb_implications *its = &other->predicates[p];
    if (mine->when_true != its->when_true)
      mine->when_true = 0;
    if (mine->when_false != its->when_false)
      mine->when_false = 0;
    if (mine->truth != its->truth)
      mine->truth = WB_TRUTH_UNKNOWN;
  }
}

/* ---- the invariant ---- */

static bool base_exists(const struct wb_integer *value)
{
  return value->base == WB_NO_REGISTER || value->base < WB_VALUE_COUNT;
}

bool wb_integer_state_is_valid(const struct wb_integer_state *state,
                               const struct wb_comparisons *comparisons)
{
  const size_t rows = comparisons->count > 0 ? comparisons->count : 1;
  for (size_t r = 0; r < WB_VALUE_COUNT; r++) {
    if (!wb_integer_is_valid(&state->registers[r]) || !base_exists(&state->registers[r]))
      return false;
  }
  for (size_t p = 0; p < WB_TRUTH_COUNT; p++) {
    const struct wb_implications *predicate = &state->predicates[p];
    if (predicate->when_true >= rows || predicate->when_false >= rows ||
        predicate->truth > WB_TRUTH_TRUE)
      return false;
  }
  const struct wb_conditionals *list = &state->conditionals;
  for (size_t i = 0; i < list->count && list->count <= WB_CONDITIONAL_LIMIT; i++) {
    const struct wb_conditional_value *row = &list->rows[i];
    if (row->number >= WB_VALUE_COUNT || row->predicate >= WB_TRUTH_COUNT ||
        !base_exists(&row->value) || !wb_integer_is_valid(&row->value) ||
        row->value.width == UINT32_MAX ||
        wb_conditionals_find(list, row->number, row->predicate, row->when) != &row->value)
      return false;
  }
  const struct wb_masks *masks = &state->masks;
  for (size_t i = 0; i < masks->count && masks->count <= WB_MASKED_LIMIT; i++) {
    const struct wb_masked *row = &masks->rows[i];
    if (row->number >= WB_VALUE_COUNT || row->number == row->holder ||
        (row->holder != WB_NO_REGISTER && row->holder >= WB_VALUE_COUNT) ||
        !base_exists(&row->value) || !wb_integer_is_valid(&row->value) ||
        wb_masks_find(masks, row->number, row->bits) != row)
      return false;
  }
  const struct wb_differences *differences = &state->differences;
  for (size_t i = 0; i < differences->count && differences->count <= WB_DIFFERENCE_LIMIT; i++) {
    const struct wb_difference *row = &differences->rows[i];
    if (row->from >= WB_VALUE_COUNT || row->less >= WB_VALUE_COUNT || row->from == row->less ||
        row->holder == row->from || row->holder == row->less ||
        (row->holder != WB_NO_REGISTER && row->holder >= WB_VALUE_COUNT) ||
        row->value.base != WB_NO_REGISTER || !wb_integer_is_valid(&row->value) ||
        find_difference(differences, row->from, row->less) != row)
      return false;
  }
  return list->count <= WB_CONDITIONAL_LIMIT && masks->count <= WB_MASKED_LIMIT &&
         differences->count <= WB_DIFFERENCE_LIMIT && wb_pairs_are_valid(&state->pairs) &&
         wb_rests_are_valid(&state->rests) && wb_orders_are_valid(&state->orders) &&
         wb_flags_are_valid(&state->flags, rows) &&
         wb_wide_differences_are_valid(&state->wide_differences);
}

#include "flow/loop_bounds/loop_summary.h"

#include "base/memory.h"

#include <stdlib.h>

/* Repeated shifts of a register reach a fixpoint within so many steps. */
#define MOST_SHIFTS 40

bool wb_loop_summary_reset(struct wb_loop_summary *summary)
{
  if (summary->next == NULL)
    summary->next = wb_allocate(WB_VALUE_COUNT, sizeof *summary->next);
  if (summary->constant == NULL)
    summary->constant = wb_allocate(WB_VALUE_COUNT, sizeof *summary->constant);
  summary->known = false;
  summary->never = false;
  summary->pairs.count = 0;
  summary->predicates = 0;
  summary->test_count = 0;
  summary->leave_count = 0;
  summary->way_count = 0;
  return summary->next != NULL && summary->constant != NULL;
}

void wb_loop_summary_no_back_edge(struct wb_loop_summary *summary)
{
  summary->known = summary->never = true;
  summary->test_count = 0;
  summary->leave_count = 0;
  summary->way_count = 0;
  for (size_t r = 0; r < WB_VALUE_COUNT; r++)
    summary->next[r] = wb_integer_of_register((uint16_t)r);
}

void wb_loop_summary_header_state(const struct wb_loop_summary *summary,
                                  struct wb_integer_state *state)
{
  wb_integer_state_identity(state);
  for (size_t r = 0; r < WB_VALUE_COUNT && summary->entered; r++)
    state->registers[r] = summary->constant[r];
}

void wb_loop_summary_set_constants(struct wb_loop_summary *summary,
                                   const struct wb_integer_state *entry)
{
  for (size_t r = 0; r < WB_VALUE_COUNT; r++) {
    const struct wb_integer *value = &entry->registers[r];
    const bool kept = wb_integer_is_register(&summary->next[r], (uint16_t)r) ||
                      wb_integer_equal(&summary->next[r], value);
    summary->constant[r] =
        kept && wb_integer_is_exact(value) ? *value : wb_integer_of_register((uint16_t)r);
  }
  summary->entered = true;
}

/* ---- counting ---- */

/* One side as a counter, the other as a limit that the loop does not change. */
static bool make_counter(const struct wb_loop_summary *summary,
                         const struct wb_integer_state *entry, const struct wb_integer *tested,
                         const struct wb_integer *limit, struct wb_counter *counter)
{
  if (tested->base == WB_NO_REGISTER || summary->next[tested->base].base != tested->base ||
      wb_integer_is_register(&summary->next[tested->base], tested->base))
    return false;
  *counter = (struct wb_counter){.start = entry->registers[tested->base],
                                 .next = summary->next[tested->base],
                                 .tested = *tested,
                                 .limit = *limit,
                                 .limit_fixed = limit->width == 0};
  if (limit->base == WB_NO_REGISTER)
    return true;
  counter->limit = wb_integer_substitute(limit, &entry->registers[limit->base]);
  return wb_integer_is_register(&summary->next[limit->base], limit->base);
}

/* The base of a 64-bit form at the entry: two registers, or one with an upper word of 0. */
static struct wb_wide base_on_entry(const struct wb_integer_state *entry,
                                    const struct wb_wide *form)
{
  const struct wb_integer zero = wb_integer_exactly(0);
  return form->base_high == WB_NO_REGISTER
             ? wb_wide_of_words(&entry->registers[form->base_low], &zero)
             : wb_pairs_value(&entry->pairs, entry->registers, form->base_low, form->base_high);
}

static bool is_kept(const struct wb_loop_summary *summary, uint16_t number)
{
  return number == WB_NO_REGISTER || wb_integer_is_register(&summary->next[number], number);
}

/* The same for two sides of 64 bits. */
static bool make_wide_counter(const struct wb_loop_summary *summary,
                              const struct wb_integer_state *entry, const struct wb_wide *tested,
                              const struct wb_wide *limit, struct wb_wide_counter *counter)
{
  if (!wb_wide_has_base(tested) || tested->base_high == WB_NO_REGISTER)
    return false;
  *counter = (struct wb_wide_counter){
      .start = base_on_entry(entry, tested),
      .next = wb_pairs_value(&summary->pairs, summary->next, tested->base_low, tested->base_high),
      .tested = *tested,
      .limit = *limit,
      .limit_fixed = limit->width == 0};
  if (!wb_wide_same_base(&counter->next, tested) ||
      wb_wide_is_pair(&counter->next, tested->base_low, tested->base_high))
    return false;
  if (!wb_wide_has_base(limit))
    return true;
  const struct wb_wide base = base_on_entry(entry, limit);
  counter->limit = wb_wide_substitute(limit, &base);
  return is_kept(summary, limit->base_low) && is_kept(summary, limit->base_high);
}

/* The counter of a comparison of 64-bit numbers: its left side or, mirrored, its right one. */
static bool wide_of_comparison(const struct wb_loop_summary *summary,
                               const struct wb_integer_state *entry,
                               const struct wb_comparison *comparison, bool mirrored,
                               struct wb_wide_counter *counter)
{
  const struct wb_wide *tested = mirrored ? &comparison->wide_right : &comparison->wide_left;
  const struct wb_wide *limit = mirrored ? &comparison->wide_left : &comparison->wide_right;
  const enum wb_relation relation = (enum wb_relation)comparison->relation;
  if (!make_wide_counter(summary, entry, tested, limit, counter))
    return false;
  counter->relation = mirrored ? wb_relation_mirrored(relation) : relation;
  counter->as_signed = comparison->as_signed;
  return true;
}

/* The same of 32-bit numbers. */
static bool word_of_comparison(const struct wb_loop_summary *summary,
                               const struct wb_integer_state *entry,
                               const struct wb_comparison *comparison, bool mirrored,
                               struct wb_counter *counter)
{
  const struct wb_integer *tested = mirrored ? &comparison->right : &comparison->left;
  const struct wb_integer *limit = mirrored ? &comparison->left : &comparison->right;
  const enum wb_relation relation = (enum wb_relation)comparison->relation;
  if (!make_counter(summary, entry, tested, limit, counter))
    return false;
  counter->relation = mirrored ? wb_relation_mirrored(relation) : relation;
  counter->as_signed = comparison->as_signed;
  return true;
}

bool wb_iterations_better(const struct wb_iterations *left, const struct wb_iterations *right)
{
  return left->by_width != right->by_width ? right->by_width : left->most < right->most;
}

bool wb_loop_summary_count(const struct wb_loop_summary *summary,
                           const struct wb_integer_state *entry, struct wb_loop_count *count)
{
  *count = (struct wb_loop_count){.bound = {UINT64_MAX, true}};
  for (size_t t = 0; t < 2 * summary->test_count; t++) {
    struct wb_loop_count one = {.test = &summary->tests[t / 2], .mirrored = t % 2 != 0};
    const struct wb_comparison *comparison = &one.test->comparison;
    const struct wb_wide *wide = one.mirrored ? &comparison->wide_right : &comparison->wide_left;
    const struct wb_integer *word = one.mirrored ? &comparison->right : &comparison->left;
    one.base = comparison->wide ? wide->base_low : word->base;
    if ((comparison->wide
             ? wide_of_comparison(summary, entry, comparison, one.mirrored, &one.wide) &&
                   wb_wide_counter_iterations(&one.wide, &one.bound)
             : word_of_comparison(summary, entry, comparison, one.mirrored, &one.counter) &&
                   wb_counter_iterations(&one.counter, &one.bound)) &&
        wb_iterations_better(&one.bound, &count->bound))
      *count = one;
  }
  return count->test != NULL;
}

/* Iterations of an entry, from the first on, in which the comparison does not hold. */
static uint64_t iterations_without(const struct wb_loop_summary *summary,
                                   const struct wb_integer_state *entry,
                                   const struct wb_comparison *comparison)
{
  uint64_t least = 0;
  for (int mirrored = 0; mirrored < 2; mirrored++) {
    struct wb_counter word;
    struct wb_wide_counter wide;
    uint64_t count = 0;
    if (comparison->wide && wide_of_comparison(summary, entry, comparison, mirrored != 0, &wide))
      count = wb_wide_counter_before(&wide);
    else if (!comparison->wide &&
             word_of_comparison(summary, entry, comparison, mirrored != 0, &word))
      count = wb_counter_before(&word);
    least = count > least ? count : least;
  }
  return least;
}

uint64_t wb_loop_summary_least(const struct wb_loop_summary *summary,
                               const struct wb_integer_state *entry)
{
  uint64_t least = summary->way_count > 0 ? WB_COUNTER_MOST : 0;
  size_t at = 0;
  for (uint32_t way = 0; way < summary->way_count; way++) {
    uint64_t before = 0; /* iterations in which a thread does not leave by this way */
    for (; at < summary->leave_count && summary->leaves[at].way == way; at++) {
      const uint64_t count = iterations_without(summary, entry, &summary->leaves[at].comparison);
      before = count > before ? count : before;
    }
    least = before < least ? before : least;
  }
  return least;
}

/* Whether an unknown value comes from the launch. */
static bool is_of_launch(uint32_t origin)
{
  const uint32_t kind = origin >> 24;
  return kind == WB_ORIGIN_CONSTANT || kind == WB_ORIGIN_BLOCK || kind == WB_ORIGIN_GRID;
}

static bool is_unknown_word(const struct wb_loop_summary *summary,
                            const struct wb_integer_state *entry, const struct wb_integer *side)
{
  if (side->base == WB_NO_REGISTER)
    return side->width == UINT32_MAX && is_of_launch(side->origin);
  return is_kept(summary, side->base) && entry->registers[side->base].width == UINT32_MAX;
}

static bool is_unknown_wide(const struct wb_loop_summary *summary,
                            const struct wb_integer_state *entry, const struct wb_wide *side)
{
  if (!wb_wide_has_base(side))
    return wb_wide_is_top(side) && is_of_launch(side->origin);
  const struct wb_wide start = base_on_entry(entry, side);
  return is_kept(summary, side->base_low) && is_kept(summary, side->base_high) &&
         wb_wide_is_top(&start);
}

bool wb_loop_summary_has_unknown_limits(const struct wb_loop_summary *summary,
                                        const struct wb_integer_state *entry)
{
  bool unknown = summary->test_count > 0;
  for (size_t t = 0; t < summary->test_count && unknown; t++) {
    const struct wb_comparison *test = &summary->tests[t].comparison;
    unknown = test->wide ? is_unknown_wide(summary, entry, &test->wide_left) ||
                               is_unknown_wide(summary, entry, &test->wide_right)
                         : is_unknown_word(summary, entry, &test->left) ||
                               is_unknown_word(summary, entry, &test->right);
  }
  return unknown;
}

/* ---- acceleration ---- */

/* The interval of the sums of up to `bound` steps, each within least..most. */
static bool sum_of_steps(struct wb_integer_end least, struct wb_integer_end most,
                         const struct wb_iterations *bound, struct wb_integer_end sum[2])
{
  if (bound->most > WB_COUNTER_MOST || least.number < INT32_MIN || most.number > INT32_MAX)
    return false;
  const int64_t times = (int64_t)bound->most;
  sum[0] = (struct wb_integer_end){least.number < 0 ? least.number * times : 0,
                                   least.number < 0 && (bound->by_width || least.by_width)};
  sum[1] = (struct wb_integer_end){most.number > 0 ? most.number * times : 0,
                                   most.number > 0 && (bound->by_width || most.by_width)};
  return true;
}

/* The values of `start` after up to `bound` additions of the step. */
static struct wb_integer accelerate_sum(const struct wb_integer *start,
                                        const struct wb_integer *next,
                                        const struct wb_iterations *bound)
{
  struct wb_integer by = *next;
  struct wb_integer_end ends[2];
  by.base = WB_NO_REGISTER;
  /* The power of two that all steps are multiples of. */
  unsigned align = 0;
  while (align < wb_integer_alignment(&by) && align < 31 && (by.low >> align & 1U) == 0)
    align++;

  if (bound == NULL || !wb_integer_ends(&by, true, &ends[0], &ends[1]) ||
      !sum_of_steps(ends[0], ends[1], bound, ends))
    return wb_integer_unknown(start->origin);
  const struct wb_integer all =
      wb_integer_aligned(wb_integer_between(ends[0], ends[1], start->origin), align);
  return wb_integer_add(start, &all);
}

/* The same with 64 bits; `start` itself where the step is 0. */
static struct wb_wide accelerate_wide(const struct wb_wide *start, const struct wb_wide *next,
                                      const struct wb_iterations *bound)
{
  struct wb_wide by = *next;
  struct wb_integer_end ends[2];
  by.base_low = by.base_high = WB_NO_REGISTER;
  if (by.low == 0 && by.width == 0)
    return *start;
  if (bound == NULL || !wb_wide_ends(&by, true, &ends[0], &ends[1]) ||
      !sum_of_steps(ends[0], ends[1], bound, ends))
    return wb_wide_top();
  const struct wb_wide all = {.low = (uint64_t)ends[0].number,
                              .width = (uint64_t)(ends[1].number - ends[0].number),
                              .base_low = WB_NO_REGISTER,
                              .base_high = WB_NO_REGISTER,
                              .low_by_width = ends[0].by_width,
                              .high_by_width = ends[1].by_width};
  return wb_wide_add(start, &all);
}

/* The values of `start` after up to `bound` shifts. */
static struct wb_integer accelerate_shift(const struct wb_integer *start,
                                          const struct wb_integer *next,
                                          const struct wb_iterations *bound)
{
  struct wb_integer all = *start;
  struct wb_integer now = *start;
  for (uint64_t i = 0; bound == NULL || i < bound->most; i++) {
    const struct wb_integer then = wb_integer_substitute(next, &now);
    if (wb_integer_equal(&then, &now))
      return all;
    if (i == MOST_SHIFTS)
      return wb_integer_top();
    all = wb_integer_join(&all, &then);
    now = then;
  }
  return all;
}

/* The pair at all visits of the header; *state is that of the entries. */
static struct wb_wide accelerate_pair(const struct wb_loop_summary *summary,
                                      const struct wb_iterations *bound,
                                      const struct wb_integer_state *state,
                                      const struct wb_pair *pair)
{
  const struct wb_wide start =
      wb_pairs_value(&state->pairs, state->registers, pair->low, pair->high);
  const struct wb_wide next = wb_pairs_value(&summary->pairs, summary->next, pair->low, pair->high);
  if (next.base_low == pair->low && next.base_high == pair->high)
    return accelerate_wide(&start, &next, bound);
  /* Any other base refers to this loop's header and has no meaning outside. */
  return wb_wide_has_base(&next) ? wb_wide_top() : wb_wide_join(&start, &next);
}

void wb_loop_summary_accelerate(const struct wb_loop_summary *summary,
                                const struct wb_iterations *bound, struct wb_integer_state *state)
{
  struct wb_pairs wide;
  const struct wb_pairs *both[2] = {&state->pairs, &summary->pairs};
  wide = (struct wb_pairs){0};
  for (size_t list = 0; list < 2; list++) {
    for (size_t i = 0; i < both[list]->count; i++) {
      const struct wb_pair *pair = &both[list]->rows[i];
      const struct wb_wide value = accelerate_pair(summary, bound, state, pair);
      wb_pairs_set(&wide, pair->low, pair->high, &value);
    }
  }
  /* First the registers that depend on themselves alone, or on none. */
  for (size_t r = 0; r < WB_VALUE_COUNT; r++) {
    const struct wb_integer *next = &summary->next[r];
    struct wb_integer *value = &state->registers[r];
    if (next->base == WB_NO_REGISTER)
      *value = wb_integer_join(value, next);
    else if (next->base == r && !wb_integer_is_register(next, next->base))
      *value = (next->shape == WB_SHIFTED_LEFT && next->shift == 0)
                   ? accelerate_sum(value, next, bound)
                   : accelerate_shift(value, next, bound);
  }
  for (size_t r = 0; r < WB_VALUE_COUNT; r++) {
    const struct wb_integer *next = &summary->next[r];
    if (next->base == WB_NO_REGISTER || next->base == r)
      continue;
    const uint16_t other = summary->next[next->base].base;
    const struct wb_integer then = other == next->base || other == WB_NO_REGISTER
                                       ? wb_integer_substitute(next, &state->registers[next->base])
                                       : wb_integer_top();
    state->registers[r] = wb_integer_join(&state->registers[r], &then);
  }
  state->pairs = wide;
  state->conditionals.count = 0;
  /* Refines the words of each pair by its value. */
  struct wb_integer words[2];
  for (size_t i = 0; i < state->pairs.count; i++) {
    const struct wb_pair *pair = &state->pairs.rows[i];
    if (!wb_wide_to_words(&pair->value, &words[0], &words[1]))
      continue;
    wb_integer_meet(&state->registers[pair->low], &words[0]);
    wb_integer_meet(&state->registers[pair->high], &words[1]);
  }
  for (size_t p = 0; p < WB_TRUTH_COUNT; p++) {
    if ((summary->predicates >> p & 1U) != 0)
      state->predicates[p] = (struct wb_implications){0};
  }
}

void wb_loop_summary_free(struct wb_loop_summary *summary)
{
  free(summary->next);
  free(summary->constant);
  free(summary->tests);
  free(summary->leaves);
  *summary = (struct wb_loop_summary){0};
}

#include "flow/loop_bounds/loop_summary.h"

#include "base/memory.h"
#include "values/interval/interval_domain.h"

#include <stdlib.h>

/* Repeated shifts of a register reach a fixpoint within so many steps. */
#define MOST_SHIFTS 40

bool wb_loop_summary_reset(struct wb_loop_summary *summary)
{
  if (summary->next == NULL)
    summary->next = wb_allocate(WB_VALUE_COUNT, sizeof *summary->next);
  if (summary->constant == NULL)
    summary->constant = wb_allocate(WB_VALUE_COUNT, sizeof *summary->constant);
  if (summary->supposed == NULL)
    summary->supposed = wb_allocate(WB_VALUE_COUNT, sizeof *summary->supposed);
  if (summary->fixed == NULL)
    summary->fixed = wb_allocate(1, sizeof *summary->fixed);
  summary->known = false;
  summary->never = false;
  summary->pairs.count = 0;
  summary->predicates = 0;
  summary->test_count = 0;
  summary->leave_count = 0;
  summary->way_count = 0;
  return summary->next != NULL && summary->constant != NULL && summary->supposed != NULL &&
         summary->fixed != NULL;
}

/* Whether the sum is of numbers that never change alone, and not known. */
static bool never_changes(const struct wb_terms *terms, uint32_t number)
{
  const struct wb_sum *sum =
      number == WB_SUM_OF_START || number == 0 ? NULL : wb_terms_sum(terms, number);
  bool never = sum != NULL && sum->count > 0;
  for (size_t t = 0; never && t < sum->count; t++) {
    const uint8_t kind = terms->terms[sum->terms[t].term].kind;
    never = kind == WB_TERM_SPECIAL || kind == WB_TERM_CONSTANT;
  }
  return never;
}

/* Whether a word is in a range of which no end rests on a width, and no one number, as most words
 * are that an iteration adds up from 0. */
static bool is_given_range(const struct wb_integer *value)
{
  return value->width > 0 && !value->low_by_width && !value->high_by_width;
}

/* Takes what the loop does not change from the state at all entries. */
static void set_fixed(struct wb_loop_summary *summary, const struct wb_integer_state *entry)
{
  wb_integer_state_top(summary->fixed);
  for (uint32_t r = 0; r < WB_VALUE_COUNT; r++) {
    if (wb_integer_is_register(&summary->next[r], (uint16_t)r) &&
        entry->registers[r].base == WB_NO_REGISTER)
      summary->fixed->registers[r] = entry->registers[r];
  }
  for (size_t p = 0; p < entry->pairs.count; p++) {
    const struct wb_pair *pair = &entry->pairs.rows[p];
    if (wb_integer_is_register(&summary->next[pair->low], pair->low) &&
        wb_integer_is_register(&summary->next[pair->high], pair->high) &&
        !wb_wide_has_base(&pair->value))
      wb_pairs_set(&summary->fixed->pairs, pair->low, pair->high, &pair->value);
  }
}

void wb_loop_summary_set_constants(struct wb_loop_summary *summary, const struct wb_terms *terms,
                                   const struct wb_integer_state *entry)
{
  for (size_t r = 0; r < WB_VALUE_COUNT; r++) {
    const struct wb_integer *value = &entry->registers[r];
    const bool kept = wb_integer_is_register(&summary->next[r], (uint16_t)r) ||
                      wb_integer_equal(&summary->next[r], value);
    /* Where the stack begins is the same everywhere. */
    const bool one = wb_integer_is_exact(value) ||
                     (value->base == WB_VALUE_STACK && value->width == 0 && value->shift == 0);
    const struct wb_integer *next = &summary->next[r];
    const bool lost = next->base == WB_NO_REGISTER && (next->low_by_width || next->high_by_width);
    uint8_t *supposed = &summary->supposed[r];
    /* What was confirmed is supposed of what the entries have now. */
    if (*supposed == WB_SUPPOSED_NOT && lost && value->base == WB_NO_REGISTER &&
        value->width < UINT32_MAX && r < WB_NAMED_REGISTERS &&
        (never_changes(terms, entry->sums[r]) || is_given_range(value)))
      *supposed = WB_SUPPOSED;
    const bool stays =
        *supposed == WB_SUPPOSED && value->base == WB_NO_REGISTER && value->width < UINT32_MAX;
    summary->constant[r] = (kept && one) || stays ? *value : wb_integer_of_register((uint16_t)r);
  }
  set_fixed(summary, entry);
  summary->entered = true;
}

bool wb_loop_summary_supposes(const struct wb_loop_summary *summary)
{
  bool some = false;
  for (size_t r = 0; r < WB_VALUE_COUNT && summary->entered; r++)
    some = some || summary->supposed[r] == WB_SUPPOSED;
  return some;
}

bool wb_loop_summary_confirm(struct wb_loop_summary *summary, bool last)
{
  bool all = true;
  for (uint32_t r = 0; r < WB_VALUE_COUNT; r++) {
    const struct wb_integer *next = &summary->next[r];
    const struct wb_integer *set = &summary->constant[r];
    if (summary->supposed[r] != WB_SUPPOSED)
      continue;
    const struct wb_integer both = wb_integer_join(set, next);
    if (set->base == WB_NO_REGISTER &&
        (!summary->known || (next->base == WB_NO_REGISTER && wb_integer_equal(&both, set))))
      continue;
    all = false;
    summary->supposed[r] = WB_SUPPOSED_FALSE;
    summary->constant[r] = wb_integer_of_register((uint16_t)r);
  }
  for (uint16_t r = 0; r < WB_VALUE_COUNT && !all && last; r++) {
    if (summary->supposed[r] == WB_SUPPOSED)
      summary->constant[r] = wb_integer_of_register(r);
    if (summary->supposed[r] == WB_SUPPOSED)
      summary->supposed[r] = WB_SUPPOSED_FALSE;
  }
  return all;
}

/* ---- counting ---- */

/* The limit less the tested number at the entry, by what is known of the difference of their
 * bases. */
static struct wb_integer way_of_bases(const struct wb_integer *bases,
                                      const struct wb_integer *tested,
                                      const struct wb_integer *limit)
{
  struct wb_integer more = *limit;
  struct wb_integer less = *tested;
  more.base = less.base = WB_NO_REGISTER;
  const struct wb_integer way = wb_integer_add(bases, &more);
  return wb_integer_subtract(&way, &less);
}

static struct wb_integer way_on_entry(const struct wb_integer_state *entry,
                                      const struct wb_integer *tested,
                                      const struct wb_integer *limit)
{
  struct wb_integer bases;
  if (!wb_form_is_sum(tested) || !wb_form_is_sum(limit) ||
      !wb_difference_find(entry, limit->base, tested->base, &bases))
    return wb_integer_top();
  return way_of_bases(&bases, tested, limit);
}

/* The same by the sums of terms that the bases are. */
static struct wb_integer way_by_sums(struct wb_terms *terms, struct wb_integer_state *entry,
                                     const struct wb_integer *tested,
                                     const struct wb_integer *limit)
{
  if (!wb_form_is_sum(tested) || !wb_form_is_sum(limit) || tested->base == WB_NO_REGISTER ||
      limit->base == WB_NO_REGISTER)
    return wb_integer_top();
  const uint32_t sum =
      wb_terms_add(terms, wb_interval_register_sum(terms, entry, limit->base),
                   wb_interval_register_sum(terms, entry, tested->base), UINT32_MAX, 0);
  const struct wb_integer bases = wb_terms_value(terms, &entry->facts, sum);
  return bases.width == UINT32_MAX ? bases : way_of_bases(&bases, tested, limit);
}

/* One side as a counter, the other as a limit that the loop does not change. */
static bool make_word_counter(const struct wb_loop_summary *summary,
                              const struct wb_integer_state *entry, const struct wb_integer *tested,
                              const struct wb_integer *limit, struct wb_counter *counter)
{
  if (tested->base == WB_NO_REGISTER || summary->next[tested->base].base != tested->base ||
      wb_integer_is_register(&summary->next[tested->base], tested->base))
    return false;
  counter->limit_fixed = limit->width == 0;
  counter->word = (struct wb_word_counter){.start = entry->registers[tested->base],
                                           .next = summary->next[tested->base],
                                           .tested = *tested,
                                           .limit = *limit,
                                           .way = wb_integer_top()};
  if (limit->base == WB_NO_REGISTER)
    return true;
  counter->word.way = way_on_entry(entry, tested, limit);
  counter->word.limit = wb_integer_substitute(limit, &entry->registers[limit->base]);
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
                              const struct wb_wide *limit, struct wb_counter *counter)
{
  if (!wb_wide_has_base(tested) || tested->base_high == WB_NO_REGISTER)
    return false;
  counter->limit_fixed = limit->width == 0;
  counter->pair = (struct wb_pair_counter){
      .start = base_on_entry(entry, tested),
      .next = wb_pairs_value(&summary->pairs, summary->next, tested->base_low, tested->base_high),
      .tested = *tested,
      .limit = *limit};
  if (!wb_wide_same_base(&counter->pair.next, tested) ||
      wb_wide_is_pair(&counter->pair.next, tested->base_low, tested->base_high))
    return false;
  if (!wb_wide_has_base(limit))
    return true;
  const struct wb_wide base = base_on_entry(entry, limit);
  counter->pair.limit = wb_wide_substitute(limit, &base);
  return is_kept(summary, limit->base_low) && is_kept(summary, limit->base_high);
}

/* The counter of a comparison: its left side or, mirrored, its right one. */
static bool counter_of(const struct wb_loop_summary *summary, const struct wb_integer_state *entry,
                       const struct wb_comparison *comparison, bool mirrored,
                       struct wb_counter *counter)
{
  const struct wb_integer *words[2] = {&comparison->left, &comparison->right};
  const struct wb_wide *pairs[2] = {&comparison->wide_left, &comparison->wide_right};
  const enum wb_relation relation = (enum wb_relation)comparison->relation;
  *counter = (struct wb_counter){.wide = comparison->wide,
                                 .relation = mirrored ? wb_relation_mirrored(relation) : relation,
                                 .as_signed = comparison->as_signed};
  return comparison->wide
             ? make_wide_counter(summary, entry, pairs[mirrored], pairs[!mirrored], counter)
             : make_word_counter(summary, entry, words[mirrored], words[!mirrored], counter);
}

bool wb_iterations_better(const struct wb_iterations *left, const struct wb_iterations *right)
{
  return left->by_width != right->by_width ? right->by_width : left->most < right->most;
}

/* A sum of registers as a counter: each iteration adds one number to it, the sum of what it adds to
 * the registers. *start, *next: the sum at the entries, and after an iteration, relative to what it
 * was before. */
static bool step_sum(const struct wb_loop_summary *summary, struct wb_terms *terms,
                     struct wb_integer_state *entry, const struct wb_loop_sum *sum,
                     struct wb_word_counter *word)
{
  const uint16_t base = 0; /* stands for the sum */
  uint32_t step = 0;
  if (!sum->known || sum->count == 0)
    return false;
  uint32_t start = wb_terms_name_number(terms, sum->number);
  for (size_t t = 0; t < sum->count; t++) {
    const uint16_t number = sum->registers[t];
    const struct wb_integer *next = &summary->next[number];
    if (next->base != number || !wb_form_is_sum(next) || next->width != 0)
      return false;
    step += sum->factors[t] * next->low;
    start = wb_terms_add(terms, start, wb_interval_register_sum(terms, entry, number),
                         sum->factors[t], 0);
  }
  *word = (struct wb_word_counter){.start = wb_terms_value(terms, &entry->facts, start),
                                   .next = wb_integer_of_register(base),
                                   .tested = wb_integer_of_register(base),
                                   .way = wb_integer_top()};
  word->next.low = step;
  return true;
}

/* The difference of a test's sides, which ends the loop at 0 (Lemma 17). */
static bool make_difference_counter(const struct wb_loop_summary *summary, struct wb_terms *terms,
                                    struct wb_integer_state *entry, struct wb_loop_count *count)
{
  struct wb_counter *counter = &count->counter;
  count->sum = &count->test->difference;
  *counter =
      (struct wb_counter){.relation = WB_RELATION_UNEQUAL, .as_signed = true, .limit_fixed = true};
  if (count->test->comparison.relation != WB_RELATION_UNEQUAL ||
      !step_sum(summary, terms, entry, count->sum, &counter->word))
    return false;
  counter->word.limit = wb_integer_exactly(0);
  return true;
}

/* One side of a test in order, a sum, and the other one as its limit (Lemma 19). */
static bool make_side_counter(const struct wb_loop_summary *summary, struct wb_terms *terms,
                              struct wb_integer_state *entry, struct wb_loop_count *count)
{
  const struct wb_comparison *comparison = &count->test->comparison;
  const struct wb_integer *limit = count->mirrored ? &comparison->left : &comparison->right;
  const enum wb_relation relation = (enum wb_relation)comparison->relation;
  struct wb_counter *counter = &count->counter;
  count->sum = &count->test->sides[count->mirrored];
  *counter =
      (struct wb_counter){.relation = count->mirrored ? wb_relation_mirrored(relation) : relation,
                          .as_signed = comparison->as_signed,
                          .limit_fixed = limit->width == 0};
  if (comparison->wide || relation == WB_RELATION_UNEQUAL || relation == WB_RELATION_EQUAL ||
      !is_kept(summary, limit->base) ||
      !step_sum(summary, terms, entry, count->sum, &counter->word))
    return false;
  counter->word.limit = limit->base == WB_NO_REGISTER
                            ? *limit
                            : wb_integer_substitute(limit, &entry->registers[limit->base]);
  return true;
}

/* What the counter of a test may be: one of its sides, or their difference. */
enum counter_kind { REGISTER, DIFFERENCE, SUM, COUNTER_KINDS };

static bool make_counter(const struct wb_loop_summary *summary, struct wb_terms *terms,
                         struct wb_integer_state *entry, enum counter_kind kind,
                         struct wb_loop_count *count)
{
  const struct wb_comparison *comparison = &count->test->comparison;
  const struct wb_wide *wide = count->mirrored ? &comparison->wide_right : &comparison->wide_left;
  const struct wb_integer *word = count->mirrored ? &comparison->right : &comparison->left;
  count->base = comparison->wide ? wide->base_low : word->base;
  if (kind == REGISTER) {
    if (!counter_of(summary, entry, comparison, count->mirrored, &count->counter))
      return false;
    if (!comparison->wide) {
      const struct wb_integer *limit = count->mirrored ? &comparison->left : &comparison->right;
      const struct wb_integer way = way_by_sums(terms, entry, word, limit);
      wb_integer_narrow(&count->counter.word.way, &way);
    }
    return true;
  }
  return kind == SUM ? make_side_counter(summary, terms, entry, count)
                     : !count->mirrored && make_difference_counter(summary, terms, entry, count);
}

bool wb_loop_summary_count(const struct wb_loop_summary *summary, struct wb_terms *terms,
                           struct wb_integer_state *entry, struct wb_loop_count *count)
{
  *count = (struct wb_loop_count){.bound = {UINT64_MAX, true}};
  for (enum counter_kind kind = REGISTER; kind < COUNTER_KINDS; kind++) {
    for (size_t t = 0; t < 2 * summary->test_count; t++) {
      struct wb_loop_count one = {.test = &summary->tests[t / 2], .mirrored = t % 2 != 0};
      if (make_counter(summary, terms, entry, kind, &one) &&
          wb_counter_iterations(&one.counter, &one.bound) &&
          wb_iterations_better(&one.bound, &count->bound))
        *count = one;
    }
  }
  return count->test != NULL;
}

/* Iterations of an entry, from the first on, in which the comparison does not hold. */
static uint64_t iterations_without(const struct wb_loop_summary *summary,
                                   const struct wb_integer_state *entry,
                                   const struct wb_comparison *comparison)
{
  uint64_t most = 0;
  for (int mirrored = 0; mirrored < 2; mirrored++) {
    struct wb_counter counter;
    if (!counter_of(summary, entry, comparison, mirrored != 0, &counter))
      continue;
    const uint64_t count = wb_counter_before(&counter);
    most = count > most ? count : most;
  }
  return most;
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

/* The interval of the sums of `first` up to `bound` steps, each within least..most. */
static bool sum_of_steps(struct wb_integer_end least, struct wb_integer_end most, uint64_t first,
                         const struct wb_iterations *bound, struct wb_integer_end sum[2])
{
  if (bound->most > WB_COUNTER_MOST || least.number < INT32_MIN || most.number > INT32_MAX)
    return false;
  const int64_t times = (int64_t)bound->most;
  const int64_t once = (int64_t)first;
  sum[0] = (struct wb_integer_end){least.number * (least.number < 0 ? times : once),
                                   least.number < 0 && (bound->by_width || least.by_width)};
  sum[1] = (struct wb_integer_end){most.number * (most.number > 0 ? times : once),
                                   most.number > 0 && (bound->by_width || most.by_width)};
  return true;
}

/* The values of `start` after `first` up to `bound` additions of the step. */
static struct wb_integer accelerate_sum(const struct wb_integer *start,
                                        const struct wb_integer *next, uint64_t first,
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
      !sum_of_steps(ends[0], ends[1], first, bound, ends))
    return wb_integer_unknown(start->origin);
  const struct wb_integer all =
      wb_integer_aligned(wb_integer_between(ends[0], ends[1], start->origin), align);
  return wb_integer_add(start, &all);
}

/* The same with 64 bits; `start` itself where the step is 0. */
static struct wb_wide accelerate_wide(const struct wb_wide *start, const struct wb_wide *next,
                                      uint64_t first, const struct wb_iterations *bound)
{
  struct wb_wide by = *next;
  struct wb_integer_end ends[2];
  by.base_low = by.base_high = WB_NO_REGISTER;
  if (by.low == 0 && by.width == 0)
    return *start;
  if (bound == NULL || !wb_wide_ends(&by, true, &ends[0], &ends[1]) ||
      !sum_of_steps(ends[0], ends[1], first, bound, ends))
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

/* Refines the words of each pair by its value. */
static void refine_words(struct wb_integer_state *state)
{
  struct wb_integer words[2];
  for (size_t i = 0; i < state->pairs.count; i++) {
    const struct wb_pair *pair = &state->pairs.rows[i];
    if (!wb_wide_to_words(&pair->value, &words[0], &words[1]))
      continue;
    wb_integer_meet(&state->registers[pair->low], &words[0]);
    wb_integer_meet(&state->registers[pair->high], &words[1]);
  }
}

/* Whether each iteration adds to the register. */
static bool is_summed(const struct wb_loop_summary *summary, size_t number)
{
  const struct wb_integer *next = &summary->next[number];
  return next->base == number && !wb_integer_is_register(next, next->base) && wb_form_is_sum(next);
}

/* Narrows what a register that each iteration adds a number to holds at all visits of the header:
 * where a thread came by a back edge, the tests held of the iteration before. start: its value at
 * the entries; state: of the limits, which the loop keeps. */
static void narrow_by_tests(const struct wb_loop_summary *summary,
                            const struct wb_integer_state *state, uint16_t number,
                            const struct wb_iterations *bound, const struct wb_integer *start,
                            struct wb_integer *value)
{
  const struct wb_integer *next = &summary->next[number];
  for (size_t t = 0; t < 2 * summary->test_count && next->width == 0; t++) {
    const struct wb_comparison *test = &summary->tests[t / 2].comparison;
    struct wb_counter counter;
    if (!counter_of(summary, state, test, t % 2 != 0, &counter) || counter.wide)
      continue;
    const struct wb_integer *tested = &counter.word.tested;
    if (tested->base != number || !wb_form_is_sum(tested) || tested->width != 0 ||
        counter.word.limit.base != WB_NO_REGISTER)
      continue;
    /* After a back edge the register is what was tested, and more. */
    const struct wb_integer more = wb_integer_exactly(next->low - tested->low);
    struct wb_integer after = accelerate_sum(start, next, 1, bound);
    after = wb_integer_subtract(&after, &more);
    if (after.base != WB_NO_REGISTER)
      continue;
    const bool any =
        wb_integer_assume(&after, counter.relation, &counter.word.limit, counter.as_signed);
    after = wb_integer_add(&after, &more);
    const struct wb_integer all = any ? wb_integer_join(start, &after) : *start;
    wb_integer_meet(value, &all);
  }
}

/* What is known of bits, differences and sums of registers that the loop changes is known no more.
 * What is known of sums of terms stays: no term changes that was met before. */
static void release_changed(const struct wb_loop_summary *summary, struct wb_integer_state *state)
{
  for (uint32_t r = 0; r < WB_NAMED_REGISTERS; r++) {
    if (!is_kept(summary, (uint16_t)r))
      state->sums[r] = 0;
  }
  for (uint16_t r = 0; state->masks.count > 0 && r < WB_VALUE_COUNT; r++) {
    if (!is_kept(summary, r))
      wb_masks_release(state, r);
  }
  for (uint16_t r = 0; state->differences.count > 0 && r < WB_VALUE_COUNT; r++) {
    if (!is_kept(summary, r))
      wb_differences_release(state, r);
  }
  for (uint16_t r = 0; state->rests.count > 0 && r < WB_VALUE_BUFFERS; r++) {
    if (!is_kept(summary, r))
      wb_rests_forget(&state->rests, r);
  }
  for (uint16_t r = 0; state->flags.count > 0 && r < WB_VALUE_BUFFERS; r++) {
    if (!is_kept(summary, r))
      wb_flags_forget(&state->flags, r);
  }
  for (uint16_t r = 0; state->orders.count > 0 && r < WB_VALUE_BUFFERS; r++) {
    if (!is_kept(summary, r))
      wb_orders_forget(&state->orders, r);
  }
  for (size_t p = 0; p < WB_TRUTH_COUNT; p++) {
    if ((summary->predicates >> p & 1U) != 0)
      wb_orders_forget(&state->orders, wb_predicate_register(p));
  }
  for (uint16_t r = 0; state->wide_differences.count > 0 && r < WB_VALUE_BUFFERS; r++) {
    if (!is_kept(summary, r))
      wb_wide_differences_forget(&state->wide_differences, r);
  }
}

/* What a register holds under an outcome of a predicate stays where the loop changes neither. */
static void keep_conditionals(const struct wb_loop_summary *summary, struct wb_conditionals *list)
{
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) {
    const struct wb_conditional_value *row = &list->rows[i];
    if (is_kept(summary, row->number) && (summary->predicates >> row->predicate & 1U) == 0)
      list->rows[kept++] = *row;
  }
  list->count = kept;
}

void wb_loop_summary_accelerate(const struct wb_loop_summary *summary,
                                const struct wb_iterations *bound, struct wb_integer_state *state)
{
  release_changed(summary, state);
  struct wb_pairs wide;
  const struct wb_pairs *both[2] = {&state->pairs, &summary->pairs};
  wide = (struct wb_pairs){0};
  for (size_t list = 0; list < 2; list++) {
    for (size_t i = 0; i < both[list]->count; i++) {
      const struct wb_pair *pair = &both[list]->rows[i];
      const struct wb_wide start =
          wb_pairs_value(&state->pairs, state->registers, pair->low, pair->high);
      const struct wb_wide next =
          wb_pairs_value(&summary->pairs, summary->next, pair->low, pair->high);
      struct wb_wide value = wb_wide_top(); /* another base refers to this loop's header alone */
      if (next.base_low == pair->low && next.base_high == pair->high)
        value = accelerate_wide(&start, &next, 0, bound);
      else if (!wb_wide_has_base(&next))
        value = wb_wide_join(&start, &next);
      wb_pairs_set(&wide, pair->low, pair->high, &value);
    }
  }
  /* First the registers that depend on themselves alone, or on none. */
  for (size_t r = 0; r < WB_VALUE_COUNT; r++) {
    const struct wb_integer *next = &summary->next[r];
    struct wb_integer *value = &state->registers[r];
    if (next->base == WB_NO_REGISTER)
      *value = wb_integer_join(value, next);
    else if (is_summed(summary, r)) {
      const struct wb_integer start = *value;
      *value = accelerate_sum(value, next, 0, bound);
      if (bound == NULL || bound->most > 0)
        narrow_by_tests(summary, state, (uint16_t)r, bound, &start, value);
    } else if (next->base == r && !wb_integer_is_register(next, next->base))
      *value = accelerate_shift(value, next, bound);
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
  keep_conditionals(summary, &state->conditionals);
  refine_words(state);
  for (size_t p = 0; p < WB_TRUTH_COUNT; p++) {
    if ((summary->predicates >> p & 1U) != 0)
      state->predicates[p] = (struct wb_implications){0};
  }
}

/* The register after `first` to `last` back edges, where each iteration sets it from one that is
 * summed. False where it is no such register. */
static bool narrow_follower(const struct wb_loop_summary *summary,
                            const struct wb_integer_state *entry, uint64_t first, uint64_t last,
                            size_t number, struct wb_integer *here)
{
  const struct wb_integer *next = &summary->next[number];
  if (next->base == number || next->base == WB_NO_REGISTER || !is_summed(summary, next->base))
    return false;
  *here = entry->registers[number];
  if (last == 0)
    return true;
  const struct wb_iterations before = {.most = last - 1};
  const struct wb_integer base =
      accelerate_sum(&entry->registers[next->base], &summary->next[next->base],
                     first > 0 ? first - 1 : 0, &before);
  const struct wb_integer then = wb_integer_substitute(next, &base);
  *here = first > 0 ? then : wb_integer_join(here, &then);
  return true;
}

void wb_loop_summary_narrow(const struct wb_loop_summary *summary,
                            const struct wb_integer_state *entry, uint64_t first, uint64_t last,
                            struct wb_integer_state *state)
{
  const struct wb_iterations bound = {.most = last};
  for (size_t r = 0; r < WB_VALUE_COUNT; r++) {
    struct wb_integer here;
    if (is_summed(summary, r))
      here = accelerate_sum(&entry->registers[r], &summary->next[r], first, &bound);
    else if (!narrow_follower(summary, entry, first, last, r, &here))
      continue;
    wb_integer_meet(&state->registers[r], &here);
  }
  for (size_t i = 0; i < state->pairs.count; i++) {
    struct wb_pair *pair = &state->pairs.rows[i];
    const struct wb_wide start =
        wb_pairs_value(&entry->pairs, entry->registers, pair->low, pair->high);
    const struct wb_wide next =
        wb_pairs_value(&summary->pairs, summary->next, pair->low, pair->high);
    if (next.base_low == pair->low && next.base_high == pair->high)
      pair->value = accelerate_wide(&start, &next, first, &bound);
  }
  refine_words(state);
}

void wb_loop_summary_free(struct wb_loop_summary *summary)
{
  free(summary->next);
  free(summary->constant);
  free(summary->supposed);
  free(summary->fixed);
  free(summary->tests);
  free(summary->leaves);
  *summary = (struct wb_loop_summary){0};
}

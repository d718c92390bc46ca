#include "flow/loop_summary.h"

#include "base/memory.h"

#include <stdlib.h>

/* Shifts have come to rest after so many. */
#define MOST_SHIFTS 40

bool wb_loop_summary_begin(struct wb_loop_summary *summary)
{
  if (summary->next == NULL)
    summary->next = wb_allocate(WB_GENERAL_COUNT, sizeof *summary->next);
  if (summary->constant == NULL)
    summary->constant = wb_allocate(WB_GENERAL_COUNT, sizeof *summary->constant);
  summary->known = false;
  summary->predicates = 0;
  summary->test_count = 0;
  return summary->next != NULL && summary->constant != NULL;
}

void wb_loop_summary_start(const struct wb_loop_summary *summary, struct wb_integer_state *state)
{
  wb_integer_state_itself(state);
  for (size_t r = 0; r < WB_GENERAL_COUNT && summary->entered; r++)
    state->registers[r] = summary->constant[r];
}

void wb_loop_summary_enter(struct wb_loop_summary *summary, const struct wb_integer_state *entry)
{
  for (size_t r = 0; r < WB_GENERAL_COUNT; r++) {
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

static void count_test(const struct wb_loop_summary *summary, const struct wb_integer_state *entry,
                       const struct wb_loop_test *test, bool mirrored, struct wb_loop_count *best)
{
  const struct wb_comparison *comparison = &test->comparison;
  const struct wb_integer *tested = mirrored ? &comparison->right : &comparison->left;
  const struct wb_integer *limit = mirrored ? &comparison->left : &comparison->right;
  const enum wb_relation relation = (enum wb_relation)comparison->relation;
  struct wb_loop_count count = {.test = test, .base = tested->base, .mirrored = mirrored};
  if (!make_counter(summary, entry, tested, limit, &count.counter))
    return;
  count.counter.relation = mirrored ? wb_relation_mirrored(relation) : relation;
  count.counter.as_signed = comparison->as_signed;
  if (wb_counter_iterations(&count.counter, &count.bound) && count.bound < best->bound)
    *best = count;
}

bool wb_loop_summary_count(const struct wb_loop_summary *summary,
                           const struct wb_integer_state *entry, struct wb_loop_count *count)
{
  *count = (struct wb_loop_count){.bound = UINT64_MAX};
  for (size_t t = 0; t < summary->test_count; t++) {
    count_test(summary, entry, &summary->tests[t], false, count);
    count_test(summary, entry, &summary->tests[t], true, count);
  }
  return count->test != NULL;
}

/* ---- widening ---- */

/* All that `start` becomes by adding the step up to `bound` times. */
static struct wb_integer widen_sum(const struct wb_integer *start, const struct wb_integer *next,
                                   uint64_t bound)
{
  struct wb_integer by = *next;
  int64_t least;
  int64_t most;
  by.base = WB_NO_REGISTER;
  if (bound > WB_COUNTER_MOST || !wb_integer_view(&by, true, &least, &most))
    return wb_integer_anything();
  const int64_t times = (int64_t)bound;
  const struct wb_integer all =
      wb_integer_range(least < 0 ? least * times : 0, most > 0 ? most * times : 0);
  return wb_integer_add(start, &all);
}

static struct wb_integer widen_shift(const struct wb_integer *start, const struct wb_integer *next,
                                     uint64_t bound)
{
  struct wb_integer all = *start;
  struct wb_integer now = *start;
  for (uint64_t i = 0; i < bound; i++) {
    const struct wb_integer then = wb_integer_substitute(next, &now);
    if (wb_integer_equal(&then, &now))
      return all;
    if (i == MOST_SHIFTS)
      return wb_integer_anything();
    all = wb_integer_join(&all, &then);
    now = then;
  }
  return all;
}

static bool is_sum(const struct wb_integer *form)
{
  return form->shape == WB_SHIFTED_LEFT && form->shift == 0;
}

void wb_loop_summary_widen(const struct wb_loop_summary *summary, uint64_t bound,
                           struct wb_integer_state *state)
{
  /* First those that depend on themselves alone, or on nothing. */
  for (size_t r = 0; r < WB_GENERAL_COUNT; r++) {
    const struct wb_integer *next = &summary->next[r];
    struct wb_integer *value = &state->registers[r];
    if (next->base == WB_NO_REGISTER)
      *value = wb_integer_join(value, next);
    else if (next->base == r && !wb_integer_is_register(next, next->base))
      *value = is_sum(next) ? widen_sum(value, next, bound) : widen_shift(value, next, bound);
  }
  for (size_t r = 0; r < WB_GENERAL_COUNT; r++) {
    const struct wb_integer *next = &summary->next[r];
    if (next->base == WB_NO_REGISTER || next->base == r)
      continue;
    const uint16_t other = summary->next[next->base].base;
    const struct wb_integer then = other == next->base || other == WB_NO_REGISTER
                                       ? wb_integer_substitute(next, &state->registers[next->base])
                                       : wb_integer_anything();
    state->registers[r] = wb_integer_join(&state->registers[r], &then);
  }
  for (size_t p = 0; p < WB_PREDICATE_COUNT; p++) {
    if ((summary->predicates >> p & 1U) != 0)
      state->predicates[p] = (struct wb_implications){0, 0};
  }
}

void wb_loop_summary_free(struct wb_loop_summary *summary)
{
  free(summary->next);
  free(summary->constant);
  free(summary->tests);
  *summary = (struct wb_loop_summary){0};
}

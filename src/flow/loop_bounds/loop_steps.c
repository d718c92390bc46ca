/* By how much the counters change on which the tests of a loop rest. */
#include "flow/loop_bounds/loop_summary.h"

/* What is added to a number in each turn, without its sign; 0: no one number. */
static uint64_t word_step(const struct wb_loop_summary *summary, const struct wb_integer *side)
{
  if (side->base == WB_NO_REGISTER)
    return 0;
  const struct wb_integer *next = &summary->next[side->base];
  if (next->base != side->base || next->shape != WB_SHIFTED_LEFT || next->shift != 0 ||
      next->width != 0)
    return 0;
  return next->low <= INT32_MAX ? next->low : UINT32_MAX - next->low + UINT64_C(1);
}

/* The same of 64 bits. */
static uint64_t wide_step(const struct wb_loop_summary *summary, const struct wb_wide *side)
{
  if (!wb_wide_has_base(side) || side->base_high == WB_NO_REGISTER)
    return 0;
  const struct wb_wide next =
      wb_pairs_value(&summary->pairs, summary->next, side->base_low, side->base_high);
  if (!wb_wide_same_base(&next, side) || next.width != 0)
    return 0;
  return next.low <= INT64_MAX ? next.low : UINT64_MAX - next.low + 1;
}

void wb_loop_summary_steps(const struct wb_loop_summary *summary, uint64_t *least, uint64_t *most)
{
  *least = *most = 0;
  for (size_t t = 0; summary->known && t < 2 * summary->test_count; t++) {
    const struct wb_comparison *comparison = &summary->tests[t / 2].comparison;
    const bool right = t % 2 != 0;
    const uint64_t step =
        comparison->wide
            ? wide_step(summary, right ? &comparison->wide_right : &comparison->wide_left)
            : word_step(summary, right ? &comparison->right : &comparison->left);
    if (step == 0)
      continue;
    *least = *least == 0 || step < *least ? step : *least;
    *most = step > *most ? step : *most;
  }
}

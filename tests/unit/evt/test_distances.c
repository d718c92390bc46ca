/* Distances between values and a distribution, against their definition as integrals and against
 * SciPy; sorting. Not here: the distribution of the distances (tests/cross/evt). */
#include "base/random.h"
#include "evt/goodness/goodness.h"
#include "evt/samples/samples.h"
#include "samples/assert_double.h"

#include <math.h>

#define COUNT 10

static const double ascending[COUNT] = {0.3, 0.5, 0.8, 1.2, 1.9, 2.2, 2.9, 3.3, 4.5, 7.1};
static const struct wb_tail gev = {
    .family = WB_TAIL_GEV, .location = 1.5, .scale = 1.25, .shape = 0.2};
static const struct wb_tail pareto = {
    .family = WB_TAIL_PARETO, .location = 0.25, .scale = 2, .shape = 0.1};

/* scipy.stats.cramervonmises(values, genextreme(c=-0.2, loc=1.5, scale=1.25).cdf) and of
 * genpareto(c=0.1, loc=0.25, scale=2), SciPy 1.10.1; Anderson-Darling by their logcdf and logsf. */
TEST(test_scipy)
{
  const struct wb_distances of_gev = wb_distances_of(&gev, ascending, COUNT);
  assert_within(of_gev.cramer_von_mises, 0.027822222257708737, 1e-13);
  assert_within(of_gev.anderson_darling, 0.20367943276003153, 1e-12);
  const struct wb_distances of_pareto = wb_distances_of(&pareto, ascending, COUNT);
  assert_within(of_pareto.cramer_von_mises, 0.027175338995752293, 1e-13);
  assert_within(of_pareto.anderson_darling, 0.17935757366961091, 1e-12);
}

/* n times the integral over the probabilities of (F_n - u)^2 [/ (u (1 - u))] by the midpoint rule.
 */
static struct wb_distances by_integral(const struct wb_tail *tail)
{
  const int steps = 2000000;
  struct wb_distances sum = {0, 0};
  for (int k = 0; k < steps; k++) {
    const double u = (k + 0.5) / steps;
    int below = 0;
    while (below < COUNT && wb_tail_distribution(tail, ascending[below]) <= u)
      below++;
    const double square = (below / (double)COUNT - u) * (below / (double)COUNT - u);
    sum.cramer_von_mises += COUNT * square / steps;
    sum.anderson_darling += COUNT * square / (u * (1 - u)) / steps;
  }
  return sum;
}

TEST(test_definition)
{
  const struct wb_tail *tails[] = {&gev, &pareto};
  for (size_t t = 0; t < 2; t++) {
    const struct wb_distances distances = wb_distances_of(tails[t], ascending, COUNT);
    const struct wb_distances expected = by_integral(tails[t]);
    assert_within(distances.anderson_darling, expected.anderson_darling, 2e-5);
    assert_within(distances.cramer_von_mises, expected.cramer_von_mises, 2e-5);
  }
}

/* The distances do not change with the unit. */
TEST(test_unit)
{
  double scaled[COUNT];
  for (size_t k = 0; k < COUNT; k++)
    scaled[k] = 1e9 + 4096 * ascending[k];
  struct wb_tail tail = pareto;
  tail.location = 1e9 + 4096 * tail.location;
  tail.scale *= 4096;
  assert_within(wb_distances_of(&tail, scaled, COUNT).anderson_darling,
                wb_distances_of(&pareto, ascending, COUNT).anderson_darling, 1e-9);
}

/* Values that the distribution cannot give are far from it, but not infinitely. */
TEST(test_outside)
{
  const struct wb_tail ending = {
      .family = WB_TAIL_PARETO, .location = 0.25, .scale = 2, .shape = -0.5};
  const struct wb_distances distances = wb_distances_of(&ending, ascending, COUNT);
  assert_true(isfinite(distances.anderson_darling));
  assert_true(distances.anderson_darling > 50);
  const double one = 2;
  assert_true(isfinite(wb_distances_of(&gev, &one, 1).anderson_darling));
}

/* Three equal values are placed evenly over their tick, single ones stay; at the threshold and at
 * the end of the tail only over the part of it that there can be values in. */
TEST(test_ties)
{
  double values[] = {3, 6, 6, 6, 9, 12};
  const double expected[] = {3, 5, 6, 7, 9, 12};
  const struct wb_tail free = {.family = WB_TAIL_PARETO, .location = 0, .scale = 5};
  wb_spread_ties(&free, 3, values, 6);
  for (size_t k = 0; k < 6; k++)
    assert_within(values[k], expected[k], 1e-12);
  double ends[] = {3, 3, 12, 12};
  const struct wb_tail tight = {
      .family = WB_TAIL_PARETO, .location = 2.5, .scale = 5, .shape = -0.5}; /* ends at 12.5 */
  wb_spread_ties(&tight, 3, ends, 4);
  assert_within(ends[0], 3, 1e-12);
  assert_within(ends[1], 4, 1e-12);
  assert_within(ends[2], 11, 1e-12);
  assert_within(ends[3], 12, 1e-12);
  double outside[] = {1, 1};
  wb_spread_ties(&tight, 3, outside, 2);
  assert_within(outside[0], 1, 0);
  assert_within(outside[1], 1, 0);
}

static int compare(const void *left, const void *right)
{
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* Values in order, in reverse, of few kinds, in a roof, at random: as qsort sorts them. */
static double value_of(unsigned kind, size_t k, size_t count, struct wb_random *random)
{
  switch (kind) {
  case 0:
    return (double)k;
  case 1:
    return -(double)k;
  case 2:
    return (double)wb_random_below(random, 4);
  case 3:
    return (double)(k < count / 2 ? k : count - k);
  default:
    return (double)wb_random_next(random) * 0x1p-32 - 0x1p31;
  }
}

TEST(test_sorting)
{
  enum { MOST = 3000 };
  static double values[MOST], expected[MOST];
  struct wb_random random = {.state = 19};
  for (unsigned trial = 0; trial < 2000; trial++) {
    const size_t most = trial % 50 == 0 ? MOST : 80;
    const size_t count = wb_random_below(&random, most + 1);
    for (size_t k = 0; k < count; k++)
      expected[k] = values[k] = value_of(trial % 5, k, count, &random);
    wb_sort_ascending(values, count);
    qsort(expected, count, sizeof *expected, compare);
    for (size_t k = 0; k < count; k++)
      if (values[k] != expected[k])
        fail_msg("trial %u (generator started at 19): place %zu", trial, k);
  }
}

/* The two-sample Kolmogorov-Smirnov test: its p-value against SciPy's, against a count of all
 * orders, and of large samples against the exact one of ever larger samples. */
#include "evt/tests/series_tests.h"
#include "samples/assert_double.h"
#include "samples/make_times.h"
#include "unit.h"

#include <math.h>

static struct wb_test two_samples(const double *first, size_t first_count, const double *second,
                                  size_t second_count)
{
  struct wb_test test;
  assert_ok(wb_test_two_samples(first, first_count, second, second_count, 1, &test, NULL));
  return test;
}

/* scipy.stats.ks_2samp(method='exact') of SciPy 1.17, of samples without ties, or with ties that do
 * not matter. */
TEST(small_samples_are_exact)
{
  const double a[] = {62, 58, 71, 66, 59, 80, 75, 64, 61, 69};
  const double b[] = {70, 82, 77, 68, 90, 73, 85, 79};
  const struct wb_test test = two_samples(a, 10, b, 8);
  assert_within(test.statistic, 0.6, 1e-15);
  assert_within(test.p_value, 0.04986516751222633, 1e-14);
  assert_within(test.detail, 66, 0);
  double first[50], second[49];
  for (size_t i = 0; i < 50; i++)
    first[i] = (double)i + 1;
  for (size_t i = 0; i < 49; i++)
    second[i] = (double)i + 7.5;
  assert_within(two_samples(first, 50, second, 49).p_value, 0.6295775284111764, 1e-13);
  assert_within(two_samples(second, 49, first, 50).p_value, 0.6295775284111764, 1e-13);
  const double one[] = {1}, three[] = {2, 3, 4};
  assert_within(two_samples(one, 1, three, 3).p_value, 0.5, 1e-15);
}

TEST(empty_and_equal_samples_say_nothing)
{
  const double values[] = {1, 1, 1, 1};
  assert_true(isnan(two_samples(values, 0, values, 4).p_value));
  assert_true(isnan(two_samples(values, 4, values, 0).p_value));
  assert_true(isnan(two_samples(values, 2, values, 2).p_value));
}

TEST(samples_far_apart_have_the_least_probability)
{
  double first[300], second[200];
  for (size_t i = 0; i < 300; i++)
    first[i] = (double)i;
  for (size_t i = 0; i < 200; i++)
    second[i] = 1000 + (double)i;
  const struct wb_test test = two_samples(first, 300, second, 200);
  assert_within(test.statistic, 1, 0);
  /* 2 of all orders. */
  const double expected = log(2) + lgamma(301) + lgamma(201) - lgamma(501);
  assert_within(log(test.p_value), expected, 1e-9 * fabs(expected));
}

/* The distance of two samples, which `chosen` tells apart, by the definition, times the product of
 * their sizes. */
static long distance_of(const double *values, unsigned count, unsigned chosen)
{
  const long m = __builtin_popcount(chosen), n = (long)count - m;
  long largest = 0;
  for (unsigned at = 0; at < count; at++) {
    long first = 0, second = 0;
    for (unsigned i = 0; i < count; i++)
      if (values[i] <= values[at])
        *((chosen >> i) & 1 ? &first : &second) += 1;
    const long apart = labs(first * n - second * m);
    largest = apart > largest ? apart : largest;
  }
  return largest;
}

static double counted_probability(const double *values, unsigned count, unsigned chosen)
{
  const long distance = distance_of(values, count, chosen);
  double all = 0, as_far = 0;
  for (unsigned other = 0; other < 1U << count; other++)
    if (__builtin_popcount(other) == __builtin_popcount(chosen)) {
      all++;
      as_far += distance_of(values, count, other) >= distance;
    }
  return as_far / all;
}

/* Ten values with ties, divided at random. */
TEST(probabilities_are_those_of_all_orders)
{
  const uint64_t seed = 20;
  printf("# seed %u\n", (unsigned)seed);
  struct wb_random random = {seed};
  for (int round = 0; round < 300; round++) {
    double values[10], first[10], second[10];
    size_t m = 0, n = 0;
    const uint64_t kinds = 1 + wb_random_below(&random, 10);
    for (size_t i = 0; i < 10; i++)
      values[i] = (double)wb_random_below(&random, kinds);
    const unsigned chosen = 1 + (unsigned)wb_random_below(&random, 1022);
    for (size_t i = 0; i < 10; i++)
      if ((chosen >> i) & 1)
        first[m++] = values[i];
      else
        second[n++] = values[i];
    const struct wb_test test = two_samples(first, m, second, n);
    const double expected = counted_probability(values, 10, chosen);
    if (isnan(test.p_value))
      assert_within(expected, 1, 0);
    else
      assert_within(test.p_value, expected, 1e-12);
  }
}

/* The limit of large samples against the exact probability of samples large for it: within 2 %, and
 * 2e-4, of probabilities from 0.5 to 0.001. */
static void check_limit(size_t first, size_t second, size_t groups, double root_distance)
{
  size_t *const tied = malloc((first + second) * sizeof *tied);
  assert_non_null(tied);
  const size_t all = first + second;
  size_t passed = 0;
  for (size_t k = 0; k < groups; k++) {
    const size_t end = all * (k + 1) / groups;
    tied[k] = end - passed;
    passed = end;
  }
  struct wb_sample_pair pair =
      (struct wb_sample_pair){.first = first, .second = second, .tied = tied, .groups = groups};
  const double m = (double)first, n = (double)second;
  pair.distance = (int64_t)(root_distance / sqrt(m * n / (m + n)) * m * n);
  double exact, limit;
  assert_ok(wb_lattice_path_survival(&pair, &exact, NULL));
  assert_ok(wb_tied_bridge_survival(&pair, &limit, NULL));
  if (fabs(limit - exact) > 0.02 * exact + 2e-4)
    printf("# %zu and %zu of %zu kinds, %g: exact %g, limit %g\n", first, second, groups,
           root_distance, exact, limit);
  assert_within(limit, exact, 0.02 * exact + 2e-4);
  free(tied);
}

TEST(the_limit_is_near_the_exact_probability)
{
  const double distances[] = {0.85, 1.1, 1.36, 1.63, 1.9};
  const size_t groups[] = {2, 3, 7, 40, 400};
  for (size_t d = 0; d < COUNT_OF(distances); d++) {
    check_limit(7001, 7000, 14001, distances[d]);
    check_limit(20000, 997, 20997, distances[d]);
    for (size_t g = 0; g < COUNT_OF(groups); g++)
      check_limit(4001, 4000, groups[g], distances[d]);
  }
}

/* Larger samples than those of the exact p-value. Of a whole that is shifted by nothing, and by
 * what such samples show. */
TEST(large_samples)
{
  const size_t count = 200000;
  double *const values = malloc(count * sizeof *values);
  assert_non_null(values);
  const struct made_times same = {.family = MADE_NORMAL, .location = 100, .scale = 1};
  const struct made_times moved = {
      .family = MADE_NORMAL, .location = 100, .scale = 1, .step = 0.05, .step_at = 0.5};
  struct wb_test test;
  make_times(&same, count, 3, values);
  assert_ok(wb_test_halves(values, count, &test, NULL));
  assert_true(test.p_value > 0.01 && test.p_value <= 1);
  make_times(&moved, count, 3, values);
  assert_ok(wb_test_halves(values, count, &test, NULL));
  assert_true(test.p_value < 1e-10);
  assert_within(test.detail, 100, 1.5);
  free(values);
}

/* Of 10 values the halves are 5 and 4, of 11 they are 5 and 6. Their order is such that none
 * depends on the one before. */
TEST(halves_leave_the_middle_out)
{
  const double even[] = {1, 5, 2, 4, 3, 1000, 12, 10, 13, 11};
  const double odd[] = {1, 5, 2, 4, 3, 0, 12, 10, 13, 11, 7};
  struct wb_test test;
  assert_ok(wb_test_halves(even, 10, &test, NULL));
  assert_within(test.p_value, two_samples(even, 5, even + 6, 4).p_value, 0);
  assert_within(test.p_value, 2.0 / 126, 1e-15);
  assert_ok(wb_test_halves(odd, 11, &test, NULL));
  assert_within(test.p_value, two_samples(odd, 5, odd + 5, 6).p_value, 0);
}

/* Halves of dependent times differ more than those of independent ones; of two samples the caller
 * says that they are independent. */
TEST(halves_allow_for_dependence)
{
  static double values[2001];
  const struct made_times recipe = {.family = MADE_NORMAL, .scale = 1, .correlation = 0.8};
  unsigned rejected = 0, rejected_as_two = 0;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    struct wb_test test;
    make_times(&recipe, 2001, seed, values);
    assert_ok(wb_test_halves(values, 2001, &test, NULL));
    const struct wb_test two = two_samples(values, 1000, values + 1000, 1001);
    assert_within(test.statistic, two.statistic, 0);
    rejected += test.p_value <= 0.05;
    rejected_as_two += two.p_value <= 0.05;
  }
  assert_true(rejected <= 10);
  assert_true(rejected_as_two > 80);
}

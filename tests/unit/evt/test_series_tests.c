/* Tests of independence and of stationarity against other computations of their statistics and
 * p-values. Left out: how often they reject, which test_series_size.c counts. */
#include "evt/math/special_functions.h"
#include "evt/tests/ranks.h"
#include "evt/tests/series_tests.h"
#include "samples/assert_double.h"
#include "samples/make_times.h"
#include "unit.h"

#include <math.h>

/* A drifting series with ties. What is expected of it was computed with NumPy 2 and SciPy 1.17
 * (moments of ranks by enumeration of all ordered tuples of them), the runs with statsmodels 0.15
 * (runstest_1samp without correction), as the statistic of KPSS of the ranks (kpss, nlags=3). */
static const double drifting[] = {512, 498, 530, 505, 505, 541, 497, 520, 533, 505,
                                  560, 548, 539, 551, 544, 538, 566, 551, 570, 548};
#define DRIFTING 20

static void assert_close(double value, double expected)
{
  assert_within(value, expected, 1e-10 * fabs(expected));
}

TEST(ljung_box_has_the_moments_of_ranks)
{
  struct wb_test test;
  assert_ok(wb_test_ljung_box(drifting, DRIFTING, 0, &test, NULL));
  assert_close(test.statistic, 17.948932707901218);
  assert_close(test.p_value, 0.0019265205050801011);
  assert_within(test.detail, 3, 0);
}

/* The number of lags is limited by the series. */
TEST(ljung_box_of_many_lags)
{
  struct wb_test half, more;
  assert_ok(wb_test_ljung_box(drifting, DRIFTING, 10, &half, NULL));
  assert_ok(wb_test_ljung_box(drifting, DRIFTING, 5000, &more, NULL));
  assert_true(half.p_value > 0 && half.p_value < 1);
  assert_memory_equal(&half, &more, sizeof half);
}

TEST(runs_are_those_of_wald_and_wolfowitz)
{
  struct wb_test test;
  assert_ok(wb_test_runs(drifting, DRIFTING, &test, NULL));
  assert_close(test.statistic, -2.2973414586817036);
  assert_within(test.detail, 6, 0);
}

static unsigned runs_of_bits(unsigned bits, unsigned length)
{
  const unsigned changes = (bits ^ (bits >> 1)) & ((1U << (length - 1)) - 1);
  return 1 + (unsigned)__builtin_popcount(changes);
}

/* The mid-p value of the runs of an order of `ones` values of one sort among `length`, by counting
 * all orders. */
static double counted_mid_p(unsigned length, unsigned ones, unsigned seen)
{
  double below = 0, at = 0, above = 0;
  for (unsigned bits = 0; bits < 1U << length; bits++) {
    if ((unsigned)__builtin_popcount(bits) != ones)
      continue;
    const unsigned runs = runs_of_bits(bits, length);
    *(runs < seen ? &below : runs > seen ? &above : &at) += 1;
  }
  return fmin(1, 2 * (fmin(below, above) + at / 2) / (below + at + above));
}

static void check_runs(unsigned bits, unsigned length, unsigned ones)
{
  double values[16];
  for (unsigned i = 0; i < length; i++)
    values[i] = (bits >> i) & 1;
  struct wb_test test;
  assert_ok(wb_test_runs(values, length, &test, NULL));
  assert_within(test.detail, runs_of_bits(bits, length), 0);
  assert_close(test.p_value, counted_mid_p(length, ones, runs_of_bits(bits, length)));
}

/* Of values that are 0 or 1, the median is one of them where their numbers differ, and all that
 * equal it are of the side of the rarer value's opposite: the two sorts are what is counted. */
TEST(runs_have_the_probability_of_all_orders)
{
  for (unsigned ones = 1; ones < 12; ones++) {
    const unsigned last = ((1U << ones) - 1) << (12 - ones);
    check_runs((1U << ones) - 1, 12, ones);
    check_runs(last, 12, ones);
    check_runs(last >> (12 - ones) / 2, 12, ones);
  }
  check_runs(0x555, 12, 6);
  check_runs(0x5a5, 12, 6);
  check_runs(0x1249, 13, 5);
}

/* An odd number of values: the one in the middle is left out, so that it divides no run. */
TEST(the_median_itself_is_left_out)
{
  const double values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  struct wb_test test;
  assert_ok(wb_test_runs(values, 11, &test, NULL));
  assert_within(test.detail, 2, 0);
  assert_close(test.p_value, counted_mid_p(10, 5, 2));
}

/* The exact sum of many values, some standard deviations from the mean, is near the normal limit.
 */
TEST(runs_of_a_million_values)
{
  static double values[1000000];
  struct wb_test test;
  for (size_t i = 0; i < 1000000; i++)
    values[i] = (i / 2 + (i % 1000 < 2)) % 2 != 0;
  assert_ok(wb_test_runs(values, 1000000, &test, NULL));
  assert_true(test.p_value > 1e-8 && test.p_value < 0.01);
  assert_within(test.p_value, erfc(fabs(test.statistic) / sqrt(2)), 0.01 * test.p_value);
}

TEST(kpss_is_that_of_ranks)
{
  struct wb_test test;
  assert_ok(wb_test_kpss(drifting, DRIFTING, &test, NULL));
  assert_close(test.statistic, 0.5436803125254334);
  assert_within(test.detail, 3, 0);
  assert_within(test.p_value, wb_bridge_square_survival(test.statistic), 0);
}

/* A series that alternates has no variance in the long run, and no change. */
TEST(kpss_of_an_alternating_series)
{
  double values[1000];
  for (size_t i = 0; i < 1000; i++)
    values[i] = 10 + (double)(i % 2);
  struct wb_test test;
  assert_ok(wb_test_kpss(values, 1000, &test, NULL));
  assert_true(test.statistic >= 0 && test.p_value > 0.5);
}

/* Pettitt's statistic by its definition. */
static double pettitt_by_pairs(const double *values, size_t count, size_t *place)
{
  double farthest = 0;
  for (size_t t = 0; t + 1 < count; t++) {
    double u = 0;
    for (size_t i = 0; i <= t; i++)
      for (size_t j = t + 1; j < count; j++)
        u += (values[i] > values[j]) - (values[i] < values[j]);
    if (fabs(u) > farthest) {
      farthest = fabs(u);
      *place = t;
    }
  }
  return farthest;
}

TEST(the_change_point_is_pettitts)
{
  struct wb_test test;
  assert_ok(wb_test_change_point(drifting, DRIFTING, &test, NULL));
  size_t place = 0;
  assert_within(test.statistic, pettitt_by_pairs(drifting, DRIFTING, &place), 0);
  assert_within(test.statistic, 96, 0);
  assert_within(test.detail, (double)place, 0);
  assert_within(test.detail, 9, 0);
  assert_close(test.p_value, 0.0011301854429560487);
}

/* Dependence alone is no change: tests of stationarity reject a series that wanders about one level
 * about as often as they say, and one that does so about two levels nearly always. */
TEST(dependence_is_no_change)
{
  static double values[1000];
  struct made_times recipe = {.family = MADE_NORMAL, .scale = 1, .correlation = 0.7};
  unsigned rejected[2][2] = {{0}};
  for (int moved = 0; moved < 2; moved++) {
    recipe.step = 2.0 * moved;
    recipe.step_at = 0.5;
    for (uint64_t seed = 1; seed <= 200; seed++) {
      struct wb_test kpss, change;
      make_times(&recipe, 1000, seed, values);
      assert_ok(wb_test_kpss(values, 1000, &kpss, NULL));
      assert_ok(wb_test_change_point(values, 1000, &change, NULL));
      rejected[moved][0] += kpss.p_value <= 0.05;
      rejected[moved][1] += change.p_value <= 0.05;
    }
  }
  for (int which = 0; which < 2; which++) {
    assert_in_range(rejected[0][which], 1, 25);
    assert_in_range(rejected[1][which], 195, 200);
  }
}

TEST(autocorrelations_are_of_the_values)
{
  /* statsmodels.tsa.stattools.acf */
  const double expected[] = {0.37350755017235443, 0.427293860589946, 0.5545764969395236,
                             0.02611406821345004, 0.27672366917923374};
  double correlations[30];
  wb_autocorrelations(drifting, DRIFTING, 30, correlations);
  for (size_t k = 0; k < 5; k++)
    assert_close(correlations[k], expected[k]);
  assert_within(correlations[DRIFTING - 1], 0, 0);
  assert_within(correlations[29], 0, 0);
  const double same[] = {3, 3, 3};
  wb_autocorrelations(same, 3, 2, correlations);
  assert_within(correlations[0], 0, 0);
  wb_autocorrelations(NULL, 0, 2, correlations);
  assert_within(correlations[1], 0, 0);
}

typedef warpbound_status series_test(const double *, size_t, struct wb_test *, warpbound_error *);

static warpbound_status ljung_box(const double *values, size_t count, struct wb_test *test,
                                  warpbound_error *error)
{
  return wb_test_ljung_box(values, count, 0, test, error);
}

static series_test *const all_tests[] = {ljung_box, wb_test_runs, wb_test_kpss, wb_test_halves,
                                         wb_test_change_point};

/* Too few values, or equal ones, say nothing, however many they are. */
TEST(nothing_is_said_of_nothing)
{
  double same[100];
  for (size_t i = 0; i < 100; i++)
    same[i] = 0.1;
  for (size_t k = 0; k < COUNT_OF(all_tests); k++) {
    struct wb_test test;
    for (size_t count = 0; count <= 1; count++) {
      assert_ok(all_tests[k](drifting, count, &test, NULL));
      assert_true(isnan(test.p_value));
    }
    assert_ok(all_tests[k](same, 100, &test, NULL));
    assert_true(isnan(test.p_value));
    for (size_t count = 2; count < DRIFTING; count++) {
      assert_ok(all_tests[k](drifting, count, &test, NULL));
      if (isnan(test.p_value))
        assert_true(count < WB_TEST_FEWEST);
      else
        assert_true(test.p_value > 0 && test.p_value <= 1);
    }
  }
}

/* The order of values is all that counts: neither unit nor offset nor a curved scale, nor how far
 * apart values are, down to the least doubles. */
TEST(tests_see_ranks_alone)
{
  double scaled[3][DRIFTING];
  for (size_t i = 0; i < DRIFTING; i++) {
    scaled[0][i] = 1e-300 * drifting[i];
    scaled[1][i] = -1 / drifting[i];
    scaled[2][i] = drifting[i] >= 570 ? 1e308 : drifting[i] - 530;
  }
  for (size_t k = 0; k < COUNT_OF(all_tests); k++)
    for (size_t j = 0; j < 3; j++) {
      struct wb_test plain, other;
      assert_ok(all_tests[k](drifting, DRIFTING, &plain, NULL));
      assert_ok(all_tests[k](scaled[j], DRIFTING, &other, NULL));
      assert_within(plain.p_value, other.p_value, 0);
      assert_within(plain.statistic, other.statistic, 0);
    }
}

TEST(ranks_are_centred_and_averaged)
{
  const double values[] = {5, -0.0, 5, -7, 0.0, 1e300, 5};
  const double expected[] = {1, -1.5, 1, -3, -1.5, 3, 1};
  struct wb_ranks ranks;
  assert_ok(wb_ranks_of(values, 7, &ranks, NULL));
  for (size_t i = 0; i < 7; i++)
    assert_within(ranks.centred[i], expected[i], 0);
  assert_within(ranks.square_sum, 25.5, 0);
  wb_ranks_free(&ranks);
  assert_ok(wb_ranks_of(values, 0, &ranks, NULL));
  wb_ranks_free(&ranks);
}

/* scipy.stats.kstwobign.sf. */
TEST(the_supremum_of_the_bridge)
{
  const double points[][2] = {{0.3, 0.9999906941986655},      {0.5, 0.9639452436648751},
                              {0.8276, 0.49995841656354456},  {1, 0.26999967167735456},
                              {1.2, 0.11224966667072497},     {1.3580986, 0.0500000106802808},
                              {1.6276, 0.010001537333060776}, {2.5, 7.453306344157342e-06}};
  for (size_t k = 0; k < COUNT_OF(points); k++)
    assert_close(wb_bridge_supremum_survival(points[k][0]), points[k][1]);
  assert_within(wb_bridge_supremum_survival(0), 1, 0);
  assert_within(wb_bridge_supremum_survival(1e-8), 1, 0);
  assert_within(wb_bridge_supremum_survival(INFINITY), 0, 0);
  assert_true(isnan(wb_bridge_supremum_survival(NAN)));
}

/* 1 - scipy.stats._hypotests._cdf_cvm_inf, and the four values of the table of Kwiatkowski et al.
 */
TEST(the_square_of_the_bridge)
{
  const double points[][2] = {{0.02, 0.9969993856983981},    {0.05, 0.876280931041351},
                              {0.118, 0.5036257534106251},   {0.2, 0.2674704305407771},
                              {0.347, 0.10019124868694851},  {0.463, 0.04951715371875476},
                              {0.574, 0.025964498711741224}, {0.739, 0.01025064903453432},
                              {1, 0.002460452180135797},     {1.5, 0.0001726962197893256}};
  for (size_t k = 0; k < COUNT_OF(points); k++)
    assert_within(wb_bridge_square_survival(points[k][0]), points[k][1], 1e-11);
  assert_within(wb_bridge_square_survival(0.347), 0.10, 0.0005);
  assert_within(wb_bridge_square_survival(0.463), 0.05, 0.0005);
  assert_within(wb_bridge_square_survival(0.574), 0.025, 0.001);
  assert_within(wb_bridge_square_survival(0.739), 0.01, 0.0005);
  assert_within(wb_bridge_square_survival(0), 1, 0);
  assert_within(wb_bridge_square_survival(1e-9), 1, 0);
  assert_within(wb_bridge_square_survival(INFINITY), 0, 0);
  assert_true(isnan(wb_bridge_square_survival(NAN)));
}

/* It falls everywhere, and where the series ends it goes on within some percent. */
TEST(the_square_of_the_bridge_falls)
{
  double last = 1;
  double x = 0.03;
  while (x < 40) {
    const double survival = wb_bridge_square_survival(x);
    assert_true(survival < last);
    if (last < 1e-8)
      assert_true(survival > 0.9 * last * exp(-M_PI * M_PI / 2 * 0.01 * x));
    last = survival;
    x *= 1.01;
  }
}

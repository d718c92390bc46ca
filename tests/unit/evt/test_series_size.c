/* How often the tests of series reject: independent times of any distribution in 4 to 6 % of
 * samples, as the 5 % say, with one standard error more; other times nearly always. The seeds are
 * fixed. Left out: the whole table (bench/evt_power.c, doc/measured/evt-tests.md). */
#include "evt/tests/series_tests.h"
#include "samples/make_times.h"
#include "unit.h"

#include <math.h>

#define SEED 1000
#define MOST 1000

static const char *const names[] = {"Ljung-Box", "runs", "KPSS", "halves", "change point"};
#define TESTS (COUNT_OF(names))

static warpbound_status one_test(size_t which, const double *values, size_t count,
                                 struct wb_test *test)
{
  switch (which) {
  case 0:
    return wb_test_ljung_box(values, count, 0, test, NULL);
  case 1:
    return wb_test_runs(values, count, test, NULL);
  case 2:
    return wb_test_kpss(values, count, test, NULL);
  case 3:
    return wb_test_halves(values, count, test, NULL);
  default:
    return wb_test_change_point(values, count, test, NULL);
  }
}

/* The share of `samples` samples that each test rejects at 5 %. */
static void reject(const struct made_times *recipe, size_t count, unsigned samples,
                   double shares[TESTS])
{
  double values[MOST];
  unsigned rejected[TESTS] = {0};
  for (unsigned k = 0; k < samples; k++) {
    make_times(recipe, count, SEED + k, values);
    for (size_t which = 0; which < TESTS; which++) {
      struct wb_test test;
      assert_ok(one_test(which, values, count, &test));
      rejected[which] += test.p_value <= 0.05;
    }
  }
  for (size_t which = 0; which < TESTS; which++)
    shares[which] = (double)rejected[which] / samples;
}

static void check_size(const char *what, const struct made_times *recipe, size_t count,
                       unsigned samples)
{
  double shares[TESTS];
  reject(recipe, count, samples, shares);
  const double error = sqrt(0.05 * 0.95 / samples);
  for (size_t which = 0; which < TESTS; which++) {
    if (shares[which] < 0.04 - error || shares[which] > 0.06 + error)
      fail_msg("%s of %u samples of %u %s (seed %d): %g", names[which], samples, (unsigned)count,
               what, SEED, shares[which]);
  }
}

TEST(independent_times_are_rejected_as_often_as_said)
{
  const struct made_times normal = {.family = MADE_NORMAL, .location = 100, .scale = 1};
  const struct made_times heavy = {.family = MADE_PARETO, .scale = 1, .shape = 0.3};
  const struct made_times ticked = {.family = MADE_NORMAL, .scale = 1, .tick = 0.1};
  const struct made_times coarse = {.family = MADE_NORMAL, .scale = 1, .tick = 1};
  check_size("normal", &normal, 100, 4000);
  check_size("Pareto", &heavy, 100, 4000);
  check_size("with ticks", &ticked, 100, 4000);
  check_size("with ticks", &coarse, 1000, 1000);
  check_size("normal", &normal, 1000, 1000);
}

/* Each kind of bad times, and the tests that must see it in 500 values at least as often as this.
 */
static const struct {
  const char *name;
  struct made_times recipe;
  double least[TESTS];
} kinds[] = {
    {"dependent 0.3", {MADE_NORMAL, .scale = 1, .correlation = 0.3}, {0.98, 0.9, 0, 0, 0}},
    {"drift", {MADE_NORMAL, .scale = 1, .drift = 1}, {0.5, 0, 0.99, 0.99, 0.99}},
    {"step", {MADE_NORMAL, .scale = 1, .step = 0.5, .step_at = 0.5}, {0.2, 0, 0.99, 0.98, 0.99}},
    {"alternating",
     {MADE_NORMAL, .scale = 1, .modes = MADE_MODES_ALTERNATING, .mode_gap = 2},
     {0.99, 0.99, 0, 0, 0}},
    {"blocks",
     {MADE_NORMAL, .scale = 1, .modes = MADE_MODES_BLOCKS, .mode_gap = 2, .mode_length = 20},
     {0.99, 0.99, 0, 0, 0}},
    {"spread", {MADE_NORMAL, .scale = 1, .late_scale = 2}, {0, 0, 0, 0.8, 0}},
};

TEST(other_times_are_rejected)
{
  for (size_t k = 0; k < COUNT_OF(kinds); k++) {
    double shares[TESTS];
    reject(&kinds[k].recipe, 500, 200, shares);
    for (size_t which = 0; which < TESTS; which++)
      if (shares[which] < kinds[k].least[which])
        fail_msg("%s of %s (seed %d): %g", names[which], kinds[k].name, SEED, shares[which]);
  }
}

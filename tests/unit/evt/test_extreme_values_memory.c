/* Tests of series, blocks, clusters, thresholds, fits, intervals and goodness of fit when memory
 * runs out: every allocation is made to fail in turn, and nothing is left behind. Left out:
 * allocations of NLopt, without which Newton's method goes on alone. */
#include "evt/extremes/maxima_and_peaks.h"
#include "evt/extremes/thresholds.h"
#include "evt/fit/intervals.h"
#include "evt/goodness/goodness.h"
#include "evt/samples/samples.h"
#include "evt/tests/patterns.h"
#include "evt/tests/series_tests.h"
#include "failing_heap.h"
#include "samples/make_times.h"
#include "unit.h"

static struct wb_control one_thread(void)
{
  struct wb_control control = wb_control_start(NULL);
  control.threads = 1;
  return control;
}

/* So many that the p-value of halves is that of the limit. */
#define SERIES 100000

static double series[SERIES];

static warpbound_status ljung_box(const double *values, size_t count, struct wb_test *test,
                                  warpbound_error *error)
{
  return wb_test_ljung_box(values, count, 0, test, error);
}

struct series_case {
  warpbound_status (*run)(const double *, size_t, struct wb_test *, warpbound_error *);
  size_t count, failures;
};

static warpbound_status run_series_test(const void *context, warpbound_error *error)
{
  const struct series_case *tested = context;
  struct wb_test test;
  return tested->run(series, tested->count, &test, error);
}

TEST(tests_of_series)
{
  static const struct series_case cases[] = {
      {ljung_box, 1000, 5},       {wb_test_runs, 1000, 1},
      {wb_test_kpss, 1000, 5},    {wb_test_change_point, 1000, 5},
      {wb_test_halves, 1000, 9},  {wb_test_halves, SERIES, 9},
      {wb_test_warm_up, 1000, 4}, {wb_test_period, 1000, 4}};
  const struct made_times recipe = {
      .family = MADE_NORMAL, .location = 10, .scale = 1, .correlation = 0.5, .tick = 0.1};
  make_times(&recipe, SERIES, 1, series);
  for (size_t c = 0; c < COUNT_OF(cases); c++)
    assert_int_equal(fail_each(run_series_test, &cases[c], WARPBOUND_OK), cases[c].failures);
}

enum { TIMES = 600 };

static const struct made_times recipe = {
    .family = MADE_EXPONENTIAL, .location = 1000, .scale = 50, .tick = 2};

static double times[TIMES];

static warpbound_status run_blocks(const void *context, warpbound_error *error)
{
  (void)context;
  const struct wb_control control = one_thread();
  const struct wb_block_question question = {.values = times,
                                             .count = TIMES,
                                             .significance = 0.05,
                                             .tick = recipe.tick,
                                             .seed = 1,
                                             .control = &control};
  struct wb_block_sizes sizes;
  return wb_block_size_choose(&question, &sizes, error);
}

static warpbound_status run_clusters(const void *context, warpbound_error *error)
{
  (void)context;
  struct wb_extremal_index index;
  return wb_extremal_index_of(times, TIMES, 1100, 0, &index, error);
}

static warpbound_status run_scan(const void *context, warpbound_error *error)
{
  (void)context;
  const struct wb_control control = one_thread();
  struct wb_threshold_scan scan;
  return wb_threshold_scan(times, TIMES, &(struct wb_threshold_range){.lowest_share = 0.2},
                           recipe.tick, 0.05, 1, &control, &scan, error);
}

TEST(extremes)
{
  make_times(&recipe, TIMES, 3, times);
  assert_true(fail_each(run_blocks, NULL, WARPBOUND_OK) >= 2);
  assert_true(fail_each(run_clusters, NULL, WARPBOUND_OK) >= 1);
  wb_sort_ascending(times, TIMES);
  assert_true(fail_each(run_scan, NULL, WARPBOUND_OK) >= 2);
}

static const double values[] = {3.1, 2.7, 4.4, 3.9, 2.9, 3.3, 5.6, 3.0, 3.6, 4.1, 2.5, 3.4};
static const double covariate[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
static const double survivals[] = {0.1, 0.001};
enum { COUNT = COUNT_OF(values) };

static warpbound_status fit_and_profile(const void *context, warpbound_error *error)
{
  const bool *with_trend = context;
  const struct wb_fit_data data = {
      .values = values, .count = COUNT, .covariate = *with_trend ? covariate : NULL};
  struct wb_tail_fit fit, again;
  struct wb_interval interval;
  warpbound_status status = wb_tail_fit(&data, WB_TAIL_GEV, WB_FIT_LIKELIHOOD, &fit, error);
  if (status == WARPBOUND_OK)
    status = wb_profile_shape(&data, &fit, 0.95, &interval, error);
  if (status == WARPBOUND_OK && !*with_trend)
    status = wb_profile_level(&data, &fit, 0.01, 0.95, &interval, error);
  if (status == WARPBOUND_OK && !*with_trend)
    status = wb_tail_refit(&data, &fit, &again, error);
  return status;
}

static warpbound_status bootstrap(const void *context, warpbound_error *error)
{
  (void)context;
  const struct wb_tail_fit fit = {.tail = {WB_TAIL_GUMBEL, 3, 1, 0}, .count = COUNT};
  const struct wb_control control = one_thread();
  struct wb_interval intervals[2];
  unsigned failed;
  const warpbound_status status =
      wb_bootstrap_levels(&fit, survivals, 2, 0.9, 5, 1, &control, intervals, &failed, error);
  assert_true(intervals[0].found == (status == WARPBOUND_OK));
  return status;
}

TEST(fits)
{
  static const bool plain = false, with_trend = true;
  assert_true(fail_each(fit_and_profile, &plain, WARPBOUND_OK) >= 3);
  assert_true(fail_each(fit_and_profile, &with_trend, WARPBOUND_OK) >= 2);
  assert_true(fail_each(bootstrap, NULL, WARPBOUND_OK) >= 5);
}

struct compared {
  struct wb_fit_data data;
  struct wb_tail_fit fit;
  double tick;
};

static warpbound_status compare(const void *context, warpbound_error *error)
{
  const struct compared *compared = context;
  const struct wb_control control = one_thread();
  struct wb_goodness goodness;
  return wb_goodness_of_fit(&compared->data, &compared->fit, compared->tick, 3, 19, &control,
                            &goodness, error);
}

/* A part is compared: the clock is coarse. */
TEST(goodness)
{
  enum { COARSE = 1200 };
  static double coarse[COARSE], place[COARSE];
  const struct made_times made = {
      .family = MADE_GEV, .location = 1000, .scale = 20, .shape = 0.1, .tick = 20};
  make_times(&made, COARSE, 19, coarse);
  for (size_t k = 0; k < COARSE; k++)
    place[k] = (double)k / COARSE;
  struct compared compared = {.data = {.values = coarse, .count = COARSE, .covariate = place},
                              .tick = made.tick};
  assert_ok(wb_tail_fit(&compared.data, WB_TAIL_GUMBEL, WB_FIT_LIKELIHOOD, &compared.fit, NULL));
  assert_true(fail_each(compare, &compared, WARPBOUND_OK) >= 4);
}

/* The tests of hypotheses on the order of the values: independence and stationarity. */
#include "analysis/measured/measured_checks.h"

#include "base/memory.h"
#include "evt/tests/trend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Effects that are too small to matter for a tail, however many values show them. */
#define SMALL_CORRELATION 0.02
#define SMALL_DISTANCE 0.02
#define SMALL_SHIFT 0.05

/* Maxima of blocks for the tests on them: so many at most, blocks of so many values at least. */
#define TEST_MAXIMA 200
#define LEAST_TEST_MAXIMA 30
/* Of values that are maxima already, each is tested up to so many: Mann-Kendall compares all pairs.
 */
#define MOST_TEST_MAXIMA 5000

static struct wb_measured_check *check_of(struct wb_measured_work *work,
                                          enum wb_measured_check_kind kind)
{
  return &work->result->checks[kind];
}

static void set_test(struct wb_measured_work *work, enum wb_measured_check_kind kind,
                     const struct wb_test *test)
{
  struct wb_measured_check *check = check_of(work, kind);
  check->statistic = test->statistic;
  check->p_value = test->p_value;
  if (isnan(test->p_value))
    wb_measured_check_skip(work, kind, "too few values");
}

/* ---- independence ---- */

static warpbound_status test_independence(struct wb_measured_work *work)
{
  struct wb_test test;
  warpbound_status status = wb_test_ljung_box(work->values, work->count, 0, &test, work->error);
  if (status != WARPBOUND_OK)
    return status;
  const double lag = test.detail;
  const double correlation = lag >= 1 && lag <= (double)work->result->lag_count
                                 ? work->result->correlations[(size_t)lag - 1]
                                 : 0;
  wb_measured_check_set(work, WB_CHECK_LJUNG_BOX, WB_APPLICABLE, "",
                        "largest autocorrelation %.3f, at lag %.0f", correlation, lag);
  set_test(work, WB_CHECK_LJUNG_BOX, &test);
  status = wb_test_runs(work->values, work->count, &test, work->error);
  if (status != WARPBOUND_OK)
    return status;
  wb_measured_check_set(work, WB_CHECK_RUNS, WB_APPLICABLE, "", "%.0f runs above and below %s",
                        test.detail, WB_MEASURED_TEXT(work, work->result->summary.median));
  set_test(work, WB_CHECK_RUNS, &test);
  return WARPBOUND_OK;
}

/* ---- stationarity ---- */

static warpbound_status test_kpss(struct wb_measured_work *work)
{
  struct wb_test test;
  const warpbound_status status = wb_test_kpss(work->values, work->count, &test, work->error);
  if (status != WARPBOUND_OK)
    return status;
  wb_measured_check_set(work, WB_CHECK_KPSS, WB_APPLICABLE, "",
                        "statistic %.3f, long-run variance of %.0f lag%s", test.statistic,
                        test.detail, test.detail == 1 ? "" : "s");
  set_test(work, WB_CHECK_KPSS, &test);
  return WARPBOUND_OK;
}

static warpbound_status test_halves(struct wb_measured_work *work)
{
  struct wb_test test;
  const warpbound_status status = wb_test_halves(work->values, work->count, &test, work->error);
  if (status != WARPBOUND_OK)
    return status;
  wb_measured_check_set(work, WB_CHECK_HALVES, WB_APPLICABLE, "",
                        "distributions differ by %.4f at most, near %s", test.statistic,
                        WB_MEASURED_TEXT(work, test.detail));
  set_test(work, WB_CHECK_HALVES, &test);
  return WARPBOUND_OK;
}

static warpbound_status test_change_point(struct wb_measured_work *work)
{
  struct wb_test test;
  const warpbound_status status =
      wb_test_change_point(work->values, work->count, &test, work->error);
  if (status != WARPBOUND_OK)
    return status;
  wb_measured_check_set(work, WB_CHECK_CHANGE_POINT, WB_APPLICABLE, "",
                        "the likeliest change is after value %.0f of %zu", test.detail + 1,
                        work->count)
      ->detail = test.detail;
  set_test(work, WB_CHECK_CHANGE_POINT, &test);
  return WARPBOUND_OK;
}

/* ---- maxima of blocks ---- */

/* By how much the location of the GEV moves from the first maximum to the last; NAN where none
 * fits. Errors: WARPBOUND_LIMIT, WARPBOUND_INTERNAL. */
static warpbound_status find_trend(struct wb_measured_work *work, const double *maxima,
                                   size_t count, double *places, double *shift)
{
  struct wb_tail_fit fit;
  warpbound_error why = {0};
  for (size_t k = 0; k < count; k++)
    places[k] = (double)k / (double)(count - 1);
  const struct wb_fit_data data = {
      .values = maxima, .count = count, .covariate = places, .control = work->control};
  const warpbound_status status = wb_tail_fit(&data, WB_TAIL_GEV, WB_FIT_LIKELIHOOD, &fit, &why);
  *shift = status == WARPBOUND_OK ? fit.trend : NAN;
  return status == WARPBOUND_INTERNAL || status == WARPBOUND_LIMIT ? wb_fail_with(work->error, &why)
                                                                   : WARPBOUND_OK;
}

/* Whether the maxima of blocks are independent, though the values are not; and whether they have a
 * trend. */
static warpbound_status test_maxima_of(struct wb_measured_work *work, const double *maxima,
                                       size_t count, double *places, bool *independent)
{
  struct wb_test test;
  warpbound_status status = wb_test_ljung_box(maxima, count, 0, &test, work->error);
  if (status != WARPBOUND_OK)
    return status;
  *independent = isnan(test.p_value) || test.p_value >= work->options->significance;
  test = wb_test_trend(maxima, count);
  double shift;
  status = find_trend(work, maxima, count, places, &shift);
  if (status != WARPBOUND_OK)
    return status;
  if (isnan(shift))
    wb_measured_check_set(work, WB_CHECK_TREND, WB_APPLICABLE, "", "tau %.3f of %zu maxima",
                          test.detail, count);
  else
    wb_measured_check_set(work, WB_CHECK_TREND, WB_APPLICABLE, "",
                          "tau %.3f of %zu maxima; their location moves by %s from the first to "
                          "the last",
                          test.detail, count, WB_MEASURED_TEXT(work, shift));
  set_test(work, WB_CHECK_TREND, &test);
  return WARPBOUND_OK;
}

static warpbound_status test_maxima(struct wb_measured_work *work, bool *independent)
{
  const size_t wanted = work->count / TEST_MAXIMA > 0 ? work->count / TEST_MAXIMA : 1;
  const bool each = work->options->block_size == 1 && work->count <= MOST_TEST_MAXIMA;
  const size_t block = each ? 1 : wanted;
  *independent = false;
  if (work->count / block < LEAST_TEST_MAXIMA) {
    wb_measured_check_skip(work, WB_CHECK_TREND, "too few maxima of blocks");
    return WARPBOUND_OK;
  }
  double *maxima = wb_allocate(work->count / block, sizeof *maxima);
  double *places = wb_allocate(work->count / block, sizeof *places);
  warpbound_status status = WARPBOUND_OK;
  if (maxima == NULL || places == NULL)
    status = wb_out_of_memory(work->error);
  else
    status = test_maxima_of(work, maxima, wb_block_maxima(work->values, work->count, block, maxima),
                            places, independent);
  free(maxima);
  free(places);
  return status;
}

/* ---- outcomes ---- */

static const enum wb_measured_check_kind tests[] = {WB_CHECK_LJUNG_BOX,    WB_CHECK_RUNS,
                                                    WB_CHECK_KPSS,         WB_CHECK_HALVES,
                                                    WB_CHECK_CHANGE_POINT, WB_CHECK_TREND};
#define TESTS (sizeof tests / sizeof *tests)

/* Holm 1979: the k-th smallest of m p-values times m - k + 1, ascending. */
static void adjust(struct wb_measured_work *work)
{
  struct wb_measured_check *made[TESTS];
  size_t count = 0;
  for (size_t t = 0; t < TESTS; t++) {
    struct wb_measured_check *check = check_of(work, tests[t]);
    if (!check->done || isnan(check->p_value))
      continue;
    size_t place = count++;
    for (; place > 0 && made[place - 1]->p_value > check->p_value; place--)
      made[place] = made[place - 1];
    made[place] = check;
  }
  double least = 0;
  for (size_t k = 0; k < count; k++) {
    least = fmax(least, fmin(1, made[k]->p_value * (double)(count - k)));
    made[k]->adjusted = least;
  }
}

static void refuse(struct wb_measured_work *work, enum wb_measured_check_kind kind, bool small,
                   const char *small_advice, const char *advice)
{
  struct wb_measured_check *check = check_of(work, kind);
  if (!check->done || !(check->adjusted < work->options->significance))
    return;
  check->outcome = small ? WB_APPLICABLE_WITH_CARE : WB_NOT_APPLICABLE;
  snprintf(check->advice, sizeof check->advice, "%s", small ? small_advice : advice);
}

/* The difference of the halves' means, in standard deviations. */
static double shift_of_halves(const struct wb_measured_work *work)
{
  const size_t half = work->count / 2;
  double first = 0, second = 0;
  for (size_t k = 0; k < half; k++) {
    first += work->values[k];
    second += work->values[work->count - half + k];
  }
  return fabs(second - first) / (double)half / work->result->summary.deviation;
}

static bool is_correlation_small(const struct wb_measured_work *work)
{
  for (size_t lag = 0; lag < work->result->lag_count; lag++)
    if (fabs(work->result->correlations[lag]) > SMALL_CORRELATION)
      return false;
  return true;
}

static void judge_order(struct wb_measured_work *work, bool maxima_independent)
{
  const char *const dependent =
      "neighbouring times depend, and so do maxima of blocks: measure with "
      "pauses or in random order, or take larger blocks";
  const char *const blocks =
      "neighbouring times depend, but maxima of blocks do not: levels rest on "
      "block maxima and declustered peaks";
  const char *const moving =
      "the times change while they are measured: wait until clocks and caches "
      "settle, fix the clock, or analyse the parts apart (--group)";
  const char *const slight = "the change is real but small beside the spread: look at the run "
                             "sequence, and measure again";
  const struct wb_measured_check *halves = check_of(work, WB_CHECK_HALVES);
  const bool independent = maxima_independent || is_correlation_small(work);
  const bool small =
      halves->done && halves->statistic < SMALL_DISTANCE && shift_of_halves(work) < SMALL_SHIFT;
  adjust(work);
  refuse(work, WB_CHECK_LJUNG_BOX, independent, blocks, dependent);
  refuse(work, WB_CHECK_RUNS, independent, blocks, dependent);
  refuse(work, WB_CHECK_KPSS, small, slight, moving);
  refuse(work, WB_CHECK_HALVES, small, slight, moving);
  refuse(work, WB_CHECK_CHANGE_POINT, small, slight, moving);
  refuse(work, WB_CHECK_TREND, false, slight,
         "the longest times grow or shrink while they are measured: wait until clocks and caches "
         "settle, fix the clock, or analyse the parts apart (--group)");
}

warpbound_status wb_measured_check_order(struct wb_measured_work *work)
{
  bool maxima_independent;
  warpbound_status status = test_independence(work);
  if (status == WARPBOUND_OK)
    status = test_kpss(work);
  if (status == WARPBOUND_OK)
    status = test_halves(work);
  if (status == WARPBOUND_OK)
    status = test_change_point(work);
  if (status == WARPBOUND_OK)
    status = test_maxima(work, &maxima_independent);
  if (status == WARPBOUND_OK)
    judge_order(work, maxima_independent);
  return status;
}

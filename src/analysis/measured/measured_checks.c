/* The checks of applicability: each with what it found in words, and what to do about it. */
#include "analysis/measured/measured_steps.h"
#include "base/arena.h"

#include "base/memory.h"
#include "evt/samples/samples.h"
#include "evt/tests/patterns.h"
#include "evt/tests/ties_and_modes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Minimum sample size; size without a warning: of 2,000 values a slow mode, or a slow run at
 * regular distances, is too often not told from chance (doc/measured/evt-coverage.md). */
#define LEAST_SAMPLES 100
#define GOOD_SAMPLES 5000
/* The same where the samples are maxima already. */
#define LEAST_MAXIMA 20
#define GOOD_MAXIMA 50
/* Samples whose largest twentieth is enough to look for points that stand apart; of how many the
 * share falls, by which power: the largest twentieth of 20,000 normal values is no tail yet, and of
 * one series in five some would be said to stand apart. */
#define MANY_SAMPLES 2000
#define TWENTIETH_OF 5000.0
#define SHARE_FALL 0.6
/* Ticks of the clock in the mean excess over the 90 % quantile. */
#define LEAST_TICKS 2.0
#define GOOD_TICKS 4.0
/* Ticks that are written in plain decimals. */
#define LEAST_PLAIN_TICK 1e-12
#define MOST_PLAIN_TICK 1e15
/* Exceedances that the largest mode of several has to have. */
#define LEAST_IN_MODE 100.0
/* A mixture is refused at this part of the significance at which it is seen. */
#define CERTAIN 0.2
/* Smallest effect sizes that are reported: smaller ones do not matter for a tail, however many
 * values show them. */
#define SMALL_CORRELATION 0.02
#define SMALL_DISTANCE 0.02
#define SMALL_SHIFT 0.05

/* Maxima of blocks for the tests on them: so many at most, blocks of so many values at least. */
#define TEST_MAXIMA 200
#define LEAST_TEST_MAXIMA 30
/* Of values that are maxima already, each is tested up to so many: Mann-Kendall compares all pairs.
 */
#define MOST_TEST_MAXIMA 5000

/* A time as text, which lives as long as the block that it is written in. */
#define TEXT(work, value) wb_measured_time((work)->result, (value), (char[WB_MEASURED_TIME]){0})

/* Fills in a check that was made; `advice` is kept unless the outcome is WB_APPLICABLE. statistic
 * and p-values are NAN, for the caller to set. */
WB_PRINTF(5, 6)
static struct wb_measured_check *set_check(struct wb_measured_work *work,
                                           enum wb_measured_check_kind kind,
                                           enum wb_applicability outcome, const char *advice,
                                           const char *format, ...)
{
  struct wb_measured_check *check = &work->result->checks[kind];
  *check = (struct wb_measured_check){.kind = kind,
                                      .done = true,
                                      .statistic = NAN,
                                      .detail = NAN,
                                      .p_value = NAN,
                                      .adjusted = NAN,
                                      .outcome = outcome};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(check->meaning, sizeof check->meaning, format, arguments);
  va_end(arguments);
  snprintf(check->advice, sizeof check->advice, "%s", outcome == WB_APPLICABLE ? "" : advice);
  return check;
}

/* Fills in a check that could not be made. */
static void skip_check(struct wb_measured_work *work, enum wb_measured_check_kind kind,
                       const char *why)
{
  set_check(work, kind, WB_APPLICABLE, "", "not made: %s", why)->done = false;
}

static enum wb_applicability grade(double value, double least, double good)
{
  return value < least ? WB_NOT_APPLICABLE : value < good ? WB_APPLICABLE_WITH_CARE : WB_APPLICABLE;
}

/* ---- resolution ---- */

/* A tick with four digits: it may be far finer than what is shown of times. */
static const char *tick_words(double tick, char text[WB_MEASURED_TIME])
{
  if (!(tick >= LEAST_PLAIN_TICK && tick < MOST_PLAIN_TICK)) {
    snprintf(text, WB_MEASURED_TIME, "%.4g", tick);
    return text;
  }
  const int decimals = (int)fmax(0, 3 - floor(log10(tick)));
  size_t length = (size_t)snprintf(text, WB_MEASURED_TIME, "%.*f", decimals, tick);
  while (decimals > 0 && text[length - 1] == '0')
    length--;
  length -= decimals > 0 && text[length - 1] == '.';
  text[length] = '\0';
  return text;
}

static void check_resolution(struct wb_measured_work *work)
{
  const struct wb_resolution *found = &work->result->resolution;
  const double *ascending = work->result->ascending;
  const size_t first = work->count - (work->count + 9) / 10;
  double sum = 0;
  for (size_t k = first; k < work->count; k++)
    sum += ascending[k] - ascending[first];
  /* The mean excess over the 90 % quantile is about the scale of the tail. */
  const double spread = sum / (double)(work->count - first);
  const double ticks = found->tick > 0 ? spread / found->tick : INFINITY;
  enum wb_applicability outcome = grade(ticks, LEAST_TICKS, GOOD_TICKS);
  char tick[WB_MEASURED_TIME];
  if (found->tick > 0)
    set_check(
        work, WB_CHECK_RESOLUTION, outcome,
        "measure with a finer clock (clock64 beside %globaltimer or events); never the mean of "
        "several runs, which hides the tail of one; fits take rounding into account, levels are "
        "sharp to a tick at best",
        "ticks of %s%s%s%s; the largest tenth spreads over %.*f ticks on average; %.3g %% of all "
        "values "
        "equal another one",
        tick_words(found->tick, tick), found->clock != NULL ? " (" : "",
        found->clock != NULL ? found->clock : "", found->clock != NULL ? ")" : "",
        ticks < 100 ? 1 : 0, ticks, 100 * found->tied_share);
  else {
    outcome = grade(-found->tail_tied_share, -0.5, -0.1);
    set_check(work, WB_CHECK_RESOLUTION, outcome,
              "equal times without a tick of the clock: look for times that were "
              "copied, capped or replaced",
              "no tick is seen; %.3g %% of all values equal another one, %.3g %% of "
              "the largest tenth",
              100 * found->tied_share, 100 * found->tail_tied_share);
  }
  work->result->checks[WB_CHECK_RESOLUTION].statistic =
      found->tick > 0 ? ticks : found->tail_tied_share;
}

/* ---- independence and stationarity ---- */

static warpbound_status ljung_box(const double *values, size_t count, struct wb_test *test,
                                  warpbound_error *error)
{
  return wb_test_ljung_box(values, count, 0, test, error);
}

/* The tests of hypotheses on the order of the values; that of the trend is of their maxima. */
static const struct {
  enum wb_measured_check_kind kind;
  warpbound_status (*run)(const double *values, size_t count, struct wb_test *test,
                          warpbound_error *error);
} tests[] = {
    {WB_CHECK_LJUNG_BOX, ljung_box},
    {WB_CHECK_RUNS, wb_test_runs},
    {WB_CHECK_KPSS, wb_test_kpss},
    {WB_CHECK_HALVES, wb_test_halves},
    {WB_CHECK_CHANGE_POINT, wb_test_change_point},
    {WB_CHECK_WARM_UP, wb_test_warm_up},
    {WB_CHECK_PERIOD, wb_test_period},
    {WB_CHECK_TREND, NULL},
};
#define TESTS (sizeof tests / sizeof *tests)

static void set_test(struct wb_measured_work *work, enum wb_measured_check_kind kind,
                     const struct wb_test *test)
{
  struct wb_measured_check *check = &work->result->checks[kind];
  check->statistic = test->statistic;
  check->p_value = test->p_value;
  if (isnan(test->p_value))
    skip_check(work, kind, "too few values");
}

/* What a test found, in words. */
static void describe_test(struct wb_measured_work *work, enum wb_measured_check_kind kind,
                          const struct wb_test *test)
{
  const struct wb_measured_series *result = work->result;
  if (kind == WB_CHECK_LJUNG_BOX) {
    const double lag = test->detail;
    const bool known = lag >= 1 && lag <= (double)result->lag_count;
    set_check(work, kind, WB_APPLICABLE, "", "largest autocorrelation %.3f, at lag %.0f",
              known ? result->correlations[(size_t)lag - 1] : 0, lag);
  } else if (kind == WB_CHECK_RUNS) {
    set_check(work, kind, WB_APPLICABLE, "", "%.0f runs above and below %s", test->detail,
              TEXT(work, result->summary.median));
  } else if (kind == WB_CHECK_KPSS) {
    set_check(work, kind, WB_APPLICABLE, "", "statistic %.3f, long-run variance of %.0f lag%s",
              test->statistic, test->detail, test->detail == 1 ? "" : "s");
  } else if (kind == WB_CHECK_WARM_UP) {
    char last[40] = "";
    if (test->detail > 1)
      snprintf(last, sizeof last, " to %.0f", (double)work->skipped + test->detail);
    set_check(work, kind, WB_APPLICABLE, "",
              "the begin that differs most from the rest is run %zu%s", work->skipped + 1, last)
        ->detail = test->detail;
  } else if (kind == WB_CHECK_PERIOD) {
    const double first_slow = (double)work->skipped + test->place + 1;
    set_check(
        work, kind, WB_APPLICABLE, "",
        "of every %.0f runs the one of run %.0f, %.0f, ... is the slowest, by %.1f deviations",
        test->detail, first_slow, first_slow + test->detail, test->statistic)
        ->detail = test->detail;
  } else if (kind == WB_CHECK_HALVES) {
    set_check(work, kind, WB_APPLICABLE, "", "distributions differ by %.4f at most, near %s",
              test->statistic, TEXT(work, test->detail));
  } else {
    set_check(work, kind, WB_APPLICABLE, "", "the likeliest change is after value %.0f of %zu",
              test->detail + 1, work->count)
        ->detail = test->detail;
  }
}

/* Whether the maxima of blocks are independent, though the values are not; and whether they have a
 * trend: by how much the location of the GEV moves from the first maximum to the last. */
static warpbound_status test_maxima(struct wb_measured_work *work, const double *maxima,
                                    size_t count, double *places, bool *independent)
{
  struct wb_test test;
  struct wb_tail_fit fit;
  warpbound_error why = {0};
  warpbound_status status = wb_test_ljung_box(maxima, count, 0, &test, work->error);
  if (status != WARPBOUND_OK)
    return status;
  *independent = isnan(test.p_value) || test.p_value >= work->options->significance;
  test = wb_test_trend(maxima, count);
  for (size_t k = 0; k < count; k++)
    places[k] = (double)k / (double)(count - 1);
  const struct wb_fit_data data = {
      .values = maxima, .count = count, .covariate = places, .control = work->control};
  status = wb_tail_fit(&data, WB_TAIL_GEV, WB_FIT_LIKELIHOOD, &fit, &why);
  if (status == WARPBOUND_INTERNAL || status == WARPBOUND_LIMIT)
    return wb_fail_with(work->error, &why);
  if (status != WARPBOUND_OK || isnan(fit.trend))
    set_check(work, WB_CHECK_TREND, WB_APPLICABLE, "", "tau %.3f of %zu maxima", test.detail,
              count);
  else
    set_check(work, WB_CHECK_TREND, WB_APPLICABLE, "",
              "tau %.3f of %zu maxima; their location moves by %s from the first to "
              "the last",
              test.detail, count, TEXT(work, fit.trend));
  set_test(work, WB_CHECK_TREND, &test);
  return WARPBOUND_OK;
}

static void refuse(struct wb_measured_work *work, enum wb_measured_check_kind kind, bool small,
                   const char *small_advice, const char *advice)
{
  struct wb_measured_check *check = &work->result->checks[kind];
  if (!check->done || !(check->adjusted < work->options->significance))
    return;
  check->outcome = small ? WB_APPLICABLE_WITH_CARE : WB_NOT_APPLICABLE;
  snprintf(check->advice, sizeof check->advice, "%s", small ? small_advice : advice);
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
  char warm_up[sizeof work->result->checks[0].advice];
  snprintf(warm_up, sizeof warm_up,
           "the first runs are not as the others: leave them out (--skip %.0f), or measure warm "
           "runs alone",
           (double)work->skipped + work->result->checks[WB_CHECK_WARM_UP].detail);
  const struct wb_measured_check *halves = &work->result->checks[WB_CHECK_HALVES];
  const size_t half = work->count / 2;
  double largest = 0, first = 0, second = 0;
  for (size_t lag = 0; lag < work->result->lag_count; lag++)
    largest = fmax(largest, fabs(work->result->correlations[lag]));
  for (size_t k = 0; k < half; k++) {
    first += work->values[k];
    second += work->values[work->count - half + k];
  }
  /* The difference of the halves' means, in standard deviations. */
  const double shift = fabs(second - first) / (double)half / work->result->summary.deviation;
  const bool independent = maxima_independent || !(largest > SMALL_CORRELATION);
  const bool small = halves->done && halves->statistic < SMALL_DISTANCE && shift < SMALL_SHIFT;
  /* Holm 1979: the k-th smallest of m p-values times m - k + 1, ascending. */
  struct wb_measured_check *made[TESTS];
  size_t count = 0;
  for (size_t t = 0; t < TESTS; t++) {
    struct wb_measured_check *check = &work->result->checks[tests[t].kind];
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
  refuse(work, WB_CHECK_LJUNG_BOX, independent, blocks, dependent);
  refuse(work, WB_CHECK_RUNS, independent, blocks, dependent);
  refuse(work, WB_CHECK_KPSS, small, slight, moving);
  refuse(work, WB_CHECK_HALVES, small, slight, moving);
  refuse(work, WB_CHECK_CHANGE_POINT, small, slight, moving);
  refuse(work, WB_CHECK_WARM_UP, false, slight, warm_up);
  refuse(work, WB_CHECK_PERIOD, false, slight,
         "runs are slow at regular distances: find what happens there (a timer, another kernel, "
         "transfers), and measure them apart or take it away");
  refuse(work, WB_CHECK_TREND, false, slight,
         "the longest times grow or shrink while they are measured: wait until clocks and caches "
         "settle, fix the clock, or analyse the parts apart (--group)");
}

/* The tests of order, with p-values adjusted for their number. */
static warpbound_status check_order(struct wb_measured_work *work)
{
  bool maxima_independent = false;
  warpbound_status status = WARPBOUND_OK;
  for (size_t t = 0; t < TESTS && tests[t].run != NULL && status == WARPBOUND_OK; t++) {
    struct wb_test test;
    status = tests[t].run(work->values, work->count, &test, work->error);
    if (status == WARPBOUND_OK) {
      describe_test(work, tests[t].kind, &test);
      set_test(work, tests[t].kind, &test);
    }
  }
  if (status != WARPBOUND_OK)
    return status;
  const size_t wanted = work->count / TEST_MAXIMA > 0 ? work->count / TEST_MAXIMA : 1;
  const bool each = work->options->block_size == 1 && work->count <= MOST_TEST_MAXIMA;
  const size_t block = each ? 1 : wanted;
  if (work->count / block < LEAST_TEST_MAXIMA) {
    skip_check(work, WB_CHECK_TREND, "too few maxima of blocks");
  } else {
    struct wb_arena arena = {0};
    double *maxima = wb_arena_array(&arena, double, work->count / block);
    double *places = wb_arena_array(&arena, double, work->count / block);
    status = !arena.failed ? test_maxima(work, maxima,
                                         wb_block_maxima(work->values, work->count, block, maxima),
                                         places, &maxima_independent)
                           : wb_out_of_memory(work->error);
    wb_arena_free(&arena);
  }
  if (status == WARPBOUND_OK)
    judge_order(work, maxima_independent);
  return status;
}

/* ---- tails ---- */

/* A slow mode that overlaps the others: care, and thresholds go above where it begins. */
static warpbound_status check_slow_mode(struct wb_measured_work *work)
{
  struct wb_measured_series *result = work->result;
  struct wb_slow_mode mode;
  double *spread = wb_spread_values(result->ascending, work->count, result->resolution.tick,
                                    wb_measured_seed(work, 3));
  if (spread == NULL)
    return wb_out_of_memory(work->error);
  wb_slow_mode_find(spread, work->count, &mode);
  free(spread);
  if (mode.possible) {
    set_check(work, WB_CHECK_MODES, WB_APPLICABLE_WITH_CARE,
              "measure 5,000 runs or more: of fewer a slow mode that overlaps the others cannot be "
              "told from chance",
              "the %zu values above %s might be a slow mode", mode.above + mode.in_bump,
              TEXT(work, result->ascending[work->count - 1 - mode.above - mode.in_bump]))
        ->statistic = mode.height;
    return WARPBOUND_OK;
  }
  if (!mode.found) {
    set_check(work, WB_CHECK_MODES, WB_APPLICABLE, "", "one heap of values is seen")->statistic =
        mode.height;
    return WARPBOUND_OK;
  }
  const size_t low = mode.above + mode.in_bump;
  result->mode_above = mode.above;
  set_check(work, WB_CHECK_MODES, WB_APPLICABLE_WITH_CARE,
            "a slow mode seems to overlap the others: the threshold is kept above where it begins; "
            "find its cause, and measure it apart",
            "the %zu values from %s to %s lie farther apart than those on both sides: a slow mode "
            "begins there, of about %zu values",
            mode.in_bump, TEXT(work, result->ascending[work->count - low]),
            TEXT(work, result->ascending[work->count - 1 - mode.above]), low)
      ->statistic = mode.height;
  return WARPBOUND_OK;
}

static warpbound_status check_modes(struct wb_measured_work *work)
{
  struct wb_modes modes;
  const warpbound_status status = wb_modes_find(work->result->ascending, work->count,
                                                work->result->resolution.tick, &modes, work->error);
  if (status != WARPBOUND_OK)
    return status;
  if (!modes.found)
    return check_slow_mode(work);
  const double above = modes.upper_share * (double)work->count;
  set_check(
      work, WB_CHECK_MODES, above < LEAST_IN_MODE ? WB_NOT_APPLICABLE : WB_APPLICABLE_WITH_CARE,
      above < LEAST_IN_MODE
          ? "too few runs in the slow mode: provoke it, and measure the modes apart"
          : "the tail is that of the upper mode alone: keep the threshold in it, or measure the "
            "modes apart; a third one may not have been seen",
      "two heaps, near %s and %s, with a valley near %s; %.3g %% of the values (%.0f) are in "
      "the upper one",
      TEXT(work, modes.lower), TEXT(work, modes.upper), TEXT(work, modes.valley),
      100 * modes.upper_share, above)
      ->statistic = modes.depth;
  return status;
}

static double upper_quantile(const struct wb_measured_work *work, double share)
{
  const size_t above = (size_t)(share * (double)work->count);
  return work->result->ascending[work->count - 1 - (above < work->count ? above : 0)];
}

static warpbound_status check_clusters(struct wb_measured_work *work)
{
  struct wb_extremal_index index;
  const double threshold = upper_quantile(work, 0.05);
  const warpbound_status status = wb_extremal_index_of(
      work->values, work->count, threshold, work->options->run_length, &index, work->error);
  if (status != WARPBOUND_OK)
    return status;
  if (isnan(index.intervals)) {
    skip_check(work, WB_CHECK_CLUSTERS, "fewer than 10 values above the 95 % quantile");
    return status;
  }
  set_check(work, WB_CHECK_CLUSTERS, grade(index.intervals, 0.05, 0.7),
            "long times come in clusters: peaks are taken one a cluster, and levels "
            "speak of one run",
            "%.3f by intervals, %.3f by runs: long times come in "
            "clusters of %.2f on average",
            index.intervals, index.runs, 1 / index.intervals)
      ->statistic = index.intervals;
  return status;
}

/* The runs whose times are `first` or longer. */
static warpbound_status list_outliers(struct wb_measured_work *work, double first)
{
  struct wb_measured_series *result = work->result;
  size_t count = 0;
  for (size_t k = 0; k < work->count; k++)
    count += work->values[k] >= first;
  result->outliers = wb_allocate(count, sizeof *result->outliers);
  if (result->outliers == NULL)
    return wb_out_of_memory(work->error);
  for (size_t k = 0; k < work->count; k++)
    if (work->values[k] >= first)
      result->outliers[result->outlier_count++] = k;
  return WARPBOUND_OK;
}

static warpbound_status check_tail_points(struct wb_measured_work *work)
{
  struct wb_tail_points_result found;
  warpbound_error why;
  /* Of normal times the largest tenth is no tail yet: 15 % of good samples of 5,000 would be
   * refused, of the largest twentieth 5 %. */
  const double share = work->count >= MANY_SAMPLES
                           ? 0.05 * fmin(1, pow(TWENTIETH_OF / (double)work->count, SHARE_FALL))
                           : 0.1;
  const double threshold = upper_quantile(work, share);
  const size_t first =
      work->count - wb_count_above(work->result->ascending, work->count, threshold);
  const warpbound_status status =
      wb_tail_points_check(work->result->ascending + first, work->count - first, threshold,
                           work->result->resolution.tick, work->options->confidence, &found, &why);
  if (status == WARPBOUND_INTERNAL || status == WARPBOUND_LIMIT)
    return wb_fail_with(work->error, &why);
  if (status != WARPBOUND_OK) {
    skip_check(work, WB_CHECK_TAIL_POINTS, why.message);
    return WARPBOUND_OK;
  }
  if (found.outcome == WB_TAIL_POINTS_ALIKE && isnan(found.shape))
    skip_check(work, WB_CHECK_TAIL_POINTS, "no tail can be fitted without the largest");
  else if (found.outcome == WB_TAIL_POINTS_ALIKE)
    set_check(work, WB_CHECK_TAIL_POINTS, WB_APPLICABLE, "",
              "they fit the tail of the others (shape xi %.3f, from %.3f "
              "to %.3f)",
              found.shape, found.shape_low, found.shape_high);
  else if (found.outcome == WB_TAIL_POINTS_MIXTURE)
    set_check(work, WB_CHECK_TAIL_POINTS,
              found.p_value < CERTAIN * (1 - work->options->confidence) ? WB_NOT_APPLICABLE
                                                                        : WB_APPLICABLE_WITH_CARE,
              "the tail has a second mode: find its cause, measure it apart, or raise "
              "the threshold into it",
              "%zu values from %s on stand apart from the tail of the others: a "
              "mixture",
              found.apart, TEXT(work, found.first_apart));
  else
    set_check(work, WB_CHECK_TAIL_POINTS, WB_APPLICABLE_WITH_CARE,
              "take more samples until they are explained or common enough to be "
              "fitted",
              "%zu %s from %s on stand apart from the tail of the others, too few to "
              "say why",
              found.apart, found.apart == 1 ? "value" : "values", TEXT(work, found.first_apart));
  work->result->checks[WB_CHECK_TAIL_POINTS].statistic = (double)found.apart;
  return found.outcome == WB_TAIL_POINTS_ALIKE ? WARPBOUND_OK
                                               : list_outliers(work, found.first_apart);
}

warpbound_status wb_measured_check_all(struct wb_measured_work *work)
{
  const struct wb_measured_summary *summary = &work->result->summary;
  const bool constant = work->count == 0 || !(summary->most > summary->least);
  const bool maxima = work->options->block_size == 1;
  const size_t good = maxima ? GOOD_MAXIMA : GOOD_SAMPLES;
  const size_t least = maxima ? LEAST_MAXIMA : LEAST_SAMPLES;
  const char *values = work->count == 1 ? "value" : "values";
  set_check(work, WB_CHECK_SIZE, grade((double)work->count, (double)least, (double)good),
            "measure more runs: the tail of a small sample says little",
            "%zu %s; at least %zu are needed, %zu or more advised", work->count,
            maxima ? "maxima" : values, least, good)
      ->statistic = (double)work->count;
  const size_t distinct = work->result->resolution.distinct;
  if (constant)
    set_check(work, WB_CHECK_CONSTANT, WB_NOT_APPLICABLE,
              "no tail can be seen: the clock is too coarse, or the runs do not differ",
              "all values are equal");
  else
    set_check(work, WB_CHECK_CONSTANT, WB_APPLICABLE, "", "%zu different values", distinct);
  work->result->checks[WB_CHECK_CONSTANT].statistic = (double)distinct;
  if (constant || work->count < LEAST_MAXIMA) {
    for (int kind = WB_CHECK_RESOLUTION; kind < WB_MEASURED_CHECKS; kind++)
      skip_check(work, (enum wb_measured_check_kind)kind,
                 constant ? "all values are equal" : "too few values");
    return WARPBOUND_OK;
  }
  check_resolution(work);
  warpbound_status status = check_order(work);
  if (status == WARPBOUND_OK)
    status = check_clusters(work);
  if (status == WARPBOUND_OK)
    status = check_modes(work);
  if (status == WARPBOUND_OK)
    status = check_tail_points(work);
  return status;
}

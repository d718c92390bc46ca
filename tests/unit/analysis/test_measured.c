/* The statistical analysis of measured times: verdicts on good and bad data, what is fitted, and
 * what is said of levels. */
#include "analysis/measured/measured_result.h"
#include "report/measured/measured_report.h"
#include "samples/make_times.h"

#include <math.h>

#include "unit.h"

static struct wb_measured_options defaults(void)
{
  return (struct wb_measured_options){.decluster = true,
                                      .probabilities = {1e-2, 1e-4, 1e-6},
                                      .probability_count = 3,
                                      .confidence = 0.95,
                                      .significance = 0.05,
                                      .replicates = 49,
                                      .seed = 1};
}

/* One analysis of one series. */
struct analysed {
  struct wb_samples samples;
  struct wb_measured measured;
};

static const struct wb_measured_series *analyse_values(struct analysed *analysed,
                                                       const double *values, size_t count,
                                                       const struct wb_measured_options *options,
                                                       unsigned threads)
{
  struct wb_series *series = calloc(1, sizeof *series);
  assert_non_null(series);
  *series = (struct wb_series){.name = strdup(""),
                               .values = calloc(count + 1, sizeof *values),
                               .count = count,
                               .capacity = count + 1};
  assert_non_null(series->values);
  if (count > 0)
    memcpy(series->values, values, count * sizeof *values);
  analysed->samples =
      (struct wb_samples){.file = strdup("times.csv"), .series = series, .count = 1, .capacity = 1};
  struct wb_control control = wb_control_start(NULL);
  control.threads = threads;
  assert_ok(wb_measured_analyse(&analysed->samples, options, &control, &analysed->measured, NULL));
  return &analysed->measured.series[0];
}

static const struct wb_measured_series *analyse(struct analysed *analysed,
                                                const struct made_times *recipe, size_t count,
                                                const struct wb_measured_options *options)
{
  double *values = calloc(count, sizeof *values);
  assert_non_null(values);
  make_times(recipe, count, 20261123, values);
  const struct wb_measured_series *series = analyse_values(analysed, values, count, options, 2);
  free(values);
  return series;
}

static void release(struct analysed *analysed)
{
  wb_measured_free(&analysed->measured);
  wb_samples_free(&analysed->samples);
}

static bool is_fitted(const struct wb_measured_series *series)
{
  for (int kind = 0; kind < WB_MEASURED_FITS; kind++)
    if (!series->fits[kind].failed)
      return true;
  return false;
}

/* ---- verdicts ---- */

static const struct made_times good = {
    .family = MADE_GEV, .location = 1000, .scale = 20, .shape = 0.05};

/* By recipe: the verdict, and the check that has to be as bad as it. */
TEST(test_verdicts)
{
  static const struct {
    const char *name;
    struct made_times recipe;
    enum wb_applicability verdict;
    enum wb_measured_check_kind check;
  } rows[] = {
      {"good",
       {.family = MADE_GEV, .location = 1000, .scale = 20, .shape = 0.05},
       WB_APPLICABLE,
       WB_CHECK_SIZE},
      {"drift",
       {.family = MADE_NORMAL, .location = 1000, .scale = 20, .drift = 40},
       WB_NOT_APPLICABLE,
       WB_CHECK_KPSS},
      {"step",
       {.family = MADE_NORMAL, .location = 1000, .scale = 20, .step = 20, .step_at = 0.4},
       WB_NOT_APPLICABLE,
       WB_CHECK_CHANGE_POINT},
      {"coarse clock",
       {.family = MADE_NORMAL, .location = 1000, .scale = 20, .tick = 32},
       WB_NOT_APPLICABLE,
       WB_CHECK_RESOLUTION},
      {"clock with ticks",
       {.family = MADE_NORMAL, .location = 1000, .scale = 20, .tick = 4},
       WB_APPLICABLE_WITH_CARE,
       WB_CHECK_RESOLUTION},
      {"two modes",
       {.family = MADE_NORMAL,
        .location = 1000,
        .scale = 20,
        .modes = MADE_MODES_MIXED,
        .mode_gap = 300,
        .mode_share = 0.2},
       WB_APPLICABLE_WITH_CARE,
       WB_CHECK_MODES},
      {"two modes in turn",
       {.family = MADE_NORMAL,
        .location = 1000,
        .scale = 20,
        .modes = MADE_MODES_BLOCKS,
        .mode_gap = 300,
        .mode_length = 700},
       WB_NOT_APPLICABLE,
       WB_CHECK_LJUNG_BOX},
      {"a mode that is rare",
       {.family = MADE_NORMAL,
        .location = 1000,
        .scale = 20,
        .modes = MADE_MODES_MIXED,
        .mode_gap = 300,
        .mode_share = 0.012},
       WB_NOT_APPLICABLE,
       WB_CHECK_MODES},
      {"dependent",
       {.family = MADE_NORMAL, .location = 1000, .scale = 20, .correlation = 0.5},
       WB_APPLICABLE_WITH_CARE,
       WB_CHECK_LJUNG_BOX},
      {"clusters",
       {.family = MADE_GEV, .location = 1000, .scale = 20, .max_dependence = 0.6},
       WB_APPLICABLE_WITH_CARE,
       WB_CHECK_CLUSTERS},
  };
  struct wb_measured_options options = defaults();
  options.replicates = 19;
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    FREED_BY(release) struct analysed analysed;
    const struct wb_measured_series *series = analyse(&analysed, &rows[r].recipe, 6000, &options);
    if (series->verdict != rows[r].verdict ||
        series->checks[rows[r].check].outcome != rows[r].verdict)
      fail_msg("%s: %s", rows[r].name, series->verdict_words);
    assert_int_equal(is_fitted(series), rows[r].verdict != WB_NOT_APPLICABLE);
  }
}

static void expect_not_applicable(const double *values, size_t count,
                                  enum wb_measured_check_kind check)
{
  struct analysed analysed;
  struct wb_measured_options options = defaults();
  for (int anyway = 0; anyway < 2; anyway++) {
    options.fit_anyway = anyway;
    const struct wb_measured_series *series = analyse_values(&analysed, values, count, &options, 1);
    assert_int_equal(series->verdict, WB_NOT_APPLICABLE);
    assert_int_equal(series->checks[check].outcome, WB_NOT_APPLICABLE);
    FREED_BY(wb_text_free) struct wb_text text = {0};
    wb_measured_text(&analysed.measured, false, false, &text);
    wb_measured_json(&analysed.measured, &text);
    assert_false(text.failed);
    release(&analysed);
  }
}

TEST(test_degenerate)
{
  static const double few[] = {5, 7, 6};
  static const double huge[] = {1e308, 0, 1e-308, 1e308, 1, 2, 3, 1e300, 5e-324, 17};
  double constant[500], two[500];
  for (size_t k = 0; k < 500; k++) {
    constant[k] = 42;
    two[k] = k % 2 == 0 ? 42 : 43;
  }
  expect_not_applicable(few, 0, WB_CHECK_SIZE);
  expect_not_applicable(few, 1, WB_CHECK_SIZE);
  expect_not_applicable(few, 2, WB_CHECK_SIZE);
  expect_not_applicable(few, 3, WB_CHECK_SIZE);
  expect_not_applicable(huge, 10, WB_CHECK_SIZE);
  expect_not_applicable(constant, 500, WB_CHECK_CONSTANT);
  expect_not_applicable(two, 500, WB_CHECK_RESOLUTION);
}

/* All six hypotheses together are refused on good data in at most about the stated share. */
TEST(test_size_of_verdict)
{
  struct wb_measured_options options = defaults();
  options.replicates = 0;
  options.probability_count = 0;
  options.method = WB_MEASURED_PEAKS;
  options.has_threshold = true;
  options.threshold = 1040;
  unsigned refused = 0;
  double values[1500];
  for (uint64_t seed = 1; seed <= 200; seed++) {
    FREED_BY(release) struct analysed analysed;
    make_times(&good, 1500, seed, values);
    const struct wb_measured_series *series = analyse_values(&analysed, values, 1500, &options, 1);
    bool any = false;
    for (int kind = WB_CHECK_LJUNG_BOX; kind <= WB_CHECK_TREND; kind++)
      any = any || series->checks[kind].outcome != WB_APPLICABLE;
    refused += any;
  }
  if (refused > 20) /* 10 are to be expected at most, with a deviation of 3.1 */
    fail_msg("%u of 200 good series are refused at 5 %%", refused);
}

/* ---- the one answer ---- */

/* Levels that are averaged over three thresholds lie between theirs; the interval too, its upper
 * end above the mean; and one that is observed is a quantile of the times. */
TEST(test_recommended)
{
  FREED_BY(release) struct analysed analysed;
  struct wb_measured_options options = defaults();
  const struct wb_measured_series *series = analyse(&analysed, &good, 4000, &options);
  const struct wb_measured_recommendation *recommended = &series->recommended;
  assert_true(recommended->given);
  assert_int_equal(recommended->kind, WB_FIT_OF_PARETO);
  assert_int_equal(recommended->averaged, 3);
  assert_int_equal(series->exceedances >= 110 && series->exceedances <= 140, 1);
  for (size_t p = 1; p < options.probability_count; p++) {
    double least = INFINITY, most = -INFINITY, least_end = INFINITY, most_end = -INFINITY;
    for (size_t k = 0; k < series->choice_count; k++) {
      const struct wb_measured_choice_level *level =
          &series->choice_levels[k * options.probability_count + p];
      if (series->choices[k].of_maxima || !series->choices[k].averaged)
        continue;
      least = fmin(least, level->level);
      most = fmax(most, level->level);
      least_end = fmin(least_end, level->interval.high);
      most_end = fmax(most_end, level->interval.high);
    }
    const struct wb_measured_recommended_level *level = &recommended->levels[p];
    assert_true(least <= level->level && level->level <= most);
    assert_true(level->low < level->level && level->level < level->high);
    assert_true(least_end <= level->high && level->high <= most_end);
    assert_false(level->observed);
  }
  /* 40 of 4,000 times exceed the first level: more than half of those above the highest threshold.
   */
  assert_true(recommended->levels[0].observed);
  assert_true(recommended->levels[0].level == series->ascending[3999 - 40]);
  assert_true(recommended->levels[0].low == series->ascending[3999 - 52]);
  assert_true(recommended->levels[0].high == series->ascending[3999 - 27]);
}

/* One choice alone where it is given; maxima where peaks are not asked for. */
TEST(test_recommended_as_given)
{
  struct wb_measured_options options = defaults();
  options.has_threshold = true;
  options.threshold = 1060;
  options.method = WB_MEASURED_PEAKS;
  for (int maxima = 0; maxima < 2; maxima++) {
    FREED_BY(release) struct analysed analysed;
    const struct wb_measured_series *series = analyse(&analysed, &good, 4000, &options);
    const enum wb_measured_fit_kind kind = maxima == 1 ? WB_FIT_OF_GEV : WB_FIT_OF_PARETO;
    assert_true(series->recommended.given);
    assert_int_equal(series->recommended.kind, kind);
    assert_int_equal(series->recommended.averaged, 1);
    const struct wb_measured_level *level = &series->fits[kind].levels[2];
    assert_true(fabs(series->recommended.levels[2].high - level->profile.high) <
                1e-6 * level->profile.high);
    options.method = WB_MEASURED_MAXIMA;
    options.block_size = 40;
  }
}

/* ---- fits and levels ---- */

TEST(test_levels)
{
  FREED_BY(release) struct analysed analysed;
  struct wb_measured_options options = defaults();
  options.bound = (struct wb_measured_bound){true, 1150, "test"};
  const struct wb_measured_series *series = analyse(&analysed, &good, 4000, &options);
  for (int kind = 0; kind < WB_MEASURED_FITS; kind++) {
    const struct wb_measured_fit *fit = &series->fits[kind];
    if (fit->failed)
      continue;
    for (size_t p = 0; p < options.probability_count; p++) {
      const struct wb_measured_level *level = &fit->levels[p];
      const double truth = made_level(&good, level->probability);
      if (kind == WB_FIT_OF_GEV || kind == WB_FIT_OF_PARETO)
        assert_true(fabs(level->level - truth) < 4 * level->error);
      assert_true(!level->profile.found ||
                  (level->profile.low <= level->level && level->level <= level->profile.high));
      assert_int_equal(level->above_bound, level->level > 1150);
      assert_int_equal(level->extrapolated, level->level > series->summary.most);
      assert_true(p == 0 || level->level > fit->levels[p - 1].level);
    }
  }
  assert_false(series->fits[WB_FIT_OF_GEV].failed);
  assert_false(series->fits[WB_FIT_OF_PARETO].failed);
}

/* The level of one run is the same from blocks of any size, but for what chance adds. */
TEST(test_blocks)
{
  struct wb_measured_options options = defaults();
  options.method = WB_MEASURED_MAXIMA;
  options.replicates = 0;
  static const size_t blocks[] = {20, 33, 50};
  for (size_t b = 0; b < 3; b++) {
    FREED_BY(release) struct analysed analysed;
    options.block_size = blocks[b];
    const struct wb_measured_series *series = analyse(&analysed, &good, 10000, &options);
    assert_int_equal(series->maximum_count, 10000 / blocks[b]);
    assert_int_equal(series->left_out, 10000 % blocks[b]);
    const struct wb_measured_level *level = &series->fits[WB_FIT_OF_GEV].levels[1];
    const double truth = made_level(&good, 1e-4);
    if (!(fabs(level->level - truth) < 4 * level->error))
      fail_msg("blocks of %zu: %g, the truth is %g", blocks[b], level->level, truth);
    assert_true(series->fits[WB_FIT_OF_PARETO].failed);
  }
}

TEST(test_determinism)
{
  struct wb_measured_options options = defaults();
  options.bootstrap = 40;
  double values[1200];
  char *first = NULL;
  make_times(&good, 1200, 3, values);
  for (unsigned threads = 1; threads <= 4; threads += 3) {
    FREED_BY(release) struct analysed analysed;
    struct wb_text text = {0};
    (void)analyse_values(&analysed, values, 1200, &options, threads);
    wb_measured_json(&analysed.measured, &text);
    char *json = wb_text_take(&text);
    assert_non_null(json);
    if (first == NULL) {
      first = json;
    } else {
      assert_string_equal(first, json);
      free(json);
    }
  }
  free(first);
}

TEST(test_options)
{
  struct wb_samples samples = {0};
  FREED_BY(wb_measured_free) struct wb_measured measured;
  const struct wb_control control = wb_control_start(NULL);
  warpbound_error error;
  struct wb_measured_options options = defaults();
  options.probabilities[1] = 0;
  assert_misuse(wb_measured_analyse(&samples, &options, &control, &measured, &error));
  assert_string_equal(error.message, "probability: expected a number from 1e-300 to 0.5, found 0");
  options = defaults();
  options.confidence = NAN;
  assert_misuse(wb_measured_analyse(&samples, &options, &control, &measured, &error));
  options = defaults();
  assert_ok(wb_measured_analyse(&samples, &options, &control, &measured, &error));
}

/* Plots and page of measured times: well-formed, harmless with any text of the input, of a limited
 * size, and true to the numbers. How they look is not tested. */
#include "analysis/measured/measured_result.h"
#include "base/status.h"
#include "evt/samples/samples.h"
#include "failing_heap.h"
#include "pages/page_checks.h"
#include "report/measured/measured_plots.h"
#include "report/measured/measured_report.h"
#include "unit.h"

#include <assert.h>
#include <math.h>

/* ---- an analysis of measured times whose numbers are made by hand ---- */

#define MADE_SERIES 3

struct made_measured { /* all that a report needs; not to be moved */
  struct wb_series series[MADE_SERIES];
  struct wb_measured_series results[MADE_SERIES];
  struct wb_samples samples;
  struct wb_measured measured;
};

#define SCALE 100.0
#define LEAST 1000.0
#define BLOCK 10
#define SHAPE 0.1

static void make_levels(const struct wb_measured_options *options, struct wb_measured_fit *fit,
                        double most)
{
  for (size_t k = 0; k < options->probability_count; k++) {
    struct wb_measured_level *const level = &fit->levels[k];
    const double probability = options->probabilities[k];
    const double survival = wb_measured_survival(fit, probability);
    *level = (struct wb_measured_level){
        .probability = probability, .survival = survival, .level = NAN, .error = NAN};
    if (!(survival > 0 && survival < 1))
      continue;
    level->level = wb_tail_level(&fit->fit.tail, survival);
    level->error = 10;
    level->profile = (struct wb_interval){true, level->level - 50, level->level + 150};
    level->extrapolated = level->level > most;
    level->above_bound = level->level > options->bound.value;
  }
}

static void make_fit(struct made_measured *made, struct wb_measured_series *result,
                     enum wb_measured_fit_kind kind, enum wb_tail_family family)
{
  struct wb_measured_fit *const fit = &result->fits[kind];
  const bool maxima = wb_tail_is_of_maxima(family);
  const bool shaped = family == WB_TAIL_GEV || family == WB_TAIL_PARETO;
  *fit = (struct wb_measured_fit){
      .fit = {.tail = {.family = family,
                       .location = maxima ? LEAST + SCALE * log(BLOCK) : result->threshold,
                       .scale = SCALE,
                       .shape = shaped ? SHAPE : 0},
              .count = maxima ? result->maximum_count : result->peak_count,
              .parameter_count = 1u + shaped + maxima,
              .negative_log_likelihood = 1234.5},
      .runs_per_block = BLOCK,
      .share_above = (double)result->exceedances / (double)result->summary.count,
      .goodness = {.anderson_darling_p = 0.5, .cramer_von_mises_p = 0.25, .replicates = 199},
      .has_goodness = true,
  };
  if (shaped)
    fit->shape = (struct wb_interval){true, 0.05, 0.2};
  make_levels(&made->measured.options, fit, result->summary.most);
}

static void make_fits(struct made_measured *made, struct wb_measured_series *result)
{
  for (int kind = 0; kind < WB_MEASURED_FITS; kind++)
    result->fits[kind] = (struct wb_measured_fit){.failed = true};
  snprintf(result->fits[WB_FIT_OF_VARIATION].why, sizeof result->fits[0].why,
           "the variation leaves the band");
  result->fitted = result->maximum_count > 0 && result->peak_count > 0;
  if (!result->fitted)
    return;
  make_fit(made, result, WB_FIT_OF_GEV, WB_TAIL_GEV);
  make_fit(made, result, WB_FIT_OF_GUMBEL, WB_TAIL_GUMBEL);
  make_fit(made, result, WB_FIT_OF_PARETO, WB_TAIL_PARETO);
  make_fit(made, result, WB_FIT_OF_EXPONENTIAL, WB_TAIL_EXPONENTIAL);
}

static void make_extremes(struct wb_measured_series *result)
{
  const struct wb_series *const series = result->series;
  result->block_size = BLOCK;
  result->maximum_count = series->count / BLOCK;
  result->left_out = series->count % BLOCK;
  result->maxima = must(calloc(result->maximum_count + 1, sizeof(double)));
  wb_block_maxima(series->values, series->count, BLOCK, result->maxima);
  result->has_threshold = true;
  result->threshold = result->ascending[series->count * 8 / 10];
  result->peaks = must(calloc(series->count + 1, sizeof(double)));
  for (size_t i = 0; i < series->count; i++)
    if (series->values[i] > result->threshold)
      result->peaks[result->peak_count++] = series->values[i];
  result->exceedances = result->peak_count;
  result->index = (struct wb_extremal_index){.intervals = 0.9, .runs = 0.9, .run_length = 2};
}

/* Ten thresholds of a heavy tail; the last one's fit failed. The rules choose the first, the third
 * and none. */
static void make_scan(struct wb_measured_series *result)
{
  struct wb_threshold_scan *const scan = &result->scan;
  scan->count = 10;
  for (size_t p = 0; p < scan->count; p++)
    scan->points[p] = (struct wb_threshold_point){
        .threshold = result->threshold + 10 * (double)p,
        .exceedances = 100 - 5 * p,
        .mean_excess = SCALE + (double)p,
        .mean_excess_error = 5 + (double)p,
        .fitted = p + 1 < scan->count,
        .shape = SHAPE,
        .shape_error = 0.05,
        .modified_scale = SCALE,
        .modified_scale_error = 5,
    };
  scan->chosen[WB_THRESHOLD_ANDERSON_DARLING] = 0;
  scan->chosen[WB_THRESHOLD_NORTHROP_COLEMAN] = 2;
  scan->chosen[WB_THRESHOLD_STABILITY] = scan->count;
}

static void summarise(struct wb_measured_series *result)
{
  const size_t count = result->series->count;
  const double *const ascending = result->ascending;
  result->summary = (struct wb_measured_summary){
      .count = count,
      .least = ascending[0],
      .most = ascending[count - 1],
      .mean = ascending[count / 2],
      .deviation = 1,
      .median = ascending[count / 2],
      .quantile_95 = ascending[count * 95 / 100],
      .quantile_99 = ascending[count * 99 / 100],
      .quantile_999 = ascending[count * 999 / 1000],
  };
  result->resolution.distinct = count;
}

/* Two block sizes, and three thresholds of which the last has no fit; the first of each is in use.
 * Levels of 1e-3, 1e-6, 1e-9 are 1200, 1400, 1600, and 10 more for each choice. */
static void make_choices(const struct made_measured *made, struct wb_measured_series *result)
{
  static const struct wb_measured_choice choices[] = {
      {.of_maxima = true, .block = 10, .values = 100, .made = true, .in_use = true},
      {.of_maxima = true, .block = 20, .values = 50, .made = true},
      {.threshold = 1160, .values = 120, .made = true, .in_use = true, .averaged = true},
      {.threshold = 1230, .values = 60, .made = true, .averaged = true},
      {.threshold = 1300, .values = 30},
  };
  const size_t levels = made->measured.options.probability_count;
  result->choice_count = COUNT_OF(choices);
  memcpy(result->choices, choices, sizeof choices);
  result->choice_levels = must(calloc(COUNT_OF(choices) * levels, sizeof *result->choice_levels));
  for (size_t k = 0; k < COUNT_OF(choices) * levels; k++) {
    const double level = 1200 + 200 * (double)(k % levels) + 10 * (double)(k / levels);
    result->choice_levels[k] =
        (struct wb_measured_choice_level){level, {true, level - 30, level + 90}};
  }
}

static void make_result(struct made_measured *made, size_t place)
{
  struct wb_measured_series *const result = &made->results[place];
  const struct wb_series *const series = &made->series[place];
  *result = (struct wb_measured_series){.series = series};
  result->ascending = must(calloc(series->count + 1, sizeof(double)));
  memcpy(result->ascending, series->values, series->count * sizeof(double));
  wb_sort_ascending(result->ascending, series->count);
  summarise(result);
  result->lag_count = series->count > WB_MEASURED_LAGS ? WB_MEASURED_LAGS : 0;
  for (size_t k = 0; k < result->lag_count; k++)
    result->correlations[k] = k == 4 ? 0.9 : 0;
  for (int kind = 0; kind < WB_MEASURED_CHECKS; kind++) {
    struct wb_measured_check *const check = &result->checks[kind];
    *check = (struct wb_measured_check){.kind = (enum wb_measured_check_kind)kind,
                                        .done = true,
                                        .statistic = 1.5,
                                        .detail = NAN,
                                        .p_value = 0.5,
                                        .adjusted = 1};
    snprintf(check->meaning, sizeof check->meaning, "check %d says so", kind);
  }
  snprintf(result->verdict_words, sizeof result->verdict_words, "applicable");
  make_extremes(result);
  make_scan(result);
  make_fits(made, result);
  make_choices(made, result);
  for (size_t k = 0; k < made->measured.options.probability_count; k++)
    result->markov[k] = (struct wb_markov_level){7000, 3};
}

static void free_result(struct wb_measured_series *result)
{
  free(result->choice_levels);
  free(result->ascending);
  free(result->maxima);
  free(result->peaks);
}

/* `count` series ("cold", "warm", "third") of `size` times in cycles: quantiles of an exponential
 * tail of scale 100 above 1000 in a mixed order, each fit made of round numbers: GEV and GPD with
 * xi 0.1, Gumbel, exponential; the rest was not fitted. Levels at 1e-3, 1e-6, 1e-9 with intervals;
 * the proven bound is 5000, "wcet.json". size: at least 1. */
static void made_measured_start(struct made_measured *made, size_t count, size_t size)
{
  static char names[MADE_SERIES][8] = {"cold", "warm", "third"};
  static char file[] = "times.csv";
  static char unit[] = "cycles";
  assert(count <= MADE_SERIES);
  *made = (struct made_measured){
      .samples = {.file = file, .unit = unit, .series = made->series, .count = count}};
  made->measured = (struct wb_measured){
      .samples = &made->samples,
      .options = {.probabilities = {1e-3, 1e-6, 1e-9},
                  .probability_count = 3,
                  .confidence = 0.95,
                  .significance = 0.05,
                  .replicates = 199,
                  .seed = 1,
                  .bound = {true, 5000, "wcet.json"}},
      .series = made->results,
      .count = count,
  };
  for (size_t s = 0; s < count; s++) {
    made->series[s] = (struct wb_series){
        .name = names[s], .values = must(calloc(size + 1, sizeof(double))), .count = size};
    for (size_t i = 0; i < size; i++) {
      /* A step that shares no divisor with the size visits each quantile once. */
      const double rank = (double)((i * 7919 + s) % size) + 0.5;
      made->series[s].values[i] = LEAST - SCALE * log1p(-rank / (double)size);
    }
    make_result(made, s);
  }
}

/* Takes other values for the first series, which are copied; scan, fits and checks stay. */
static void made_measured_take(struct made_measured *made, const double *values, size_t size)
{
  free(made->series[0].values);
  free_result(&made->results[0]);
  made->series[0].values = must(calloc(size + 1, sizeof(double)));
  memcpy(made->series[0].values, values, size * sizeof(double));
  made->series[0].count = size;
  make_result(made, 0);
}

/* ---- plots ---- */

#define SIGN "xi &gt; 0 = heavy tail"
#define WARNING "A fit is an estimate, never a bound."
#define HOSTILE "</title><script>alert(1)</script>&\"'\x01\xff]]><!--"
#define MOST_BYTES 300000

static struct made_measured made; /* of the test that runs */

static int free_made(void **state)
{
  (void)state;
  for (size_t s = 0; s < made.measured.count; s++) {
    free(made.series[s].values);
    free_result(&made.results[s]);
  }
  return 0;
}

/* The plot of the first series; the caller frees it. */
static char *plotted(enum wb_measured_plot plot)
{
  struct wb_text text = {0};
  wb_measured_plot_svg(&made.measured, &made.results[0], plot, false, &text);
  assert_false(text.failed);
  return wb_text_take(&text);
}

static char *page_of(void)
{
  struct wb_text text = {0};
  wb_measured_page(&made.measured, &text);
  assert_false(text.failed);
  return wb_text_take(&text);
}

static void expect_in(const char *text, const char *part)
{
  if (strstr(text, part) == NULL)
    fail_msg("missing: %s", part);
}

/* The plot of the first series holds each of the parts. */
#define EXPECT_PLOT(plot, ...) expect_plot(plot, (const char *const[]){__VA_ARGS__, NULL})

static void expect_plot(enum wb_measured_plot plot, const char *const *parts)
{
  char *const svg = plotted(plot);
  for (; *parts != NULL; parts++)
    expect_in(svg, *parts);
  free(svg);
}

static void count_in_plot(enum wb_measured_plot plot, const char *part, size_t count)
{
  char *const svg = plotted(plot);
  assert_int_equal(count_in(svg, part), count);
  free(svg);
}

/* Every plot that there is, and the page, are whole, small and warn. Returns how many plots. */
static size_t check_all(void)
{
  size_t count = 0;
  for (int plot = 0; plot < WB_MEASURED_PLOTS; plot++) {
    if (!wb_measured_plot_is_there(&made.results[0], (enum wb_measured_plot)plot))
      continue;
    char *const svg = plotted((enum wb_measured_plot)plot);
    count++;
    check_markup(svg, false);
    assert_true(strlen(svg) < MOST_BYTES);
    assert_int_equal(count_in(svg, "<script"), 0);
    assert_true(count_in(svg, "never a bound") >= 1);
    assert_int_equal(count_in(svg, "<title>"), 1);
    assert_int_equal(count_in(svg, "<desc>"), 1);
    free(svg);
  }
  char *const page = page_of();
  check_markup(page, true);
  assert_int_equal(count_in(page, "<figure>"), count * made.measured.count);
  free(page);
  return count;
}

/* ---- any data ---- */

TEST_BETWEEN(NULL, free_made, plots_are_whole)
{
  made_measured_start(&made, 1, 1500);
  assert_int_equal(check_all(), WB_MEASURED_PLOTS);
}

/* Fewer values than a block, one, equal ones, and the largest and smallest numbers that there
 * are. */
TEST_BETWEEN(NULL, free_made, odd_values_are_drawn)
{
  static const double one[] = {7};
  static const double zeros[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  static const double equal[] = {3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5};
  static const double wide[] = {0, 5e-324, 1e-300, 1, 1e300, 1.7e308, 1, 1, 1, 1, 2, 2, 1e308, 3};
  static const double narrow[] = {1e15, 1e15 + 0.125, 1e15, 1e15, 1e15, 1e15,
                                  1e15, 1e15 + 0.25,  1e15, 1e15, 1e15, 1e15};
  static const struct {
    const double *values;
    size_t count;
  } cases[] = {{one, 1}, {zeros, 12}, {equal, 12}, {wide, 14}, {narrow, 12}};
  made_measured_start(&made, 1, 20);
  for (size_t c = 0; c < COUNT_OF(cases); c++) {
    made_measured_take(&made, cases[c].values, cases[c].count);
    made.results[0].resolution.tick = c == 0 ? 0 : 1e-3;
    assert_true(check_all() >= 3);
  }
}

/* Nothing is drawn of fits that were not made. */
TEST_BETWEEN(NULL, free_made, unfitted_series_says_so)
{
  made_measured_start(&made, 1, 500);
  made.results[0].fitted = false;
  made.results[0].verdict = WB_NOT_APPLICABLE;
  made.results[0].scan.count = 0;
  made.results[0].lag_count = 0;
  made.results[0].choice_count = 0;
  assert_int_equal(check_all(), 3);
  assert_false(wb_measured_plot_is_there(&made.results[0], WB_PLOT_QUANTILES));
  assert_false(wb_measured_plot_is_there(&made.results[0], WB_PLOT_STABILITY));
  EXPECT_PLOT(WB_PLOT_RETURN_LEVEL, "Nothing was fitted");
  count_in_plot(WB_PLOT_RETURN_LEVEL, "likelihood", 0);
  char *const page = page_of();
  expect_in(page, "not applicable</span>");
  expect_in(page, "Nothing was fitted");
  assert_int_equal(count_in(page, "class=\"levels\""), 0);
  free(page);
  made.results[0].summary.count = 0;
  for (int plot = 0; plot < WB_MEASURED_PLOTS; plot++)
    assert_false(wb_measured_plot_is_there(&made.results[0], (enum wb_measured_plot)plot));
}

/* Fits with numbers that are not finite, that end, that have a pole, or no mean. */
TEST_BETWEEN(NULL, free_made, odd_fits_are_drawn)
{
  static const double shapes[] = {-1, -0.75, -1e-12, 0.999999, 1, 5, NAN, INFINITY};
  static const double scales[] = {1e-300, 1, 1e300};
  made_measured_start(&made, 1, 300);
  for (size_t i = 0; i < COUNT_OF(shapes) * 3; i++) {
    for (int kind = 0; kind < WB_MEASURED_FITS; kind++) {
      struct wb_measured_fit *const fit = &made.results[0].fits[kind];
      fit->fit.tail.shape = shapes[i / 3];
      fit->fit.tail.scale = scales[i % 3];
      fit->shape = (struct wb_interval){true, -INFINITY, i % 2 == 0 ? INFINITY : 0.5};
      fit->levels[i % 3].profile.high = INFINITY;
      fit->levels[1].profile.low = -INFINITY;
      fit->levels[2].level = i % 2 == 0 ? INFINITY : 1e305;
    }
    check_all();
  }
}

TEST_BETWEEN(NULL, free_made, odd_thresholds_are_drawn)
{
  made_measured_start(&made, 1, 300);
  struct wb_threshold_point *const points = made.results[0].scan.points;
  points[0].mean_excess = NAN;
  points[1].mean_excess_error = INFINITY;
  points[2].shape = NAN;
  points[3].shape_error = NAN;
  points[4].modified_scale = -1e300;
  points[5].modified_scale_error = INFINITY;
  points[6].threshold = NAN;
  check_all();
  made.results[0].scan.count = 1;
  check_all();
}

/* Series of any size take a page of a size that does not grow with them. */
TEST_BETWEEN(NULL, free_made, large_series_stay_small)
{
  made_measured_start(&made, 1, 1000000);
  assert_int_equal(check_all(), WB_MEASURED_PLOTS);
}

/* ---- any text ---- */

TEST_BETWEEN(NULL, free_made, hostile_text_is_harmless)
{
  char hostile[] = HOSTILE;
  made_measured_start(&made, 2, 400);
  made.series[0].name = hostile;
  made.samples.unit = hostile;
  made.samples.file = hostile;
  made.samples.column = hostile;
  made.measured.options.bound.source = hostile;
  snprintf(made.results[0].verdict_words, sizeof made.results[0].verdict_words, "%s", hostile);
  snprintf(made.results[0].checks[3].meaning, 240, "%s", hostile);
  snprintf(made.results[0].checks[3].advice, 240, "%s", hostile);
  snprintf(made.results[0].fits[WB_FIT_OF_VARIATION].why, 200, "%s", hostile);
  check_all();
  char *const page = page_of();
  assert_int_equal(count_in(page, "<script"), 0);
  assert_int_equal(count_in(page, "<!--"), 0);
  assert_true(count_in(page, "&lt;script&gt;alert(1)") > 8);
  free(page);
}

/* Texts that are missing or longer than any line. */
TEST_BETWEEN(NULL, free_made, long_and_missing_text_fits)
{
  char *const name = malloc(100001);
  assert_non_null(name);
  memset(name, 'm', 100000);
  name[100000] = '\0';
  made_measured_start(&made, 1, 400);
  made.series[0].name = name;
  made.measured.options.bound.source = name;
  check_all();
  made.series[0].name = NULL;
  made.samples.unit = NULL;
  made.samples.file = NULL;
  made.measured.options.bound.source = NULL;
  check_all();
  free(name);
}

/* ---- what they say ---- */

TEST_BETWEEN(NULL, free_made, return_levels_tell)
{
  made_measured_start(&made, 1, 1500);
  made.results[0].fits[WB_FIT_OF_GEV].impossible = true;
  made.results[0].fits[WB_FIT_OF_GUMBEL].levels[2].below_observed = true;
  made.results[0].fits[WB_FIT_OF_EXPONENTIAL].levels[2].above_bound = true;
  made.results[0].fits[WB_FIT_OF_PARETO].goodness.anderson_darling_p = 0.01;
  for (size_t k = 0; k < 3; k++)
    made.results[0].fits[WB_FIT_OF_PARETO].levels[k].above_bound = false;
  EXPECT_PLOT(WB_PLOT_RETURN_LEVEL, "<title>Return levels: cold</title>",
              "time of one run (cycles)", "proven bound 5000 (wcet.json)",
              ") \xe2\x80\x93 impossible", "Impossible: the fit ends below",
              "Gumbel, maximum likelihood \xe2\x80\x93 below observations",
              "exponential, maximum likelihood \xe2\x80\x93 pessimistic",
              "below the highest observation, 1800.64: an estimate here is refuted");
  EXPECT_PLOT(WB_PLOT_RETURN_LEVEL, "GEV, maximum likelihood, xi = 0.100 [0.050, 0.200] (" SIGN ")",
              "GPD, maximum likelihood, xi = 0.100 [0.050, 0.200] (" SIGN ") \xe2\x80\x93 refused");
}

/* A bound that was exceeded is said, and one far above all else leaves the picture. */
TEST_BETWEEN(NULL, free_made, bounds_are_judged)
{
  made_measured_start(&made, 1, 1500);
  made.measured.options.bound.value = 1500;
  EXPECT_PLOT(WB_PLOT_RETURN_LEVEL,
              "proven bound 1500 (wcet.json) \xe2\x80\x93 but a longer time was measured");
  char *page = page_of();
  expect_in(page, "The bound is exceeded");
  free(page);
  made.measured.options.bound.value = 1e12;
  EXPECT_PLOT(WB_PLOT_RETURN_LEVEL, "proven bound 1000000000000 (wcet.json), above this picture");
  made.measured.options.bound.given = false;
  count_in_plot(WB_PLOT_RETURN_LEVEL, "class=\"bound\"", 0);
  page = page_of();
  assert_int_equal(count_in(page, "The bound is exceeded"), 0);
  free(page);
}

/* The fit by likelihood with a free shape, else that by L-moments, else that of two parameters. */
TEST_BETWEEN(NULL, free_made, main_fits_are_chosen)
{
  made_measured_start(&made, 1, 1500);
  struct wb_measured_fit *const fits = made.results[0].fits;
  fits[WB_FIT_OF_GEV_L_MOMENTS] = fits[WB_FIT_OF_GEV];
  EXPECT_PLOT(WB_PLOT_QUANTILES, "Maxima: GEV, maximum likelihood");
  fits[WB_FIT_OF_GEV].failed = true;
  EXPECT_PLOT(WB_PLOT_QUANTILES, "Maxima: GEV, L-moments");
  fits[WB_FIT_OF_GEV_L_MOMENTS].failed = true;
  EXPECT_PLOT(WB_PLOT_QUANTILES, "Maxima: Gumbel, maximum likelihood");
  fits[WB_FIT_OF_GUMBEL].failed = true;
  EXPECT_PLOT(WB_PLOT_QUANTILES, "Peaks: GPD, maximum likelihood");
  count_in_plot(WB_PLOT_QUANTILES, "Maxima: ", 0);
}

/* The strokes of intervals stand at the probabilities asked for, and the dots on them at the levels
 * of the analysis; the curve of the same fit goes through the dots. */
TEST_BETWEEN(NULL, free_made, curves_meet_levels)
{
  made_measured_start(&made, 1, 1500);
  const struct wb_measured_fit *const fit = &made.results[0].fits[WB_FIT_OF_PARETO];
  const struct wb_level_curve curve = wb_level_curve_of(fit, 3);
  assert_int_equal(curve.count, 3);
  for (size_t k = 0; k < 3; k++) {
    const double probability = fit->levels[k].probability;
    const struct wb_interval interval = wb_level_curve_interval(&curve, probability);
    assert_true(fabs(wb_level_curve_at(&curve, probability) - fit->levels[k].level) < 1e-6);
    assert_true(interval.found);
    assert_true(fabs(interval.low - fit->levels[k].profile.low) < 1e-6);
    assert_true(fabs(interval.high - fit->levels[k].profile.high) < 1e-6);
  }
  for (int k = 0; k <= 100; k++) {
    const double p = 1e-3 * pow(10, -0.06 * k);
    const struct wb_interval interval = wb_level_curve_interval(&curve, p);
    const double level = wb_level_curve_at(&curve, p);
    assert_true(interval.found && interval.low <= level && level <= interval.high);
    assert_true(interval.low >= fit->levels[0].profile.low);
    assert_true(interval.high <= fit->levels[2].profile.high);
  }
  assert_false(wb_level_curve_interval(&curve, 1e-10).found);
  assert_true(isnan(wb_level_curve_at(&curve, 0.4)));
}

TEST_BETWEEN(NULL, free_made, change_of_level_is_marked)
{
  made_measured_start(&made, 1, 100);
  count_in_plot(WB_PLOT_RUN_SEQUENCE, "the level changes", 0);
  struct wb_measured_check *const check = &made.results[0].checks[WB_CHECK_CHANGE_POINT];
  check->outcome = WB_NOT_APPLICABLE;
  check->detail = 41;
  check->p_value = 1e-7;
  EXPECT_PLOT(WB_PLOT_RUN_SEQUENCE,
              "the level changes after measurement 42 (change point, p = 1e-07)");
  count_in_plot(WB_PLOT_RUN_SEQUENCE, "class=\"chosen\"", 2); /* in the panel, in the legend */
}

TEST_BETWEEN(NULL, free_made, correlations_outside_are_counted)
{
  made_measured_start(&made, 1, 400);
  EXPECT_PLOT(WB_PLOT_AUTOCORRELATION, "1 of 50 lags are outside the band",
              "= 0.098" /* 1.96 / sqrt(400) */);
  count_in_plot(WB_PLOT_AUTOCORRELATION, "class=\"alarm\"", 2);
}

/* Of 1500 observations only 1e-6 and 1e-9 go beyond them: two marks of each choice that has a fit.
 */
TEST_BETWEEN(NULL, free_made, levels_of_choices_are_drawn)
{
  struct wb_measured_series *const result = &made.results[0];
  made_measured_start(&made, 1, 1500);
  EXPECT_PLOT(WB_PLOT_CHOICES, "GEV of block maxima", "GPD of peaks over a threshold",
              "level at 10", "highest observation", "in use");
  char *const svg = plotted(WB_PLOT_CHOICES);
  assert_int_equal(count_in(svg, "class=\"rule-1 thin\""), 4); /* strokes */
  assert_int_equal(count_in(svg, "class=\"rule-2 thin\""), 4);
  assert_int_equal(count_in(svg, "class=\"rule-3"), 0);
  assert_int_equal(count_in(svg, "class=\"chosen\""), 3); /* two panels, legend */
  assert_int_equal(count_in(svg, "recommended"), 0);
  assert_int_equal(count_in(svg, "leave the picture"), 0);
  free(svg);
  /* The answer's levels are lines in the panel of its family. */
  result->recommended = (struct wb_measured_recommendation){
      .given = true, .kind = WB_FIT_OF_PARETO, .levels = {{1200}, {1400}, {1600}}};
  EXPECT_PLOT(WB_PLOT_CHOICES, "recommended at 10");
  count_in_plot(WB_PLOT_CHOICES, "class=\"rule-1 faded\"", 2); /* one panel, legend */
  /* What goes far beyond the observations does not set the scale. */
  result->choice_levels[2].interval.high = INFINITY;
  result->choice_levels[4].level = 4e6;
  result->choice_levels[5] = (struct wb_measured_choice_level){5e6, {true, 3e6, 9e6}};
  EXPECT_PLOT(WB_PLOT_CHOICES, "leave the picture at the top");
  char *const cut = plotted(WB_PLOT_CHOICES);
  check_markup(cut, false);
  /* No number beside the axis has five digits, which are parted by thousands. */
  assert_true(count_in(cut, "class=\"e tick\"") >= 6);
  assert_int_equal(count_in(cut, "\xe2\x80\xaf"), 0);
  free(cut);
}

/* With probabilities that were all observed the smallest one is drawn. */
TEST_BETWEEN(NULL, free_made, levels_that_were_observed_are_drawn)
{
  made_measured_start(&made, 1, 2000);
  for (size_t p = 0; p < 3; p++)
    made.measured.options.probabilities[p] = 0.1 / (double)(p + 1);
  count_in_plot(WB_PLOT_CHOICES, "class=\"rule-1 thin\"", 4);
  count_in_plot(WB_PLOT_CHOICES, "class=\"rule-2", 0);
  made.results[0].choice_count = 0;
  assert_false(wb_measured_plot_is_there(&made.results[0], WB_PLOT_CHOICES));
}

TEST_BETWEEN(NULL, free_made, rules_of_thresholds_are_named)
{
  made_measured_start(&made, 1, 1000);
  made.results[0].threshold = 1160;
  for (size_t p = 0; p < 10; p++)
    made.results[0].scan.points[p].threshold = 1160 + 10 * (double)p;
  EXPECT_PLOT(WB_PLOT_STABILITY, "Anderson-Darling: 1160<", "Northrop-Coleman: 1180<",
              "stability: none passes", "threshold in use, 1160 (");
  count_in_plot(WB_PLOT_STABILITY, "class=\"rule-1\"", 3); /* two panels, legend */
  count_in_plot(WB_PLOT_STABILITY, "class=\"rule-3\"", 1);
}

/* The heights of the bars of the first panel, in pixels. */
static size_t bars_of(const char *svg, double *heights, size_t most)
{
  size_t count = 0;
  const char *const end = strstr(svg, "</svg>");
  for (const char *at = svg; (at = strstr(at, "class=\"bars\"")) != NULL && at < end; at++) {
    assert_true(count < most);
    assert_int_equal(sscanf(strstr(at, "height="), "height=\"%lf\"", &heights[count++]), 1);
  }
  return count;
}

/* Of values that come equally often on the ticks of a clock, no bin is taller than another, except
 * the last, which may hold fewer ticks. */
TEST_BETWEEN(NULL, free_made, bins_hold_whole_ticks)
{
  double values[3000];
  double heights[200];
  for (size_t i = 0; i < 3000; i++)
    values[i] = 4000 + 32 * (double)(i % 300);
  made_measured_start(&made, 1, 20);
  made_measured_take(&made, values, 3000);
  made.results[0].resolution.tick = 32;
  char *const svg = plotted(WB_PLOT_DENSITY);
  const size_t count = bars_of(svg, heights, 200);
  assert_in_range(count, 5, 120);
  for (size_t b = 1; b + 1 < count; b++)
    assert_true(heights[b] == heights[0]);
  free(svg);
}

/* ---- the page ---- */

TEST_BETWEEN(NULL, free_made, page_allows_its_style_alone)
{
  made_measured_start(&made, 1, 300);
  char *const page = page_of();
  const char *const style = strstr(page, "<style>") + strlen("<style>");
  unsigned char digest[WB_SHA256_BYTES];
  FREED_BY(wb_text_free) struct wb_text wanted = {0};
  wb_sha256(style, (size_t)(strstr(style, "</style>") - style), digest);
  wb_text_string(&wanted, "default-src 'none'; style-src 'sha256-");
  wb_text_base64(&wanted, digest, sizeof digest);
  wb_text_string(&wanted, "'; img-src data:;");
  expect_in(page, wanted.data);
  assert_int_equal(count_in(page, "<style>"), 1);
  assert_int_equal(count_in(page, " style="), 0);
  assert_int_equal(count_in(page, " src="), 0);
  assert_int_equal(count_in(page, "http"), count_in(page, "http://www.w3.org/2000/svg") + 1);
  free(page);
}

TEST_BETWEEN(NULL, free_made, page_tells)
{
  made_measured_start(&made, 3, 1500);
  made.results[1].verdict = WB_APPLICABLE_WITH_CARE;
  made.results[2].verdict = WB_NOT_APPLICABLE;
  made.results[0].fits[WB_FIT_OF_GEV].levels[0] =
      (struct wb_measured_level){.probability = 1e-3,
                                 .level = 1234.5,
                                 .profile = {true, 1200.25, INFINITY},
                                 .below_observed = true};
  char *const page = page_of();
  expect_in(page, "<a href=\"#series-2\">warm</a>");
  expect_in(page, "<section id=\"series-3\">");
  expect_in(page, "\xe2\x9c\x94</span> applicable</span>");
  expect_in(page, "\xe2\x9a\xa0</span> applicable with care</span>");
  expect_in(page, "\xe2\x9c\x98</span> not applicable</span>");
  expect_in(page, ">1234.5<span class=\"range\">[1200.25, unlimited]</span>"
                  "<span class=\"flag\">refuted: a longer time was measured</span>");
  expect_in(page, "Shape (" SIGN ")");
  expect_in(page, "not fitted: the variation leaves the band");
  expect_in(page, "check 7 says so");
  expect_in(page, "<dt>seed</dt><dd>1</dd>");
  expect_in(page, "5000 (wcet.json)");
  assert_int_equal(count_in(page, WARNING) > 20, true);
  assert_true(strstr(page, "class=\"verdict") < strstr(page, "class=\"checks\""));
  free(page);
}

/* Of many series all are counted, some are shown, and few are drawn. */
TEST_BETWEEN(NULL, free_made, many_series_are_limited)
{
  enum { MANY = 1200 };
  made_measured_start(&made, 1, 60);
  struct wb_measured_series *const many = malloc(MANY * sizeof *many);
  assert_non_null(many);
  for (size_t s = 0; s < MANY; s++)
    many[s] = made.results[0];
  made.measured.series = many;
  made.measured.count = MANY;
  char *const page = page_of();
  check_markup(page, true);
  assert_int_equal(count_in(page, "<section id=\"series-"), 1000);
  assert_int_equal(count_in(page, "<figure>"), 40 * WB_MEASURED_PLOTS);
  expect_in(page, "Left out: all of 1200 series but the first 1000.");
  expect_in(page, "Left out: the plots of all series but the first 40.");
  free(page);
  free(many);
  made.measured.series = made.results;
  made.measured.count = 1;
}

/* ---- when memory runs out: every allocation is made to fail in turn ---- */

/* A plot of the first series, or the page where there is no such plot. */
static warpbound_status write_part(const void *context, warpbound_error *error)
{
  const int *plot = context;
  FREED_BY(wb_text_free) struct wb_text text = {0};
  if (*plot < WB_MEASURED_PLOTS)
    wb_measured_plot_svg(&made.measured, &made.results[0], (enum wb_measured_plot) * plot, false,
                         &text);
  else
    wb_measured_page(&made.measured, &text);
  const bool failed = text.failed;
  return failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

/* A writer that lacks memory says so, and leaves nothing. */
TEST_BETWEEN(NULL, free_made, writers_survive)
{
  made_measured_start(&made, 2, 300);
  for (int plot = 0; plot <= WB_MEASURED_PLOTS; plot++) {
    print_message("# part %d\n", plot);
    assert_true(fail_each(write_part, &plot, WARPBOUND_OK) >= 4);
  }
}

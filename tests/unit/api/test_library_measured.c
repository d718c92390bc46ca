/* Measured times through the public header alone; used well and misused. What the numbers are is
 * tested below the header. */
#include "failing_heap.h"
#include "handles.h"

#include <math.h>

#define COUNT 600

/* ---- helpers ---- */

/* Exponential times above 1000, from a linear congruential generator. */
static void make_values(double *values, size_t count, uint64_t seed)
{
  for (size_t i = 0; i < count; i++) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    values[i] = 1000 - 100 * log(((double)(seed >> 11) + 0.5) / 9007199254740992.0);
  }
}

static warpbound_samples *samples_of(uint64_t seed)
{
  double values[COUNT];
  warpbound_samples *samples;
  make_values(values, COUNT, seed);
  assert_made(samples, warpbound_samples_create(values, COUNT, "ns", &samples, NULL));
  return samples;
}

static warpbound_measured *analysis_of(const warpbound_samples *samples,
                                       const warpbound_measured_options *options)
{
  warpbound_measured *measured;
  assert_made(measured, warpbound_measured_analyse(samples, options, NULL, &measured, NULL));
  return measured;
}

/* The index of the fit of a name. */
static size_t fit_named(const warpbound_measured *measured, const char *name)
{
  const size_t count = warpbound_measured_fit_count(measured);
  for (size_t f = 0; f < count; f++) {
    if (strcmp(warpbound_measured_fit_at(measured, 0, f).name, name) == 0)
      return f;
  }
  fail_msg("no fit %s", name);
  return count;
}

/* ---- samples ---- */

TEST(files_are_read)
{
  static const char text[] = "k,time (us)\na,1.5\nb,2\na,3\n";
  const warpbound_samples_options options = {.group = "k"};
  warpbound_samples *samples;
  assert_made(samples,
              warpbound_samples_parse("f", text, sizeof text - 1, &options, &samples, NULL));
  assert_string_equal(warpbound_samples_unit(samples), "us");
  assert_int_equal(warpbound_samples_series_count(samples), 2);
  assert_string_equal(warpbound_samples_series_name(samples, 0), "a");
  assert_int_equal(warpbound_samples_count(samples, 0), 2);
  assert_true(warpbound_samples_values(samples, 0)[1] == 3);
  assert_string_equal(warpbound_samples_series_name(samples, 2), "");
  assert_int_equal(warpbound_samples_count(samples, 2), 0);
  assert_null(warpbound_samples_values(samples, 2));
}

TEST(bad_files_are_refused_by_place)
{
  static const char text[] = "time\n1\n-1\n";
  warpbound_samples *samples;
  warpbound_error error;
  assert_invalid(warpbound_samples_parse("f", text, sizeof text - 1, NULL, &samples, &error));
  assert_null(samples);
  assert_string_equal(error.file, "f");
  assert_int_equal(error.line, 3);
  /* Nobody has to ask what was wrong, and a name is not needed. */
  assert_invalid(warpbound_samples_parse(NULL, text, sizeof text - 1, NULL, &samples, NULL));
}

static void refuse_values(const double *values, size_t count, const char *unit)
{
  warpbound_samples *samples;
  warpbound_error error = {0};
  assert_misuse(warpbound_samples_create(values, count, unit, &samples, &error));
  assert_null(samples);
  assert_int_not_equal(strlen(error.message), 0);
}

TEST(values_are_checked)
{
  const double values[] = {1, 2, -1, NAN, INFINITY};
  warpbound_samples *samples;
  refuse_values(NULL, 1, NULL);
  refuse_values(values, 0, NULL);
  refuse_values(values, 3, NULL);
  refuse_values(values + 3, 1, NULL);
  refuse_values(values + 4, 1, NULL);
  refuse_values(values, 2, "hours");
  assert_misuse(warpbound_samples_create(values, 1, NULL, NULL, NULL));
  assert_misuse(warpbound_samples_parse("f", NULL, 1, NULL, &samples, NULL));
  assert_null(samples);
  assert_made(samples, warpbound_samples_create(values, 2, "microseconds", &samples, NULL));
  assert_string_equal(warpbound_samples_unit(samples), "us");
  assert_made(samples, warpbound_samples_create(values, 2, NULL, &samples, NULL));
  assert_string_equal(warpbound_samples_unit(samples), "");
}

/* ---- the analysis ---- */

TEST(good_times_have_fits_and_levels)
{
  warpbound_samples *samples = samples_of(1);
  const double probabilities[] = {0.01, 1e-9};
  const warpbound_measured_options options = {
      .probabilities = probabilities, .probability_count = 2, .has_bound = true, .bound = 1500};
  warpbound_measured *measured = analysis_of(samples, &options);
  assert_int_not_equal(warpbound_measured_applicability(measured, 0), WARPBOUND_NOT_APPLICABLE);
  assert_int_equal(warpbound_measured_level_count(measured), 2);
  const size_t place = fit_named(measured, "exponential");
  const warpbound_measured_fit fit = warpbound_measured_fit_at(measured, 0, place);
  assert_true(fit.made);
  /* Of exponential times with scale 100 every excess has that scale: within five errors. */
  assert_true(fabs(fit.scale - 100) < 5 * fit.scale_error);
  assert_true(fit.shape == 0 && isnan(fit.shape_error) && isnan(fit.location_error));
  const warpbound_measured_level level = warpbound_measured_level_at(measured, 0, place, 1);
  assert_true(level.probability == 1e-9);
  assert_true(level.low < level.level && level.level < level.high);
  assert_true(level.extrapolated && level.above_bound && isnan(level.bootstrap_low));
  assert_false(warpbound_measured_level_at(measured, 0, place, 0).above_bound);
  const warpbound_measured_fit gev =
      warpbound_measured_fit_at(measured, 0, fit_named(measured, "gev"));
  assert_true(gev.made && gev.location_error > 0 && gev.shape_low < gev.shape);
}

TEST(every_check_says_what_it_means)
{
  warpbound_samples *samples = samples_of(2);
  warpbound_measured *measured = analysis_of(samples, NULL);
  const size_t count = warpbound_measured_check_count(measured);
  assert_true(count >= 10);
  for (size_t c = 0; c < count; c++) {
    const warpbound_measured_check check = warpbound_measured_check_at(measured, 0, c);
    assert_int_not_equal(strlen(check.name), 0);
    assert_int_not_equal(strlen(check.title), 0);
    assert_int_not_equal(strlen(check.meaning), 0);
  }
  assert_int_equal(warpbound_measured_level_count(measured), 4);
}

/* Of one value, and of equal ones, nothing is fitted; that is a verdict and no error. */
TEST(nothing_is_fitted_to_bad_times)
{
  const double values[] = {5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5};
  for (size_t count = 1; count <= 20; count += 19) {
    warpbound_samples *samples;
    assert_made(samples, warpbound_samples_create(values, count, NULL, &samples, NULL));
    warpbound_measured *measured = analysis_of(samples, NULL);
    assert_int_equal(warpbound_measured_applicability(measured, 0), WARPBOUND_NOT_APPLICABLE);
    assert_int_not_equal(strlen(warpbound_measured_verdict(measured, 0)), 0);
    for (size_t f = 0; f < warpbound_measured_fit_count(measured); f++) {
      const warpbound_measured_fit fit = warpbound_measured_fit_at(measured, 0, f);
      assert_false(fit.made);
      assert_int_not_equal(strlen(fit.why), 0);
      assert_true(isnan(warpbound_measured_level_at(measured, 0, f, 0).level));
    }
  }
}

static char *json_of(const warpbound_samples *samples, uint32_t threads)
{
  char *text;
  warpbound_measured *measured;
  const warpbound_options limits = {.threads = threads};
  const warpbound_measured_options options = {.bootstrap = 20, .seed = 3};
  assert_made(measured, warpbound_measured_analyse(samples, &options, &limits, &measured, NULL));
  assert_made(text, warpbound_measured_json(measured, &text, NULL));
  return text;
}

TEST(the_result_is_the_same_on_any_number_of_threads)
{
  warpbound_samples *samples = samples_of(4);
  assert_string_equal(json_of(samples, 1), json_of(samples, 3));
}

TEST(texts_are_handed_out)
{
  char *text;
  warpbound_samples *samples = samples_of(5);
  warpbound_measured *measured = analysis_of(samples, NULL);
  expect_text(warpbound_measured_text(measured, &text, NULL), &text, "estimate");
  assert_made(text, warpbound_measured_json(measured, &text, NULL));
  assert_int_equal(text[0], '{');
  expect_text(warpbound_measured_page(measured, &text, NULL), &text, "</html>");
}

TEST(an_interruption_ends_it)
{
  warpbound_samples *samples = samples_of(6);
  warpbound_measured *measured;
  const warpbound_options limits = {.interrupted = interrupt_at_once};
  assert_limit(warpbound_measured_analyse(samples, NULL, &limits, &measured, NULL));
  assert_null(measured);
}

/* Interrupts in the second series: after as many questions as the first one alone asks, and more.
 */
struct patience {
  unsigned asked, most;
};

static bool lose_patience(void *context)
{
  struct patience *const patience = context;
  return ++patience->asked > patience->most;
}

TEST(series_that_are_done_are_kept)
{
  char text[40 * 2 * 200] = "name,cycles\n", *json;
  size_t length = strlen(text);
  for (int k = 0; k < 800; k++)
    length += (size_t)snprintf(text + length, sizeof text - length, "%c,%d\n", k < 400 ? 'a' : 'b',
                               k < 400 ? 5 : 1000 + (k * 7919) % 997);
  warpbound_samples *samples;
  const warpbound_samples_options options = {.group = "name", .column = "cycles"};
  assert_made(samples, warpbound_samples_parse("t.csv", text, length, &options, &samples, NULL));
  struct patience patience = {.most = 9};
  const warpbound_options limits = {
      .interrupted = lose_patience, .context = &patience, .threads = 1};
  warpbound_measured *measured;
  assert_limit(warpbound_measured_analyse(samples, NULL, &limits, &measured, NULL));
  assert_non_null(measured);
  own(measured);
  assert_int_equal(warpbound_measured_series_count(measured), 1);
  expect_text(warpbound_measured_json(measured, &json, NULL), &json, "not_analysed");
  expect_text(warpbound_measured_text(measured, &json, NULL), &json, "not analysed: 'b'");
}

TEST(one_answer)
{
  warpbound_samples *samples = samples_of(3000);
  warpbound_measured *measured;
  assert_made(measured, warpbound_measured_analyse(samples, NULL, NULL, &measured, NULL));
  const size_t fit = warpbound_measured_recommended(measured, 0);
  const size_t fits = warpbound_measured_fit_count(measured);
  const warpbound_recommended_level level = warpbound_measured_recommended_at(measured, 0, 1);
  assert_int_not_equal(strlen(warpbound_measured_reason(measured, 0)), 0);
  assert_true(level.probability == 1e-6);
  if (fit < fits)
    assert_true(level.low <= level.level && level.level <= level.high);
  else
    assert_true(isnan(level.level) && isnan(level.low) && isnan(level.high));
  /* What is not there. */
  assert_int_equal(warpbound_measured_recommended(measured, 1), fits);
  assert_int_equal(warpbound_measured_recommended(NULL, 0), 0);
  assert_string_equal(warpbound_measured_reason(measured, 1), "");
  assert_string_equal(warpbound_measured_reason(NULL, 0), "");
  assert_true(isnan(warpbound_measured_recommended_at(measured, 0, 99).level));
  assert_true(isnan(warpbound_measured_recommended_at(NULL, 0, 0).high));
}

/* ---- misuse ---- */

static void refuse_options(const warpbound_samples *samples,
                           const warpbound_measured_options *options)
{
  warpbound_measured *measured;
  warpbound_error error = {0};
  assert_misuse(warpbound_measured_analyse(samples, options, NULL, &measured, &error));
  assert_null(measured);
  assert_int_not_equal(strlen(error.message), 0);
}

TEST(options_are_checked)
{
  const double wrong[] = {0, -1, 0.6, 2, NAN};
  double many[WARPBOUND_MEASURED_LEVELS + 1];
  warpbound_samples *samples = samples_of(7);
  for (size_t p = 0; p < COUNT_OF(wrong); p++)
    refuse_options(
        samples, &(warpbound_measured_options){.probabilities = &wrong[p], .probability_count = 1});
  for (size_t p = 0; p <= WARPBOUND_MEASURED_LEVELS; p++)
    many[p] = 0.1;
  refuse_options(samples,
                 &(warpbound_measured_options){.probabilities = many,
                                               .probability_count = WARPBOUND_MEASURED_LEVELS + 1});
  refuse_options(samples, &(warpbound_measured_options){.probability_count = 1});
  refuse_options(samples, &(warpbound_measured_options){.confidence = 1});
  refuse_options(samples, &(warpbound_measured_options){.confidence = NAN});
  refuse_options(samples, &(warpbound_measured_options){.significance = 0.6});
  refuse_options(samples, &(warpbound_measured_options){.has_threshold = true, .threshold = NAN});
  refuse_options(samples, &(warpbound_measured_options){.has_bound = true, .bound = 0});
  refuse_options(samples, &(warpbound_measured_options){.has_bound = true, .bound = INFINITY});
  refuse_options(samples, &(warpbound_measured_options){.replicates = 1000000});
  refuse_options(samples, &(warpbound_measured_options){.method = (warpbound_tail_method)3});
  refuse_options(samples, &(warpbound_measured_options){.rule = (warpbound_threshold_rule)-1});
  refuse_options(NULL, NULL);
  assert_misuse(warpbound_measured_analyse(samples, NULL, NULL, NULL, NULL));
}

TEST(nothing_is_read_from_no_handle)
{
  char *text = NULL;
  warpbound_samples_free(NULL);
  warpbound_measured_free(NULL);
  assert_int_equal(warpbound_samples_series_count(NULL), 0);
  assert_string_equal(warpbound_samples_unit(NULL), "");
  assert_string_equal(warpbound_samples_series_name(NULL, 0), "");
  assert_int_equal(warpbound_measured_applicability(NULL, 0), WARPBOUND_NOT_APPLICABLE);
  assert_string_equal(warpbound_measured_verdict(NULL, 0), "");
  assert_int_equal(warpbound_measured_check_count(NULL), 0);
  assert_string_equal(warpbound_measured_check_at(NULL, 0, 0).name, "");
  assert_int_equal(warpbound_measured_fit_count(NULL), 0);
  assert_string_equal(warpbound_measured_fit_at(NULL, 0, 0).why, "");
  assert_int_equal(warpbound_measured_level_count(NULL), 0);
  assert_true(warpbound_measured_level_at(NULL, 0, 0, 0).level == 0);
  assert_misuse(warpbound_measured_text(NULL, &text, NULL));
  assert_misuse(warpbound_measured_json(NULL, &text, NULL));
  assert_misuse(warpbound_measured_page(NULL, &text, NULL));
  assert_string_equal(warpbound_applicability_name(WARPBOUND_APPLICABLE_WITH_CARE),
                      "applicable with care");
  assert_string_equal(warpbound_applicability_name((warpbound_applicability)7), "unknown");
}

/* ---- when memory runs out ----
 *
 * Every allocation is made to fail in turn, on one thread. Left out: allocations of Jansson and
 * NLopt, whose failures are theirs. */

enum { FEW = 120 };

static double few[FEW];

/* Fits are asked for as few as there can be, since each allocation repeats the whole. */
static const warpbound_measured_options once = {.fit_anyway = true,
                                                .method = WARPBOUND_TAIL_PEAKS,
                                                .has_threshold = true,
                                                .threshold = 1050,
                                                .replicates = 1,
                                                .bound_source = "a file",
                                                .has_bound = true,
                                                .bound = 2000};

static warpbound_status take_samples(const void *context, warpbound_error *error)
{
  (void)context;
  static const char text[] = "k,time_ns\na,1\nb,2\n";
  const warpbound_samples_options choice = {.group = "k"};
  warpbound_samples *samples;
  const warpbound_status status =
      warpbound_samples_parse("f", text, sizeof text - 1, &choice, &samples, error);
  warpbound_samples_free(samples);
  return status;
}

static warpbound_status analyse_few(const void *context, warpbound_error *error)
{
  (void)context;
  const warpbound_options limits = {.threads = 1};
  warpbound_samples *samples;
  warpbound_measured *measured = NULL;
  warpbound_status status = warpbound_samples_create(few, FEW, "ns", &samples, error);
  if (status == WARPBOUND_OK)
    status = warpbound_measured_analyse(samples, &once, &limits, &measured, error);
  warpbound_measured_free(measured);
  warpbound_samples_free(samples);
  return status;
}

TEST(samples_fail_cleanly)
{
  assert_true(fail_each(take_samples, NULL, WARPBOUND_OK) > 10);
}

TEST(an_analysis_fails_cleanly)
{
  make_values(few, FEW, 1);
  assert_true(fail_each(analyse_few, NULL, WARPBOUND_OK) > 20);
}

/* Charts with real-valued axes: places, ticks and their numbers, and marks that lose nothing. How
 * they look is not tested. */
#include "base/random.h"
#include "pages/page_checks.h"
#include "report/svg/svg_chart.h"
#include "unit.h"

#include <math.h>

#define SEED 20261123

static double fraction(struct wb_random *random)
{
  return (double)(wb_random_next(random) >> 11) / 9007199254740992.0;
}

static void label_is(const struct wb_chart_axis *axis, size_t wanted, size_t tick, const char *text)
{
  char label[WB_CHART_LABEL];
  const struct wb_chart_ticks ticks = wb_chart_ticks_of(axis, wanted);
  assert_true(tick < ticks.count);
  wb_chart_tick_label(axis, &ticks, tick, label);
  assert_string_equal(label, text);
}

TEST(labels_are_short)
{
  const struct wb_chart_axis cycles = {.first = 0, .last = 100000};
  const struct wb_chart_axis shares = {.first = -0.3, .last = 0.3};
  const struct wb_chart_axis seconds = {.first = 0, .last = 4e-9};
  const struct wb_chart_axis large = {.first = 0, .last = 6e12};
  const struct wb_chart_axis levels = {.first = 0.5, .last = 1e-12, .logarithmic = true};
  const struct wb_chart_axis decade = {.first = 900, .last = 11000, .logarithmic = true};
  const struct wb_chart_axis lags = {.first = 0.3, .last = 3.7, .whole = true};
  label_is(&cycles, 5, 1,
           "20\xe2\x80\xaf"
           "000");
  label_is(&cycles, 5, 0, "0");
  label_is(&shares, 6, 1,
           "\xe2\x88\x92"
           "0.2");
  label_is(&shares, 6, 3, "0.0");
  label_is(&seconds, 4, 1, "1");
  assert_int_equal(wb_chart_ticks_of(&seconds, 4).exponent, -9);
  label_is(&large, 3, 3, "6");
  assert_int_equal(wb_chart_ticks_of(&large, 3).exponent, 12);
  label_is(&levels, 6, 0, "10\xe2\x81\xbb\xc2\xb9\xc2\xb2");
  label_is(&decade, 8, 1, "2000");
  assert_int_equal(wb_chart_ticks_of(&lags, 10).count, 3);
}

TEST(numbers_have_words)
{
  static const struct {
    double value;
    const char *text;
  } cases[] = {{0, "0"},
               {1234567, "1234567"},
               {123.456789, "123.457"},
               {0.5, "0.5"},
               {-2, "-2"},
               {1.5e-9, "1.5e-09"},
               {1e300, "1e+300"},
               {NAN, "-"},
               {INFINITY, "unlimited"},
               {-INFINITY, "-unlimited"}};
  char label[WB_CHART_LABEL];
  for (size_t c = 0; c < COUNT_OF(cases); c++) {
    wb_chart_number(cases[c].value, label);
    assert_string_equal(label, cases[c].text);
  }
  wb_chart_power(1e-9, label);
  assert_string_equal(label, "10\xe2\x81\xbb\xe2\x81\xb9");
  wb_chart_power(0.25, label);
  assert_string_equal(label, "0.25");
  wb_chart_power(0, label);
  assert_string_equal(label, "0");
}

/* An axis of values between 1e-300 and 1e300, of both signs where it is linear. */
static struct wb_chart_axis random_axis(struct wb_random *random)
{
  const bool logarithmic = wb_random_below(random, 2) == 1;
  const double size = pow(10, 600 * fraction(random) - 300);
  const double first = (logarithmic ? 0.001 : -1) + 2 * fraction(random);
  double last = first;
  while (fabs(last - first) < 1e-9)
    last = (logarithmic ? 0.001 : -1) + 2 * fraction(random);
  return (struct wb_chart_axis){
      .first = first * size, .last = last * size, .logarithmic = logarithmic, .title = ""};
}

/* Ticks lie on the axis, ascend, and have different labels. */
TEST(ticks_of_any_axis)
{
  struct wb_random random = {SEED};
  print_message("# seed %d\n", SEED);
  for (size_t i = 0; i < 20000; i++) {
    const struct wb_chart_axis axis = random_axis(&random);
    const size_t wanted = 2 + wb_random_below(&random, 12);
    const struct wb_chart_ticks ticks = wb_chart_ticks_of(&axis, wanted);
    char last[WB_CHART_LABEL] = "";
    assert_in_range(ticks.count, 1, WB_CHART_TICKS);
    for (size_t t = 0; t < ticks.count; t++) {
      char label[WB_CHART_LABEL];
      const double place = wb_chart_place(&axis, ticks.values[t]);
      wb_chart_tick_label(&axis, &ticks, t, label);
      if (!(place > -1e-6 && place < 1 + 1e-6) || strcmp(label, last) == 0)
        fail_msg("axis %zu from %g to %g: tick %zu, %g, \"%s\"", i, axis.first, axis.last, t,
                 ticks.values[t], label);
      assert_true(t == 0 || ticks.values[t] > ticks.values[t - 1]);
      memcpy(last, label, sizeof last);
    }
  }
}

TEST(places_and_values_agree)
{
  struct wb_random random = {SEED};
  print_message("# seed %d\n", SEED);
  for (size_t i = 0; i < 1000; i++) {
    const struct wb_chart_axis axis = random_axis(&random);
    const double place = fraction(&random);
    assert_true(fabs(wb_chart_place(&axis, wb_chart_value(&axis, place)) - place) < 1e-6);
    assert_true(wb_chart_place(&axis, axis.first) == 0);
    assert_true(fabs(wb_chart_place(&axis, axis.last) - 1) < 1e-12);
  }
  const struct wb_chart_axis levels = {.first = 1, .last = 10, .logarithmic = true};
  assert_true(isnan(wb_chart_place(&levels, 0)));
  assert_true(isnan(wb_chart_place(&levels, NAN)));
  assert_true(isnan(wb_chart_place(&levels, INFINITY)));
}

TEST(axes_show_any_range)
{
  static const double cases[][2] = {{0, 0},           {5, 5},         {-3, -3},       {0, 5e-324},
                                    {1e300, 1.7e308}, {1, 1 + 1e-15}, {-1e308, 1e308}};
  for (size_t c = 0; c < COUNT_OF(cases); c++) {
    const struct wb_chart_range range = {cases[c][0], cases[c][1]};
    const struct wb_chart_axis axis = wb_chart_axis_of(&range, 0.05, "");
    assert_true(isfinite(axis.first) && isfinite(axis.last) && axis.first < axis.last);
    assert_true(wb_chart_ticks_of(&axis, 5).count > 0);
  }
  struct wb_chart_range range = WB_CHART_NO_RANGE;
  assert_true(range.least > range.most);
  wb_chart_range_add(&range, NAN);
  wb_chart_range_add(&range, INFINITY);
  assert_true(range.least > range.most);
  wb_chart_range_add(&range, 2);
  assert_true(range.least == 2 && range.most == 2);
}

static struct wb_chart opened(bool logarithmic)
{
  struct wb_chart chart = {.title = "t", .subtitle = "s", .description = "d"};
  wb_chart_panel_open(
      &chart, &(struct wb_chart_panel){
                  .left = 100,
                  .top = 100,
                  .width = 100,
                  .height = 100,
                  .x = {.first = 0, .last = 100, .title = "x"},
                  .y = {.first = 1, .last = 101, .logarithmic = logarithmic, .title = "y"}});
  return chart;
}

static char *ended(struct wb_chart *chart)
{
  struct wb_text text = {0};
  wb_chart_panel_close(chart);
  wb_chart_end(chart, &text);
  check_markup(text.data, false);
  return wb_text_take(&text);
}

/* Of a million sorted dots those stay that are seen, the ends among them. */
TEST(dots_are_thinned)
{
  struct wb_chart chart = opened(false);
  wb_chart_path_begin(&chart, "seen dots");
  for (size_t i = 0; i <= 1000000; i++)
    wb_chart_dot(&chart, (double)i / 1e4, 1 + (double)i / 1e4);
  wb_chart_dot(&chart, 100, 50);
  wb_chart_path_end(&chart);
  char *const svg = ended(&chart);
  assert_in_range(count_in(svg, "h0"), 100, 300);
  assert_non_null(strstr(svg, "d=\"M100.0 200.0h0"));
  assert_non_null(strstr(svg, "M200.0 151.0h0\""));
  free(svg);
}

TEST(lines_break_where_nothing_is)
{
  struct wb_chart chart = opened(true);
  wb_chart_path_begin(&chart, "seen");
  wb_chart_line_to(&chart, 0, 1);
  wb_chart_line_to(&chart, 10, 1);
  wb_chart_line_to(&chart, 20, 0); /* no place on a logarithmic axis */
  wb_chart_line_to(&chart, 30, 1);
  wb_chart_line_to(&chart, NAN, 1);
  wb_chart_path_end(&chart);
  const double xs[] = {0, 10, NAN, 20};
  const double lows[] = {-INFINITY, 0, 1, NAN};
  const double highs[] = {INFINITY, 5, 2, 9};
  wb_chart_band(&chart, "gev-area", xs, lows, highs, 4);
  wb_chart_stroke(&chart, "seen", 50, 0, INFINITY, true);
  wb_chart_bar(&chart, "bars", 1, 2, NAN, 4);
  wb_chart_hatch(&chart, "hatched", 50, INFINITY, 1, 2);
  char *const svg = ended(&chart);
  assert_non_null(strstr(svg, "d=\"M100.0 200.0L110.0 200.0M130.0 200.0\""));
  assert_non_null(strstr(svg, "d=\"M100.0 209.0L110.0 209.0L110.0 165.1L100.0 91.0Z\""));
  assert_non_null(strstr(svg, "d=\"M150.0 209.0V91.0"));
  assert_int_equal(count_in(svg, "class=\"bars\""), 0);
  free(svg);
}

/* Words of any length stay on the page: lines are broken at blanks, and long words cut. */
TEST(long_words_are_wrapped)
{
  struct wb_chart chart = opened(false);
  FREED_BY(wb_text_free) struct wb_text words = {0};
  wb_text_fill(&words, 'W', 5000);
  wb_chart_panel_close(&chart);
  const unsigned before = chart.bottom;
  wb_chart_legend(&chart, WB_CHART_LINE, "seen", "short");
  wb_chart_legend(&chart, WB_CHART_AREA, "bars", "beside it");
  assert_true(chart.bottom == before + 20);
  wb_chart_legend(&chart, WB_CHART_HATCH, "hatched", words.data);
  wb_chart_note(&chart, words.data);
  wb_chart_note(&chart, "%s", "");
  FREED_BY(wb_text_free) struct wb_text text = {0};
  wb_chart_end(&chart, &text);
  check_markup(text.data, false);
  assert_true(text.length < 10000);
}

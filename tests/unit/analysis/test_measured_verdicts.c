/* How often series of known kinds are called applicable: bad ones hardly ever, good ones nearly
 * always. The shares over more series are in doc/measured/evt-coverage.md. Left out: kinds in which
 * two things are wrong at once, and bad times that no test of their order or their values can see.
 */
#include "analysis/measured/measured_result.h"
#include "samples/bad_times.h"
#include "samples/make_times.h"
#include "unit.h"

/* The least number of times that may be plainly applicable, and series of each kind. */
#define COUNT 5000
#define SERIES 20

static double values[COUNT];

/* Without fits: only the checks matter. */
static enum wb_applicability verdict_of(size_t count, char *words, size_t room)
{
  static char none[] = "", file[] = "times.csv", unit[] = "ns";
  struct wb_series series = {.name = none, .values = values, .count = count, .capacity = count};
  const struct wb_samples samples = {
      .file = file, .unit = unit, .series = &series, .count = 1, .capacity = 1};
  const struct wb_measured_options options = {.method = WB_MEASURED_PEAKS,
                                              .has_threshold = true,
                                              .threshold = 1e6,
                                              .confidence = 0.95,
                                              .significance = 0.05,
                                              .seed = 1};
  const warpbound_options limits = {.threads = 1};
  const struct wb_control control = wb_control_start(&limits);
  FREED_BY(wb_measured_free) struct wb_measured measured;
  assert_ok(wb_measured_analyse(&samples, &options, &control, &measured, NULL));
  snprintf(words, room, "%s", measured.series[0].verdict_words);
  return measured.series[0].verdict;
}

TEST(bad_times_are_not_applicable)
{
  char words[800];
  for (size_t kind = 0; kind < BAD_KINDS; kind++) {
    size_t applicable = 0;
    for (uint64_t s = 0; s < SERIES; s++) {
      make_bad_times(kind, COUNT, 1000, 20, 77 + 1000 * kind + s, values);
      applicable += verdict_of(COUNT, words, sizeof words) == WB_APPLICABLE;
    }
    if (applicable > SERIES / 20)
      fail_msg("%s: %zu of %d are applicable", bad_kinds[kind], applicable, SERIES);
  }
}

/* Of good times some are refused by chance: over all eight tests of order at most one in twenty,
 * and here so many that twice as many would be a great chance. */
TEST(good_times_are_hardly_ever_refused)
{
  static const struct made_times recipes[] = {
      {.family = MADE_NORMAL, .location = 1000, .scale = 20},
      {.family = MADE_EXPONENTIAL, .location = 1000, .scale = 20},
      {.family = MADE_LOGNORMAL, .location = 1000, .scale = 20, .shape = 0.5},
      {.family = MADE_PARETO, .location = 1000, .scale = 20, .shape = 0.2, .tick = 2},
  };
  char words[800];
  size_t refused = 0, applicable = 0;
  for (size_t r = 0; r < COUNT_OF(recipes); r++)
    for (uint64_t s = 0; s < 2 * SERIES; s++) {
      make_times(&recipes[r], COUNT, 500 + s, values);
      const enum wb_applicability verdict = verdict_of(COUNT, words, sizeof words);
      refused += verdict == WB_NOT_APPLICABLE;
      applicable += verdict == WB_APPLICABLE;
    }
  assert_in_range(refused, 0, COUNT_OF(recipes) * 2 * SERIES / 20);
  assert_in_range(applicable, COUNT_OF(recipes) * 2 * SERIES * 8 / 10, SIZE_MAX);
}

/* Of fewer times too much is not told from chance. */
TEST(fewer_times_are_never_plainly_applicable)
{
  static const struct made_times normal = {.family = MADE_NORMAL, .location = 1000, .scale = 20};
  char words[800];
  make_times(&normal, COUNT, 4, values);
  assert_int_equal(verdict_of(COUNT, words, sizeof words), WB_APPLICABLE);
  assert_int_equal(verdict_of(COUNT - 1, words, sizeof words), WB_APPLICABLE_WITH_CARE);
  assert_non_null(strstr(words, "enough samples"));
}

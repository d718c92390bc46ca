/* How often the tests of measured times reject: their size on independent times, and their power on
 * times that are dependent, drift, or come in modes. Prints the tables of
 * doc/measured/evt-tests.md.
 *
 * usage: evt_power [SAMPLES]      samples of each kind; 10000 where it is not said. Of 10,000
 * values each, 40 % of them. */
#include "evt/samples/samples.h"
#include "evt/tests/series_tests.h"
#include "samples/make_times.h"

#include <stdio.h>
#include <stdlib.h>

#define SEED UINT64_C(20261123)
#define MOST 10000
#define TESTS 5

/* A kind of times, of standard deviation about 1 without what is added. */
struct kind {
  const char *name;
  struct made_times recipe;
};

static const struct kind independent[] = {
    {"normal", {MADE_NORMAL, .location = 100, .scale = 1}},
    {"exponential", {MADE_EXPONENTIAL, .location = 100, .scale = 1}},
    {"GPD, shape 0.3", {MADE_PARETO, .location = 100, .scale = 1, .shape = 0.3}},
    {"normal, ticks of 0.1 sd", {MADE_NORMAL, .location = 100, .scale = 1, .tick = 0.1}},
    {"normal, ticks of 1 sd", {MADE_NORMAL, .location = 100, .scale = 1, .tick = 1}},
    {"normal, a second mode 10 sd above, 30 % mixed",
     {MADE_NORMAL, .location = 100, .scale = 1, .modes = MADE_MODES_MIXED, .mode_gap = 10,
      .mode_share = 0.3}},
    {"normal, outliers of about 20 sd, 1 %",
     {MADE_NORMAL, .location = 100, .scale = 1, .outlier_share = 0.01, .outlier_size = 20}},
};

static const struct kind others[] = {
    {"AR(1), 0.3", {MADE_NORMAL, .location = 100, .scale = 1, .correlation = 0.3}},
    {"AR(1), 0.7", {MADE_NORMAL, .location = 100, .scale = 1, .correlation = 0.7}},
    {"max-autoregressive, extremal index 0.5",
     {MADE_EXPONENTIAL, .location = 100, .scale = 1, .max_dependence = 0.5}},
    {"linear drift of 1 sd in all", {MADE_NORMAL, .location = 100, .scale = 1, .drift = 1}},
    {"step of 0.5 sd in the middle",
     {MADE_NORMAL, .location = 100, .scale = 1, .step = 0.5, .step_at = 0.5}},
    {"step of 1 sd in the middle",
     {MADE_NORMAL, .location = 100, .scale = 1, .step = 1, .step_at = 0.5}},
    {"step of 1 sd after 90 %",
     {MADE_NORMAL, .location = 100, .scale = 1, .step = 1, .step_at = 0.9}},
    {"GPD, shape 0.3, step of 0.5 in the middle",
     {MADE_PARETO, .location = 100, .scale = 1, .shape = 0.3, .step = 0.5, .step_at = 0.5}},
    {"two modes 2 sd apart, alternating",
     {MADE_NORMAL, .location = 100, .scale = 1, .modes = MADE_MODES_ALTERNATING, .mode_gap = 2}},
    {"two modes 2 sd apart, 20 values each",
     {MADE_NORMAL, .location = 100, .scale = 1, .modes = MADE_MODES_BLOCKS, .mode_gap = 2,
      .mode_length = 20}},
    {"spread 1.5 times in the second half",
     {MADE_NORMAL, .location = 100, .scale = 1, .late_scale = 1.5}},
    {"spread twice in the second half",
     {MADE_NORMAL, .location = 100, .scale = 1, .late_scale = 2}},
    {"bursts of 5 outliers of about 20 sd, 5 % of values",
     {MADE_NORMAL, .location = 100, .scale = 1, .outlier_share = 0.01, .outlier_length = 5,
      .outlier_size = 20}},
    {"AR(1), 0.7, ticks of 1 sd",
     {MADE_NORMAL, .location = 100, .scale = 1, .correlation = 0.7, .tick = 1}},
    {"step of 0.5 sd in the middle, ticks of 1 sd",
     {MADE_NORMAL, .location = 100, .scale = 1, .step = 0.5, .step_at = 0.5, .tick = 1}},
};

/* Of some samples: how many each test rejects at 5 %, and in how many a tick is seen. */
struct counts {
  unsigned samples, rejected[TESTS], ticked;
};

static void run_tests(const double *values, size_t count, struct wb_test tests[TESTS])
{
  if (wb_test_ljung_box(values, count, 0, &tests[0], NULL) != WARPBOUND_OK ||
      wb_test_runs(values, count, &tests[1], NULL) != WARPBOUND_OK ||
      wb_test_kpss(values, count, &tests[2], NULL) != WARPBOUND_OK ||
      wb_test_halves(values, count, &tests[3], NULL) != WARPBOUND_OK ||
      wb_test_change_point(values, count, &tests[4], NULL) != WARPBOUND_OK) {
    fprintf(stderr, "out of memory\n");
    exit(EXIT_FAILURE);
  }
}

static struct counts count_rejected(const struct made_times *recipe, size_t count, unsigned samples)
{
  static double values[MOST];
  struct counts counts = {.samples = samples};
  for (unsigned k = 0; k < samples; k++) {
    struct wb_test tests[TESTS];
    make_times(recipe, count, SEED + k, values);
    run_tests(values, count, tests);
    for (size_t which = 0; which < TESTS; which++)
      counts.rejected[which] += tests[which].p_value <= 0.05;
    wb_sort_ascending(values, count);
    counts.ticked += wb_resolution_of(values, count).tick > 0;
  }
  return counts;
}

static void print_row(const struct kind *kind, size_t count, unsigned samples)
{
  const struct counts counts = count_rejected(&kind->recipe, count, samples);
  printf("| %s | %zu |", kind->name, count);
  for (size_t which = 0; which < TESTS; which++)
    printf(" %.1f |", 100.0 * counts.rejected[which] / counts.samples);
  printf(" %.0f |\n", 100.0 * counts.ticked / counts.samples);
  fflush(stdout);
}

static void print_table(const struct kind *kinds, size_t kind_count, const size_t *sizes,
                        size_t size_count, unsigned samples)
{
  printf("| times | values | Ljung-Box | runs | KPSS | halves | change point | tick seen |\n"
         "|---|---|---|---|---|---|---|---|\n");
  for (size_t k = 0; k < kind_count; k++)
    for (size_t s = 0; s < size_count; s++)
      print_row(&kinds[k], sizes[s], sizes[s] < MOST ? samples : samples / 5 * 2);
  printf("\n");
}

int main(int count, char **words)
{
  const unsigned samples = count > 1 ? (unsigned)strtoul(words[1], NULL, 10) : 10000;
  const size_t sizes[] = {100, 1000, 10000};
  if (samples < 5) {
    fprintf(stderr, "usage: evt_power [SAMPLES], 5 at least\n");
    return EXIT_FAILURE;
  }
  print_table(independent, sizeof independent / sizeof *independent, sizes, 3, samples);
  print_table(others, sizeof others / sizeof *others, sizes, 2, samples / 10);
  return EXIT_SUCCESS;
}

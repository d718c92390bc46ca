/* How often the search for modes and the test of a trend of maxima find something in samples of
 * known distributions. Prints the tables of doc/measured/evt-tests.md.
 *
 * usage: evt_modes [SAMPLES]      samples of each kind; 1000 where it is not said */
#include "evt/samples/samples.h"
#include "evt/tests/series_tests.h"
#include "evt/tests/ties_and_modes.h"
#include "samples/make_times.h"

#include <stdio.h>
#include <stdlib.h>

/* Seeds far apart, the same in each run. */
static uint64_t seed_of(unsigned sample)
{
  return 7919 * (uint64_t)sample + 3;
}

/* The share of samples in which something is found, in percent; -1: memory is out. */
static double share_with_modes(const struct made_times *recipe, size_t count, unsigned samples)
{
  double *values = calloc(count, sizeof *values);
  unsigned found = 0;
  for (unsigned s = 0; values != NULL && s < samples; s++) {
    struct wb_modes modes;
    make_times(recipe, count, seed_of(s), values);
    wb_sort_ascending(values, count);
    if (wb_modes_find(values, count, recipe->tick, &modes, NULL) == WARPBOUND_OK)
      found += modes.found;
  }
  free(values);
  return values == NULL ? -1 : 100.0 * found / samples;
}

static double share_with_trend(const struct made_times *recipe, size_t count, unsigned samples)
{
  double *values = calloc(count, sizeof *values);
  unsigned found = 0;
  for (unsigned s = 0; values != NULL && s < samples; s++) {
    make_times(recipe, count, seed_of(s), values);
    found += wb_test_trend(values, count).p_value < 0.05;
  }
  free(values);
  return values == NULL ? -1 : 100.0 * found / samples;
}

static const struct {
  const char *name;
  struct made_times recipe;
} kinds[] = {
    {"normal", {.family = MADE_NORMAL, .location = 1000, .scale = 20}},
    {"exponential", {.family = MADE_EXPONENTIAL, .location = 1000, .scale = 20}},
    {"GPD, shape 0.3", {.family = MADE_PARETO, .location = 1000, .scale = 20, .shape = 0.3}},
    {"uniform", {.family = MADE_UNIFORM, .location = 1000, .scale = 20}},
    {"normal, ticks of 0.4 sd", {.family = MADE_NORMAL, .location = 1000, .scale = 20, .tick = 8}},
};

static void print_one_heap(unsigned samples)
{
  puts(
      "| times of one mode | maxima | trend found | values | modes found |\n|---|---|---|---|---|");
  static const size_t maxima[] = {30, 100, 200}, counts[] = {100, 1000, 10000};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (size_t c = 0; c < 3; c++)
      printf("| %s | %zu | %.1f | %zu | %.1f |\n", kinds[k].name, maxima[c],
             share_with_trend(&kinds[k].recipe, maxima[c], samples), counts[c],
             share_with_modes(&kinds[k].recipe, counts[c], samples));
}

static void print_drift(unsigned samples)
{
  puts("\n| drift of 200 maxima, in sd | trend found |\n|---|---|");
  for (double drift = 0.25; drift <= 1; drift *= 2) {
    struct made_times recipe = kinds[0].recipe;
    recipe.drift = drift * recipe.scale;
    printf("| %g | %.1f |\n", drift, share_with_trend(&recipe, 200, samples));
  }
}

static void print_two_heaps(unsigned samples)
{
  static const double shares[] = {0.01, 0.03, 0.1, 0.3};
  static const size_t counts[] = {1000, 10000};
  puts("\n| values | share of the upper mode | 4 sd apart | 6 sd | 8 sd |\n|---|---|---|---|---|");
  for (size_t c = 0; c < 2; c++)
    for (size_t s = 0; s < 4; s++) {
      printf("| %zu | %g %% |", counts[c], 100 * shares[s]);
      for (unsigned apart = 4; apart <= 8; apart += 2) {
        struct made_times recipe = kinds[0].recipe;
        recipe.modes = MADE_MODES_MIXED;
        recipe.mode_share = shares[s];
        recipe.mode_gap = apart * recipe.scale;
        printf(" %.1f |", share_with_modes(&recipe, counts[c], samples));
      }
      puts("");
    }
}

int main(int count, char **words)
{
  const unsigned long samples = count > 1 ? strtoul(words[1], NULL, 10) : 1000;
  if (samples == 0 || samples > 1000000) {
    fputs("evt_modes: expected a number of samples from 1 to 1000000\n", stderr);
    return 2;
  }
  print_one_heap((unsigned)samples);
  print_drift((unsigned)samples);
  print_two_heaps((unsigned)samples);
  return 0;
}

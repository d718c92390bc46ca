/* How often the recommended interval holds the true level, over whole analyses as a user runs them.
 * Prints the tables of doc/measured/evt-coverage.md.
 *
 * usage: evt_coverage good|bad [SERIES [COUNT [FIRST [LAST [SEED]]]]]
 *        SERIES of each cell (200), of COUNT times only (0: of all numbers), rows FIRST to LAST,
 * other samples by another SEED (0) */
#include "evt/math/special_functions.h"
#include "samples/bad_times.h"
#include "samples/make_times.h"
#include "warpbound.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum family { LOGNORMAL, WEIBULL, GAMMA, NORMAL, EXPONENTIAL, PARETO };

static const struct kind {
  const char *name;
  enum family family;
  double shape;
} kinds[] = {
    {"lognormal 0.1", LOGNORMAL, 0.1},
    {"lognormal 0.5", LOGNORMAL, 0.5},
    {"Weibull 0.7", WEIBULL, 0.7},
    {"Weibull 1", WEIBULL, 1},
    {"Weibull 2", WEIBULL, 2},
    {"gamma 2", GAMMA, 2},
    {"gamma 9", GAMMA, 9},
    {"normal", NORMAL, 0},
    {"exponential", EXPONENTIAL, 0},
    {"GPD -0.2", PARETO, -0.2},
    {"GPD 0", PARETO, 0},
    {"GPD 0.2", PARETO, 0.2},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const size_t counts[] = {500, 2000, 5000, 20000, 100000};
enum { COUNTS = sizeof counts / sizeof *counts };

#define PLACE 1000.0 /* of all times */
#define SCALE 20.0

/* log P(X > x) of a gamma distribution of a whole shape. */
static double log_gamma_survival(double shape, double x)
{
  double term = 1, sum = 1;
  for (double k = 1; k < shape; k++) {
    term *= x / k;
    sum += term;
  }
  return log(sum) - x;
}

/* The level that is exceeded with a probability, without place and scale. */
static double level_of(const struct kind *kind, double survival)
{
  double low = 0, high = 1000;
  switch (kind->family) {
  case LOGNORMAL:
    return exp(kind->shape * wb_normal_level(survival));
  case WEIBULL:
    return pow(-log(survival), 1 / kind->shape);
  case NORMAL:
    return wb_normal_level(survival);
  case EXPONENTIAL:
    return -log(survival);
  case PARETO:
    return kind->shape == 0 ? -log(survival) : expm1(-kind->shape * log(survival)) / kind->shape;
  case GAMMA:
    break;
  }
  for (int step = 0; step < 100; step++) {
    const double middle = (low + high) / 2;
    *(log_gamma_survival(kind->shape, middle) > log(survival) ? &low : &high) = middle;
  }
  return low;
}

/* One value; of a gamma distribution as a sum of exponential ones, which is faster. */
static double draw(const struct kind *kind, struct wb_random *random)
{
  double sum = 0;
  if (kind->family != GAMMA)
    return level_of(kind, made_uniform(random));
  for (double k = 0; k < kind->shape; k++)
    sum -= log(made_uniform(random));
  return sum;
}

static double deviation_of(const struct kind *kind)
{
  const double s = kind->shape;
  switch (kind->family) {
  case LOGNORMAL:
    return sqrt(expm1(s * s) * exp(s * s));
  case WEIBULL:
    return sqrt(tgamma(1 + 2 / s) - pow(tgamma(1 + 1 / s), 2));
  case GAMMA:
    return sqrt(s);
  case PARETO:
    return 1 / ((1 - s) * sqrt(1 - 2 * s));
  case NORMAL:
  case EXPONENTIAL:
    break;
  }
  return 1;
}

/* What was found of the series of a cell. */
struct cell {
  unsigned applicable, care, refused, none;
  unsigned held[2], below[2];            /* of applicable ones, at 1e-6 and 1e-9 */
  unsigned held_of_all[2], given_of_all; /* of all with a recommended level */
};

static const double probabilities[] = {1e-6, 1e-9};

/* Analyses one series with the options of the command line's defaults. */
static void analyse(const double *values, size_t count, const double truth[2], uint64_t seed,
                    struct cell *cell)
{
  warpbound_samples *samples = NULL;
  warpbound_measured *measured = NULL;
  warpbound_error error;
  const warpbound_measured_options options = {
      .probabilities = probabilities, .probability_count = 2, .replicates = 19, .seed = seed};
  const warpbound_options limits = {.threads = 1};
  if (warpbound_samples_create(values, count, "ns", &samples, &error) != WARPBOUND_OK ||
      warpbound_measured_analyse(samples, &options, &limits, &measured, &error) != WARPBOUND_OK) {
    fprintf(stderr, "evt_coverage: %s\n", error.message);
    exit(1);
  }
  const warpbound_applicability verdict = warpbound_measured_applicability(measured, 0);
  const bool given =
      warpbound_measured_recommended(measured, 0) < warpbound_measured_fit_count(measured);
  cell->applicable += verdict == WARPBOUND_APPLICABLE;
  cell->care += verdict == WARPBOUND_APPLICABLE_WITH_CARE;
  cell->refused += verdict == WARPBOUND_NOT_APPLICABLE;
  cell->none += verdict == WARPBOUND_APPLICABLE && !given;
  cell->given_of_all += given;
  for (size_t p = 0; given && p < 2; p++) {
    const warpbound_recommended_level level = warpbound_measured_recommended_at(measured, 0, p);
    const bool held = level.low <= truth[p] && truth[p] <= level.high;
    cell->held_of_all[p] += held;
    cell->held[p] += held && verdict == WARPBOUND_APPLICABLE;
    cell->below[p] += level.high < truth[p] && verdict == WARPBOUND_APPLICABLE;
  }
  warpbound_measured_free(measured);
  warpbound_samples_free(samples);
}

static void print_share(unsigned part, unsigned of)
{
  if (of == 0)
    printf(" - |");
  else
    printf(" %.1f |", 100.0 * part / of);
}

static void run_cell(const struct kind *kind, size_t count, bool ticks, unsigned series,
                     uint64_t seed)
{
  double *values = malloc(count * sizeof *values);
  struct cell cell = {0};
  const double tick = ticks ? 0.1 * deviation_of(kind) * SCALE : 0;
  const double truth[2] = {PLACE + SCALE * level_of(kind, 1e-6),
                           PLACE + SCALE * level_of(kind, 1e-9)};
  for (unsigned s = 0; values != NULL && s < series; s++) {
    struct wb_random random = {.state = seed + 104729 * (uint64_t)s + count +
                                        1000003 * (uint64_t)(kind - kinds)};
    for (size_t k = 0; k < count; k++) {
      const double value = PLACE + SCALE * draw(kind, &random);
      values[k] = ticks ? tick * round(value / tick) : value;
    }
    analyse(values, count, truth, s + 1, &cell);
  }
  free(values);
  const unsigned given = cell.applicable - cell.none;
  printf("| %s%s | %zu |", kind->name, ticks ? ", ticks" : "", count);
  print_share(cell.applicable, series);
  print_share(cell.care, series);
  print_share(cell.refused, series);
  print_share(cell.none, series);
  for (size_t p = 0; p < 2; p++) {
    print_share(cell.held[p], given);
    print_share(cell.below[p], given);
  }
  for (size_t p = 0; p < 2; p++)
    print_share(cell.held_of_all[p], cell.given_of_all);
  puts("");
  fflush(stdout);
}

/* ---- bad series ---- */

static void print_bad(unsigned series, size_t only, size_t first, size_t last, uint64_t seed)
{
  puts("| times | n | applicable % | with care % | not % |\n|---|---|---|---|---|");
  for (size_t k = first; k <= last && k < BAD_KINDS; k++)
    for (size_t c = 0; c < COUNTS; c++) {
      double *values = malloc(counts[c] * sizeof *values);
      struct cell cell = {0};
      static const double truth[2] = {0, 0};
      for (unsigned s = 0; values != NULL && (only == 0 || only == counts[c]) && s < series; s++) {
        make_bad_times(k, counts[c], PLACE, SCALE, seed + 104729 * (uint64_t)s + counts[c] + 7 * k,
                       values);
        analyse(values, counts[c], truth, s + 1, &cell);
      }
      free(values);
      if (cell.applicable + cell.care + cell.refused == 0)
        continue;
      printf("| %s | %zu |", bad_kinds[k], counts[c]);
      print_share(cell.applicable, series);
      print_share(cell.care, series);
      print_share(cell.refused, series);
      puts("");
      fflush(stdout);
    }
}

static void print_good(unsigned series, size_t only, size_t first, size_t last, uint64_t seed)
{
  puts("| times | n | applicable % | with care % | not % | none recommended % | 1e-6 held % | "
       "interval below % | 1e-9 held % | interval below % | 1e-6, all % | 1e-9, all % |\n"
       "|---|---|---|---|---|---|---|---|---|---|---|---|");
  for (size_t k = first; k <= last && k < KINDS; k++)
    for (size_t ticks = 0; ticks < 2; ticks++)
      for (size_t c = 0; c < COUNTS; c++)
        if (only == 0 || only == counts[c])
          run_cell(&kinds[k], counts[c], ticks == 1, series, seed);
}

int main(int count, char **words)
{
  const unsigned long series = count > 2 ? strtoul(words[2], NULL, 10) : 200;
  const size_t only = count > 3 ? strtoul(words[3], NULL, 10) : 0;
  const size_t first = count > 4 ? strtoul(words[4], NULL, 10) : 0;
  const size_t last = count > 5 ? strtoul(words[5], NULL, 10) : SIZE_MAX;
  const uint64_t seed = count > 6 ? strtoull(words[6], NULL, 10) : 0;
  const bool good = count > 1 && strcmp(words[1], "good") == 0;
  const bool bad = count > 1 && strcmp(words[1], "bad") == 0;
  if (!(good || bad) || series == 0 || series > 100000) {
    fputs("usage: evt_coverage good|bad [SERIES [COUNT [FIRST [LAST [SEED]]]]]\n", stderr);
    return 2;
  }
  (good ? print_good : print_bad)((unsigned)series, only, first, last, seed);
  return 0;
}

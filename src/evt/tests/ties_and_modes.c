/* What sorted values tell of their clock and of their modes. */
#include "evt/tests/ties_and_modes.h"

#include "base/memory.h"
#include "evt/samples/samples.h"
#include "evt/tests/series_tests.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Values whose difference is within this share of the largest one are equal: doubles that were
 * added and subtracted are wrong by some 1e-16 of the largest, and no clock has 11 digits. */
static const double double_noise = 1e-11;
/* Times that were kept as 32-bit floating point, as those of CUDA's events, are wrong by 6e-8. */
static const double single_noise = 2e-7;
/* A tick is at least this many times the noise: less could come of noise alone. */
static const double least_tick = 100;

/* The largest number of which a and b are multiples within the noise (Euclid's algorithm); a
 * multiple may be missed by as little below as above. */
static double common_measure(double a, double b, double noise)
{
  while (b > noise) {
    double rest = fmod(a, b);
    if (b - rest <= noise)
      rest = 0;
    a = b;
    b = rest;
  }
  return a;
}

/* A measure is as wrong as its multiple, divided by how often it lies in it. */
static double sharpened(double measure, double multiple)
{
  return multiple / nearbyint(multiple / measure);
}

/* Differences of neighbours, and what is known of their measure. */
struct differences {
  const double *ascending;
  size_t count;
  double noise;
  double least, widest; /* that exceed the noise; 0: none does */
  double measure;       /* of those looked at */
};

/* The measure of all differences; 0 where there is none. Euclid's algorithm multiplies the noise by
 * the ratio of its numbers: the differences are taken from the least on, in steps of twice the one
 * before, and the measure becomes better known on the way. */
static double measure_of(const double *ascending, size_t count, double noise)
{
  struct differences differences = {ascending, count, noise};
  for (size_t i = 1; i < count; i++) {
    const double difference = ascending[i] - ascending[i - 1];
    if (difference <= noise)
      continue;
    if (differences.least == 0 || difference < differences.least)
      differences.least = difference;
    differences.widest = fmax(differences.widest, difference);
  }
  if (differences.least < least_tick * noise)
    return 0;
  differences.measure = differences.least;
  double low = differences.least;
  while (low < differences.widest) {
    /* Adds the differences above `low` up to `high` to the measure. Returns whether there is still
     * one that can be told from noise. */
    double widest = low;
    for (size_t i = 1; i < differences.count; i++) {
      const double difference = differences.ascending[i] - differences.ascending[i - 1];
      if (difference <= low || difference > (2 * low))
        continue;
      widest = fmax(widest, difference);
      const double measure = common_measure(difference, differences.measure, differences.noise);
      if (measure < least_tick * differences.noise)
        return 0;
      differences.measure = sharpened(measure, widest);
    }
    low *= 2;
  }
  const double range = ascending[count - 1] - ascending[0];
  return range > noise ? sharpened(differences.measure, range) : 0;
}

struct wb_resolution wb_resolution_of(const double *ascending, size_t count)
{
  struct wb_resolution resolution = {0};
  if (count == 0)
    return resolution;
  const double largest = fmax(fabs(ascending[0]), fabs(ascending[count - 1]));
  const double noise = double_noise * largest;
  const size_t tail = count < 10 ? 1 : count / 10;
  size_t tied = 0, tail_tied = 0, most = 0;
  for (size_t start = 0; start < count;) {
    size_t end = start + 1;
    while (end < count && ascending[end] - ascending[start] <= noise)
      end++;
    resolution.distinct++;
    if (end - start > 1) {
      const size_t tail_from = start > count - tail ? start : count - tail;
      tied += end - start;
      tail_tied += end > tail_from ? end - tail_from : 0;
    }
    if (end - start > most) {
      most = end - start;
      resolution.most_common = ascending[start];
    }
    start = end;
  }
  resolution.tick = measure_of(ascending, count, noise);
  /* A tick as small as the noise of 32-bit numbers may be that of their last binary digit: then a
   * larger one, which they hide, is sought. */
  if (!(resolution.tick > single_noise * largest)) {
    const double coarse = measure_of(ascending, count, single_noise * largest);
    resolution.tick = coarse > 0 ? coarse : resolution.tick;
  }
  resolution.tied_share = (double)tied / (double)count;
  resolution.tail_tied_share = (double)tail_tied / (double)tail;
  resolution.most_common_share = (double)most / (double)count;
  return resolution;
}

/* ---- steps of known clocks ---- */

static const struct {
  double seconds;
  const char *clock;
} known_clocks[] = {
    {1.024e-6, "1.024 us"},
    {1e-6, "1 us, as of %globaltimer on some devices"},
    {500e-9, "500 ns, as of CUDA's events on some devices"},
    {32e-9, "32 ns, as of %globaltimer and CUDA's events on many devices"},
};
/* Half of the last binary digit of a 32-bit number, and a sixth more: such a number is written with
 * nine digits, whose rounding is added. */
static double single_rounding(double value)
{
  int exponent;
  (void)frexp(value, &exponent);
  return ldexp(7.0 / 6, exponent - 25);
}

/* The rounding has to be less than this part of a step, and all values on it less likely. */
#define LEAST_STEPS 6
#define CHANCE_DIGITS 9

/* Whether all values are multiples of a step within their rounding, by more than chance. */
static bool is_step(const double *ascending, size_t count, double step, double rounding)
{
  double digits = 0, last = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    const double value = ascending[i];
    const double near = rounding + single_rounding(value);
    if (near > step / LEAST_STEPS || fabs(value - step * nearbyint(value / step)) > near)
      return false;
    /* Values of one multiple say it once. */
    digits -= value - last > step / 2 ? log10(2 * near / step) : 0;
    last = value;
  }
  return digits > CHANCE_DIGITS;
}

void wb_clock_tick(const double *ascending, size_t count, double unit_seconds,
                   struct wb_resolution *resolution)
{
  const double found = resolution->tick;
  /* Half a digit of decimals, where what was found is more than the last digit of 32-bit numbers.
   */
  const double last_digit = count > 0 ? 2 * single_rounding(ascending[count - 1]) : 0;
  const double rounding = found > last_digit ? found * 0.505 : 0;
  for (size_t k = 0; unit_seconds > 0 && k < sizeof known_clocks / sizeof *known_clocks; k++) {
    const double step = known_clocks[k].seconds / unit_seconds;
    /* What was found may be this step, as well as 32-bit numbers show it. */
    const bool same = fabs(found - step) <= 1e-6 * step;
    const bool near = fabs(found - step) <= 1e-2 * step;
    if (same || (near && is_step(ascending, count, step, 0)) ||
        (found < step && is_step(ascending, count, step, rounding))) {
      resolution->tick = step;
      resolution->clock = known_clocks[k].clock;
      return;
    }
  }
}

#define LEAST_VALUES 50
#define MOST_BINS 4096
#define LEAST_BINS 8 /* wider ones are not tried */
#define DEVIATIONS 4.5

struct histogram {
  double least, width;
  size_t bins;
  size_t *counts;
};

static double middle(const struct histogram *histogram, size_t bin)
{
  return histogram->least + ((double)bin + 0.5) * histogram->width;
}

/* For each bin the highest heap on either side decides; the deepest valley wins, the first of
 * equals. */
static void find_valley(const struct histogram *histogram, size_t *above, struct wb_modes *modes)
{
  const size_t *counts = histogram->counts, bins = histogram->bins;
  above[bins - 1] = bins - 1;
  for (size_t b = bins - 1; b-- > 0;)
    above[b] = counts[b] > counts[above[b + 1]] ? b : above[b + 1];
  size_t below = 0;
  for (size_t b = 1; b + 1 < bins; b++) {
    const size_t upper = above[b + 1];
    below = counts[b - 1] > counts[below] ? b - 1 : below;
    const size_t lesser = counts[below] < counts[upper] ? counts[below] : counts[upper];
    /* A heap stands out of the valley by more than chance. */
    const double difference = (double)lesser - (double)counts[b];
    if (!(difference > DEVIATIONS * sqrt((double)(lesser + counts[b]))))
      continue;
    const double depth = (double)counts[b] / (double)lesser;
    if (modes->found && depth >= modes->depth)
      continue;
    *modes = (struct wb_modes){.found = true,
                               .lower = middle(histogram, below),
                               .valley = middle(histogram, b),
                               .upper = middle(histogram, upper),
                               .depth = depth};
  }
}

warpbound_status wb_modes_find(const double *ascending, size_t count, double tick,
                               struct wb_modes *modes, warpbound_error *error)
{
  const size_t end = count / 1000, quarter = count / 4;
  *modes = (struct wb_modes){0};
  if (count < LEAST_VALUES || !(ascending[count - 1 - end] > ascending[end]))
    return WARPBOUND_OK;
  const double least = ascending[end], most = ascending[count - 1 - end];
  /* Freedman and Diaconis: twice the interquartile range over the cube root of the count. Two heaps
   * of about one size make that range as wide as their distance, which is too wide a bin for
   * either: so the narrowest quarter of the values counts, from which a normal heap's range
   * follows. Of a normal distribution it is 0.64, the interquartile range 1.35 wide. */
  double narrowest = INFINITY;
  for (size_t k = 0; k + quarter < count; k++) {
    const double range = ascending[k + quarter] - ascending[k];
    narrowest = range < narrowest ? range : narrowest;
  }
  double rule = 2 * (1.35 / 0.64) * narrowest / cbrt((double)count);
  if (tick > 0)
    rule = tick * fmax(1, round(rule / tick));
  /* Wide bins show small heaps far away, narrow ones valleys between near heaps. */
  size_t bins = LEAST_BINS;
  for (int doublings = 0; bins >= LEAST_BINS; doublings++) {
    double width = ldexp(rule, doublings);
    if (!(width > (most - least) / MOST_BINS))
      width = (most - least) / MOST_BINS;
    if (tick > 0)
      width = tick * ceil(width / tick - 1e-9);
    struct histogram histogram = {.least = least - (tick > 0 ? tick / 2 : 0), .width = width};
    bins = (size_t)((most - histogram.least) / width) + 1;
    histogram.bins = bins;
    histogram.counts = wb_allocate(bins, sizeof *histogram.counts);
    size_t *above = wb_allocate(bins, sizeof *above);
    const bool memory = histogram.counts != NULL && above != NULL;
    for (size_t k = end; memory && k < count - end; k++) {
      const double bin = (ascending[k] - histogram.least) / width;
      histogram.counts[bin < (double)bins ? (size_t)bin : bins - 1]++;
    }
    if (memory)
      find_valley(&histogram, above, modes);
    free(above);
    free(histogram.counts);
    if (!memory)
      return wb_out_of_memory(error);
  }
  if (modes->found)
    modes->upper_share = (double)wb_count_above(ascending, count, modes->valley) / (double)count;
  return WARPBOUND_OK;
}

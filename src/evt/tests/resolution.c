/* The ticks of a clock, from the values read from it. */
#include "evt/tests/series_tests.h"

#include <math.h>
#include <stdbool.h>

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

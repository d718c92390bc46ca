/* The ticks of a clock, from the values read from it. */
#include "evt/tests/series_tests.h"

#include <math.h>

/* Values whose difference is within this share of the largest one are equal: doubles that were
 * added and subtracted are wrong by some 1e-16 of the largest, and no clock has 11 digits. */
static const double double_noise = 1e-11;
/* Times that were kept as 32-bit floating point, as those of CUDA's events, are wrong by 6e-8. */
static const double single_noise = 2e-7;
/* A tick is at least this many times the noise: less could come of noise alone. */
static const double least_tick = 100;

/* The largest number of which a and b are multiples within the noise (Euclid's algorithm); that a
 * multiple is missed by as little below as above. */
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

static double common_of_differences(const double *ascending, size_t count, double noise)
{
  double common = 0;
  for (size_t i = 1; i < count; i++) {
    const double difference = ascending[i] - ascending[i - 1];
    if (difference <= noise)
      continue;
    common = common_measure(difference, common, noise);
    if (common < least_tick * noise)
      return 0;
  }
  return common;
}

/* The measure of neighbours is wrong by their noise: by the whole range, of which it is a multiple,
 * it is known better. */
static double sharpened(double common, double range)
{
  return common > 0 ? range / nearbyint(range / common) : 0;
}

static double tick_of(const double *ascending, size_t count, double largest)
{
  const double range = ascending[count - 1] - ascending[0];
  const double tick = common_of_differences(ascending, count, double_noise * largest);
  if (tick > 0)
    return sharpened(tick, range);
  return sharpened(common_of_differences(ascending, count, single_noise * largest), range);
}

/* The place behind the values that equal that at `start`. */
static size_t end_of_equals(const double *ascending, size_t count, size_t start, double noise)
{
  size_t end = start + 1;
  while (end < count && ascending[end] - ascending[start] <= noise)
    end++;
  return end;
}

/* How many of the values from..end - 1 are of the largest tenth. */
static size_t in_tail(size_t start, size_t end, size_t tail_start)
{
  return end <= tail_start ? 0 : end - (start > tail_start ? start : tail_start);
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
    const size_t end = end_of_equals(ascending, count, start, noise);
    resolution.distinct++;
    tied += end - start > 1 ? end - start : 0;
    tail_tied += end - start > 1 ? in_tail(start, end, count - tail) : 0;
    if (end - start > most) {
      most = end - start;
      resolution.most_common = ascending[start];
    }
    start = end;
  }
  resolution.tick = tick_of(ascending, count, largest);
  resolution.tied_share = (double)tied / (double)count;
  resolution.tail_tied_share = (double)tail_tied / (double)tail;
  resolution.most_common_share = (double)most / (double)count;
  return resolution;
}

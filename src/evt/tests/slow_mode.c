/* A slow mode whose values overlap those of the others. */
#include "evt/tests/ties_and_modes.h"

#include <math.h>

/* The numbers of values from the largest down are parted into bins that grow by this factor, by
 * this many values at least, from the first bin's number on. */
#define GROWTH 1.25
#define LEAST_BIN 4.0
#define FIRST_BIN 8.0
#define MOST_BINS 64
/* The share of the values that is looked at. */
#define SHARE 0.45
/* Bins of a bump, of what is above it, below it, and left out between it and what is below. */
static const size_t bump_bins[] = {3, 6};
#define ABOVE_BINS 6
#define BELOW_BINS 4
#define GAP_BINS 3
#define LEAST_ABOVE 15.0 /* values above a bump */
#define LEAST_VALUES 200

/* Sums of normalised spacings from the largest value down to the end of each bin. */
struct spacings {
  double sums[MOST_BINS + 1], counts[MOST_BINS + 1];
  size_t bins;
};

static void sum_spacings(const double *ascending, size_t count, struct spacings *spacings)
{
  const size_t last = (size_t)(SHARE * (double)count);
  double end = FIRST_BIN;
  size_t number = 1;
  *spacings = (struct spacings){0};
  while (number <= last && spacings->bins < MOST_BINS) {
    const size_t bin = spacings->bins++;
    const size_t stop = end < (double)last ? (size_t)end : last;
    double sum = spacings->sums[bin];
    for (; number <= stop; number++) {
      const double *value = &ascending[count - number];
      sum += (double)number * (value[0] - value[-1]);
    }
    spacings->sums[bin + 1] = sum;
    spacings->counts[bin + 1] = (double)(number - 1);
    end = fmax(end * GROWTH, end + LEAST_BIN);
  }
}

/* By how many deviations the mean spacing of bins first .. last - 1 is above that of others, by
 * logarithms. */
static double difference(const struct spacings *spacings, size_t first, size_t last,
                         size_t other_first, size_t other_last)
{
  const double count = spacings->counts[last] - spacings->counts[first];
  const double other = spacings->counts[other_last] - spacings->counts[other_first];
  const double sum = spacings->sums[last] - spacings->sums[first];
  const double other_sum = spacings->sums[other_last] - spacings->sums[other_first];
  if (!(sum > 0 && other_sum > 0))
    return -INFINITY;
  return log(sum / count / (other_sum / other)) / sqrt(1 / count + 1 / other);
}

/* How far a bump stands out on both sides. */
static double height(const struct spacings *spacings, size_t first, size_t last)
{
  double above = -INFINITY, below = -INFINITY;
  for (int whole = 0; whole < 2; whole++) {
    const size_t from = whole == 1 || first < ABOVE_BINS ? 0 : first - ABOVE_BINS;
    if (spacings->counts[first] - spacings->counts[from] >= LEAST_ABOVE)
      above = fmax(above, difference(spacings, first, last, from, first));
  }
  for (size_t gap = 0; gap <= GAP_BINS; gap += GAP_BINS) {
    const size_t from = last + gap;
    const size_t to = from + BELOW_BINS < spacings->bins ? from + BELOW_BINS : spacings->bins;
    if (from < to)
      below = fmax(below, difference(spacings, first, last, from, to));
  }
  return fmin(above, below);
}

void wb_slow_mode_find(const double *ascending, size_t count, struct wb_slow_mode *mode)
{
  struct spacings spacings;
  *mode = (struct wb_slow_mode){.height = -INFINITY};
  if (count < LEAST_VALUES)
    return;
  sum_spacings(ascending, count, &spacings);
  for (size_t first = 1; first < spacings.bins; first++)
    for (size_t w = 0; w < sizeof bump_bins / sizeof *bump_bins; w++) {
      const size_t last = first + bump_bins[w];
      if (last >= spacings.bins)
        continue;
      const double found = height(&spacings, first, last);
      if (found > mode->height) {
        mode->height = found;
        mode->above = (size_t)spacings.counts[first];
        mode->in_bump = (size_t)(spacings.counts[last] - spacings.counts[first]);
      }
    }
  const double size = (double)count;
  const double low =
      (WB_SLOW_MODE_HEIGHT - WB_SLOW_MODE_POSSIBLE) / log(WB_SLOW_MODE_VALUES / WB_SLOW_MODE_FEW);
  mode->found =
      mode->height > WB_SLOW_MODE_HEIGHT + WB_SLOW_MODE_GROWTH * log10(size / WB_SLOW_MODE_VALUES);
  mode->possible = !mode->found && count < WB_SLOW_MODE_VALUES &&
                   mode->height > WB_SLOW_MODE_POSSIBLE + low * log(size / WB_SLOW_MODE_FEW);
}

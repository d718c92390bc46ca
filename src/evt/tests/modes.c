#include "evt/tests/modes.h"

#include "base/memory.h"
#include "evt/samples/ascending.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_VALUES 50
#define MOST_BINS 4096
#define LEAST_BINS 8 /* wider ones are not tried */
#define DEVIATIONS 4.5

struct histogram {
  double least, width;
  size_t bins;
  size_t *counts;
};

/* Freedman and Diaconis: twice the interquartile range over the cube root of the count. Two heaps
 * of about one size make that range as wide as their distance, which is too wide a bin for either:
 * so the narrowest quarter of the values counts, from which a normal heap's range follows. */
static double bin_width(const double *ascending, size_t count, double tick)
{
  const size_t quarter = count / 4;
  double narrowest = INFINITY;
  for (size_t k = 0; k + quarter < count; k++) {
    const double range = ascending[k + quarter] - ascending[k];
    narrowest = range < narrowest ? range : narrowest;
  }
  /* Of a normal distribution the narrowest quarter is 0.64, the interquartile range 1.35 wide. */
  double width = 2 * (1.35 / 0.64) * narrowest / cbrt((double)count);
  if (tick > 0)
    width = tick * fmax(1, round(width / tick));
  return width;
}

/* widening: how many times the width that the rule gives. */
static bool make_histogram(const double *ascending, size_t count, double tick, double widening,
                           struct histogram *histogram)
{
  const size_t end = count / 1000;
  const double least = ascending[end], most = ascending[count - 1 - end];
  double width = widening * bin_width(ascending, count, tick);
  if (!(width > (most - least) / MOST_BINS))
    width = (most - least) / MOST_BINS;
  if (tick > 0)
    width = tick * ceil(width / tick - 1e-9);
  *histogram = (struct histogram){.least = least - (tick > 0 ? tick / 2 : 0), .width = width};
  histogram->bins = (size_t)((most - histogram->least) / width) + 1;
  histogram->counts = wb_allocate(histogram->bins, sizeof *histogram->counts);
  if (histogram->counts == NULL)
    return false;
  for (size_t k = end; k < count - end; k++) {
    const double bin = (ascending[k] - histogram->least) / width;
    histogram->counts[bin < (double)histogram->bins ? (size_t)bin : histogram->bins - 1]++;
  }
  return true;
}

static bool stands_out(size_t heap, size_t valley)
{
  const double difference = (double)heap - (double)valley;
  return difference > DEVIATIONS * sqrt((double)(heap + valley));
}

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
    if (!stands_out(lesser, counts[b]))
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

/* Wide bins show small heaps far away, narrow ones valleys between near heaps. */
static bool search_width(const double *ascending, size_t count, double tick, double widening,
                         struct wb_modes *modes, bool *goes_on)
{
  struct histogram histogram;
  *goes_on = false;
  if (!make_histogram(ascending, count, tick, widening, &histogram))
    return false;
  size_t *above = wb_allocate(histogram.bins, sizeof *above);
  if (above != NULL)
    find_valley(&histogram, above, modes);
  *goes_on = histogram.bins >= LEAST_BINS;
  const bool memory = above != NULL;
  free(above);
  free(histogram.counts);
  return memory;
}

warpbound_status wb_modes_find(const double *ascending, size_t count, double tick,
                               struct wb_modes *modes, warpbound_error *error)
{
  *modes = (struct wb_modes){0};
  if (count < LEAST_VALUES || !(ascending[count - 1 - count / 1000] > ascending[count / 1000]))
    return WARPBOUND_OK;
  bool goes_on = true;
  double widening = 1;
  while (goes_on) {
    if (!search_width(ascending, count, tick, widening, modes, &goes_on))
      return wb_out_of_memory(error);
    widening *= 2;
  }
  if (modes->found)
    modes->upper_share = (double)wb_count_above(ascending, count, modes->valley) / (double)count;
  return WARPBOUND_OK;
}

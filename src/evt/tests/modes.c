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

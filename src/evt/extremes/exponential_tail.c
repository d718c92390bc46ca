/* The exponential tail of MBPTA-CV (Abella et al. 2017). */
#include "evt/extremes/tail_points.h"

#include "evt/extremes/residual_variation.h"
#include "evt/math/chi_squared.h"

#include <math.h>

#define LEAST_EXCEEDANCES 50
#define POINTS 40
#define LARGEST_SHARE 2 /* half of the values at most lie above the threshold */
#define LARGEST_DEVIATIONS 8.0
#define STEPS 50

/* A threshold between the `number` largest values and the others, moved down where equal values
 * would be parted; half way between two values, which is half a tick of a clock. */
struct place {
  size_t number;
  double threshold;
};
static struct place place_of(const double *ascending, size_t count, size_t number)
{
  while (number < count && ascending[count - number - 1] == ascending[count - number])
    number++;
  const double above = ascending[count - number];
  const double below = number < count ? ascending[count - number - 1] : above;
  return (struct place){number, below + (above - below) / 2};
}

/* Follows the plot from the top down as long as it is in the band. Returns the place of the lowest
 * threshold, number 0: it is outside at once. *side: by how many deviations it left, 0: it did
 * not. */
static struct place follow_band(const double *ascending, size_t count, double confidence,
                                double *side)
{
  size_t numbers[POINTS];
  /* The numbers of exceedances of the plot, ascending. */
  const size_t largest = count / LARGEST_SHARE;
  const double range = log((double)largest / LEAST_EXCEEDANCES);
  size_t listed = 0;
  for (unsigned i = 0; i < POINTS; i++) {
    const size_t number = (size_t)llround(LEAST_EXCEEDANCES * exp(range * i / (POINTS - 1)));
    if (listed == 0 || number > numbers[listed - 1])
      numbers[listed++] = number;
  }
  /* How many deviations wide the band is on both sides, so that with probability `confidence` the
   * whole plot of an exponential tail lies in it. The plot, standardised, is a stationary Gaussian
   * process along the logarithm of the number of exceedances, with correlation exp(-d / 2) over a
   * distance d; it leaves c with probability about 2 (Q(c) + (range / 2) c phi(c)) (Leadbetter,
   * Lindgren and Rootzen 1983, theorem 12.2.9). */
  double low = 0.5;
  double width = LARGEST_DEVIATIONS;
  for (unsigned step = 0; step < STEPS; step++) {
    const double c = (low + width) / 2;
    const double density = exp(-c * c / 2) / sqrt(2 * acos(-1.0));
    const double leaves =
        2 * (wb_normal_survival(c) +
             (log((double)numbers[listed - 1] / LEAST_EXCEEDANCES)) / 2 * c * density);
    if (leaves > 1 - confidence)
      low = c;
    else
      width = c;
  }
  struct wb_top_moments moments = {0};
  struct place lowest = {0};
  *side = 0;
  for (size_t i = 0; i < listed; i++) {
    const struct place place = place_of(ascending, count, numbers[i]);
    while (moments.count < (double)place.number)
      wb_top_moments_add(&moments, ascending[count - 1 - (size_t)moments.count]);
    const struct wb_exponential_variation expected =
        wb_exponential_variation_of((double)place.number);
    const double variation = wb_top_variation(&moments, place.threshold);
    const double deviations = (variation - expected.mean) / expected.deviation;
    if (!(fabs(deviations) <= width)) {
      *side = deviations;
      break;
    }
    lowest = place;
  }
  return lowest;
}

warpbound_status wb_exponential_tail_find(const double *ascending, size_t count, double confidence,
                                          struct wb_exponential_tail *tail, warpbound_error *error)
{
  *tail = (struct wb_exponential_tail){0};
  if (count < (size_t)LARGEST_SHARE * LEAST_EXCEEDANCES)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "too few values for an exponential tail: %zu, expected at least %d", count,
                   LARGEST_SHARE * LEAST_EXCEEDANCES);
  double side = 0;
  struct place place = follow_band(ascending, count, confidence, &side);
  tail->found = place.number > 0;
  tail->light = side < 0;
  tail->heavy = side > 0;
  if (!tail->found)
    place = place_of(ascending, count, LEAST_EXCEEDANCES);
  tail->exceedances = place.number;
  const struct wb_fit_data data = {
      .values = ascending + (count - place.number),
      .count = place.number,
      .threshold = place.threshold,
  };
  if (ascending[count - 1] == ascending[count - place.number])
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "the largest %zu values are equal: no tail can be fitted", place.number);
  return wb_tail_fit(&data, WB_TAIL_EXPONENTIAL, WB_FIT_LIKELIHOOD, &tail->fit, error);
}

/* The choice of a threshold: a list of thresholds, and what is computed at each. */
#include "evt/extremes/thresholds.h"

#include "base/memory.h"
#include "evt/extremes/tail_points.h"
#include "evt/extremes/threshold_tests.h"
#include "evt/fit/tail_fit.h"
#include "evt/math/special_functions.h"
#include "evt/samples/samples.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_AT_LOWEST 50
#define LEAST_AT_HIGHEST 40
#define MOST_EXCEEDANCES 20000
#define LEAST_RATIO 1.05 /* of the numbers of exceedances of neighbouring thresholds */
#define LEAST_BETWEEN 20 /* values between neighbouring thresholds of a score test */
#define MOST_SHARE 0.75  /* of their numbers of exceedances */

/* What all thresholds share: the values above the lowest, spread within their ticks, ascending. */
struct scan_work {
  const double *spread;
  size_t count;
  double significance;
  struct wb_threshold_scan *scan;
  const struct wb_control *control;
  struct wb_tail_fit fits[WB_THRESHOLD_POINTS];
};

static warpbound_status fit_point(struct scan_work *work, size_t p, warpbound_error *error)
{
  struct wb_threshold_point *point = &work->scan->points[p];
  const struct wb_fit_data data = {
      .values = work->spread + (work->count - point->exceedances),
      .count = point->exceedances,
      .threshold = point->threshold,
      .control = work->control,
  };
  point->shape = point->shape_error = NAN;
  point->modified_scale = point->modified_scale_error = NAN;
  point->anderson_darling_p = NAN;
  struct wb_tail_fit *fit = &work->fits[p];
  const warpbound_status status = wb_tail_fit(&data, WB_TAIL_PARETO, WB_FIT_LIKELIHOOD, fit, error);
  if (status == WARPBOUND_INVALID_INPUT)
    return WARPBOUND_OK; /* this threshold has no fit, and is refused */
  if (status != WARPBOUND_OK)
    return status;
  /* sigma - xi u does not depend on u; its error by the delta method. */
  const unsigned scale = wb_fit_scale_place(fit);
  const unsigned shape = wb_fit_shape_place(fit);
  const double u = point->threshold;
  point->fitted = true;
  point->shape = fit->tail.shape;
  point->shape_error = wb_fit_error(fit, shape);
  point->modified_scale = fit->tail.scale - fit->tail.shape * u;
  point->modified_scale_error = NAN;
  if (fit->has_covariance) {
    const double variance = fit->covariance[scale][scale] - 2 * u * fit->covariance[scale][shape] +
                            u * u * fit->covariance[shape][shape];
    point->modified_scale_error = sqrt(fmax(0, variance));
  }
  const double statistic = wb_anderson_darling_of(data.values, data.count, &fit->tail);
  point->anderson_darling_p = wb_anderson_darling_p(statistic, fit->tail.shape);
  return WARPBOUND_OK;
}

static warpbound_status fill_points(struct scan_work *work, warpbound_error *error)
{
  /* Mean residual life and variation of all points, from the top down. */
  const double width = wb_normal_level(work->significance / 2);
  struct wb_top_moments moments = {0};
  for (size_t p = work->scan->count; p-- > 0;) {
    struct wb_threshold_point *point = &work->scan->points[p];
    while (moments.count < (double)point->exceedances)
      wb_top_moments_add(&moments, work->spread[work->count - 1 - (size_t)moments.count]);
    point->mean_excess = moments.mean - point->threshold;
    point->mean_excess_error = wb_top_deviation(&moments) / sqrt(moments.count);
    point->variation = wb_top_variation(&moments, point->threshold);
    const struct wb_exponential_variation expected = wb_exponential_variation_of(moments.count);
    point->variation_low = expected.mean - width * expected.deviation;
    point->variation_high = expected.mean + width * expected.deviation;
  }
  for (size_t p = 0; p < work->scan->count; p++) {
    const double share = (double)p / (double)work->scan->count;
    if (wb_control_poll(work->control, "choosing a threshold", share) != WB_STOP_NONE)
      return wb_fail(error, WARPBOUND_LIMIT, "stopped while choosing a threshold");
    const warpbound_status status = fit_point(work, p, error);
    if (status != WARPBOUND_OK)
      return status;
  }
  for (size_t p = 0; p < work->scan->count; p++) {
    double thresholds[WB_THRESHOLD_POINTS];
    struct wb_threshold_point *point = &work->scan->points[p];
    point->northrop_coleman_p = NAN;
    if (!point->fitted)
      continue;
    /* The thresholds of the score test from point `first` on: of those of the list such that at
     * least LEAST_BETWEEN values and a quarter of the exceedances lie between neighbours, since
     * chi-squared holds for intervals with some values and many intervals cost power. How many. */
    size_t listed = 0;
    double least = INFINITY;
    for (size_t q = p; q < work->scan->count; q++) {
      const double exceedances = (double)work->scan->points[q].exceedances;
      if (exceedances > least)
        continue;
      thresholds[listed++] = work->scan->points[q].threshold;
      least = fmin(exceedances - LEAST_BETWEEN, exceedances * MOST_SHARE);
    }
    point->northrop_coleman_p =
        wb_northrop_coleman_p(work->spread + (work->count - point->exceedances), point->exceedances,
                              thresholds, listed, &work->fits[p].tail);
  }
  wb_threshold_rules_apply(work->scan, work->significance);
  return WARPBOUND_OK;
}

size_t wb_threshold_of(const double *ascending, size_t count, size_t wanted, double tick,
                       double *threshold)
{
  size_t parted = wanted < count ? wanted : count - 1;
  if (count == 0)
    return 0;
  while (parted > 0 && ascending[count - parted - 1] == ascending[count - parted])
    parted--;
  if (parted == 0)
    return 0;
  const double above = ascending[count - parted];
  const double below = ascending[count - parted - 1];
  *threshold = above - (tick > 0 ? tick : above - below) / 2;
  return parted;
}

/* Lists the thresholds from that which `most` values exceed. */
static void list_points(const double *ascending, size_t count, size_t most, double tick,
                        struct wb_threshold_scan *scan)
{
  const double range = log((double)most / LEAST_AT_HIGHEST);
  const double ratios = floor(range / log(LEAST_RATIO));
  const unsigned steps =
      ratios < WB_THRESHOLD_POINTS - 1 ? (unsigned)ratios : WB_THRESHOLD_POINTS - 1;
  for (unsigned i = 0; i <= steps; i++) {
    const double share = steps > 0 ? (double)i / steps : 0;
    const size_t wanted = (size_t)llround((double)most * exp(-range * share));
    double threshold;
    const size_t parted = wb_threshold_of(ascending, count, wanted, tick, &threshold);
    const size_t last = scan->count == 0 ? SIZE_MAX : scan->points[scan->count - 1].exceedances;
    if (parted >= LEAST_AT_HIGHEST && parted < last)
      scan->points[scan->count++] =
          (struct wb_threshold_point){.threshold = threshold, .exceedances = parted};
  }
}

warpbound_status wb_threshold_scan(const double *ascending, size_t count,
                                   const struct wb_threshold_range *range, double tick,
                                   double significance, uint64_t seed,
                                   const struct wb_control *control, struct wb_threshold_scan *scan,
                                   warpbound_error *error)
{
  *scan = (struct wb_threshold_scan){0};
  const double wanted = fmin(MOST_EXCEEDANCES, floor(range->lowest_share * (double)count));
  if (!(wanted >= LEAST_AT_LOWEST))
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "%zu values leave %.0f exceedances at the lowest threshold, expected at least "
                   "%d",
                   count, fmax(0, wanted), LEAST_AT_LOWEST);
  const size_t most = (size_t)wanted;
  list_points(ascending, count, most, tick, scan);
  if (scan->count < 2)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "the largest values are so equal that no two thresholds differ");
  /* Of thresholds that are all too low the highest one may be chosen. */
  while (range->most_chosen > 0 && scan->first + 1 < scan->count &&
         scan->points[scan->first].exceedances > range->most_chosen)
    scan->first++;
  const size_t largest = scan->points[0].exceedances;
  double *spread = wb_spread_values(ascending + (count - largest), largest, tick, seed);
  struct scan_work *work = wb_allocate(1, sizeof *work);
  warpbound_status status = WARPBOUND_OK;
  if (spread == NULL || work == NULL) {
    status = wb_out_of_memory(error);
  } else {
    work->spread = spread;
    work->count = largest;
    work->significance = significance;
    work->scan = scan;
    work->control = control;
    status = fill_points(work, error);
  }
  free(work);
  free(spread);
  return status;
}

/* The rules that choose a threshold of a scan, and the control of false discoveries in an ordered
 * list of tests. */

#define LARGEST_P (1 - 1e-12) /* so that the sum stays finite */

void wb_forward_stop(const double *p_values, size_t count, double *adjusted)
{
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    if (!isnan(p_values[i]))
      sum -= log1p(-fmin(p_values[i], LARGEST_P));
    adjusted[i] = fmin(1, sum / (double)(i + 1));
  }
  for (size_t i = count; i-- > 1;)
    adjusted[i - 1] = fmin(adjusted[i - 1], adjusted[i]);
}

/* Whether a value lies in the interval of width `width` deviations; an interval that is not known
 * refuses nothing. */
static bool is_inside(double value, double middle, double error, double width)
{
  return isnan(error) || fabs(value - middle) <= width * error;
}

static bool is_stable(const struct wb_threshold_scan *scan, size_t from, double width)
{
  const struct wb_threshold_point *low = &scan->points[from];
  if (!low->fitted)
    return false;
  for (size_t p = from + 1; p < scan->count; p++) {
    const struct wb_threshold_point *high = &scan->points[p];
    if (high->fitted &&
        !(is_inside(low->shape, high->shape, high->shape_error, width) &&
          is_inside(low->modified_scale, high->modified_scale, high->modified_scale_error, width)))
      return false;
  }
  return true;
}

void wb_threshold_rules_apply(struct wb_threshold_scan *scan, double significance)
{
  /* Bader, Yan and Zhang 2018: ForwardStop over the tests from the lowest threshold up. */
  double p_values[WB_THRESHOLD_POINTS] = {0};
  double adjusted[WB_THRESHOLD_POINTS];
  for (size_t p = scan->first; p < scan->count; p++)
    p_values[p] = scan->points[p].anderson_darling_p;
  for (size_t p = 0; p < scan->first; p++)
    scan->points[p].false_discovery_p = NAN;
  wb_forward_stop(p_values + scan->first, scan->count - scan->first, adjusted + scan->first);
  size_t chosen = scan->count;
  for (size_t p = scan->count; p-- > scan->first;) {
    scan->points[p].false_discovery_p = adjusted[p];
    if (adjusted[p] > significance && scan->points[p].fitted)
      chosen = p;
  }
  scan->chosen[WB_THRESHOLD_ANDERSON_DARLING] = chosen;
  /* The lowest of those that pass without a failure above them. */
  size_t first = scan->count;
  for (size_t p = scan->count; p-- > scan->first;) {
    const double p_value = scan->points[p].northrop_coleman_p;
    if (p_value <= significance)
      break;
    if (!isnan(p_value))
      first = p;
  }
  scan->chosen[WB_THRESHOLD_NORTHROP_COLEMAN] = first;
  const double width = wb_normal_level(significance / 2);
  size_t p = scan->first;
  while (p < scan->count && !is_stable(scan, p, width))
    p++;
  scan->chosen[WB_THRESHOLD_STABILITY] = p;
}

/* The rules that choose a threshold of a scan, and the control of false discoveries in an ordered
 * list of tests. */
#include "evt/extremes/thresholds.h"

#include "evt/math/chi_squared.h"

#include <math.h>

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
  for (size_t p = 0; p < scan->count; p++)
    p_values[p] = scan->points[p].anderson_darling_p;
  wb_forward_stop(p_values, scan->count, adjusted);
  size_t chosen = scan->count;
  for (size_t p = scan->count; p-- > 0;) {
    scan->points[p].false_discovery_p = adjusted[p];
    if (adjusted[p] > significance && scan->points[p].fitted)
      chosen = p;
  }
  scan->chosen[WB_THRESHOLD_ANDERSON_DARLING] = chosen;
  /* The lowest of those that pass without a failure above them. */
  size_t first = scan->count;
  for (size_t p = scan->count; p-- > 0;) {
    const double p_value = scan->points[p].northrop_coleman_p;
    if (p_value <= significance)
      break;
    if (!isnan(p_value))
      first = p;
  }
  scan->chosen[WB_THRESHOLD_NORTHROP_COLEMAN] = first;
  const double width = wb_normal_level(significance / 2);
  size_t p = 0;
  while (p < scan->count && !is_stable(scan, p, width))
    p++;
  scan->chosen[WB_THRESHOLD_STABILITY] = p;
}

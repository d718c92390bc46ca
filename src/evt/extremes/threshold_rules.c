/* The rules that choose a threshold of a scan. */
#include "evt/extremes/threshold_rules.h"

#include "evt/extremes/forward_stop.h"
#include "evt/math/normal.h"

#include <math.h>

/* Bader, Yan and Zhang 2018: ForwardStop over the tests from the lowest threshold up. */
static size_t choose_by_anderson_darling(struct wb_threshold_scan *scan, double significance)
{
  double p_values[WB_THRESHOLD_POINTS];
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
  return chosen;
}

/* The lowest of those that pass without a failure above them. */
static size_t choose_by_northrop_coleman(const struct wb_threshold_scan *scan, double significance)
{
  size_t chosen = scan->count;
  for (size_t p = scan->count; p-- > 0;) {
    const double p_value = scan->points[p].northrop_coleman_p;
    if (p_value <= significance)
      break;
    if (!isnan(p_value))
      chosen = p;
  }
  return chosen;
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

static size_t choose_by_stability(const struct wb_threshold_scan *scan, double significance)
{
  const double width = wb_normal_level(significance / 2);
  size_t p = 0;
  while (p < scan->count && !is_stable(scan, p, width))
    p++;
  return p;
}

void wb_threshold_rules_apply(struct wb_threshold_scan *scan, double significance)
{
  scan->chosen[WB_THRESHOLD_ANDERSON_DARLING] = choose_by_anderson_darling(scan, significance);
  scan->chosen[WB_THRESHOLD_NORTHROP_COLEMAN] = choose_by_northrop_coleman(scan, significance);
  scan->chosen[WB_THRESHOLD_STABILITY] = choose_by_stability(scan, significance);
}

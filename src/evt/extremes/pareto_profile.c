/* The generalised Pareto distribution by one parameter, with the largest excesses censored. */
#include "evt/extremes/pareto_profile.h"

#include <math.h>

#define LEAST_SHAPE (-1.0)
#define TINY_THETA 1e-9 /* below it the exponential's limit is exact to more digits */
#define COARSE 14
/* The search runs along s = log(1 + theta y / mean) of the largest excess y that is known. */
#define FIRST_S (-5.0)
#define LAST_S 9.0
#define STEPS 40
#define PRECISION 1e-5

double wb_kept_mean(const struct wb_censored_excesses *excesses)
{
  double sum = 0;
  for (size_t i = 0; i < excesses->kept; i++)
    sum += excesses->ascending[i] - excesses->threshold;
  return sum / (double)excesses->kept;
}

double wb_censoring_excess(const struct wb_censored_excesses *excesses)
{
  const double last = excesses->ascending[excesses->kept - 1] - excesses->threshold;
  return last + (excesses->kept < excesses->count ? excesses->tick / 2 : 0);
}

struct wb_pareto_profile wb_pareto_profile_at(const struct wb_censored_excesses *excesses,
                                              double mean, double theta)
{
  const double kept = (double)excesses->kept;
  const double censored = (double)(excesses->count - excesses->kept);
  const double largest = wb_censoring_excess(excesses) / mean;
  struct wb_pareto_profile point = {.theta = theta, .likelihood = -INFINITY};
  if (fabs(theta) < TINY_THETA) {
    point.likelihood = -kept * log(1 + censored * largest / kept);
    return point;
  }
  if (1 + theta * largest <= 0)
    return point;
  double logs = 0;
  const double factor = theta / mean;
  for (size_t i = 0; i < excesses->kept; i++)
    logs += log1p(factor * (excesses->ascending[i] - excesses->threshold));
  point.shape = (logs + censored * log1p(theta * largest)) / kept;
  if (point.shape >= LEAST_SHAPE)
    point.likelihood = -kept * log(point.shape / theta) - logs;
  return point;
}

/* A line search's view of the profile. */
struct line {
  const struct wb_censored_excesses *excesses;
  double mean, largest;
};

static struct wb_pareto_profile point_at(const struct line *line, double s)
{
  return wb_pareto_profile_at(line->excesses, line->mean, expm1(s) / line->largest);
}

/* Golden section between the coarse steps beside s. */
static void refine(const struct line *line, double *s, struct wb_pareto_profile *best)
{
  const double ratio = (sqrt(5.0) - 1) / 2;
  double low = *s - (LAST_S - FIRST_S) / COARSE;
  double high = *s + (LAST_S - FIRST_S) / COARSE;
  double left = high - ratio * (high - low);
  double right = low + ratio * (high - low);
  struct wb_pareto_profile at_left = point_at(line, left);
  struct wb_pareto_profile at_right = point_at(line, right);
  for (unsigned step = 0; step < STEPS && high - low > PRECISION; step++) {
    if (at_left.likelihood >= at_right.likelihood) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - ratio * (high - low);
      at_left = point_at(line, left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + ratio * (high - low);
      at_right = point_at(line, right);
    }
  }
  const bool is_left = at_left.likelihood >= at_right.likelihood;
  const struct wb_pareto_profile found = is_left ? at_left : at_right;
  if (found.likelihood < best->likelihood)
    return;
  *s = is_left ? left : right;
  *best = found;
}

/* The s at which the profile has fallen to `level` on the side of `step`, to a hundredth of the
 * distance. */
static double find_side(const struct line *line, double s, double level, double step)
{
  double inside = s;
  double outside = s + step;
  for (unsigned i = 0; i < STEPS && point_at(line, outside).likelihood > level; i++) {
    inside = outside;
    step *= 2;
    outside = s + step;
  }
  for (unsigned i = 0; i < 8; i++) {
    const double middle = (inside + outside) / 2;
    if (point_at(line, middle).likelihood > level)
      inside = middle;
    else
      outside = middle;
  }
  return inside;
}

bool wb_pareto_profile_peak(const struct wb_censored_excesses *excesses, double mean, double drop,
                            struct wb_pareto_profile *peak, double *low, double *high)
{
  const struct line line = {excesses, mean, wb_censoring_excess(excesses) / mean};
  double s = 0;
  /* The middle of the coarse steps' best; false where it lies at an end. */
  unsigned place = 0;
  peak->likelihood = -INFINITY;
  for (unsigned i = 0; i <= COARSE; i++) {
    const double at = FIRST_S + (LAST_S - FIRST_S) * i / COARSE;
    const struct wb_pareto_profile point = point_at(&line, at);
    if (point.likelihood > peak->likelihood) {
      *peak = point;
      s = at;
      place = i;
    }
  }
  if (!(isfinite(peak->likelihood) && place > 0 && place < COARSE))
    return false;
  refine(&line, &s, peak);
  const double step = 2 / sqrt((double)excesses->kept);
  *low = expm1(find_side(&line, s, peak->likelihood - drop, -step)) / line.largest;
  *high = expm1(find_side(&line, s, peak->likelihood - drop, step)) / line.largest;
  return true;
}

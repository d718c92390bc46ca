/* Whether the largest values belong to the tail of the others. After TailID (ECRTS 2025), with
 * another test: there a point stands apart where the shape fitted with it leaves the interval of
 * the shape without it, whose variance is taken as xi squared over the number, as if the scale
 * were known, and no account is taken of how many points are tried. Here the j largest together are
 * compared with what the others predict of them, for many j, and the rate of false alarms over
 * all of them is that which was asked for. */
#include "evt/extremes/tail_points.h"

#include "evt/extremes/pareto_profile.h"
#include "evt/math/chi_squared.h"

#include <math.h>

#define LEAST_VALUES 20
#define MOST_VALUES 1000 /* the largest of more: far in the tail, and a bound on time */
#define MOST_APART 4     /* the largest quarter at most is tried */
#define MOST_NUMBERS 64
#define NODES 13
#define NODE_DROP 6.0 /* of the log likelihood at the first and the last node: 3.5 deviations */
/* Neighbouring numbers of points are tested on nearly the same data. The rate of false alarms of
 * `tests` such tests is that of about this share of as many independent ones; measured, see
 * doc/measured/evt-thresholds.md. */
#define INDEPENDENT_SHARE 0.5

/* P(F > total / j) of an F distribution with 2 j and 2 kept degrees of freedom: the tail of a
 * negative binomial distribution, a sum of positive terms, in logs. */
static double predictive_p(double total, size_t j, size_t kept)
{
  if (isinf(total))
    return 0;
  const double log_x = -log1p(total / (double)kept);
  const double log_rest = log(total / ((double)kept + total));
  double term = (double)kept * log_x;
  double largest = term;
  double sum = 1;
  for (size_t i = 1; i < j; i++) {
    term += log(((double)kept + (double)i - 1) / (double)i) + log_rest;
    if (term > largest) {
      sum = sum * exp(largest - term) + 1;
      largest = term;
    } else {
      sum += exp(term - largest);
    }
  }
  return fmin(1, exp(largest) * sum);
}

/* The sum over the censored excesses of their integrated hazard beyond where they are censored. */
static double censored_hazard(const struct wb_censored_excesses *excesses, double mean,
                              const struct wb_pareto_profile *point)
{
  const double last = wb_censoring_excess(excesses) / mean;
  double sum = 0;
  for (size_t i = excesses->kept; i < excesses->count; i++) {
    const double excess = (excesses->ascending[i] - excesses->threshold) / mean;
    if (1 + point->theta * excess <= 0)
      return INFINITY;
    sum += log1p(point->theta * (excess - last) / (1 + point->theta * last));
  }
  return sum / point->shape;
}

/* The probability that as many largest values lie as far out as those that are censored, as the
 * kept ones predict it: for each theta exact (an F distribution), and over theta the mean by its
 * likelihood. 1 where nothing can be fitted. */
static double apart_p(const struct wb_censored_excesses *excesses)
{
  const double mean = wb_kept_mean(excesses);
  struct wb_pareto_profile peak;
  double low = 0;
  double high = 0;
  if (!wb_pareto_profile_peak(excesses, mean, NODE_DROP, &peak, &low, &high))
    return 1;
  const size_t j = excesses->count - excesses->kept;
  double weights = 0;
  double sum = 0;
  for (unsigned node = 0; node < NODES; node++) {
    const double theta = low + (high - low) * (node + 0.5) / NODES;
    const struct wb_pareto_profile point = wb_pareto_profile_at(excesses, mean, theta);
    const double weight = exp(point.likelihood - peak.likelihood);
    if (!(weight > 0) || point.shape == 0)
      continue;
    weights += weight;
    sum += weight * predictive_p(censored_hazard(excesses, mean, &point), j, excesses->kept);
  }
  return weights > 0 ? sum / weights : 1;
}

/* Leaves the largest MOST_VALUES, or fewer where equal values would be parted, above a threshold
 * half way to the next value. */
static void keep_largest(const double **ascending, size_t *count, double *threshold)
{
  if (*count <= MOST_VALUES)
    return;
  size_t first = *count - MOST_VALUES;
  while (first < *count && (*ascending)[first] == (*ascending)[first - 1])
    first++;
  if (*count - first < LEAST_VALUES)
    return;
  *threshold = (*ascending)[first - 1] + ((*ascending)[first] - (*ascending)[first - 1]) / 2;
  *ascending += first;
  *count -= first;
}

warpbound_status wb_tail_points_check(const double *ascending, size_t count, double threshold,
                                      double tick, double confidence,
                                      struct wb_tail_points_result *result, warpbound_error *error)
{
  if (count < LEAST_VALUES)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "too few values above the threshold to compare the largest: %zu, expected at "
                   "least %d",
                   count, LEAST_VALUES);
  if (!(confidence > 0 && confidence < 1))
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "confidence %g, expected more than 0 and less than 1", confidence);
  if (!(ascending[0] > threshold))
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "value %g does not exceed the threshold %g",
                   ascending[0], threshold);
  /* Half a tick higher where the threshold is a multiple of the tick away from the values. */
  const double ticks = tick > 0 ? (ascending[0] - threshold) / tick : 0.5;
  if (fabs(ticks - round(ticks)) < 1e-3)
    threshold += tick / 2;
  keep_largest(&ascending, &count, &threshold);
  if (ascending[0] == ascending[count / 2])
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "half of the values above the threshold are equal: no tail can be compared");
  *result = (struct wb_tail_points_result){
      .first_apart = NAN, .shape = NAN, .shape_low = NAN, .shape_high = NAN};
  /* The number of largest values that stand apart most clearly, and its p-value. */
  size_t apart = 0, tests = 0;
  result->p_value = 1;
  /* The numbers that are tried: 1, 2, 3 ... and then each a fifth more. */
  for (size_t j = 1; j <= count / MOST_APART && tests < MOST_NUMBERS; j += 1 + j / 5) {
    const struct wb_censored_excesses excesses = {ascending, count, count - j, threshold, tick};
    tests++;
    /* equal values are not parted */
    if (ascending[excesses.kept - 1] == ascending[excesses.kept])
      continue;
    const double p = apart_p(&excesses);
    if (p >= result->p_value)
      continue;
    result->p_value = p;
    apart = j;
  }
  result->p_value =
      -expm1(fmax(1, INDEPENDENT_SHARE * (double)tests) * log1p(-fmin(result->p_value, 1 - 1e-12)));
  if (result->p_value <= 1 - confidence) {
    result->apart = apart;
    result->first_apart = ascending[count - apart];
    result->outcome = apart > WB_TAIL_POINTS_MINIMUM ? WB_TAIL_POINTS_MIXTURE : WB_TAIL_POINTS_FEW;
  }
  /* The shape of all but these with its interval by profile likelihood. */
  const struct wb_censored_excesses others = {ascending, count, count - result->apart, threshold,
                                              tick};
  const double mean = wb_kept_mean(&others);
  const double drop = wb_chi_squared_level(1 - confidence, 1) / 2;
  struct wb_pareto_profile peak;
  double low, high;
  if (!wb_pareto_profile_peak(&others, mean, drop, &peak, &low, &high))
    return WARPBOUND_OK;
  result->shape = peak.shape;
  result->shape_low = wb_pareto_profile_at(&others, mean, low).shape;
  result->shape_high = wb_pareto_profile_at(&others, mean, high).shape;
  return WARPBOUND_OK;
}

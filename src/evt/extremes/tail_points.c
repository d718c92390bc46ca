/* The largest values beside a fit: what is expected of them, whether they belong to the tail of the
 * others, and what can be said without any fit. */
#include "evt/extremes/tail_points.h"

#include "evt/math/special_functions.h"

#include <math.h>

#define LIMIT_COUNT 10000 /* beyond, the limits are exact to four digits */

void wb_top_moments_add(struct wb_top_moments *moments, double value)
{
  const double difference = value - moments->mean;
  moments->count += 1;
  moments->mean += difference / moments->count;
  moments->squares += difference * (value - moments->mean);
}

double wb_top_deviation(const struct wb_top_moments *moments)
{
  return moments->count < 2 ? 0 : sqrt(moments->squares / (moments->count - 1));
}

double wb_top_variation(const struct wb_top_moments *moments, double threshold)
{
  return wb_top_deviation(moments) / (moments->mean - threshold);
}

struct wb_exponential_variation wb_exponential_variation_of(double count)
{
  if (count > LIMIT_COUNT)
    return (struct wb_exponential_variation){.mean = 1 - 1 / count, .deviation = 1 / sqrt(count)};
  /* Central moments of G, the sum of the squared shares that n exponential values have of their
   * total: the shares are uniform spacings, so that the moments of their products are those of
   * Dirichlet's distribution (Moran 1947). */
  const double n = count, pairs = n * (n - 1);
  const double third_product = (n + 1) * (n + 2) * (n + 3) * n;
  const double square = (24 * n + 4 * pairs) / third_product;
  const double cube =
      (720 * n + 144 * pairs + 8 * pairs * (n - 2)) / (third_product * (n + 4) * (n + 5));
  const double g_mean = 2 / (n + 1);
  const double g_second = 4 * (n - 1) / ((n + 1) * (n + 1) * (n + 2) * (n + 3));
  const double g_third = cube - 3 * square * g_mean + 2 * g_mean * g_mean * g_mean;
  /* Y = CV^2 = n / (n - 1) (n G - 1), and the moments of its root by Taylor's series */
  const double factor = count * count / (count - 1);
  const double mean = count / (count + 1);
  const double variance = factor * factor * g_second;
  const double third = factor * factor * factor * g_third;
  const double spread = variance * variance;
  return (struct wb_exponential_variation){
      .mean = sqrt(mean) * (1 - variance / (8 * pow(mean, 2)) + third / (16 * pow(mean, 3)) -
                            15 * spread / (128 * pow(mean, 4))),
      .deviation = sqrt(variance / (4 * mean) - third / (8 * pow(mean, 2)) +
                        7 * spread / (32 * pow(mean, 3))),
  };
}

/* The generalised Pareto distribution by one parameter, with the largest excesses censored. */

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

/* Whether the largest values belong to the tail of the others. After TailID (ECRTS 2025), with
 * another test: there a point stands apart where the shape fitted with it leaves the interval of
 * the shape without it, whose variance is taken as xi squared over the number, as if the scale
 * were known, and no account is taken of how many points are tried. Here the j largest together are
 * compared with what the others predict of them, for many j, and the rate of false alarms over
 * all of them is that which was asked for. */

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

/* The exponential tail of MBPTA-CV (Abella et al. 2017). */

#define LEAST_EXCEEDANCES 50
#define POINTS 40
#define LARGEST_SHARE 2 /* half of the values at most lie above the threshold */
#define LARGEST_DEVIATIONS 8.0
#define HALVINGS 50

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
  for (unsigned step = 0; step < HALVINGS; step++) {
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

/* Levels by Markov's inequality to powers: no distribution is fitted. */

#define OCTAVES 21   /* powers 1, 2, 4 ... 2^20; the last is only the square of the others */
#define FIRST_UNIT 4 /* of the second search: 4 to 16 units */
#define LAST_UNIT 16 /* a unit is an eighth of the best power of the first search, at least 1 */
#define NEGLIGIBLE 1e-280   /* terms below it change no sum whose largest term is 1 */
#define EFFECTIVE_VALUES 50 /* that a moment has to stand on */

/* Sums over all values of w and w squared, w = (value / largest)^power. */
struct moment {
  double sum, squares;
};

/* log(level / largest) of a power; INFINITY where too few values make up its moment. */
static double log_level(const struct moment *moment, size_t count, double survival, double power)
{
  const double effective = moment->sum * moment->sum / moment->squares;
  if (power > 1 && effective < EFFECTIVE_VALUES)
    return INFINITY;
  return (log(moment->sum / (double)count) - log(survival)) / power;
}

/* What is searched: the least level, and the power that gives it. */
struct search {
  const double *values;
  size_t count;
  double scale, survival;
  double least; /* log(level / largest) */
  unsigned best;
};

static void consider(struct search *search, const struct moment *moment, unsigned power)
{
  const double level = log_level(moment, search->count, search->survival, power);
  if (level >= search->least)
    return;
  search->least = level;
  search->best = power;
}

struct wb_markov_level wb_markov_level_of(const double *values, size_t count, double survival)
{
  double largest = 0;
  for (size_t i = 0; i < count; i++)
    largest = fmax(largest, values[i]);
  if (largest == 0)
    return (struct wb_markov_level){.level = 0, .power = 1};
  struct search search = {.values = values,
                          .count = count,
                          .scale = largest,
                          .survival = survival,
                          .least = INFINITY,
                          .best = 1};
  /* Powers 1, 2, 4 ..., each the square of the one before: no overflow, since no factor exceeds 1.
   */
  double sums[OCTAVES] = {0};
  for (size_t i = 0; i < search.count; i++) {
    double w = search.values[i] / search.scale;
    for (unsigned octave = 0; octave < OCTAVES && w > NEGLIGIBLE; octave++) {
      sums[octave] += w;
      w *= w;
    }
  }
  for (unsigned octave = 0; octave + 1 < OCTAVES; octave++) {
    const struct moment moment = {sums[octave], sums[octave + 1]};
    consider(&search, &moment, 1U << octave);
  }
  /* Powers of half to twice the best one. */
  const unsigned unit = search.best < 8 ? 1 : search.best / 8;
  const unsigned first = search.best < 8 ? 1 : FIRST_UNIT;
  struct moment moments[LAST_UNIT + 1] = {{0}};
  for (size_t i = 0; i < search.count; i++) {
    const double factor = exp(unit * log(search.values[i] / search.scale));
    double w = factor;
    for (unsigned u = 1; u <= LAST_UNIT && w > NEGLIGIBLE; u++) {
      moments[u].sum += w;
      moments[u].squares += w * w;
      w *= factor;
    }
  }
  for (unsigned u = first; u <= LAST_UNIT; u++)
    consider(&search, &moments[u], u * unit);
  return (struct wb_markov_level){.level = largest * exp(search.least), .power = search.best};
}

/* The score test that the shape is the same at several thresholds (Northrop and Coleman 2014).
 *
 * The model's hazard at x is 1 / D(x), D(x) = sigma + sum over j of xi_j c_j(x), where c_j(x) is
 * the part of the way from the first threshold to x that lies in interval j. For a parameter with
 * c = dD/dparameter (1 for sigma) the score of a value x is
 *   -c(x) / D(x) + integral up to x of c / D^2,
 * and since this is a martingale, the information is the expectation of c_a(X) c_b(X) / D(X)^2.
 * Lengths are in units of the fitted scale, so that D = 1 at the first threshold. */
#include "evt/extremes/threshold_tests.h"

#include "evt/math/special_functions.h"

#include <math.h>
#include <stdbool.h>

#define PARAMETERS (WB_SCORE_THRESHOLDS + 1)
#define SERIES_BELOW 1e-2 /* of |xi q|: eight terms of the series give 1e-16 */
#define SERIES_TERMS 9

/* An interval between neighbouring thresholds; the last one has no end. */
struct interval {
  double start, width; /* from the first threshold; width INFINITY of the last */
  double first;        /* D at its start */
  double inverses;     /* sum of 1 / D over its values */
  double positions;    /* sum of (x - first threshold) / D */
  double own_score;    /* of its shape, by its own values */
  double count;        /* of its values */
  double moments[3];   /* of (x - start)^k / D^2, expected, over the interval */
};

struct score_test {
  double shape;
  size_t intervals;
  struct interval interval[WB_SCORE_THRESHOLDS];
  double score[PARAMETERS];
  double information[PARAMETERS][PARAMETERS]; /* of one value */
};

/* Integral from 0 to y of s / (first + shape s)^2. */
static double hazard_slope(double shape, double first, double y)
{
  const double q = y / first;
  const double z = shape * q;
  if (fabs(z) >= SERIES_BELOW)
    return (log1p(z) - z / (1 + z)) / (shape * shape);
  double sum = 0;
  double power = 1;
  for (int k = 2; k < 2 + SERIES_TERMS; k++) {
    sum += power * (k - 1) / k;
    power *= -z;
  }
  return q * q * sum;
}

static void fill_score(struct score_test *test)
{
  double count = 0;
  double inverses = 0;
  double positions = 0;
  for (size_t j = test->intervals; j-- > 0;) {
    const struct interval *interval = &test->interval[j];
    test->score[1 + j] = interval->own_score;
    if (j + 1 < test->intervals) {
      /* The values beyond its end. */
      const double end = interval->start + interval->width;
      test->score[1 + j] +=
          count * hazard_slope(test->shape, interval->first, interval->width) -
          interval->width * inverses +
          interval->width * (positions - end * inverses) / (1 + test->shape * end);
    }
    count += interval->count;
    inverses += interval->inverses;
    positions += interval->positions;
  }
  test->score[0] = positions - inverses;
}

/* S at a distance from the first threshold. */
static double survival_at(double shape, double x)
{
  return shape == 0 ? exp(-x) : exp(-log1p(shape * x) / shape);
}

/* Those of the others by Gauss and Legendre's rule of eight points along the survival. */
static void inner_moments(struct interval *interval, double shape)
{
  static const double nodes[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                  0.9602898564975363};
  static const double weights[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                    0.1012285362903763};
  const double high = survival_at(shape, interval->start);
  const double low = survival_at(shape, interval->start + interval->width);
  for (unsigned n = 0; n < 8; n++) {
    const double node = n < 4 ? -nodes[n] : nodes[n - 4];
    const double survival = (high + low) / 2 + (high - low) / 2 * node;
    const double weight = weights[n % 4] * (high - low) / 2;
    const double log_share = log(survival / high);
    const double y =
        interval->first * (shape == 0 ? -log_share : expm1(-shape * log_share) / shape);
    const double d = interval->first + shape * y;
    for (unsigned k = 0; k < 3; k++)
      interval->moments[k] += weight * pow(y, k) / (d * d);
  }
}

static void fill_information(struct score_test *test)
{
  double beyond = 0; /* expectation of 1 / D^2 beyond the interval */
  for (size_t j = test->intervals; j-- > 0;) {
    struct interval *interval = &test->interval[j];
    const bool is_last = j + 1 == test->intervals;
    if (is_last) {
      /* The last interval's moments in closed form: y = D_j (s^-xi - 1) / xi with s uniform. */
      const double survival = survival_at(test->shape, interval->start);
      const double both = (1 + test->shape) * (1 + 2 * test->shape);
      interval->moments[0] = survival / (interval->first * interval->first * (1 + 2 * test->shape));
      interval->moments[1] = survival / (interval->first * both);
      interval->moments[2] = survival * 2 / both;
    } else
      inner_moments(interval, test->shape);
    const double width = is_last ? 0 : interval->width;
    const double once = interval->moments[1] + width * beyond;
    test->information[1 + j][1 + j] = interval->moments[2] + width * width * beyond;
    test->information[0][1 + j] = once;
    for (size_t i = 0; i < j; i++)
      test->information[1 + i][1 + j] = test->interval[i].width * once;
    beyond += interval->moments[0];
  }
  test->information[0][0] = beyond;
}

/* score' information^-1 score, by Cholesky's decomposition of the matrix whose diagonal is made 1.
 * NAN where it is singular. Overwrites both. */
static double quadratic_form(struct score_test *test)
{
  const size_t size = test->intervals + 1;
  double scale[PARAMETERS];
  for (size_t i = 0; i < size; i++)
    scale[i] = 1 / sqrt(test->information[i][i]);
  double sum = 0;
  for (size_t i = 0; i < size; i++) {
    double *row = test->information[i]; /* the upper triangle becomes the factor's transpose */
    for (size_t j = i; j < size; j++) {
      double value = row[j] * scale[i] * scale[j];
      for (size_t k = 0; k < i; k++)
        value -= test->information[k][i] * test->information[k][j];
      row[j] = value;
    }
    if (!(row[i] > 1e-12))
      return NAN;
    const double pivot = sqrt(row[i]);
    for (size_t j = i; j < size; j++)
      row[j] /= pivot;
    double value = test->score[i] * scale[i];
    for (size_t k = 0; k < i; k++)
      value -= test->information[k][i] * test->score[k];
    test->score[i] = value / pivot;
    sum += test->score[i] * test->score[i];
  }
  return sum;
}

double wb_northrop_coleman_p(const double *ascending, size_t count, const double *thresholds,
                             size_t threshold_count, const struct wb_tail *tail)
{
  if (threshold_count < 2 || threshold_count > WB_SCORE_THRESHOLDS || !(tail->shape > -0.5))
    return NAN;
  struct score_test test = {.shape = tail->shape, .intervals = threshold_count};
  for (size_t j = 0; j < threshold_count; j++) {
    struct interval *interval = &test.interval[j];
    interval->start = (thresholds[j] - thresholds[0]) / tail->scale;
    interval->first = 1 + test.shape * interval->start;
    interval->width =
        j + 1 < threshold_count ? (thresholds[j + 1] - thresholds[j]) / tail->scale : INFINITY;
  }
  /* Sums over the values. false: one lies outside the support. */
  size_t j = 0;
  for (size_t i = 0; i < count; i++) {
    const double x = (ascending[i] - thresholds[0]) / tail->scale;
    while (j + 1 < test.intervals && x > test.interval[j + 1].start)
      j++;
    struct interval *interval = &test.interval[j];
    const double d = 1 + test.shape * x;
    if (!(d > 0))
      return NAN;
    const double y = x - interval->start;
    interval->count += 1;
    interval->inverses += 1 / d;
    interval->positions += x / d;
    interval->own_score += hazard_slope(test.shape, interval->first, y) - y / d;
  }
  fill_score(&test);
  fill_information(&test);
  const double statistic = quadratic_form(&test) / (double)count;
  return isnan(statistic) ? NAN : wb_chi_squared_survival(statistic, (unsigned)threshold_count - 1);
}

/* The Anderson-Darling test of a generalised Pareto distribution without a bootstrap. */

double wb_anderson_darling_of(const double *ascending, size_t count, const struct wb_tail *tail)
{
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    const double below = wb_tail_distribution(tail, ascending[i]);
    const double above = wb_tail_survival(tail, ascending[i]);
    if (!(below > 0 && above > 0))
      return INFINITY;
    sum += (2 * (double)i + 1) * log(below) + (2 * (double)(count - i) - 1) * log(above);
  }
  return -(double)count - sum / (double)count;
}

/* The quantile of a level at a shape. */
static double quantile_at(unsigned row, double share, unsigned level)
{
  const double low = wb_anderson_darling_quantiles[row][level];
  const double high = wb_anderson_darling_quantiles[row + 1][level];
  return low + share * (high - low);
}

double wb_anderson_darling_p(double statistic, double shape)
{
  unsigned row = 0, level = 0; /* the row at or below the shape */
  while (row + 2 < WB_ANDERSON_DARLING_SHAPES && wb_anderson_darling_shapes[row + 1] <= shape)
    row++;
  const double row_low = wb_anderson_darling_shapes[row];
  const double row_high = wb_anderson_darling_shapes[row + 1];
  const double row_share = fmin(1, fmax(0, (shape - row_low) / (row_high - row_low)));
  while (level + 2 < WB_ANDERSON_DARLING_LEVELS &&
         quantile_at(row, row_share, level + 1) <= statistic)
    level++;
  const double low = quantile_at(row, row_share, level);
  const double high = quantile_at(row, row_share, level + 1);
  const double share = fmax(0, (statistic - low) / (high - low));
  const double from = wb_anderson_darling_survivals[level];
  const double to = wb_anderson_darling_survivals[level + 1];
  /* In the logarithm of the survival, or of its complement where that is smaller. */
  if (from > 0.5)
    return -expm1(log1p(-from) + share * (log1p(-to) - log1p(-from)));
  return exp(log(from) + share * (log(to) - log(from)));
}

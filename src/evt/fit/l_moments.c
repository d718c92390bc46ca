/* L-moments by probability weighted moments, and their inverse for each family. */
#include "evt/fit/l_moments.h"

#include "evt/math/shape_ratios.h"

#include <math.h>

#define EULER_GAMMA 0.57721566490153286061

/* The least shape of a GEV that is sought; t3 differs from -1 by 1e-9 there. */
#define LEAST_SHAPE (-30.0)

/* b0, b1 and b2 of Hosking, of values less the middle one, so that l2 and t3 keep their digits
 * where values differ little. A value of weight w stands for equal ones of ranks j = before ..
 * before + w
 * - 1, of which the sums of j and of j (j - 1) are taken in closed form. */
struct wb_l_moments wb_l_moments_of_weighted(const double *ascending, const double *weights,
                                             size_t count, double total)
{
  const double n = total, middle = ascending[count / 2];
  double b0 = 0, b1 = 0, b2 = 0, before = 0;
  for (size_t k = 0; k < count; k++) {
    const double w = weights ? weights[k] : 1.0, x = ascending[k] - middle;
    const double ranks = 0.5 * w * (w - 1.0);
    const double squares = ranks * (2.0 * w - 1.0) / 3.0;
    b0 += w * x;
    b1 += (w * before + ranks) * x;
    b2 += (w * before * (before - 1.0) + (2.0 * before - 1.0) * ranks + squares) * x;
    before += w;
  }
  b0 /= n;
  b1 /= n > 1 ? n * (n - 1.0) : INFINITY;
  b2 /= n > 2 ? n * (n - 1.0) * (n - 2.0) : INFINITY;
  struct wb_l_moments moments = {middle + b0, n > 1 ? 2.0 * b1 - b0 : 0.0, 0.0};
  if (n > 2 && moments.l2 > 0)
    moments.t3 = (6.0 * b2 - 6.0 * b1 + b0) / moments.l2;
  return moments;
}

struct wb_l_moments wb_l_moments_of(const double *ascending, size_t count)
{
  return wb_l_moments_of_weighted(ascending, NULL, count, (double)count);
}

static double gev_shape(double t3)
{
  double low = LEAST_SHAPE, high = 1.0;
  for (;;) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high)
      return middle;
    const double log2_ratio = wb_exp_ratio(middle * log(2.0)) * log(2.0);
    const double log3_ratio = wb_exp_ratio(middle * log(3.0)) * log(3.0);
    if ((2.0 * log3_ratio / log2_ratio - 3.0) < t3)
      low = middle;
    else
      high = middle;
  }
}

/* (gamma(1 - xi) - 1) / xi, smooth through 0, where log gamma has a series. xi < 1. */
static double gamma_ratio(double shape)
{
  static const double zeta[] = {EULER_GAMMA,        1.6449340668482264, 1.2020569031595943,
                                1.0823232337111382, 1.0369277551433699, 1.0173430619844491,
                                1.0083492773819228};
  if (fabs(shape) > 0.005)
    return (tgamma(1.0 - shape) - 1.0) / shape;
  double sum = 0;
  for (int k = 6; k >= 0; k--)
    sum = sum * shape + zeta[k] / (k + 1);
  return sum * wb_exp_ratio(sum * shape);
}

bool wb_tail_of_l_moments(enum wb_tail_family family, const struct wb_l_moments *moments,
                          double threshold, struct wb_tail *tail)
{
  const double excess = moments->l1 - threshold;
  *tail = (struct wb_tail){.family = family, .location = threshold};
  if (family == WB_TAIL_EXPONENTIAL) {
    tail->scale = excess;
    return excess > 0;
  }
  if (!(moments->l2 > 0))
    return false;
  if (family == WB_TAIL_GEV) {
    if (!(fabs(moments->t3) < 1))
      return false;
    const double shape = gev_shape(moments->t3);
    const double ratio = tgamma(1.0 - shape) * wb_exp_ratio(shape * log(2.0)) * log(2.0);
    tail->shape = shape;
    tail->scale = moments->l2 / ratio;
    tail->location = moments->l1 - tail->scale * gamma_ratio(shape);
    return isfinite(tail->scale) && tail->scale > 0 && isfinite(tail->location);
  }
  if (family == WB_TAIL_GUMBEL) {
    tail->scale = moments->l2 / log(2.0);
    tail->location = moments->l1 - EULER_GAMMA * tail->scale;
    return true;
  }
  tail->shape = 2.0 - excess / moments->l2;
  tail->scale = excess * (1.0 - tail->shape);
  return excess > 0 && tail->scale > 0;
}

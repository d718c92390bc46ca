/* The likelihood ratio test of a family in a larger one. */
#include "evt/goodness/goodness.h"

#include <math.h>

/* The mean of the statistic under the hypothesis is 1 + b / n rather than 1: b over 20,000 samples
 * of each of 30, 50 and 100 values. */
#define GUMBEL_EXCESS 2.5
#define EXPONENTIAL_EXCESS 9.0

/* Bartlett's factor: the statistic divided by it has the mean of chi-squared. */
static double factor_of(const struct wb_tail_fit *smaller, const struct wb_tail_fit *larger)
{
  if (smaller->tail.family == larger->tail.family || smaller->count == 0)
    return 1;
  const double excess =
      wb_tail_is_of_maxima(smaller->tail.family) ? GUMBEL_EXCESS : EXPONENTIAL_EXCESS;
  return 1 + excess / (double)smaller->count;
}

struct wb_likelihood_ratio wb_likelihood_ratio_of(const struct wb_tail_fit *smaller,
                                                  const struct wb_tail_fit *larger)
{
  const double gain = smaller->negative_log_likelihood - larger->negative_log_likelihood;
  if (isnan(gain))
    return (struct wb_likelihood_ratio){.statistic = NAN, .p_value = NAN};
  const double statistic = fmax(2 * gain, 0);
  /* chi-squared of 1 degree of freedom is the square of a normal */
  const double p_value = erfc(sqrt(statistic / factor_of(smaller, larger) / 2));
  return (struct wb_likelihood_ratio){.statistic = statistic, .p_value = p_value};
}

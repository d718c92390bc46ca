/* The likelihood ratio test of a family in a larger one. */
#include "evt/goodness/goodness.h"

#include <math.h>

struct wb_likelihood_ratio wb_likelihood_ratio_of(const struct wb_tail_fit *smaller,
                                                  const struct wb_tail_fit *larger)
{
  const double gain = smaller->negative_log_likelihood - larger->negative_log_likelihood;
  if (isnan(gain))
    return (struct wb_likelihood_ratio){.statistic = NAN, .p_value = NAN};
  const double statistic = fmax(2 * gain, 0);
  /* chi-squared of 1 degree of freedom is the square of a normal */
  return (struct wb_likelihood_ratio){.statistic = statistic, .p_value = erfc(sqrt(statistic / 2))};
}

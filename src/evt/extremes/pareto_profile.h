/* The generalised Pareto distribution by one parameter theta = xi / sigma: where theta is given,
 * log(1 + theta y) of an excess y is exponential with mean xi (Grimshaw 1993), so that the shape of
 * the largest likelihood is known and a line search is enough. Here with the largest excesses
 * censored: it is only known that they are at least as large as the largest of the others, or on a
 * clock with ticks, half a tick more. */
#ifndef WB_EVT_EXTREMES_PARETO_PROFILE_H
#define WB_EVT_EXTREMES_PARETO_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

/* Borrowed. ascending: values above the threshold, sorted; of them the first `kept` enter (2 at
 * least, not all equal), and count - kept are censored at the last of these plus half a tick. */
struct wb_censored_excesses {
  const double *ascending;
  size_t count, kept;
  double threshold;
  double tick; /* 0: continuous */
};

/* A point of the profile. */
struct wb_pareto_profile {
  double theta;      /* times the mean of the kept excesses: without unit */
  double shape;      /* the best at this theta */
  double likelihood; /* log, without a constant; -INFINITY outside the support */
};

/* Linear in kept. */
struct wb_pareto_profile wb_pareto_profile_at(const struct wb_censored_excesses *excesses,
                                              double mean, double theta);
/* The mean of the kept excesses. */
double wb_kept_mean(const struct wb_censored_excesses *excesses);
/* The excess at which the others are censored. */
double wb_censoring_excess(const struct wb_censored_excesses *excesses);
/* The largest likelihood, with the shape above -1, to six digits: some 60 evaluations. *low and
 * *high get the thetas at which the profile has fallen by `drop`. false: none was found. */
bool wb_pareto_profile_peak(const struct wb_censored_excesses *excesses, double mean, double drop,
                            struct wb_pareto_profile *peak, double *low, double *high);

#endif

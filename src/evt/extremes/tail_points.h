/* The largest values beside a fit: whether they belong to the same tail, and what can be said
 * without any fit. */
#ifndef WB_EVT_EXTREMES_TAIL_POINTS_H
#define WB_EVT_EXTREMES_TAIL_POINTS_H

#include "evt/fit/tail_fit.h"

#include <stdbool.h>
#include <stddef.h>

/* More than so many values that stand apart are a mode of their own (the minimum of samples of
 * TailID). */
#define WB_TAIL_POINTS_MINIMUM 40

/* After TailID (ECRTS 2025): the shape is fitted to the excesses without the j largest ones, of
 * which is only known that they are as large, for j from 1 to a quarter of the values; where the j
 * largest lie further out than the tail of the others predicts, they are not of that tail.
 * One-sided: a tail that ends early does not stand apart. */
enum wb_tail_points {
  WB_TAIL_POINTS_ALIKE,   /* all largest values fit the tail of the others */
  WB_TAIL_POINTS_MIXTURE, /* enough values stand apart to be a second mode of behaviour */
  WB_TAIL_POINTS_FEW      /* some stand apart, too few to say what they are: take more samples */
};
struct wb_tail_points_result {
  enum wb_tail_points outcome;
  size_t apart;       /* values that stand apart: the largest ones */
  double first_apart; /* the least of them */
  double p_value;     /* of the largest values being of the same tail, for all numbers of them that
                         were tried: at most 1 - confidence where some stand apart */
  double shape, shape_low, shape_high; /* GPD without them, xi > 0: heavy tail; with the interval
                                          by profile likelihood. NAN where no fit is found */
};
/* ascending: values above the threshold, sorted, at least 20; of more than 1,000 the largest 1,000
 * are compared. tick: the resolution of the
 * clock, 0: continuous; a threshold at a tick counts as half a tick higher. confidence: 1 - the
 * rate of false alarms over all that is tried (measured: doc/measured/evt-thresholds.md). Errors:
 * WARPBOUND_INVALID_INPUT (too few values, half of them equal). Time: some 2,000 passes over the
 * values. */
warpbound_status wb_tail_points_check(const double *ascending, size_t count, double threshold,
                                      double tick, double confidence,
                                      struct wb_tail_points_result *result, warpbound_error *error);

/* The level x with P(X > x) <= E[X^k] / x^k = survival by Markov's inequality to the power k, at
 * the k that gives the least x (Vilardell et al., ECRTS 2022). With the true moments x is a bound
 * for every k. Here the sample's own moments stand for them: an estimate that needs no fit, and one
 * that lies too low where the sample has not met the values that make up the true moment. As k
 * grows the sample's moment is that of its largest value alone and x falls to this value, whatever
 * survival; so only powers count of which the moment stands on 50 values (the effective number
 * (sum w)^2 / sum w^2 of the weights w = value^k) and up to 2^20. */
struct wb_markov_level {
  double level;
  unsigned power;
};
/* values: at least one, none negative. 0 < survival < 1. Two passes over the values; no overflow.
 */
struct wb_markov_level wb_markov_level_of(const double *values, size_t count, double survival);

/* The exponential tail of MBPTA-CV (Abella et al. 2017): the lowest threshold from which on the
 * coefficient of variation (CV) stays within the band of an exponential tail, and the fit above it.
 * From half of the values above the threshold to 50, at 40 numbers; the band is so wide that an
 * exponential tail leaves it nowhere with probability `confidence`. Few exceedances give a wide
 * band: found does not mean that the tail is exponential, see heavy. */
struct wb_exponential_tail {
  bool found; /* false: the CV of the 50 largest lies outside the band: they are not exponential */
  bool light; /* at the first threshold where it is outside, going down, it is below the band: an
                 exponential tail lies above the true one */
  bool heavy; /* there it is above the band: an exponential tail lies below the true one as far as
                 that threshold shows; with `found` only the fewness of the values hides it */
  size_t exceedances;     /* of the fit; the 50 largest where it is not found */
  struct wb_tail_fit fit; /* where not found and heavy it must not be used */
};
/* ascending: all values, sorted, at least 100. Errors: WARPBOUND_INVALID_INPUT (fewer; the largest
 * are equal). Linear. */
warpbound_status wb_exponential_tail_find(const double *ascending, size_t count, double confidence,
                                          struct wb_exponential_tail *tail, warpbound_error *error);

/* Mean and coefficient of variation of excesses over every threshold, from the top down. */

/* Running moments of the largest values (Welford). Zero-initialise. */
struct wb_top_moments {
  double count, mean, squares; /* squares: sum of squared differences from the mean */
};
void wb_top_moments_add(struct wb_top_moments *moments, double value);
/* The standard deviation of the values; 0 for fewer than two. */
double wb_top_deviation(const struct wb_top_moments *moments);
/* The coefficient of variation of their excesses over a threshold. */
double wb_top_variation(const struct wb_top_moments *moments, double threshold);

/* The mean and the standard deviation of the coefficient of variation of `count` exponential
 * excesses, by series from the exact moments of its square: within 0.0002 and 1.5 % from 50 on. As
 * n grows they are 1 and 1 / sqrt(n) (Castillo, Daoudi and Lockhart 2014). count >= 20. */
struct wb_exponential_variation {
  double mean, deviation;
};
struct wb_exponential_variation wb_exponential_variation_of(double count);

/* The generalised Pareto distribution by one parameter theta = xi / sigma: where theta is given,
 * log(1 + theta y) of an excess y is exponential with mean xi (Grimshaw 1993), so that the shape of
 * the largest likelihood is known and a line search is enough. Here with the largest excesses
 * censored: it is only known that they are at least as large as the largest of the others, or on a
 * clock with ticks, half a tick more. */

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

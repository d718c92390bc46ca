/* The largest values beside a fit: whether they belong to the same tail, and what can be said
 * without any fit. */
#ifndef WB_EVT_EXTREMES_TAIL_POINTS_H
#define WB_EVT_EXTREMES_TAIL_POINTS_H

#include "evt/fit/tail_fit.h"

/* After TailID (ECRTS 2025): the shape is fitted to the largest excesses without the very largest
 * ones; a point outside the interval of the shape that the others give is not of their tail. */
enum wb_tail_points {
  WB_TAIL_POINTS_ALIKE,   /* all largest values fit the tail of the others */
  WB_TAIL_POINTS_MIXTURE, /* enough values stand apart to be a second mode of behaviour */
  WB_TAIL_POINTS_FEW      /* some stand apart, too few to say what they are: take more samples */
};
struct wb_tail_points_result {
  enum wb_tail_points outcome;
  size_t apart;                        /* values that stand apart: the largest ones */
  double first_apart;                  /* the least of them */
  double shape, shape_low, shape_high; /* without them */
};
/* ascending: values above the threshold, sorted. */
warpbound_status wb_tail_points_check(const double *ascending, size_t count, double threshold,
                                      double confidence, struct wb_tail_points_result *result,
                                      warpbound_error *error);

/* The level x with P(X > x) <= E[X^k] / x^k = survival by Markov's inequality to the power k, with
 * the sample's own moments in place of the true ones, at the k that gives the least x (Vilardell et
 * al.): an estimate that needs no fit. */
struct wb_markov_level {
  double level;
  unsigned power;
};
struct wb_markov_level wb_markov_level_of(const double *values, size_t count, double survival);

/* The exponential tail of MBPTA-CV (Abella et al. 2017): the lowest threshold from which on the
 * coefficient of variation stays within the band of an exponential tail, and the fit above it. */
struct wb_exponential_tail {
  bool found; /* false: the variation leaves the band: the tail is not exponential */
  bool light; /* it leaves it below: an exponential tail lies above the true one */
  size_t exceedances;
  struct wb_tail_fit fit;
};
warpbound_status wb_exponential_tail_find(const double *ascending, size_t count, double confidence,
                                          struct wb_exponential_tail *tail, warpbound_error *error);

#endif

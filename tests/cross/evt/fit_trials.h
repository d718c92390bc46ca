/* Trials of the fits to samples of known distributions: how often goodness of fit refuses, and how
 * often intervals hold the true value. */
#ifndef TESTS_CROSS_EVT_FIT_TRIALS_H
#define TESTS_CROSS_EVT_FIT_TRIALS_H

#include "evt/fit/tail_fit.h"
#include "samples/make_times.h"
#include "trials.h"

/* What a trial does. The context of all trials here. */
struct fit_trial {
  struct made_times recipe;
  size_t count;
  /* > 1: maxima of blocks of so many times of the recipe, `count` of them. */
  size_t block;
  /* > 0: the largest of `count` times by this share, above the value below them, as excesses. */
  double share;
  enum wb_tail_family family; /* that is fitted */
  enum wb_fit_method method;
  unsigned replicates; /* of the bootstrap; 0: no bootstrap */
  double survival;     /* of the level whose intervals are tried */
};

/* Results of goodness_trial: p-values. */
enum { GOODNESS_A, GOODNESS_W };
trial_function goodness_trial;

/* Result of ratio_trial: the p-value of the family (Gumbel, exponential) in the larger one. */
enum { RATIO_P };
trial_function ratio_trial;

/* Results of coverage_trial: 0 where the interval holds the true value, 1 where it does not;
 * NAN: there is no interval. COVER_LOW: 1 where the whole profile interval of the level lies below
 * the true level, which is the dangerous side; COVER_OPEN: 1 where it has no upper end;
 * COVER_SHAPE_ERROR: the estimate of the shape less the true one. */
enum {
  COVER_PROFILE,
  COVER_LOW,
  COVER_OPEN,
  COVER_DELTA,
  COVER_DELTA_LOW,
  COVER_BOOTSTRAP,
  COVER_BOOTSTRAP_LOW,
  COVER_SHAPE,
  COVER_SHAPE_WALD,
  COVER_SHAPE_ERROR,
  COVER_FAILED /* 1: no fit */
};
trial_function coverage_trial;

#endif

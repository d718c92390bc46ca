/* Many samples of known distributions: what tests, thresholds and fits say of each. */
#ifndef TESTS_CROSS_EVT_TRIALS_H
#define TESTS_CROSS_EVT_TRIALS_H

#include "evt/fit/tail_fit.h"
#include "samples/make_times.h"

#include <stddef.h>
#include <stdint.h>

#define TRIAL_RESULTS 12

/* Fills the results of one trial, which are NAN before. Called from several threads. */
typedef void trial_function(const void *context, uint64_t seed, double results[TRIAL_RESULTS]);

/* Runs trials with the seeds first_seed .. first_seed + count - 1 on `threads` threads, and returns
 * their results, one row of TRIAL_RESULTS by trial. The caller frees. */
double (*run_trials(trial_function *trial, const void *context, size_t count, uint64_t first_seed,
                    unsigned threads))[TRIAL_RESULTS];

/* The share of trials, of those whose result is not NAN, with a result of at most `limit`; NAN
 * where there is none. */
double share_at_most(double (*rows)[TRIAL_RESULTS], size_t count, size_t result, double limit);

/* The mean of a result, of the trials where it is not NAN. */
double mean_result(double (*rows)[TRIAL_RESULTS], size_t count, size_t result);

/* Trials of what chooses blocks and thresholds and looks at the largest values, on samples of known
 * distributions. */

/* What a trial does. The context of all trials here. */
struct extremes_trial {
  struct made_times recipe;
  size_t count;
  /* > 0: only this share of the times is of the recipe, the others are uniform over `body` below
   * its location, which is the true threshold then. 0: all. */
  double tail_share;
  double body;
  /* of points_trial */
  size_t outliers;      /* so many values are replaced */
  double outlier_level; /* by the recipe's level of this survival times 1 + outlier_spread U */
  double outlier_spread;
  double share; /* > 0: the largest values by this share are checked; 0: all above location */
};

/* Results of scan_trial. p-values at the lowest threshold; of each rule: exceedances of the chosen
 * threshold over those of the true one (at most those of the lowest one tried), NAN where none is
 * chosen. */
enum { SCAN_ANDERSON_DARLING, SCAN_NORTHROP_COLEMAN, SCAN_KEPT, SCAN_RULES = 3 };
trial_function scan_trial;

/* Results of points_trial: the p-value; how many stand apart; 1 where they are called a mixture. */
enum { POINTS_P, POINTS_APART, POINTS_MIXTURE };
trial_function points_trial;

/* Results of variation_trial: 1 where the exponential tail of MBPTA-CV is found, light, heavy; the
 * number of exceedances. */
enum { VARIATION_FOUND, VARIATION_LIGHT, VARIATION_HEAVY, VARIATION_EXCEEDANCES };
trial_function variation_trial;

/* Results of block_trial: the place of the chosen size in the list, 1 where all are refused, the
 * size. */
enum { BLOCK_PLACE, BLOCK_REFUSED, BLOCK_SIZE };
trial_function block_trial;

/* Results of index_trial: estimates of the extremal index above the 98 % quantile. */
enum { INDEX_INTERVALS, INDEX_RUNS };
trial_function index_trial;

/* Trials of the fits to samples of known distributions: how often goodness of fit refuses, and how
 * often intervals hold the true value. */

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

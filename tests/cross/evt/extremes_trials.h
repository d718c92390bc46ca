/* Trials of what chooses blocks and thresholds and looks at the largest values, on samples of known
 * distributions. */
#ifndef TESTS_CROSS_EVT_EXTREMES_TRIALS_H
#define TESTS_CROSS_EVT_EXTREMES_TRIALS_H

#include "samples/make_times.h"
#include "trials.h"

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

#endif

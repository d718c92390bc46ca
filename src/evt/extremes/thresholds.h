/* The choice of a threshold for peaks over it, and what a person looks at to judge it. */
#ifndef WB_EVT_EXTREMES_THRESHOLDS_H
#define WB_EVT_EXTREMES_THRESHOLDS_H

#include "base/status.h"
#include "base/work_control.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WB_THRESHOLD_POINTS 40

/* A threshold that was tried, with all that curves show of it. */
struct wb_threshold_point {
  double threshold;
  size_t exceedances;
  double mean_excess, mean_excess_error; /* mean residual life; linear where a GPD holds */
  bool fitted;                           /* GPD by likelihood */
  double shape, shape_error;
  double modified_scale, modified_scale_error; /* sigma - xi u: constant where a GPD holds */
  double anderson_darling_p; /* of the GPD, by the limit distribution with estimated parameters
                                (Choulakian and Stephens 2001, table recomputed); NAN: not fitted */
  double false_discovery_p;  /* adjusted by ForwardStop (G'Sell et al. 2016; Bader et al. 2018): the
                                rate of false discoveries at which this threshold is refused */
  double northrop_coleman_p; /* score test that the shape is the same at this and all higher
                                thresholds of the list (Northrop and Coleman 2014). NAN: it says
                                nothing (the last one; a shape of at most -1/2) */
  double variation, variation_low, variation_high; /* coefficient of variation of the excesses and
                                 its band where they are exponential (MBPTA-CV), of each alone at
                                 1 - significance */
};

enum wb_threshold_rule {
  WB_THRESHOLD_ANDERSON_DARLING, /* the lowest not refused, with false discoveries controlled */
  WB_THRESHOLD_NORTHROP_COLEMAN, /* the lowest whose score test and those of all higher ones pass;
                                    those that say nothing are passed over */
  WB_THRESHOLD_STABILITY /* the lowest whose shape and modified scale lie in the intervals of all
                            higher thresholds */
};

struct wb_threshold_scan {
  struct wb_threshold_point points[WB_THRESHOLD_POINTS]; /* ascending */
  size_t count;
  size_t first;     /* the lowest that rules may choose; lower ones are there to be looked at */
  size_t chosen[3]; /* by rule: index of the point; count where none passes */
};

/* The threshold that at most `wanted` values exceed, as near to that as values that are equal let
 * it: half a tick below the least of them, on a continuous clock half way to the value below.
 * ascending: count values, sorted. Returns how many exceed it; 0 where there is none. */
size_t wb_threshold_of(const double *ascending, size_t count, size_t wanted, double tick,
                       double *threshold);

/* What is tried. */
struct wb_threshold_range {
  double lowest_share; /* of the values above the lowest threshold, as 0.2 */
  size_t most_chosen;  /* rules choose none that more values exceed; 0: any */
};

/* Tries thresholds from the lowest share of the values above (never more than 20,000 values,
 * since more cost time and say nothing more of the tail: a higher threshold has less bias) to that
 * which leaves 40 exceedances; the numbers of exceedances fall geometrically, by at least 5 %.
 * ascending: the values sorted. tick > 0: the resolution of the clock; thresholds lie half a tick
 * between values, and for fits and tests values are spread within their tick by the seed, since
 * these assume continuous values. The same for the same seed. Errors: WARPBOUND_INVALID_INPUT
 * (fewer than 50 exceedances at the lowest, or no two thresholds differ), WARPBOUND_LIMIT,
 * WARPBOUND_INTERNAL. Time: one fit for each threshold, of 3,200 values on average where there are
 * 20,000. */
warpbound_status wb_threshold_scan(const double *ascending, size_t count,
                                   const struct wb_threshold_range *range, double tick,
                                   double significance, uint64_t seed,
                                   const struct wb_control *control, struct wb_threshold_scan *scan,
                                   warpbound_error *error);

/* Fills false_discovery_p of the points from `first` on, of lower ones NAN, and what each rule
 * chooses, from all else of the points. */
void wb_threshold_rules_apply(struct wb_threshold_scan *scan, double significance);

/* ForwardStop (G'Sell, Wager, Chouldechova and Tibshirani 2016; Bader, Yan and Zhang 2018, eq. 4):
 * of hypotheses in order, the first k are refused, k the largest index with
 * -(1 / k) sum of log(1 - p[i]), i <= k, at most the rate of false discoveries. adjusted[i] is the
 * least rate at which hypothesis i is refused; it does not fall with i. A p-value of 0 stands for a
 * hypothesis that is refused for certain; NAN counts as 0. Independent p-values are assumed; those
 * of nested samples are not, see doc/measured/evt-thresholds.md. Linear. */
void wb_forward_stop(const double *p_values, size_t count, double *adjusted);

#endif

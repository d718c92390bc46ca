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
  double anderson_darling_p; /* of the GPD: by parametric bootstrap or the tables of Choulakian and
                                Stephens (2001); see .c */
  double false_discovery_p;  /* adjusted by ForwardStop (G'Sell et al. 2016; Bader et al. 2018) */
  double northrop_coleman_p; /* score test that the shape is the same at all higher thresholds of
                                the list (Northrop and Coleman 2014) */
  double variation, variation_low, variation_high; /* coefficient of variation of the excesses and
                                 its band where they are exponential (MBPTA-CV) */
};

enum wb_threshold_rule {
  WB_THRESHOLD_ANDERSON_DARLING, /* the lowest not refused, with false discoveries controlled */
  WB_THRESHOLD_NORTHROP_COLEMAN, /* the lowest whose score test and those of all higher ones pass */
  WB_THRESHOLD_STABILITY /* the lowest from which on shape and modified scale stay within each
                            other's intervals */
};

struct wb_threshold_scan {
  struct wb_threshold_point points[WB_THRESHOLD_POINTS]; /* ascending */
  size_t count;
  size_t chosen[3]; /* by rule: index of the point; count where none passes */
};

/* Tries thresholds at quantiles of the values, from `lowest_share` of values above (as 0.2) to that
 * which leaves 40 exceedances. ascending: the values sorted. Where the clock has ticks, thresholds
 * lie half a tick between values. Errors: WARPBOUND_INVALID_INPUT (fewer than 50 exceedances at the
 * lowest), WARPBOUND_LIMIT, WARPBOUND_INTERNAL. */
warpbound_status wb_threshold_scan(const double *ascending, size_t count, double lowest_share,
                                   double tick, double significance, uint64_t seed,
                                   const struct wb_control *control, struct wb_threshold_scan *scan,
                                   warpbound_error *error);

#endif

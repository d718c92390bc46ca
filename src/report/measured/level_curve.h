/* A fit as a curve of levels over the probability that one run exceeds them. */
#ifndef WB_REPORT_MEASURED_LEVEL_CURVE_H
#define WB_REPORT_MEASURED_LEVEL_CURVE_H

#include "analysis/measured/measured_result.h"

struct wb_level_curve {
  const struct wb_measured_fit *fit;
  /* The probabilities asked for whose level has a profile interval, from the largest. */
  size_t count;
  const struct wb_measured_level *levels[WB_MEASURED_LEVELS];
};

/* fit: one that is drawn (wb_fit_is_drawn), needed as long as the curve. levels: how many it has.
 */
struct wb_level_curve wb_level_curve_of(const struct wb_measured_fit *fit, size_t levels);
/* NAN where the fit does not speak of the probability: below the threshold, of peaks; at the low
 * end of maxima. */
double wb_level_curve_at(const struct wb_level_curve *curve, double probability);
/* The profile interval: exact at the probabilities asked for, between two of them with distances
 * from the curve that are interpolated geometrically. Not found elsewhere. */
struct wb_interval wb_level_curve_interval(const struct wb_level_curve *curve, double probability);

#endif

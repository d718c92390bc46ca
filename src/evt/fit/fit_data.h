/* What a distribution is fitted to. */
#ifndef WB_EVT_FIT_FIT_DATA_H
#define WB_EVT_FIT_FIT_DATA_H

#include "base/work_control.h"

#include <stddef.h>

/* Data of a fit. All borrowed. values: maxima of blocks, or values above the threshold (not the
 * differences from it), in any order. */
struct wb_fit_data {
  const double *values;
  size_t count;
  /* By value, or NULL. Then mu = location + trend * covariate: GEV and Gumbel by likelihood alone.
   */
  const double *covariate;
  double threshold; /* of GPD and exponential */
  /* Asked in fits and profiles of these values, on the thread that calls them, where the values are
   * so many that they may take long; NULL: never. */
  const struct wb_control *control;
};

#endif

/* The values that a test of goodness of fit compares with the fit, and the size of the replicates
 * that they are judged by. */
#ifndef WB_EVT_GOODNESS_TESTED_VALUES_H
#define WB_EVT_GOODNESS_TESTED_VALUES_H

#include "evt/fit/tail_fit.h"
#include "evt/goodness/distances.h"

/* Values of a replicate at most. The distribution of the distances, where the hypothesis holds,
 * hardly depends on the count of values beyond some hundred. */
#define WB_REPLICATE_VALUES 1000

/* Samples of up to WB_REPLICATE_VALUES values are compared whole, with replicates of the same size,
 * which are rounded to the ticks of the clock as the values were.
 *
 * Larger ones too are compared whole, with replicates of WB_REPLICATE_VALUES values, where the
 * clock is fine: equal values are then spread evenly over their tick, and replicates are not
 * rounded. The clock is fine where the error of that, at most in the order of n (tick / scale)^4 in
 * the distances, is far below their spread. Where it is not, a random part of the sample is
 * compared, with a fit to that part: the size of the test is right, but it sees no more than that
 * many values show.
 *
 * Owns its arrays. */
struct wb_tested_values {
  struct wb_tail_fit fit; /* that the values are compared with; of the part where it is one */
  struct wb_distances distances;
  size_t count; /* of values that were compared */
  size_t replicate_size;
  double *replicate_covariate; /* NULL: no trend */
  double tick, anchor;         /* of the clock of replicates; tick 0: they are not rounded */
};

/* data, fit and tick as of wb_goodness_of_fit. Errors: WARPBOUND_INTERNAL; WARPBOUND_INVALID_INPUT
 * where nothing can be fitted to the part. */
warpbound_status wb_tested_values_take(const struct wb_fit_data *data,
                                       const struct wb_tail_fit *fit, double tick, uint64_t seed,
                                       struct wb_tested_values *tested, warpbound_error *error);
void wb_tested_values_free(struct wb_tested_values *tested);

#endif

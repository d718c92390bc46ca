/* The values that a test of goodness of fit compares with the fit, and the size of the replicates
 * that they are judged by. */
#ifndef WB_EVT_GOODNESS_TESTED_VALUES_H
#define WB_EVT_GOODNESS_TESTED_VALUES_H

#include "evt/fit/tail_fit.h"
#include "evt/goodness/distances.h"

/* Values of a replicate at most, where the clock is fine. The distribution of the distances, if the
 * hypothesis holds, hardly depends on the count of values beyond some hundred. */
#define WB_REPLICATE_VALUES 1000
/* Values that are compared at most, where the clock is not fine. */
#define WB_PART_VALUES 4000

/* Where the clock is fine all values are compared, with replicates of at most WB_REPLICATE_VALUES
 * values; those of larger samples are not rounded. It is fine where it has no ticks, or where what
 * they add to the distances, which is of the order of n (tick / scale)^4, is far below the spread
 * of the distances.
 *
 * Where it is not, up to WB_PART_VALUES values are compared, with replicates of the same size that
 * are rounded as the values were. Of larger samples they are a random part, with a fit to that
 * part: the size of the test is right, but it sees no more than that many values show.
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

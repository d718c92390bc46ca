/* For the checker of bounds on launches: the theorems of doc/launch.md, evaluated from maxima that
 * are proven. */
#ifndef WB_CERTIFICATE_LAUNCH_LAUNCH_THEOREMS_H
#define WB_CERTIFICATE_LAUNCH_LAUNCH_THEOREMS_H

#include "certificate/launch/launch_claim.h"

#include <stdbool.h>
#include <stdint.h>

/* In place of a number that does not fit, or that is not known. Sums and products with it are it
 * again. */
#define WB_CHECK_LAUNCH_UNKNOWN UINT64_MAX

/* The maxima. Times are in 1 / denominator cycles. */
struct wb_check_launch_terms {
  uint64_t denominator;
  uint64_t sum[WB_CHECK_LAUNCH_SUM_COUNT]; /* or WB_CHECK_LAUNCH_UNKNOWN; own and alone-own with
                                              the end of a warp */
  uint64_t phases;                         /* f, at least 1; 1 only where there is no barrier */
  uint64_t longest_unit;                   /* e, in cycles: 0 where f is 1 */
};

/* The least number of cycles that a theorem with known maxima gives; WB_CHECK_LAUNCH_UNKNOWN where
 * none does. */
uint64_t wb_check_launch_evaluate(const struct wb_check_launch_terms *terms,
                                  const struct wb_launch_shape *shape);

#endif

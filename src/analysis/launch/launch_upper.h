/* The bound on a launch of which it is not known how many blocks reside on an SM: the greatest of
 * those of all residencies that can be. */
#ifndef WB_ANALYSIS_LAUNCH_LAUNCH_UPPER_H
#define WB_ANALYSIS_LAUNCH_LAUNCH_UPPER_H

#include "base/status.h"
#include "launch/bounds/launch_formula.h"
#include "launch/occupancy/occupancy.h"
#include "model/timed_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wb_launch_upper {
  struct wb_launch_bound bound;             /* the greatest */
  size_t worst;                             /* its residency, the first of several */
  uint64_t cycles[WB_CARVEOUT_LIMIT + 1];   /* of each residency */
  uint32_t resident[WB_CARVEOUT_LIMIT + 1]; /* blocks that reside on an SM then */
};

/* Most blocks of the launch that reside on an SM under an occupancy; balanced: none of an SM meets
 * more than its share where all blocks are resident from the start. */
uint32_t wb_launch_resident_blocks(const struct wb_launch_shape *shape,
                                   const struct wb_occupancy *occupancy, bool balanced);

/* The resident blocks of the shape do not count. Errors: those of wb_launch_bound_evaluate. */
warpbound_status wb_launch_upper_find(const struct wb_launch_terms *terms,
                                      const struct wb_launch_shape *shape,
                                      const struct wb_residencies *residencies, bool balanced,
                                      struct wb_launch_upper *upper, warpbound_error *error);

#endif

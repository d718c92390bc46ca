/* The domain "affine in the lane": micro-operations on lane values (doc/accesses.md). Its context
 * is a struct wb_lane_walk. */
#ifndef WB_VALUES_LANES_LANE_DOMAIN_H
#define WB_VALUES_LANES_LANE_DOMAIN_H

#include "values/domain.h"

extern const struct wb_domain wb_lane_domain;

#endif

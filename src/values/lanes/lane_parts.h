/* Lane values of several parts (doc/accesses.md): each lane has the number that one of its parts
 * says. */
#ifndef WB_VALUES_LANES_LANE_PARTS_H
#define WB_VALUES_LANES_LANE_PARTS_H

#include "values/lanes/lane_values.h"

/* Some lanes, and what they may have: a value of one part, or WB_LANES_UNKNOWN. */
struct wb_lane_part {
  uint32_t mask, value;
};

/* The parts of a value, at least one; each lane is in one or more. Returns their number. */
size_t wb_lanes_parts(const struct wb_lane_value_pool *values, uint32_t value,
                      struct wb_lane_part parts[WB_LANES]);

#endif

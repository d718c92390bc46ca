/* How many sectors, lines and passes the accesses of a warp's lanes take at most, by what is known
 * of their addresses (doc/accesses.md). */
#ifndef WB_FLOW_ACCESSES_ACCESS_COUNTS_H
#define WB_FLOW_ACCESSES_ACCESS_COUNTS_H

#include "values/lanes/lane_values.h"

#include <stdint.h>

/* Addresses of lanes that access `bytes` each, a power of 2 of 1 to 32. */
struct wb_lane_addresses {
  const struct wb_lane_value_pool *values;
  uint32_t value; /* not WB_LANES_UNKNOWN */
  uint32_t lanes; /* those that may access */
  unsigned bytes;
};

/* The most sectors of 32 bytes; lines of 128; words of 4. */
uint32_t wb_count_sectors(const struct wb_lane_addresses *addresses);
uint32_t wb_count_lines(const struct wb_lane_addresses *addresses);
uint32_t wb_count_words(const struct wb_lane_addresses *addresses);
/* The same where words of the lanes lie side by side: word o of lane l is number 32 o + l. */
uint32_t wb_count_local_sectors(const struct wb_lane_addresses *addresses);
uint32_t wb_count_local_lines(const struct wb_lane_addresses *addresses);
/* The most passes over the banks of shared memory. */
uint32_t wb_count_passes(const struct wb_lane_addresses *addresses);
/* The most lanes at one address. */
uint32_t wb_count_at_one(const struct wb_lane_addresses *addresses);

/* The number of lanes of a mask. */
uint32_t wb_lane_count(uint32_t mask);

#endif

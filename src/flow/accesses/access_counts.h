/* How many sectors, lines and passes over the banks the addresses of a warp's lanes need. */
#ifndef WB_FLOW_ACCESSES_ACCESS_COUNTS_H
#define WB_FLOW_ACCESSES_ACCESS_COUNTS_H

#include "values/lanes/lane_values.h"

#include <stdint.h>

/* The addresses of a warp's lanes: of lane l first + distance[l], where first is `residue` modulo
 * 2^bits. */
struct wb_lane_addresses {
  int64_t distance[WB_LANES];
  uint64_t residue;
  unsigned bits;
  uint32_t lanes; /* those that may be there */
  unsigned bytes; /* of each lane, 1 to 32; each lane's address is a multiple of it */
};

/* The most units of 2^places bytes that the lanes touch, whatever the first address may be: sectors
 * with 5, lines with 7. */
uint32_t wb_count_units(const struct wb_lane_addresses *addresses, unsigned places);

/* The most passes over 32 banks of 4 bytes: in a pass a bank gives one word. The lanes of 8 bytes
 * go in two parts of 16 lanes, those of 16 bytes in four of 8: passes of the parts are added. */
uint32_t wb_count_passes(const struct wb_lane_addresses *addresses);

/* The most lanes with one address. */
uint32_t wb_count_at_one(const struct wb_lane_addresses *addresses);

/* The most sectors (places 5) or lines (7) of local memory, where words of the lanes lie side by
 * side: word o of lane l is number 32 o + l. */
uint32_t wb_count_local_units(const struct wb_lane_addresses *addresses, unsigned places);

#endif

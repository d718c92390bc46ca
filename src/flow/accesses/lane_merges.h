/* Where lanes of a warp that came apart become one group again, and what they may have written
 * since (doc/accesses.md). */
#ifndef WB_FLOW_ACCESSES_LANE_MERGES_H
#define WB_FLOW_ACCESSES_LANE_MERGES_H

#include "base/status.h"
#include "cfg/agreement/lane_agreement.h"
#include "flow/loop_bounds/thread_flow.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lanes that came apart at the end of block `from` may be together at the begin of block `to`: all
 * registers but those of `written` are then as they were. */
struct wb_lane_merge {
  uint32_t from, to;
  struct wb_register_set written;
};

/* By ascending `from`. */
struct wb_lane_merges {
  struct wb_lane_merge *items;
  size_t count, capacity;
};

/* All merges of a graph whose threads take no way but the flow's edges. *known: false where they
 * cannot be told (recursion, or too much work): lanes may then be together anywhere. Errors:
 * WARPBOUND_INTERNAL (memory). */
warpbound_status wb_lane_merges_find(const struct wb_thread_flow *flow,
                                     struct wb_lane_merges *merges, bool *known,
                                     warpbound_error *error);

void wb_lane_merges_free(struct wb_lane_merges *merges);

#endif

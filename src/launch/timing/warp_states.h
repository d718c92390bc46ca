/* The graph of a warp's own steps, and what may keep the warp at a place of it
 * (doc/warp-timing.md).
 */
#ifndef WB_LAUNCH_TIMING_WARP_STATES_H
#define WB_LAUNCH_TIMING_WARP_STATES_H

#include "model/timed_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All borrowed. A node is a stretch of instructions without a barrier but as
 * its last one; one with first > last has none. */
struct wb_timing_graph {
  size_t node_count, edge_count;
  const uint32_t *first, *last; /* by node: instructions */
  const bool *interleaved;      /* by node: other groups of lanes of the warp may run between its
                                   instructions; NULL: at no node */
  const bool *ends;             /* by node: the warp may end after it; NULL: after any */
  const uint32_t *from, *to;    /* by edge */
  const uint32_t *starts;       /* nodes where the warp begins */
  size_t start_count;
};

/* What may still keep the warp at a node's begin, in 1 / denominator cycles after the time that its
 * own steps have taken so far, as far as these are counted: the release of each scoreboard (by
 * results and by read operands), the end of the service of each resource that the warp has taken at
 * issue, and the end of everything. */
struct wb_pending {
  uint64_t scoreboard[WB_SCOREBOARD_COUNT];
  uint64_t service[WB_RESOURCE_LIMIT]; /* of resources taken at issue; 0 of others */
  uint64_t end;
  uint64_t stay; /* until the warp needs its SM no more: at most `end` */
};

/* From an instruction's issue, in 1 / denominator cycles. */
struct wb_release_times {
  uint64_t write;   /* until its results are there */
  uint64_t read;    /* until its operands are read */
  uint64_t service; /* until the last server that it takes at issue is free */
  uint64_t end;     /* until all of these */
  uint64_t stay;    /* until it needs its SM no more */
};

#endif

/* Barriers that a group of the block's warps passes by itself (BAR.SYNC 1, 64 by two of four warps,
 * BAR.SYNC 2, 64 by the others), and whether none of a kernel's barriers waits for ever. */
#ifndef WB_FLOW_BARRIERS_BARRIER_GROUPS_H
#define WB_FLOW_BARRIERS_BARRIER_GROUPS_H

#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "values/launch.h"

#include <stdbool.h>

/* What is asked of a kernel and its launch. All borrowed. */
struct wb_group_question {
  const struct wb_warp_graph *graph;
  const struct wb_loop_forest *forest;
  const struct wb_launch *launch;
  const bool *unchanged; /* as of wb_barrier_agreement_find */
};

/* *shown: the warps of a block fall into groups by the barriers with a count that they pass. Each
 * such barrier is of one group, and counts its warps; all warps of a group pass as many of their
 * barriers and of those of the block, in the same order, and all warps of the block as many of the
 * block's (doc/all-paths.md, "Barriers of groups"). Then none waits for ever, and those of groups
 * become barriers (WB_UNIT_BARRIER) of the instructions, which are those of the graph's function;
 * else nothing changes. *reads_only: as of agreements. Errors: WARPBOUND_INTERNAL (memory). Time:
 * that of the bounds of loops for each warp. */
warpbound_status wb_barrier_groups_find(const struct wb_group_question *question,
                                        struct wb_instruction *instructions, bool *shown,
                                        bool *reads_only, warpbound_error *error);

#endif

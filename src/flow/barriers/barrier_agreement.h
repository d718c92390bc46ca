/* Whether the code shows that all warps of a block pass the same barriers in the same order: every
 * choice on the way to a barrier is made by values that all threads of the block share
 * (doc/all-paths.md, "The same barriers"). */
#ifndef WB_FLOW_BARRIERS_BARRIER_AGREEMENT_H
#define WB_FLOW_BARRIERS_BARRIER_AGREEMENT_H

#include "base/status.h"
#include "cfg/warp_graph/warp_graph.h"
#include "flow/barriers/early_ends.h"

#include <stdbool.h>
#include <stdint.h>

/* A barrier that warps of a block may pass in different ways, and the branch at which they may go
 * different ways to it, the barrier itself where it is its guard or its lanes: instructions. */
struct wb_disagreement {
  uint32_t barrier, choice;
};

/* Whose threads are compared. */
enum wb_compared_warps {
  WB_COMPARED_BLOCK,  /* of a block */
  WB_COMPARED_LAUNCH, /* of all blocks, for `same_path`: all of the launch take one path */
  WB_COMPARED_GROUP   /* of a group of a block's warps, whose barriers wait for these alone: warps
                         beside them may write shared memory at any time */
};

/* Owns its array: wb_barrier_agreement_free. */
struct wb_barrier_agreement {
  bool agreed;    /* they do, provided that barriers are for all warps of the block; false where the
                     code does not show it */
  bool as_many;   /* `agreed`, or they pass as many barriers of the same numbers in the same order,
                     the k-th ones at different places: none waits for ever. Of ends anywhere:
                     each passes the first ones of one such sequence */
  bool *alike;    /* by block: all warps of the block of threads run it in one common sequence with
                     barriers and other such blocks, and leave it by the same edge */
  bool same_path; /* no choice differs between warps of a block: all of them take one path */
  bool reads_only; /* it rests on that nothing writes what loads of global memory say to be read
                      alone (ld.global.nc) */
  struct wb_disagreement disagreement; /* the first one, where they do not agree */
};

/* early_ends: warps that end before the first barrier, or any others, do not count. What is found
 * then holds where a barrier waits for those warps of the block alone that have not ended: of
 * WB_ENDS_FIRST `agreed` is about the warps that pass some barrier; of WB_ENDS_ANYWHERE each warp
 * passes the first ones of one sequence, which says nothing of phases, and no block is alike.
 * compared: where it is all of the launch, reads_only stays false.
 * unchanged: by instruction, loads of global memory that nothing writes while the kernel runs, as
 * somebody says: threads that load from one address get one value, as of `reads_only`, which they
 * do not set; NULL: none. Time: a few passes over the graph for each branch whose choice threads do
 * not share. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_barrier_agreement_find(const struct wb_warp_graph *graph,
                                           enum wb_early_ends early_ends,
                                           enum wb_compared_warps compared, const bool *unchanged,
                                           struct wb_barrier_agreement *agreement,
                                           warpbound_error *error);
void wb_barrier_agreement_free(struct wb_barrier_agreement *agreement);

#endif

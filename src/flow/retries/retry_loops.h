/* Loops that try a compare-and-swap until it succeeds, and how often they can fail: each time
 * something has been written meanwhile. Proof: doc/loop-bounds.md, "Loops that try
 * again". */
#ifndef WB_FLOW_RETRIES_RETRY_LOOPS_H
#define WB_FLOW_RETRIES_RETRY_LOOPS_H

#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "flow/loop_bounds/thread_flow.h"
#include "values/launch.h"

#include <stdbool.h>
#include <stdint.h>

/* What a loop tries. */
struct wb_retry_loop {
  bool found;   /* the loop is of this kind */
  bool reloads; /* each turn loads the word that it compares; else that is what the swap of the turn
                   before has returned */
  bool may_pass;  /* the swap may fail beside a lane of its warp that tries in its place */
  bool shared;    /* the word is in shared memory */
  bool generic;   /* it is in global or shared memory */
  uint8_t bytes;  /* of the word: 4 or 8 */
  uint32_t swap;  /* the instruction */
  uint32_t block; /* that runs it */
};

/* Whether a loop of the forest is of this kind. False where memory is out. Time: the loop's code.
 */
bool wb_retry_loop_find(const struct wb_thread_flow *flow, const struct wb_loop_forest *forest,
                        uint32_t loop, struct wb_retry_loop *retry);

/* What bounds such a loop. */
struct wb_retry_bound {
  bool found;
  struct wb_retry_loop loop;
  uint64_t bound;   /* back edges of a thread for each entry */
  uint64_t writes;  /* that all threads make */
  bool of_block;    /* no thread of another block can write the word */
  uint64_t threads; /* that can, of the launch or of the block */
};

/* What bounds all such loops of a thread together. */
struct wb_retry_sum {
  bool found;
  uint64_t runs; /* how often a thread runs their swaps, in all entries of all these loops */
};

/* Bounds the loops of this kind. bounds: by loop, back edges of any thread of the launch for each
 * entry, UINT64_MAX where that is not known; retries: by loop; sum: of those that are found.
 * launch: with the sizes of grid and block, else nothing is found. Errors: WARPBOUND_INTERNAL
 * (memory). Linear in the code times how deep loops nest, for each kind of word: of 4 or 8 bytes,
 * in shared, global or any memory; and in what writes, times the loops. */
warpbound_status wb_retry_bounds_find(const struct wb_warp_graph *graph,
                                      const struct wb_loop_forest *forest,
                                      const struct wb_launch *launch, const uint64_t *bounds,
                                      struct wb_retry_bound *retries, struct wb_retry_sum *sum,
                                      warpbound_error *error);

/* Whether an instruction may write memory that threads share. */
bool wb_writes_shared_memory(const struct wb_function *function, uint32_t instruction);

#endif

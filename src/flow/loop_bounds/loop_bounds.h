/* Loop bounds that the code itself shows: counters with known start, step and limit. */
#ifndef WB_FLOW_LOOP_BOUNDS_LOOP_BOUNDS_H
#define WB_FLOW_LOOP_BOUNDS_LOOP_BOUNDS_H

#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "values/interval/interval_domain.h"
#include "values/launch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bound of one loop that the code shows. Owns its texts. */
struct wb_found_bound {
  bool found;
  bool by_width;  /* the bound rests on the width of a register alone: true, but of no use */
  uint64_t bound; /* back edges that a thread takes at most for each entry of the loop */
  uint64_t least; /* back edges that every thread takes at least that enters the loop and leaves it;
                     0: nothing is known. Not above `bound` where that is found */
  bool summed;    /* found, and `sum` has a meaning */
  uint64_t sum;   /* back edges that a thread takes at most for each entry of the loop right around
                     this one: fewer than what the bounds of both allow together */
  uint64_t step_least, step_most; /* by how much one turn changes the counters of the loop's tests,
                                     up or down: the least and the greatest; 0: not known */
  char *reason;           /* for people ("R4 starts at 0, ..."); NULL where nothing was found */
  const char *assumption; /* what of the hardware the bound rests on; static; NULL: nothing that is
                             not said of the graph */
  char *hint; /* where nothing was found, or by_width: the comparison of a counter and what would
                 bound it ("R4's limit comes from c[0x0][0x148] ..."); or NULL */
};

/* Bounds the loops of the forest (of the graph's edges of threads) by abstract interpretation of
 * counters; a bound that is found holds for every execution, and so does `least`. found: by loop,
 * loop_count members. launch: NULL where it is not known. Time: the code's length times the depth
 * of loops (at most 16). Errors: WARPBOUND_INTERNAL (memory). Proof: doc/loop-bounds.md. */
warpbound_status wb_loop_bounds_find(const struct wb_warp_graph *graph,
                                     const struct wb_loop_forest *forest,
                                     const struct wb_launch *launch, struct wb_found_bound *found,
                                     warpbound_error *error);

/* Called for each instruction that a thread may come to, with what surely holds before it. */
typedef void wb_thread_visit(void *context, const struct wb_interval_context *thread,
                             uint32_t instruction);

/* Visits the instructions of all blocks, each in each of its contexts, with what is known of the
 * registers of any thread. *whole: false where the flow of threads is not known, and nothing is
 * visited. Pointers of the launch's buffers are known as such (WB_VALUE_BUFFERS). Errors:
 * WARPBOUND_INTERNAL (memory). */
warpbound_status wb_threads_visit(const struct wb_warp_graph *graph,
                                  const struct wb_loop_forest *forest,
                                  const struct wb_launch *launch, wb_thread_visit *visit,
                                  void *context, bool *whole, warpbound_error *error);

/* Frees the array and its texts; NULL is allowed. */
void wb_found_bounds_free(struct wb_found_bound *found, size_t count);

#endif

/* What is known of some threads of a block where they choose their way and where they come to
 * barriers, by the intervals of what their registers hold. */
#ifndef WB_FLOW_BARRIERS_BARRIER_VISITS_H
#define WB_FLOW_BARRIERS_BARRIER_VISITS_H

#include "base/arena.h"
#include "base/status.h"
#include "cfg/graph/loops.h"
#include "cfg/warp_graph/warp_graph.h"
#include "values/launch.h"

#include <stdbool.h>
#include <stdint.h>

/* Which barrier an instruction is about, and for how many threads: BAR.SYNC 0x1, 0x40. */
struct wb_barrier_name {
  bool known;       /* both are the same number for all of the threads, at all visits */
  bool counted;     /* the instruction names a count; else the barrier is for the whole block */
  uint32_t number;  /* of the barrier */
  uint32_t threads; /* where it is counted */
};

/* By instruction; of those outside of the graph, and where nothing is known, `reached` is true and
 * all else false. */
struct wb_barrier_visits {
  bool known;                    /* the flow of threads is */
  bool *reached;                 /* some of the threads may come to it */
  bool *idle;                    /* none does it: its guard is false for all that come */
  bool *always;                  /* its guard is true for all that come */
  struct wb_barrier_name *names; /* of barriers that they may do */
};

/* Whether the instruction names a count of threads, or a register that may be one. */
bool wb_barrier_is_counted(const struct wb_function *function,
                           const struct wb_instruction *barrier);

struct wb_interval_context;

/* What a thread names that comes to a barrier. */
struct wb_barrier_name wb_barrier_name_of(const struct wb_interval_context *thread,
                                          const struct wb_instruction *barrier);

/* The threads of a warp of a block of launch->block threads, a box of them, in all blocks; false
 * where they are not one. Threads are numbered along x, then y, then z, and 32 in a row are a warp.
 */
bool wb_warp_slice(const struct wb_launch *launch, uint32_t warp, struct wb_launch_slice *slice);

/* launch: of the threads of its slice, or of all. The arrays are in the arena. Errors:
 * WARPBOUND_INTERNAL (memory). Time: that of the bounds of loops. */
warpbound_status wb_barrier_visits_find(const struct wb_warp_graph *graph,
                                        const struct wb_loop_forest *forest,
                                        const struct wb_launch *launch, struct wb_arena *arena,
                                        struct wb_barrier_visits *visits, warpbound_error *error);

#endif

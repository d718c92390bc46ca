/* The barriers that one warp comes to, one after the other, where the launch decides its way
 * (doc/all-paths.md, "Arrivals and waits"). */
#ifndef WB_FLOW_BARRIERS_BARRIER_HISTORY_H
#define WB_FLOW_BARRIERS_BARRIER_HISTORY_H

#include "base/status.h"
#include "flow/barriers/barrier_rounds.h"
#include "flow/loop_bounds/thread_flow.h"
#include "values/launch.h"

#include <stdbool.h>
#include <stdint.h>

/* What is followed. All borrowed. */
struct wb_history_question {
  const struct wb_thread_flow *flow; /* whole */
  const struct wb_dominators *after; /* by block: the place that all ways from it lead through; of
                                        the blocks, and the way out behind them */
  const struct wb_launch *launch;    /* of the threads of the warp: its slice */
};

/* Owns its array: wb_found_history_free. */
struct wb_found_history {
  bool known;
  struct wb_barrier_event *events;
  size_t count;
  size_t capacity;
  uint32_t threads[WB_BARRIER_NUMBERS]; /* by number, that each of its barriers names; 0: they name
                                           no count, and wait for the block */
  uint32_t named;                       /* the numbers that it comes to: a set */
};

/* Follows the warp, at most *steps instructions, which it takes off. reached: by instruction,
 * barriers that it does are marked. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_barrier_history_find(const struct wb_history_question *question,
                                         uint64_t *steps, bool *reached,
                                         struct wb_found_history *found, warpbound_error *error);
void wb_found_history_free(struct wb_found_history *found);

#endif

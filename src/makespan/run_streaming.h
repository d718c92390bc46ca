/* The longest paths of the run abstraction without its table: a sweep through the levels
 * of its states that keeps a few of them at a time. */
#ifndef WB_MAKESPAN_RUN_STREAMING_H
#define WB_MAKESPAN_RUN_STREAMING_H

#include "base/control.h"
#include "makespan/run_table.h"
#include "model/problem.h"

#include <stdint.h>

/* Bytes that the sweep takes on so many threads where no path longer than `most` cycles
 * is of interest; 0 where they are more than `memory` or cannot be counted. *states: how
 * many it goes through. */
uint64_t wb_run_streaming_plan(const struct wb_problem *problem, struct wb_run_cut cut,
                               uint64_t most, uint64_t memory, uint64_t *states);

/* cycles[w] for w = 1 .. W: the longest path of w warps that stand before the first run,
 * 0 where it is longer than `most` (cycles[0] is 0). Runs on control->threads threads; the
 * result does not depend on how many. *stop says how it ended; only with WB_STOP_NONE are
 * the cycles set. WB_STOP_MEMORY: the memory allowed (control->memory_limit) does not
 * suffice, or was not to be had. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_run_streaming(const struct wb_problem *problem, struct wb_run_cut cut,
                                  uint64_t most, const struct wb_control *control, uint64_t *cycles,
                                  enum wb_stop *stop, warpbound_error *error);

#endif

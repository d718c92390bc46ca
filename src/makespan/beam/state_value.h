/* The value of a state of the machine: an estimate of the cycles that it can
 * still last, cheap to keep up to date from one state to the next. */
#ifndef WB_MAKESPAN_BEAM_STATE_VALUE_H
#define WB_MAKESPAN_BEAM_STATE_VALUE_H

#include "base/arena.h"
#include "base/status.h"
#include "model/problem.h"

#include <stdint.h>

/* Values are in fixed point, so that every machine finds the same: one cycle. */
#define WB_VALUE_CYCLE (INT64_C(1) << 20)
/* Longest string, and most warps, of a problem that values are made for. */
#define WB_VALUE_MOST 65535

/* The estimate of a state is the sum of
 *   position[p]           over the unfinished warps, p being the instructions done;
 *   last[p]               for the one warp that has done least;
 *   ready[u][min(n, M)]   over the types, n warps waiting for u, M = ready_limit.
 * Each is in 1/WB_VALUE_CYCLE cycles. Nothing is claimed of how near it is to the truth.
 * Invariant: position[length] = last[length] = 0; no value above 2^40 in magnitude. */
struct wb_state_value {
  size_t length;
  int64_t *position; /* length + 1 */
  int64_t *last;     /* length + 1 */
  uint32_t ready_limit;
  int64_t *ready[WB_UNIT_COUNT]; /* ready_limit + 1 each */
  struct wb_arena arena;         /* of the arrays */
};

/* Values that are all 0. Free with wb_state_value_free, failed or not.
 * Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_state_value_start(struct wb_state_value *value,
                                      const struct wb_problem *problem, uint32_t ready_limit,
                                      warpbound_error *error);
void wb_state_value_free(struct wb_state_value *value);

#endif

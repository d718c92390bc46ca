/* Long schedules of large problems of one partition, by a portfolio of wide beams. */
#ifndef WB_MAKESPAN_BEAM_BEAM_PORTFOLIO_H
#define WB_MAKESPAN_BEAM_BEAM_PORTFOLIO_H

#include "base/arena.h"
#include "base/random.h"
#include "makespan/beam/portfolio.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values are in fixed point, so that every machine finds the same: one cycle. */
#define WB_VALUE_CYCLE (INT64_C(1) << 20)
/* Longest string, and most warps, of a problem that values are made for. */
#define WB_VALUE_MOST 65535

/* Waiting warps of a type up to which their number counts. */
#define WB_VALUE_READY 12

/* The estimate of a state is the sum of
 *   position[p]           over the unfinished warps, p being the instructions done;
 *   last[p]               for the one warp that has done least;
 *   ready[u][min(n, M)]   over the types, n warps waiting for u, M = WB_VALUE_READY.
 * Each is in 1/WB_VALUE_CYCLE cycles. Nothing is claimed of how near it is to the truth.
 * Invariant: position[length] = last[length] = 0; no value above 2^40 in magnitude. */
struct wb_state_value {
  int64_t *position; /* length + 1 */
  int64_t *last;     /* length + 1 */
  int64_t ready[WB_UNIT_COUNT][WB_VALUE_READY + 1];
};

/* Values that are all 0, their arrays in an arena. false: no memory. */
bool wb_state_value_start(struct wb_state_value *value, const struct wb_problem *problem,
                          struct wb_arena *arena);

/* A plan of an estimate. */
struct wb_value_plan {
  size_t length;
  uint8_t *types;     /* of each instruction */
  int64_t *drop;      /* by instruction: the value that a warp gives up by issuing it */
  int64_t *last_drop; /* by instruction: the value that the state gives up besides where that was
                         its least advanced warp */
  int64_t ready[WB_UNIT_COUNT][WB_VALUE_READY + 1]; /* as in wb_state_value */
};

/* How many ways there are to begin. */
#define WB_FIRST_PLANS 8
/* The first plans: an instruction is worth the share of a cycle in which it keeps its
 * units busy (1/s_u), or less where it leaves a run, and the warp that is furthest behind
 * from nothing to a cycle for each instruction besides; in some, instructions are worth the
 * more the later they stand, so that the warps behind go first. which: from 0 to
 * WB_FIRST_PLANS - 1. The arrays are in an arena. false: no memory. */
bool wb_value_plan_start(struct wb_value_plan *plan, const struct wb_problem *problem,
                         unsigned which, struct wb_arena *arena);

/* The estimate that the plan makes; value was started for the same problem. */
void wb_value_plan_apply(const struct wb_value_plan *plan, struct wb_state_value *value);

/* Only where wb_wide_beam_fits. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_beam_portfolio(const struct wb_problem *problem,
                                   const struct wb_portfolio_options *options,
                                   const struct wb_control *control,
                                   struct wb_portfolio_result *result, warpbound_error *error);

#endif

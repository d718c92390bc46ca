/* A beam search through the machine's real states that needs no table: it goes cycle by
 * cycle and keeps the states that a given estimate values most. */
#ifndef WB_MAKESPAN_BEAM_WIDE_BEAM_H
#define WB_MAKESPAN_BEAM_WIDE_BEAM_H

#include "base/work_control.h"
#include "makespan/beam/portfolio.h"
#include "model/problem.h"

#include <stdbool.h>
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

/* Whether the search can be used on the problem: at most WB_VALUE_MOST warps and
 * instructions, at most 4096 of one of them, and a schedule within WB_SCHEDULE_LIMIT. */
bool wb_wide_beam_fits(const struct wb_problem *problem);

/* Tries those moves of a state that give up the least value. Layer t holds states that t cycles
 * lead to, each once (states of one 64-bit hash are taken to be the same, which can lose a state
 * but never make a false schedule), at most `width` of them, those with the largest estimates; ties
 * are broken by the hash. Every schedule found is one of the machine's. Deterministic, but for the
 * control's limits. Time: makespan * width * (branch + positions occupied). The control is asked
 * every few thousand steps; its progress is not told. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_wide_beam_search(const struct wb_problem *problem,
                                     const struct wb_state_value *value,
                                     const struct wb_beam_options *options,
                                     const struct wb_control *control,
                                     struct wb_beam_result *result, warpbound_error *error);

#endif

/* A beam search through the machine's real states that needs no table: it goes cycle by
 * cycle and keeps the states that a given estimate values most. */
#ifndef WB_MAKESPAN_BEAM_WIDE_BEAM_H
#define WB_MAKESPAN_BEAM_WIDE_BEAM_H

#include "base/work_control.h"
#include "makespan/beam/portfolio.h"
#include "makespan/beam/beam_portfolio.h"
#include "model/problem.h"

#include <stdbool.h>

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

/* Long schedules of large problems: beams under many estimates, the best of which are
 * changed at random and tried again, in ever wider beams. */
#ifndef WB_MAKESPAN_BEAM_BEAM_PORTFOLIO_H
#define WB_MAKESPAN_BEAM_BEAM_PORTFOLIO_H

#include "base/control.h"
#include "makespan/beam/state_value.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stdint.h>

/* lower: only schedules longer than this count; upper: where one is as long as this there
 * is nothing left to find. steps: steps of all beams after which to end (0: none; then the
 * control must have a limit). value: an estimate to try first, NULL: none; borrowed. */
struct wb_portfolio_options {
  uint64_t lower;
  uint64_t upper;
  uint64_t steps;
  const struct wb_state_value *value;
};

/* longest: cycles of the witness, or options.lower where there is none. complete: a beam left
 * nothing out. stop: what else ended the search, WB_STOP_NONE for its amount or the upper end.
 * beams: how many were run; states, steps: of all; peak: states kept of a cycle by a generation, at
 * most; bytes: most of a generation, all its beams at a time. Free the witness with
 * wb_schedule_free. */
struct wb_portfolio_result {
  uint64_t longest;
  struct wb_schedule witness;
  bool complete;
  enum wb_stop stop;
  uint64_t beams;
  uint64_t states;
  uint64_t peak;
  uint64_t steps;
  uint64_t bytes;
};

/* Whether it can be used on the problem: wb_wide_beam_fits. In turn: beams under the first
 * estimates; then, generation by generation, beams under random changes of the best one,
 * which is replaced by what is not worse; where that stops paying, beams of twice the
 * width. Deterministic, whatever the number of threads, without a time limit.
 * Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_beam_portfolio(const struct wb_problem *problem,
                                   const struct wb_portfolio_options *options,
                                   const struct wb_control *control,
                                   struct wb_portfolio_result *result, warpbound_error *error);

#endif

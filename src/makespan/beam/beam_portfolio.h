/* Long schedules of large problems: beams under many estimates, the best of which are
 * changed at random and tried again, in ever wider beams. */
#ifndef WB_MAKESPAN_BEAM_BEAM_PORTFOLIO_H
#define WB_MAKESPAN_BEAM_BEAM_PORTFOLIO_H

#include "base/work_control.h"
#include "makespan/beam/state_value.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stdint.h>

struct wb_portfolio_options {
  uint64_t lower; /* cycles: only longer schedules count */
  uint64_t upper; /* cycles: nothing is longer */
  uint64_t steps; /* of all beams after which to end; 0: none, then the control must have a limit */
  const struct wb_state_value *value; /* an estimate to try first, borrowed; NULL: none */
};

/* The outcome. Free the witness with wb_schedule_free. */
struct wb_portfolio_result {
  uint64_t longest; /* cycles of the witness; options.lower where there is none */
  struct wb_schedule witness;
  bool complete; /* a beam has left nothing out */
  /* why it ended, WB_STOP_NONE: its steps are used up, or the upper end is reached */
  enum wb_stop stop;
  uint64_t beams;  /* that were run */
  uint64_t states; /* of all beams */
  uint64_t peak;   /* most states of a cycle in a generation */
  uint64_t steps;  /* of all beams */
  uint64_t bytes;  /* most of a generation, all its beams at a time */
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

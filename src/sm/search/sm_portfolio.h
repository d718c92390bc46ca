/* Long schedules of a whole SM: beams under many estimates, the best of which are changed at random
 * and tried again, in ever wider beams. */
#ifndef WB_SM_SEARCH_SM_PORTFOLIO_H
#define WB_SM_SEARCH_SM_PORTFOLIO_H

#include "base/work_control.h"
#include "makespan/machine/schedule.h"
#include "model/sm_problem.h"

#include <stdbool.h>
#include <stdint.h>

/* Most warps of a beam. */
#define WB_SM_BEAM_WARPS UINT32_C(4096)

struct wb_sm_portfolio_options {
  uint64_t lower; /* cycles: only longer schedules count */
  uint64_t upper; /* cycles: nothing is longer */
  uint64_t steps; /* of all beams after which to end; 0: none, then the control must have a limit */
};

/* The outcome. Free the witness with wb_schedule_free. */
struct wb_sm_portfolio {
  uint64_t longest; /* cycles of the witness; options.lower where there is none (its issue_cycle is
                       NULL) */
  struct wb_schedule witness;
  /* why it ended, WB_STOP_NONE: its steps are used up, or the upper end is reached */
  enum wb_stop stop;
  uint64_t beams;  /* that were run */
  uint64_t states; /* of all beams */
  uint64_t steps;  /* of all beams */
  uint64_t bytes;  /* most of a generation */
};

/* Whether it can be used on the problem: not too many warps and letters. */
bool wb_sm_portfolio_fits(const struct wb_sm_problem *problem);

/* string_of: NULL for any strings, which are then chosen in the beams. In turn: beams under the
 * first estimates; then, eight at a time, under random changes of the best one, which is replaced
 * by what is not worse; where that stops paying, beams of twice the width. Deterministic, whatever
 * the number of threads, without a time limit. Only for what fits (asserted). Errors:
 * WARPBOUND_INTERNAL. */
warpbound_status wb_sm_portfolio_search(const struct wb_sm_problem *problem,
                                        const uint32_t *string_of,
                                        const struct wb_sm_portfolio_options *options,
                                        const struct wb_control *control,
                                        struct wb_sm_portfolio *portfolio, warpbound_error *error);

#endif

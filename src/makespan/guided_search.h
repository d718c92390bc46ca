/* Closing a bracket: tables of ever finer cuts from above, beams of growing width
 * from below, and a search of all states that could still be longer. */
#ifndef WB_MAKESPAN_GUIDED_SEARCH_H
#define WB_MAKESPAN_GUIDED_SEARCH_H

#include "base/control.h"
#include "makespan/schedule.h"
#include "model/problem.h"

#include <stdint.h>

/* lower and upper: in, a valid bracket; out, a valid one that is no wider. witness: a
 * schedule of `lower` cycles where the search raised it, else empty. from_above names
 * what gave `upper` ("run-abstraction" or "guided-search"), NULL where it stood. stop:
 * why the bracket is still open, where it is. states, peak, bytes: decided in all, in
 * the largest piece, and its memory. Free the witness with wb_schedule_free. */
struct wb_guided_result {
  uint64_t lower;
  uint64_t upper;
  struct wb_schedule witness;
  const char *from_above;
  enum wb_stop stop;
  uint64_t states;
  uint64_t peak;
  uint64_t bytes;
};

/* Whether the search can work on the problem: at most 255 warps, a schedule within
 * WB_SCHEDULE_LIMIT, and a table of the string's own runs within half of the memory. */
bool wb_guided_search_fits(const struct wb_problem *problem, uint64_t memory);

/* Narrows the bracket until it is closed or a limit of the control is reached. In turn:
 * the table for a cut of the string into runs; beams, whose schedules raise `lower`;
 * all states that the table does not exclude from a schedule of lower + 1 cycles: if
 * there is none, upper = lower. Where they are too many the cut is made finer (proof
 * that any cut is safe: doc/makespan.md). Half of the memory is for a table, half for
 * states. Deterministic without a time limit. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_guided_search(const struct wb_problem *problem,
                                  const struct wb_control *control, struct wb_guided_result *result,
                                  warpbound_error *error);

#endif

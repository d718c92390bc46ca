/* Closing a bracket: tables of ever finer cuts from above, beams of growing width
 * from below, and a search of all states that could still be longer. */
#ifndef WB_MAKESPAN_EXACT_GUIDED_SEARCH_H
#define WB_MAKESPAN_EXACT_GUIDED_SEARCH_H

#include "base/control.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* lower and upper: in, a valid bracket; out, a valid one that is no wider. runs_known: in,
 * `upper` is at most what the table of the string's own runs says. witness: a
 * schedule of `lower` cycles where the search raised it, else empty. runs_cycles: what the
 * table of the string's own runs says, UINT64_MAX where it was not made. from_above names
 * what gave `upper` ("run-abstraction" or "guided-search"), NULL where it stood. stop:
 * why the bracket is still open, where it is. states, peak, bytes: decided in all, in
 * the largest segment, and its memory. cut[0 .. cut_count-1]: lengths of the segments of the cut
 * whose table alone gives `upper`; NULL where no table does. Free with
 * wb_guided_result_free. */
struct wb_guided_result {
  uint64_t lower;
  uint64_t upper;
  bool runs_known;
  struct wb_schedule witness;
  uint64_t runs_cycles;
  const char *from_above;
  enum wb_stop stop;
  uint64_t states;
  uint64_t peak;
  uint64_t bytes;
  uint32_t *cut;
  size_t cut_count;
};
void wb_guided_result_free(struct wb_guided_result *result);

/* What to do, on the way, for the numbers of warps below the problem's down to `fewest`:
 * their upper ends stand in the same table, and beams under it find them schedules.
 * offer is told each of them, largest first, and again where a finer table says more:
 * `upper`, and a schedule (issue_cycle is NULL where none was looked for or found), which
 * it takes over. is_open: whether anything is left to find for so many. */
struct wb_guided_series {
  uint32_t fewest;
  bool (*is_open)(void *context, uint32_t warps);
  warpbound_status (*offer)(void *context, uint32_t warps, uint64_t upper,
                            struct wb_schedule *schedule, warpbound_error *error);
  void *context;
};

/* Whether the search can work on the problem: at most 255 warps, a schedule within
 * WB_SCHEDULE_LIMIT, and a table of the string's own runs, for values up to `upper`, within
 * half of the memory. */
bool wb_guided_search_fits(const struct wb_problem *problem, uint64_t upper, uint64_t memory);

/* Narrows the bracket until it is closed or a limit of the control is reached. In turn:
 * the table for a cut of the string into runs; beams, whose schedules raise `lower`;
 * all states that the table does not exclude from a schedule of lower + 1 cycles: if
 * there is none, upper = lower. Where they are too many the cut is made finer (proof
 * that any cut is safe: doc/makespan.md), at last so fine that its table is not kept; in
 * a series that may be for fewer warps, if it takes too long for all. series may be NULL. Half of
 * the memory is for a table, half for states. Deterministic without a time limit. Errors:
 * WARPBOUND_INTERNAL. */
warpbound_status wb_guided_search(const struct wb_problem *problem,
                                  const struct wb_guided_series *series,
                                  const struct wb_control *control, struct wb_guided_result *result,
                                  warpbound_error *error);

#endif

/* Closing a bracket: tables of ever finer cuts from above, beams of growing width
 * from below, and a search of all states that could still be longer. */
#ifndef WB_MAKESPAN_EXACT_GUIDED_SEARCH_H
#define WB_MAKESPAN_EXACT_GUIDED_SEARCH_H

#include "base/work_control.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bracket, before and after the search. Free with wb_guided_result_free. */
struct wb_guided_result {
  uint64_t lower;  /* cycles: in, a valid lower end; out, no less */
  uint64_t upper;  /* cycles: in, a valid upper end; out, no more */
  bool runs_known; /* in: `upper` is at most what the table of the string's own runs says */
  /* a schedule of `lower` cycles where the search has raised it, else empty */
  struct wb_schedule witness;
  /* what the table of the string's own runs says; UINT64_MAX: it was not made */
  uint64_t runs_cycles;
  const char *from_above; /* what has given `upper`, "run-abstraction" or "guided-search"; NULL: it
                             stands */
  enum wb_stop stop;      /* why the bracket is still open */
  uint64_t states;        /* decided in all */
  uint64_t peak;          /* states of the largest part of the search */
  uint64_t bytes;         /* of that part */
  /* lengths of the runs of the cut whose table alone gives `upper`; NULL: no table does */
  uint32_t *cut;
  size_t cut_count; /* of them */
};
void wb_guided_result_free(struct wb_guided_result *result);

/* The numbers of warps below the problem's down to `fewest`, which are served on the way: their
 * upper ends are in the same table, and beams under it find schedules of theirs. */
struct wb_guided_series {
  uint32_t fewest;
  /* Whether anything is left to find for so many warps. */
  bool (*is_open)(void *context, uint32_t warps);
  /* Is told each of them, largest first, and again where a finer table says more: the upper end,
   * and a schedule, which it takes over (issue_cycle is NULL where none was looked for or found).
   */
  warpbound_status (*offer)(void *context, uint32_t warps, uint64_t upper,
                            struct wb_schedule *schedule, warpbound_error *error);
  void *context; /* of both */
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

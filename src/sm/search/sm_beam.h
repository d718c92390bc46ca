/* A beam search through the states of a whole SM: it goes cycle by cycle and keeps the states that
 * an estimate values most. */
#ifndef WB_SM_SEARCH_SM_BEAM_H
#define WB_SM_SEARCH_SM_BEAM_H

#include "base/work_control.h"
#include "makespan/machine/schedule.h"
#include "model/sm_problem.h"
#include "sm/machine/sm_words.h"
#include "sm/search/sm_estimate.h"

#include <stddef.h>
#include <stdint.h>

struct wb_sm_beam_options {
  size_t width;         /* states kept of a cycle, 1 or more */
  size_t branch;        /* cycles tried of each state, 1 or more */
  uint64_t longer_than; /* cycles: only a longer schedule is made */
  uint64_t steps;       /* warps looked at after which to give up; 0: no limit */
  uint64_t memory;      /* most bytes */
  uint64_t seed;        /* of the random preferences */
};

/* The outcome. Free the witness with wb_schedule_free. */
struct wb_sm_beam_result {
  uint64_t longest;           /* cycles of the longest schedule found; 0: none was finished */
  struct wb_schedule witness; /* that schedule, where it is longer than asked, else empty */
  enum wb_stop stop;          /* why the search ended early */
  bool out_of_steps;          /* because of options.steps */
  uint64_t steps;             /* taken */
  uint64_t states;            /* kept in all */
  uint64_t bytes;             /* most held at a time */
};

/* words: of the problem, for any string where string_of is NULL, else warp w runs string
 * string_of[w]. From each state the warps are offered units (sm_machine.h) in a few orders: by
 * what the estimate says that each gives up, the least first, and by that with random changes; a
 * warp that may go on in several ways takes one at a time. Of states that differ in names only one
 * is kept (by a 64-bit hash: one may be lost, no schedule is ever false). Deterministic, but for
 * the control's limits. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_sm_beam_search(const struct wb_sm_problem *problem,
                                   const struct wb_sm_words *words, const uint32_t *string_of,
                                   const struct wb_sm_estimate *estimate,
                                   const struct wb_sm_beam_options *options,
                                   const struct wb_control *control,
                                   struct wb_sm_beam_result *result, warpbound_error *error);

#endif

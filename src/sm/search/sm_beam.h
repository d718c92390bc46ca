/* A beam search through the states of a whole SM: it goes cycle by cycle and keeps the states that
 * an estimate values most. */
#ifndef WB_SM_SEARCH_SM_BEAM_H
#define WB_SM_SEARCH_SM_BEAM_H

#include "makespan/beam/portfolio.h"
#include "model/sm_problem.h"
#include "sm/machine/sm_words.h"
#include "sm/search/sm_estimate.h"

#include <stdint.h>

/* words: of the problem, for any string where string_of is NULL, else warp w runs string
 * string_of[w]. From each state the warps are offered units (sm_machine.h) in a few orders: by
 * what the estimate says that each gives up, the least first, and by that with random changes; a
 * warp that may go on in several ways takes one at a time. Of states that differ in names only one
 * is kept (by a 64-bit hash: one may be lost, no schedule is ever false). No result is called
 * complete. Deterministic, but for
 * the control's limits. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_sm_beam_search(const struct wb_sm_problem *problem,
                                   const struct wb_sm_words *words, const uint32_t *string_of,
                                   const struct wb_sm_estimate *estimate,
                                   const struct wb_beam_options *options,
                                   const struct wb_control *control, struct wb_beam_result *result,
                                   warpbound_error *error);

#endif

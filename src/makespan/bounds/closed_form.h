/* Bounds on the makespan that need no search. */
#ifndef WB_MAKESPAN_BOUNDS_CLOSED_FORM_H
#define WB_MAKESPAN_BOUNDS_CLOSED_FORM_H

#include "base/status.h"
#include "model/problem.h"

#include <stdint.h>

/* The closed-form safe bound, in cycles (after Graham 1966 and Jaffe 1980; proof in
 * doc/makespan.md): I plus what W - 1 other warps can hold the last one up by.
 * Covers units that other partitions share. WARPBOUND_INVALID_INPUT where it
 * overflows 64 bits. */
warpbound_status wb_bound_closed_form(const struct wb_problem *problem, uint64_t *cycles,
                                      warpbound_error *error);

/* W * I: in every cycle at least one warp issues. Not valid with shared units
 * (asserted). */
warpbound_status wb_bound_serial(const struct wb_problem *problem, uint64_t *cycles,
                                 warpbound_error *error);

/* The least that every schedule takes, in cycles: the string itself, the work of a type over
 * its capacity (of the warps of all partitions where they share it), all work of the
 * partition over its issue slots. A lower bound on T(W), since some
 * work-conserving schedule exists. */
warpbound_status wb_bound_volume(const struct wb_problem *problem, uint64_t *cycles,
                                 warpbound_error *error);

/* Published, NOT safe where a capacity is 2 or more: sum of ceil(W / sigma_U) n_U
 * (ECRTS 2012, eq. 5-7). It knows no cap on issue slots. */
warpbound_status wb_published_pessimistic(const struct wb_problem *problem, uint64_t *cycles,
                                          warpbound_error *error);

/* Published, NOT safe: ceil(W / y) T(y) (ECRTS 2012, eq. 40-41), from the exact T(y). */
warpbound_status wb_published_tractable(const struct wb_problem *problem, uint32_t y,
                                        uint64_t makespan_of_y, uint64_t *cycles,
                                        warpbound_error *error);

#endif

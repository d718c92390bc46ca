/* Bounds on the makespan that need no search. */
#ifndef WB_MAKESPAN_BOUNDS_CLOSED_FORM_H
#define WB_MAKESPAN_BOUNDS_CLOSED_FORM_H

#include "base/status.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stdint.h>

/* WARPBOUND_INVALID_INPUT "the bound does not fit in 64 bits". */
warpbound_status wb_bound_overflow(warpbound_error *error);

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

/* The formula of 2011 for the time of a kernel's threads on one SM (doc/makespan.md). Published,
 * NOT safe: FT = 3 W + 2 + 2 W (rep - 1) cycles, W being the warps of 16 threads. False
 * where the problem does not have the shape that the formula is about: the string C (LLC)^rep L,
 * one load/store and two CUDA core instructions a cycle, at most two in all or no cap that binds;
 * the repetitions of LLC being the blocks between which the scheduler is fair, or only one of them
 * and no blocks; no units shared. False also where FT does not fit in 64 bits. */
bool wb_published_fair_time(const struct wb_problem *problem, uint64_t *cycles);

enum wb_part_kind {
  WB_PART_CHAIN,      /* the instructions of one warp, one after the other: I */
  WB_PART_UNIT,       /* the work of the other warps on one unit type: (W - 1) n_U / s_U */
  WB_PART_ISSUE_SLOTS /* the work of the other warps at the cap on issue slots: (W - 1) I / sigma */
};

struct wb_limiting_part {
  enum wb_part_kind kind;
  enum wb_unit unit; /* of WB_PART_UNIT */
  uint64_t cycles;   /* that the part takes at least, whatever the scheduler does: never more than a
                        makespan */
};

/* The largest part of the closed form: the chain of one warp, or
 * what the other warps' work on one unit type, or at the cap on issue slots, takes. Of equal ones
 * the first in this order. Of units that partitions share, the work of the warps of all of them. */
struct wb_limiting_part wb_limiting_part(const struct wb_problem *problem);

#endif

/* The independent checker of fairness between the repetitions of a sub-block. */
#ifndef WB_CERTIFICATE_SCHEDULE_FAIRNESS_CHECK_H
#define WB_CERTIFICATE_SCHEDULE_FAIRNESS_CHECK_H

#include "base/status.h"
#include "certificate/schedule/schedule_claim.h"

#include <stdint.h>

/* Checks the form of the repetitions claimed: they lie within the string and are equal, and there
 * is one string without barriers, one block and one partition. A claim of none passes. Errors:
 * WARPBOUND_INVALID_INPUT. */
warpbound_status wb_check_fair_blocks(const struct wb_check_schedule_claim *claim,
                                      warpbound_error *error);

/* Checks the fairness of a work-conserving schedule of `makespan` cycles: in no cycle does a warp
 * idle before an instruction of an earlier repetition than that of another warp which issues, if
 * both compete: for a unit, where they are of one type and all its units are taken, else for an
 * issue slot. Instructions before the repetitions are earlier than all, those after them later.
 * WARPBOUND_CHECK_FAILED: the message names the first violation by cycle, then warp, and its
 * reason. WARPBOUND_INTERNAL: out of memory. Time: nearly linear in the number of issue cycles
 * plus, for each type, makespan. */
warpbound_status wb_check_fairness(const struct wb_check_schedule_claim *claim, uint64_t makespan,
                                   warpbound_error *error);

#endif

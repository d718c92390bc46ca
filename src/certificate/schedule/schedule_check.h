/* The independent checker of schedules. It includes nothing of the makers of schedules. */
#ifndef WB_CERTIFICATE_SCHEDULE_SCHEDULE_CHECK_H
#define WB_CERTIFICATE_SCHEDULE_SCHEDULE_CHECK_H

#include "base/status.h"
#include "certificate/schedule/schedule_claim.h"

#include <stdint.h>

/* Checks that every warp runs its whole string in order, at most one instruction a cycle; that in
 * no cycle more instructions start than a type has units and a partition has issue slots; that no
 * warp that has done its k-th B issues before a cycle in which all warps of its block have done
 * theirs; that the schedule is work-conserving: in no cycle does an unfinished warp that waits for
 * no such barrier idle whose next type has a free unit while an issue slot is free; and, of a
 * schedule that is all this, the fairness that is claimed (fairness_check.h). WARPBOUND_OK sets
 * *makespan, in cycles. WARPBOUND_CHECK_FAILED: the message names the first violation by cycle,
 * then warp (both from 1), and its reason; warps whose lists do not fit their strings are reported
 * before all else. WARPBOUND_INVALID_INPUT: letters that are no types, types without units, warps
 * that cannot be divided into the blocks, strings that differ in their number of B.
 * WARPBOUND_INTERNAL: out of memory. Linear in the number of letters, of issue cycles, and
 * makespan; a makespan beyond the sum of all warps' instructions cannot be work-conserving and is
 * refused without memory for it. */
warpbound_status wb_check_schedule(const struct wb_check_schedule_claim *claim, uint64_t *makespan,
                                   warpbound_error *error);

#endif

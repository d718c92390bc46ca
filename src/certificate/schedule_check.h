/* The independent checker of schedules. It includes nothing of what makes
 * schedules, and takes plain numbers rather than the model's structs. */
#ifndef WB_CERTIFICATE_SCHEDULE_CHECK_H
#define WB_CERTIFICATE_SCHEDULE_CHECK_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* A claim: warps that ran a string in the cycles given.
 *   letters      the string, `length` characters of "LCSDN"
 *   capacity     most instructions of a type in a cycle, in the order L, C, S, D;
 *                0: not given (an error where the string uses it). N has no limit.
 *   issue_slots  most instructions in a cycle; 0: no cap
 *   cycles       for each warp its list of issue cycles, counted from 1
 *   counts       for each warp the length of that list
 *   fair_first, fair_length, fair_count
 *                the instructions from fair_first on (from 1) are fair_count repetitions of
 *                fair_length instructions, between which the scheduler is claimed to be fair;
 *                fair_count 0: no such claim
 * All borrowed. */
struct wb_schedule_claim {
  const char *letters;
  size_t length;
  uint64_t capacity[4];
  uint64_t issue_slots;
  size_t warps;
  const uint32_t *const *cycles;
  const size_t *counts;
  uint64_t fair_first;
  uint64_t fair_length;
  uint64_t fair_count;
};

/* Checks that every warp runs the whole string in order, at most one instruction a
 * cycle; that no type and no cycle has more instructions than it can; and that the
 * schedule is work-conserving: in no cycle does an unfinished warp idle whose next
 * type has a free unit while an issue slot is free; and of a schedule that is all this, the
 * fairness that is claimed (certificate/fairness_check.h).
 * WARPBOUND_OK sets *makespan. WARPBOUND_CHECK_FAILED: the message names the first
 * violation by cycle, then warp (both from 1), and its reason. Warps whose lists do
 * not fit the string are reported before all else. Linear in the number of issue
 * cycles plus makespan; a makespan beyond warps * length cannot be work-conserving
 * and is refused without memory for it. */
warpbound_status wb_schedule_check(const struct wb_schedule_claim *claim, uint64_t *makespan,
                                   warpbound_error *error);

#endif

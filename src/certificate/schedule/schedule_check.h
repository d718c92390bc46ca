/* The independent checker of schedules. It includes nothing of what makes
 * schedules, and takes plain numbers rather than the model's structs. */
#ifndef WB_CERTIFICATE_SCHEDULE_SCHEDULE_CHECK_H
#define WB_CERTIFICATE_SCHEDULE_SCHEDULE_CHECK_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A string: `length` characters of "LCSDNB". */
struct wb_check_claim_string {
  const char *letters;
  size_t length;
};

/* A claim: warps that ran strings in the cycles given.
 *   strings      string_count of them
 *   string_of    for each warp the string that it ran, from 0; NULL: all the first one
 *   capacity     most instructions of a type in a cycle, in the order L, C, S, D;
 *                0: not given (an error where a string uses it). N and B have no limit.
 *   shared       whether the capacity of a type is that of the SM; otherwise of each partition
 *   issue_slots  most instructions of a partition in a cycle; 0: no cap
 *   warps, blocks, partitions
 *                1 or more each. Warp w, from 0, is of block w / (warps / blocks), and of partition
 *                w % (warps / blocks) % partitions
 *   cycles       for each warp its list of issue cycles, counted from 1
 *   counts       for each warp the length of that list
 *   fair_first, fair_length, fair_count
 *                the instructions from fair_first on (from 1) are fair_count repetitions of
 *                fair_length instructions, between which the scheduler is claimed to be fair;
 *                fair_count 0: no such claim. Only with one string, block and partition and no B
 * All borrowed. */
struct wb_check_schedule_claim {
  const struct wb_check_claim_string *strings;
  size_t string_count;
  const uint32_t *string_of;
  uint64_t capacity[4];
  bool shared[4];
  uint64_t issue_slots;
  size_t warps;
  size_t blocks;
  size_t partitions;
  const uint32_t *const *cycles;
  const size_t *counts;
  uint64_t fair_first;
  uint64_t fair_length;
  uint64_t fair_count;
};

/* The string that a warp ran. */
static inline const struct wb_check_claim_string *
wb_check_claim_string_of(const struct wb_check_schedule_claim *claim, size_t warp)
{
  return &claim->strings[claim->string_of != NULL ? claim->string_of[warp] : 0];
}

/* Checks that every warp runs its whole string in order, at most one instruction a
 * cycle; that no type and no cycle has more instructions than it can; that no warp that has done
 * its k-th B issues before a cycle in which all warps of its block have done theirs; and that the
 * schedule is work-conserving: in no cycle does an unfinished warp that waits for no such barrier
 * idle whose next type has a free unit while an issue slot is free; and of a schedule that is all
 * this, the fairness that is claimed (certificate/schedule/fairness_check.h).
 * WARPBOUND_OK sets *makespan. WARPBOUND_CHECK_FAILED: the message names the first
 * violation by cycle, then warp (both from 1), and its reason. Warps whose lists do
 * not fit their strings are reported before all else. WARPBOUND_INVALID_INPUT: letters that are
 * none, types without units, warps that cannot be divided into the blocks, strings that differ in
 * their number of B. Linear in the number of letters, of issue cycles, and makespan; a makespan
 * beyond the sum of all warps' instructions cannot be work-conserving and is refused without memory
 * for it. */
warpbound_status wb_check_schedule(const struct wb_check_schedule_claim *claim, uint64_t *makespan,
                                   warpbound_error *error);

#endif

/* The claim that a schedule file makes: the cycles in which warps issued the instructions of their
 * strings, in plain numbers rather than the model's structs. */
#ifndef WB_CERTIFICATE_SCHEDULE_SCHEDULE_CLAIM_H
#define WB_CERTIFICATE_SCHEDULE_SCHEDULE_CLAIM_H

#include "base/status.h"
#include "certificate/claim_problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A string; borrows the letters. */
struct wb_check_schedule_string {
  /* The instructions' types in program order: L, C, S, D, T, N and B. Not ended by a zero byte. */
  const char *letters;
  /* Instructions of the string. */
  size_t length;
};

/* Warps that ran strings in the cycles given.
 * No invariant: any numbers may stand in it, and the checker refuses those that make no sense.
 * Borrows everything that it points to. */
struct wb_check_schedule_claim {
  const struct wb_check_schedule_string *strings;
  size_t string_count;
  /* By warp: the string that it ran, from 0. NULL: all ran the first one. */
  const uint32_t *string_of;
  /* Most instructions of each type that start in a cycle. 0: not given, which is an error where a
   * string uses the type. N and B have no limit. */
  uint64_t capacity[WB_CHECK_UNIT_TYPES];
  /* Whether the capacity of a type is that of the whole SM; otherwise each partition has it. */
  bool shared[WB_CHECK_UNIT_TYPES];
  /* Most instructions that a partition starts in a cycle; 0: no cap. */
  uint64_t issue_slots;
  /* 1 or more each. Warp w, from 0, is of block w / (warps / blocks), and of partition
   * w % (warps / blocks) % partitions. */
  size_t warps;
  size_t blocks;
  size_t partitions;
  /* By warp: its list of issue cycles, counted from 1, and the length of that list. */
  const uint32_t *const *cycles;
  const size_t *counts;
  /* The instructions from fair_first on (from 1) are fair_count repetitions of fair_length
   * instructions, between which the scheduler is claimed to be fair. fair_count 0: no such claim.
   * Only with one string, one block, one partition and no B. */
  uint64_t fair_first;
  uint64_t fair_length;
  uint64_t fair_count;
};

/* The string that a warp ran. */
static inline const struct wb_check_schedule_string *
wb_check_schedule_string_of(const struct wb_check_schedule_claim *claim, size_t warp)
{
  return &claim->strings[claim->string_of != NULL ? claim->string_of[warp] : 0];
}

/* ---- the check (schedule_check.c) ---- */

/* Checks that every warp runs its whole string in order, at most one instruction a cycle; that in
 * no cycle more instructions start than a type has units and a partition has issue slots; that no
 * warp that has done its k-th B issues before a cycle in which all warps of its block have done
 * theirs; that the schedule is work-conserving: in no cycle does an unfinished warp that waits for
 * no such barrier idle whose next type has a free unit while an issue slot is free; and, of a
 * schedule that is all this, the fairness that is claimed. WARPBOUND_OK sets
 * *makespan, in cycles. WARPBOUND_CHECK_FAILED: the message names the first violation by cycle,
 * then warp (both from 1), and its reason; warps whose lists do not fit their strings are reported
 * before all else. WARPBOUND_INVALID_INPUT: letters that are no types, types without units, warps
 * that cannot be divided into the blocks, strings that differ in their number of B.
 * WARPBOUND_INTERNAL: out of memory. Linear in the number of letters, of issue cycles, and
 * makespan; a makespan beyond the sum of all warps' instructions cannot be work-conserving and is
 * refused without memory for it. */
warpbound_status wb_check_schedule(const struct wb_check_schedule_claim *claim, uint64_t *makespan,
                                   warpbound_error *error);

/* ---- fairness between the repetitions of a sub-block (fairness_check.c) ---- */

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

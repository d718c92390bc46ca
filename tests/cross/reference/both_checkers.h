/* A second checker of schedules, for tests: cycle by cycle and warp by warp, as
 * slow and as plain as the definition. */
#ifndef TESTS_CROSS_REFERENCE_BOTH_CHECKERS_H
#define TESTS_CROSS_REFERENCE_BOTH_CHECKERS_H

#include "brute_force.h"
#include "certificate/schedule/schedule_claim.h"
#include "random_instance.h"
#include "unit.h"

#define REFERENCE_WARP_LIMIT 64u

/* string_count strings over "LCSDTNB", each ended by a zero; string_of: which one each warp runs,
 * from 0 (NULL: the first); capacity of L, C, S, D in a partition or, where shared, on the SM;
 * issue_slots of a partition, 0 for no cap; blocks and partitions, 1 or more; for each of at most
 * REFERENCE_WARP_LIMIT warps the cycles, from 1, in which it issues, and how many these are; blocks
 * of a string between which the scheduler is to be fair, fair_count 0 for none. */
struct reference_schedule {
  const char *const *strings;
  size_t string_count;
  const uint32_t *string_of;
  uint32_t capacity[5];
  bool shared[5];
  uint32_t issue_slots;
  size_t warps;
  size_t blocks;
  size_t partitions;
  const uint32_t *const *cycles;
  const size_t *counts;
  size_t fair_first;
  size_t fair_length;
  size_t fair_count;
};

/* malformed: some warp does not issue its whole string, one instruction a cycle, in
 * order, from cycle 1 on; the warps cannot be divided into the blocks; or two strings differ in
 * their number of B. Otherwise, where not valid, cycle and warp (both from 1) are those of the
 * first violation: in its cycle the first warp that issues while it waits at a barrier, goes beyond
 * a capacity or the issue slots with those before it, or idles without need; or, if there is none
 * of these, the first that idles although its place is another's of a later block. */
struct reference_verdict {
  bool valid;
  bool malformed;
  uint64_t makespan;
  uint64_t cycle;
  size_t warp;
};

struct reference_verdict reference_check(const struct reference_schedule *schedule);

/* What the tests of schedules share: a schedule as each of the two checkers takes it,
 * and how many random runs to make. */

/* Instances (WARPBOUND_CROSS_RUNS) and the seed of the first one (WARPBOUND_SEED). */
#define DEFAULT_RUNS UINT64_C(20000)
#define DEFAULT_SEED UINT64_C(20120711)
#define MOST_WARPS 8u

/* A schedule for either checker, which point into strings and letters: not to be copied. */
struct both_claims {
  struct wb_check_schedule_string strings[SM_STRING_LIMIT];
  const char *letters[SM_STRING_LIMIT];
  struct wb_check_schedule_claim claim;
  struct reference_schedule reference;
};

/* The lists are borrowed: for each warp its issue cycles, and how many. */
void claim_for_both(struct both_claims *both, const struct instance *instance,
                    const uint32_t *const *cycles, const size_t *counts);
/* The same of a whole SM; string_of: the string that each warp runs. */
void claim_sm_for_both(struct both_claims *both, const struct sm_instance *instance,
                       const uint32_t *string_of, const uint32_t *const *cycles,
                       const size_t *counts);

#endif

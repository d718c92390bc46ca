/* A second checker of schedules, for tests: cycle by cycle and warp by warp, as
 * slow and as plain as the definition. */
#ifndef TESTS_CROSS_REFERENCE_CHECKER_H
#define TESTS_CROSS_REFERENCE_CHECKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif

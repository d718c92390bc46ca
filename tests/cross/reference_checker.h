/* A second checker of schedules, for tests: cycle by cycle and warp by warp, as
 * slow and as plain as the definition. */
#ifndef TESTS_CROSS_REFERENCE_CHECKER_H
#define TESTS_CROSS_REFERENCE_CHECKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* letters over "LCSDN"; capacity of L, C, S, D; issue_slots 0 for no cap; for each
 * warp the cycles, from 1, in which it issues, and how many these are; blocks between which the
 * scheduler is to be fair, fair_count 0 for none. */
struct reference_schedule {
  const char *letters;
  uint32_t capacity[4];
  uint32_t issue_slots;
  size_t warps;
  const uint32_t *const *cycles;
  const size_t *counts;
  size_t fair_first;
  size_t fair_length;
  size_t fair_count;
};

/* malformed: some warp does not issue the whole string, one instruction a cycle, in
 * order, from cycle 1 on. Otherwise, where not valid, cycle and warp (both from 1)
 * are those of the first violation: in its cycle the first warp that goes beyond a
 * capacity or the issue slots with those before it, or idles without need; or, if there is none
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

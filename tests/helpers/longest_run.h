/* The longest of many runs of the oracle with groups that keep bounds of loops, for tests: what a
 * WCET may not be below, and where the search is long enough for a small program, what it is. */
#ifndef TESTS_HELPERS_LONGEST_RUN_H
#define TESTS_HELPERS_LONGEST_RUN_H

#include "cfg/interpreter/groups/group_interpreter.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A loop whose body is instructions first .. last, and what they call; no two loops have one
 * header. */
struct longest_run_loop {
  uint32_t header; /* to which its back edges lead */
  uint32_t first;
  uint32_t last;
  uint64_t bound; /* most back edges of a lane for one entry */
};

/* The question, and what was found. Zero but what is asked. */
struct longest_run {
  const struct wb_code *code;
  const struct wb_function *function;
  const struct longest_run_loop *loops;
  size_t loop_count;
  const uint32_t *uniform; /* instructions on which lanes of a group agree; NULL: none */
  size_t uniform_count;
  const int64_t *cycles; /* by instruction; NULL: 1 each */
  enum wb_group_reconvergence reconvergence;
  bool masks_together;
  uint32_t lanes;      /* 0: 32 */
  uint64_t seed;       /* the first one */
  uint64_t seeds;      /* runs */
  uint64_t step_limit; /* 0: 100,000 */

  int64_t longest; /* cycles of the longest run that ended and kept the bounds; -1: none did */
  uint64_t longest_seed; /* of it */
  uint64_t ended;        /* runs that ended and kept the bounds */
  uint64_t deadlocks;    /* runs that ended so */
  uint64_t broken;       /* runs that could not keep a bound */
};

/* Searches. Conditional control instructions are decided so that the lanes part, or stay, in as
 * many ways as possible; in each run each instruction has a way that it prefers. A guard that was
 * decided keeps its value until it is written. */
void longest_run_search(struct longest_run *search);

#endif

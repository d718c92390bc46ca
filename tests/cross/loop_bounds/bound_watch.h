/* Watches a thread for loops that it goes round more often than their bounds say, or less often
 * than the code is said to show at least. */
#ifndef TESTS_CROSS_BOUND_WATCH_H
#define TESTS_CROSS_BOUND_WATCH_H

#include "bounded_listing.h"
#include "thread_run.h"

#include <stdint.h>

/* counts: by loop, back edges since the thread entered it; greatest and fewest: by loop, the most
 * and the least so far for an entry in any run, UINT64_MAX where none has been left. worst: a loop
 * that went over its bound, early: one that was left too early; SIZE_MAX for none. sums, largest
 * and beyond: the same for entries of the loop around. taken: edges of this run; at: the block
 * where the thread is. */
struct bound_watch {
  const struct bounded_function *bounded;
  uint64_t *counts;
  uint64_t *greatest;
  uint64_t *fewest;
  uint64_t *sums;
  uint64_t *largest;
  bool *is_back; /* by loop and edge */
  bool *inside;  /* by loop and block */
  size_t worst;
  size_t early;
  size_t beyond;
  uint64_t taken;
  uint32_t at;
};

void bound_watch_start(struct bound_watch *watch, const struct bounded_function *bounded);
/* Runs one thread and fails the test where a bound is exceeded or the graph left; what: printed
 * then. */
void bound_watch_run(struct bound_watch *watch, const struct thread_launch *launch, uint64_t seed,
                     uint64_t most, const char *what);
void bound_watch_free(struct bound_watch *watch);

/* A launch whose sizes are small or large, with small parameters. */
struct thread_launch random_launch(struct wb_random *random);
/* Another thread of the same launch. */
void random_thread(struct wb_random *random, struct thread_launch *launch);
/* What the analysis may know of it; words has room for THREAD_PARAMETERS. */
struct wb_launch known_launch(struct wb_random *random, const struct thread_launch *launch,
                              struct wb_parameter_value *words);

#endif

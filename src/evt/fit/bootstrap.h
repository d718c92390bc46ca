/* Replicates of a bootstrap on threads. */
#ifndef WB_EVT_FIT_BOOTSTRAP_H
#define WB_EVT_FIT_BOOTSTRAP_H

#include "base/random.h"
#include "base/status.h"
#include "base/work_control.h"

#include <stdbool.h>
#include <stddef.h>

/* What is done for each replicate. */
struct wb_replicate_work {
  const char *name; /* for progress and errors, as "bootstrap" */
  unsigned count;   /* of replicates */
  size_t size;      /* of values that a thread has room for, at least 1 */
  /* Called once for each index 0 .. count - 1, from any thread, in any order; writes what belongs
   * to that index alone. False where memory is out. */
  bool (*run)(void *context, unsigned index, double *values);
  void *context; /* borrowed */
};

/* Runs all replicates on up to `threads` threads, of which the caller's asks the control before
 * each of its own. Errors: WARPBOUND_LIMIT (time, an interruption), WARPBOUND_INTERNAL; then some
 * indices were not run. */
warpbound_status wb_replicate_threads_run(const struct wb_replicate_work *work, unsigned threads,
                                          const struct wb_control *control, warpbound_error *error);

/* A generator for a replicate, started at a number that its index is scattered to. */
struct wb_random wb_replicate_generator(uint64_t seed, unsigned index);

#endif

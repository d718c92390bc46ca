/* One thread that runs machine code alone, with what integer instructions really compute; all
 * others write random numbers. Shares no code with src/flow. */
#ifndef TESTS_CROSS_THREAD_RUN_H
#define TESTS_CROSS_THREAD_RUN_H

#include "base/random.h"
#include "cfg/warp_graph/warp_graph.h"
#include "values/launch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define THREAD_PARAMETERS 64
#define THREAD_TOKENS 64

/* What the thread sees of its launch. parameters: words from where bank 0 has them. */
struct thread_launch {
  uint32_t block[3];
  uint32_t grid[3];
  uint32_t thread[3];
  uint32_t index[3];
  uint32_t parameters[THREAD_PARAMETERS];
  const struct wb_load_range *loads; /* what some loads and others give; the rest gives any */
  size_t load_count;
  const bool *dead; /* by instruction: no thread is said to come to it; NULL: of none */
  const bool *idle; /* the same: to do it */
  bool *left; /* by instruction of a cut function: set where a thread goes a way that is cut, or
                 comes to a call that none makes, which ends its run; NULL: none looks */
  const bool *absent; /* with left: the calls that none makes */
};

/* Called for each edge of the graph that the thread takes. */
typedef void thread_visit(void *context, size_t edge);

/* Runs until the thread ends, goes a way that is cut, or has taken `most` edges. A message where it
 * leaves the graph's edges (those of reactivations do not count), or comes to what it is said not
 * to; NULL where all is well. */
const char *thread_run(const struct wb_warp_graph *graph, const struct thread_launch *launch,
                       struct wb_random *random, uint64_t most, thread_visit *visit, void *context);

#endif

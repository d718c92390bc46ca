/* A small launch whose threads run one kernel on shared and global memory of a few words, each
 * instruction at once, in any order. What it computes is found from the text; shares no code with
 * src/flow. */
#ifndef TESTS_CROSS_RETRY_MACHINE_H
#define TESTS_CROSS_RETRY_MACHINE_H

#include "base/random.h"
#include "bounded_listing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MACHINE_LANES 8
#define MACHINE_BLOCKS 3
#define MACHINE_THREADS (MACHINE_LANES * MACHINE_BLOCKS)
#define MACHINE_LOOPS 12

/* How threads take turns. */
enum machine_schedule {
  SCHEDULE_ANY,      /* any group does the next instruction */
  SCHEDULE_HUNT,     /* one thread finds, if others can do it, that its word has changed */
  SCHEDULE_HUNT_WARP /* the same for a warp whose lanes stay together */
};

/* What happens to one thread at one loop. */
struct machine_counts {
  uint64_t entry; /* back edges since it has entered last */
  uint64_t most;  /* of one entry */
  uint64_t all;   /* of all entries */
  uint64_t entries;
};

/* What happens to one warp: the block that is watched. */
struct machine_runs {
  uint64_t runs;    /* of the watched block, by groups */
  uint64_t entries; /* of the loop, by groups */
};

struct machine {
  const struct bounded_function *kernel;
  unsigned blocks, lanes;
  const uint32_t *watched; /* by loop: a block */
  struct machine_counts counts[MACHINE_THREADS][MACHINE_LOOPS];
  struct machine_runs runs[MACHINE_BLOCKS][MACHINE_LOOPS];
  uint64_t steps;
  bool ended; /* all threads */
};

/* Runs the launch from any memory and registers, for at most so many instructions of groups. */
void machine_run(struct machine *machine, enum machine_schedule schedule, uint64_t most,
                 struct wb_random *random);

#endif

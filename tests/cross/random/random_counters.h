/* Random programs of counting loops, for tests: nested, with counters that other instructions
 * may spoil, and tests of all kinds. */
#ifndef TESTS_CROSS_RANDOM_COUNTERS_H
#define TESTS_CROSS_RANDOM_COUNTERS_H

#include "base/random.h"

#include <stddef.h>

#define COUNTERS_LINES 160
#define COUNTERS_MOST (2 * COUNTERS_LINES) /* in another dialect */
#define COUNTERS_WIDTH 80

/* Lines for listing_make: lines[count] is NULL. */
struct counters_program {
  char text[COUNTERS_MOST][COUNTERS_WIDTH];
  const char *lines[COUNTERS_MOST + 1];
  size_t count;
  size_t labels;
};

void counters_random(struct wb_random *random, struct counters_program *program);

#endif

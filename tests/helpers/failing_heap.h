/* Memory that runs out on demand, for tests: link with --wrap of malloc, calloc, realloc and
 * free. */
#ifndef WB_TESTS_FAILING_HEAP_H
#define WB_TESTS_FAILING_HEAP_H

#include <stddef.h>

struct failing_heap {
  size_t count;   /* allocations so far */
  size_t fail_at; /* the one that fails, from 1; 0: none */
  size_t live;    /* blocks that are not freed */
};

extern struct failing_heap heap;

#endif

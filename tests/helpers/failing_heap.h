/* Memory that runs out on demand, for tests: link with --wrap of malloc, calloc, realloc and
 * free. */
#ifndef WB_TESTS_FAILING_HEAP_H
#define WB_TESTS_FAILING_HEAP_H

#include <stddef.h>
#include <warpbound.h>

struct failing_heap {
  size_t count;   /* allocations so far */
  size_t fail_at; /* the one that fails, from 1; 0: none */
  size_t live;    /* blocks that are not freed */
};

extern struct failing_heap heap;

/* Some work over the library, which frees all that it made; context is the test's. */
typedef warpbound_status memory_work(const void *context, warpbound_error *error);

/* Repeats the work with the first allocation failing, then the second, until none does; the work
 * then has to end with `last`. Each failure has to be WARPBOUND_INTERNAL, "out of memory", and to
 * leave no block behind. Returns how many allocations failed. */
size_t fail_each(memory_work *work, const void *context, warpbound_status last);

#endif

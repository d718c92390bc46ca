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

struct heap_trial {
  size_t total;    /* allocations of the work */
  size_t survived; /* those without which it ends as with them */
};

/* Does the work, which has to end with `last`, then repeats it with each of its allocations failing
 * in turn. A failure has to be reported as WARPBOUND_INTERNAL, with "out of memory" in its message
 * and no request to report it, or to be survived (the work judges what it gets then), and to leave
 * no block behind. WARPBOUND_CROSS_EVERY, where it is set, fails one of so many. */
struct heap_trial try_each(memory_work *work, const void *context, warpbound_status last);

/* The same where no failure may be survived. Returns how many allocations failed. */
size_t fail_each(memory_work *work, const void *context, warpbound_status last);

#endif

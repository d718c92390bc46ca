/* Threads that share work: as many as can be had, the first of them the caller's own. */
#ifndef WB_BASE_WORKERS_H
#define WB_BASE_WORKERS_H

#include "base/work_control.h"

#include <pthread.h>
#include <stddef.h>

/* Threads that run beside the caller's: threads[1 .. started-1]. */
struct wb_workers {
  pthread_t threads[WB_THREAD_LIMIT];
  unsigned started; /* 1 to WB_THREAD_LIMIT, the caller's own counted */
};

/* The work of a thread; it returns NULL. */
typedef void *wb_makespan_function(void *worker);

/* Starts threads on work(worker 1), work(worker 2) ... for `count` (1 to WB_THREAD_LIMIT) workers
 * in all, which stand one after the other, `size` bytes each; size 0: all have the same. Ends
 * early where the system has no more threads, so worker t has one where t < started. What is left
 * for worker 0 the caller does; then it has to call wb_workers_join. */
void wb_workers_start(struct wb_workers *workers, wb_makespan_function *work, void *first,
                      unsigned count, size_t size);

/* Waits for the threads to end. */
void wb_workers_join(struct wb_workers *workers);

/* Both, with work(worker 0) in the caller's thread between: returns when all is done. */
void wb_workers_run(wb_makespan_function *work, void *first, unsigned count, size_t size);

#endif

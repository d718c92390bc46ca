#include "base/system/workers.h"

#include <assert.h>

void wb_workers_start(struct wb_workers *workers, wb_makespan_function *work, void *first,
                      unsigned count, size_t size)
{
  assert(count >= 1 && count <= WB_THREAD_LIMIT);
  unsigned started = 1;
  while (started < count && pthread_create(&workers->threads[started], NULL, work,
                                           (char *)first + started * size) == 0)
    started++;
  workers->started = started;
}

void wb_workers_join(struct wb_workers *workers)
{
  for (unsigned t = 1; t < workers->started; t++)
    pthread_join(workers->threads[t], NULL);
  workers->started = 1;
}

void wb_workers_run(wb_makespan_function *work, void *first, unsigned count, size_t size)
{
  struct wb_workers workers;
  wb_workers_start(&workers, work, first, count, size);
  work(first);
  wb_workers_join(&workers);
}

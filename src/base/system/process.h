/* Child processes with an end: they are waited for until a deadline or an interruption, and
 * do not outlive their parent where the system can arrange it. */
#ifndef WB_BASE_PROCESS_H
#define WB_BASE_PROCESS_H

#include "base/status.h"
#include "base/work_control.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/types.h>

/* Forks. Returns 0 in the child, which is then the leader of a process group of its own, with
 * the default signals, nothing on its standard input and its outputs going to descriptor
 * `output` (to nowhere where it is -1). Returns -1 where there is no process to be had. */
pid_t wb_process_fork(int output);

/* Waits for the child to end. When the control says stop, sends its group SIGINT, and SIGKILL
 * a second later. *status is as waitpid gives it. Returns why it was stopped, if it was. */
enum wb_stop wb_process_wait(pid_t child, const struct wb_control *control, const char *phase,
                             int *status);

/* The work of a thread; it returns NULL. */
typedef void *wb_makespan_function(void *worker);
/* Threads that run beside the caller's: threads[1 .. started-1]. */
struct wb_workers {
  pthread_t threads[WB_THREAD_LIMIT];
  unsigned started; /* 1 to WB_THREAD_LIMIT, the caller's own counted */
};

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

#include "base/system/process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#endif

/* How long a child has between SIGINT and SIGKILL. */
#define GRACE_SECONDS 1.0
/* Between two looks at the child: at first often, for many programs take milliseconds. */
#define FIRST_NAP_SECONDS 0.0005
#define LONGEST_NAP_SECONDS 0.02

pid_t wb_process_fork(int output)
{
  pid_t parent = getpid();
  pid_t child = fork();
  if (child == 0) {
    /* Nothing here but what may be called between fork and exec. */
    static const int caught[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGPIPE, SIGXFSZ};
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++)
      signal(caught[i], SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
      _exit(1);
    int nowhere = open("/dev/null", O_RDWR);
    if (nowhere < 0)
      _exit(1);
    dup2(nowhere, STDIN_FILENO);
    dup2(output >= 0 ? output : nowhere, STDOUT_FILENO);
    dup2(output >= 0 ? output : nowhere, STDERR_FILENO);
    if (nowhere > STDERR_FILENO)
      close(nowhere);
  } else if (child > 0)
    setpgid(child, child); /* both do it: whoever comes first */
  return child;
}

enum wb_stop wb_process_wait(pid_t child, const struct wb_control *control, const char *phase,
                             int *status)
{
  enum wb_stop stop = WB_STOP_NONE;
  double start = wb_clock();
  double whole = control->deadline - start; /* without a deadline no progress is shown */
  double stopped_at = 0;
  double pause = FIRST_NAP_SECONDS;
  bool killed = false;
  for (;;) {
    pid_t ended = waitpid(child, status, WNOHANG);
    if (ended == child)
      return stop;
    if (ended < 0 && errno != EINTR) { /* somebody else has waited for it */
      *status = 0;
      return stop;
    }
    if (stop == WB_STOP_NONE) {
      stop = wb_control_poll(control, phase, whole > 0 ? (wb_clock() - start) / whole : 0);
      if (stop != WB_STOP_NONE) {
        kill(-child, SIGINT);
        stopped_at = wb_clock();
      }
    } else if (!killed && wb_clock() - stopped_at > GRACE_SECONDS) {
      kill(-child, SIGKILL);
      killed = true;
    }
    struct timespec nap = {0, (long)(pause * 1e9)};
    nanosleep(&nap, NULL);
    pause = pause * 1.5 < LONGEST_NAP_SECONDS ? pause * 1.5 : LONGEST_NAP_SECONDS;
  }
}

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

#include "base/work_control.h"

#include <time.h>
#include <unistd.h>

double wb_clock(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

struct wb_control wb_control_start(const warpbound_options *options)
{
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  struct wb_control control = {
      .memory_limit = WB_DEFAULT_MEMORY_LIMIT, .threads = 1, .start = wb_clock()};
  if (online > 1)
    control.threads = online < WB_THREAD_LIMIT ? (unsigned)online : WB_THREAD_LIMIT;
  if (options == NULL)
    return control;
  if (options->memory_limit > 0)
    control.memory_limit = options->memory_limit;
  if (options->threads > 0)
    control.threads = options->threads < WB_THREAD_LIMIT ? options->threads : WB_THREAD_LIMIT;
  if (options->time_limit > 0)
    control.deadline = control.start + options->time_limit;
  control.interrupted = options->interrupted;
  control.progress = options->progress;
  control.context = options->context;
  return control;
}

struct wb_control wb_control_limit_share(const struct wb_control *control, double share)
{
  struct wb_control limited = *control;
  double now = wb_clock();
  if (limited.deadline > 0)
    limited.deadline = now + (limited.deadline - now) * share;
  return limited;
}

struct wb_control wb_control_without_deadline(const struct wb_control *control)
{
  struct wb_control unlimited = *control;
  unlimited.deadline = 0;
  return unlimited;
}

enum wb_stop wb_control_stopped(const struct wb_control *control)
{
  if (control->over != NULL && atomic_load(control->over))
    return WB_STOP_INTERRUPTED;
  if (control->interrupted != NULL && control->interrupted(control->context))
    return WB_STOP_INTERRUPTED;
  if (control->deadline > 0 && wb_clock() >= control->deadline)
    return WB_STOP_TIME;
  return WB_STOP_NONE;
}

enum wb_stop wb_control_poll(const struct wb_control *control, const char *phase, double fraction)
{
  if (control->progress != NULL)
    control->progress(control->context, phase, fraction);
  return wb_control_stopped(control);
}

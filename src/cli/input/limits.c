#include "cli/input/limits.h"

#include "base/work_control.h"

/* Most bytes that the library takes for a limit. */
#define MEMORY_LIMIT (UINT64_C(1) << 48)

/* The least time limit: 0 would be none. */
#define LEAST_SECONDS 1e-9

warpbound_status limits_read(const struct arguments *arguments, struct progress *progress,
                             warpbound_options *limits, warpbound_error *error)
{
  uint64_t threads = 0;
  warpbound_status status =
      arguments_seconds(arguments, OPTION_TIME_LIMIT, &limits->time_limit, error);
  if (status == WARPBOUND_OK)
    status = arguments_size(arguments, OPTION_MEMORY_LIMIT, &limits->memory_limit, error);
  if (status == WARPBOUND_OK && limits->memory_limit > MEMORY_LIMIT)
    status = wb_fail(error, WARPBOUND_USAGE, "--memory-limit: expected at most 256T, found '%.60s'",
                     arguments->value[OPTION_MEMORY_LIMIT]);
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_THREADS, 1, WB_THREAD_LIMIT, 0, &threads, error);
  limits->threads = (uint32_t)threads;
  limits->interrupted = terminal_interrupted;
  limits->context = progress;
  if (arguments->value[OPTION_NO_PROGRESS] == NULL && terminal_shows_progress())
    limits->progress = terminal_progress;
  return status;
}

double limits_deadline(const warpbound_options *limits)
{
  return limits->time_limit > 0 ? wb_clock() + limits->time_limit : 0;
}

void limits_shorten(warpbound_options *limits, double deadline)
{
  const double left = deadline - wb_clock();
  if (deadline > 0)
    limits->time_limit = left > LEAST_SECONDS ? left : LEAST_SECONDS;
}

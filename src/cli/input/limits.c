#include "cli/input/limits.h"

#include "base/work_control.h"
#include "cli/options/option_values.h"

/* Most bytes that the library takes for a limit. */
#define MEMORY_LIMIT (UINT64_C(1) << 48)

/* The least time limit: 0 would be none. */
#define LEAST_SECONDS 1e-9

warpbound_status limits_read(const struct arguments *arguments, struct limits *limits,
                             warpbound_error *error)
{
  static const struct option_member members[] = {
      {OPTION_TIME_LIMIT, VALUE_POSITIVE, OPTION_MEMBER(warpbound_options, time_limit),
       .expected = "seconds above 0"},
      {OPTION_MEMORY_LIMIT, VALUE_BYTES, OPTION_MEMBER(warpbound_options, memory_limit), .least = 1,
       .most = UINT64_MAX, .expected = "bytes as 1000000, 512M or 4G"},
      {OPTION_THREADS, VALUE_WHOLE, OPTION_MEMBER(warpbound_options, threads), .least = 1,
       .most = WB_THREAD_LIMIT},
  };
  warpbound_options *options = &limits->options;
  warpbound_status status =
      option_members_read(arguments, members, sizeof members / sizeof *members, options, error);
  if (status == WARPBOUND_OK && options->memory_limit > MEMORY_LIMIT)
    status = wb_fail(error, WARPBOUND_USAGE, "--memory-limit: expected at most 256T, found '%.60s'",
                     arguments->value[OPTION_MEMORY_LIMIT]);
  options->interrupted = terminal_interrupted;
  options->context = &limits->progress;
  if (arguments->value[OPTION_NO_PROGRESS] == NULL && terminal_shows_progress())
    options->progress = terminal_progress;
  limits->deadline = options->time_limit > 0 ? wb_clock() + options->time_limit : 0;
  return status;
}

void limits_shorten(struct limits *limits)
{
  const double left = limits->deadline - wb_clock();
  if (limits->deadline > 0)
    limits->options.time_limit = left > LEAST_SECONDS ? left : LEAST_SECONDS;
}

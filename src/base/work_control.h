/* Limits of long work, and its questions to the caller: how much memory, until when, whether to
 * stop, and where to say how far it is. */
#ifndef WB_BASE_WORK_CONTROL_H
#define WB_BASE_WORK_CONTROL_H

#include "warpbound.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define WB_DEFAULT_MEMORY_LIMIT (UINT64_C(1) << 30)

#define WB_THREAD_LIMIT 64

/* Invariant: memory_limit > 0; threads is 1 to WB_THREAD_LIMIT; deadline is in seconds
 * of wb_clock, 0 for none. over (or NULL): another thread sets it where nothing is left to do. */
struct wb_control {
  uint64_t memory_limit;
  unsigned threads;
  double deadline;
  double start;
  const atomic_bool *over;
  bool (*interrupted)(void *context);
  void (*progress)(void *context, const char *phase, double fraction);
  void *context;
};

/* Why work ended. */
enum wb_stop { WB_STOP_NONE, WB_STOP_TIME, WB_STOP_MEMORY, WB_STOP_INTERRUPTED };

/* Seconds of a clock that never goes back. */
double wb_clock(void);

/* A control that starts now. options may be NULL. */
struct wb_control wb_control_start(const warpbound_options *options);

/* The control with a part of the time that is left, 0..1. */
struct wb_control wb_control_limit_share(const struct wb_control *control, double share);

/* The control without an end of time, for work without which there is nothing to print: an
 * interruption still ends it. */
struct wb_control wb_control_without_deadline(const struct wb_control *control);

/* Whether to stop, without telling any progress. */
enum wb_stop wb_control_stopped(const struct wb_control *control);

/* Tells the progress (fraction 0..1 of the phase) and says whether to go on.
 * Costs a system call: ask every few thousand steps. */
enum wb_stop wb_control_poll(const struct wb_control *control, const char *phase, double fraction);

#endif

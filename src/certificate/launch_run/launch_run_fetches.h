/* For the checker of runs of launches: lines that are in no cache at the begin. */
#ifndef WB_CERTIFICATE_LAUNCH_RUN_LAUNCH_RUN_FETCHES_H
#define WB_CERTIFICATE_LAUNCH_RUN_LAUNCH_RUN_FETCHES_H

#include "base/arena.h"
#include "base/status.h"
#include "certificate/launch_run/launch_run.h"
#include "certificate/launch_run/launch_run_servers.h"

/* The fetches of a run, by line and cache. The arrays live in an arena. */
struct wb_check_run_lines {
  const struct wb_check_launch_run *run; /* borrowed */
  size_t *base;                          /* by line: its first cache, in: */
  uint32_t *fetch;                       /* one more than the fetch; 0: none */
  uint64_t *end;                         /* by fetch: the line is there */
  uint64_t *needed;                      /* the first time at which somebody needs it */
};

/* Whether all numbers are within what they count, and times below WB_CHECK_RUN_LATEST. */
bool wb_check_run_lines_fit(const struct wb_check_launch_run *run);

/* Errors: WARPBOUND_CHECK_FAILED where a cache fetches a line twice; WARPBOUND_INTERNAL. */
warpbound_status wb_check_run_lines_make(struct wb_arena *arena,
                                         const struct wb_check_launch_run *run,
                                         struct wb_check_run_lines *lines, warpbound_error *error);

/* The warp of an event, whose own past lets it issue the instruction from *from on, needs its
 * lines: sets *from to when the last one is there. NULL, or what is wrong. */
const char *wb_check_run_lines_find(struct wb_check_run_lines *lines,
                                    const struct wb_check_launch_event *event, uint32_t instruction,
                                    uint64_t *from);

/* When all events have been gone through: each fetch is asked for when it is first needed, waits
 * for what is behind it, and for nothing that does not keep it. */
warpbound_status wb_check_run_lines_end(struct wb_check_run_lines *lines,
                                        const struct wb_check_launch_servers *servers,
                                        warpbound_error *error);

#endif

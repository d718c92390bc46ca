/* For the checker of runs of launches: when the servers of each resource were all busy. */
#ifndef WB_CERTIFICATE_LAUNCH_RUN_LAUNCH_RUN_SERVERS_H
#define WB_CERTIFICATE_LAUNCH_RUN_LAUNCH_RUN_SERVERS_H

#include "base/arena.h"
#include "base/status.h"
#include "certificate/launch_run/launch_run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A stretch of time, until `until` - 1, in which all servers of a resource of some partition (or
 * SM, or the GPU) served. */
struct wb_check_launch_busy {
  uint64_t place; /* of the resource: its SM and partition, as far as it belongs to them */
  uint8_t resource;
  uint64_t time, until;
};

/* By ascending resource, place and time; stretches that touch are one. The
 * array lives in an arena. */
struct wb_check_launch_servers {
  const struct wb_check_launch_run *run; /* borrowed */
  struct wb_check_launch_busy *busy;
  size_t count;
};

/* Checks that no resource serves more than it has servers, and finds when it served as many. The
 * events are those of the run's paths, their times below 2^62. Errors: WARPBOUND_CHECK_FAILED,
 * WARPBOUND_INTERNAL. */
warpbound_status wb_check_launch_servers_make(struct wb_arena *arena,
                                              const struct wb_check_launch_run *run,
                                              struct wb_check_launch_servers *servers,
                                              warpbound_error *error);

/* The first cycle of from .. to - 1 in which nothing kept an instruction from issuing (of an event:
 * `instruction`), or a request from being served (NULL), at the event's partition; `to` where
 * something always did. */
uint64_t wb_check_launch_servers_idle(const struct wb_check_launch_servers *servers,
                                      const struct wb_check_launch_event *event,
                                      const struct wb_timed_instruction *instruction, uint64_t from,
                                      uint64_t to);

#endif

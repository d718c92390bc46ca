/* What every run of a launch takes at least in which all warps take one path, each of their times
 * at its most (doc/launch.md, "The lower end"). */
#ifndef WB_ANALYSIS_LAUNCH_LAUNCH_PROMISE_H
#define WB_ANALYSIS_LAUNCH_LAUNCH_PROMISE_H

#include "analysis/launch/launch_result.h"
#include "analysis/paths/path_system.h"
#include "model/timed_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wb_launch_promise {
  uint64_t chain; /* cycles of one warp's own steps */
  uint64_t stay;  /* the same until nothing of it needs the SM any more: its block may leave */
  uint64_t cycles;
  enum wb_launch_lower_method method; /* by which the launch takes so many cycles */
};

/* Of a path that is known instruction by instruction. */
void wb_launch_promise_of_steps(const struct wb_timed_code *code,
                                const struct wb_launch_shape *shape, const uint32_t *instructions,
                                size_t length, struct wb_launch_promise *promise);

/* Of a path by how often it takes each edge of the system, in whatever order: what each node takes
 * by itself. Never more than that of the steps. False where memory is out. */
bool wb_launch_promise_of_counts(const struct wb_timed_code *code,
                                 const struct wb_launch_shape *shape,
                                 const struct wb_path_system *system, const int64_t *taken,
                                 struct wb_launch_promise *promise);

#endif

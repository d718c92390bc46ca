/* From a path of the run abstraction to a schedule of real warps. */
#ifndef WB_MAKESPAN_RUNS_RUN_REPLAY_H
#define WB_MAKESPAN_RUNS_RUN_REPLAY_H

#include "base/arena.h"
#include "base/status.h"
#include "makespan/machine/schedule.h"
#include "makespan/runs/run_table.h"
#include "model/problem.h"

#include <stdint.h>

/* Warps queue at each run in order of arrival. An instruction that does not leave
 * the run goes to the first warp that has more than one left; an exit to the first
 * that has one left. Where no type serves two warps in a cycle every allowed path
 * can be replayed so (doc/makespan.md): readiness depends on counts alone.
 * Owns its arrays; borrows problem and schedule. */
struct wb_run_replay {
  const struct wb_problem *problem;
  struct wb_schedule *schedule;
  uint32_t *arrivals;    /* per run, warps in order of arrival: [run * warps + k] */
  uint32_t *arrived;     /* per run, how many have come */
  uint32_t *serving;     /* per run, index of the warp that non-exits go to */
  uint32_t *leaving;     /* per run, index of the warp that exits next */
  size_t *done;          /* per warp, instructions issued */
  size_t *run_end;       /* per run, instructions of the string up to its end */
  struct wb_arena arena; /* of the arrays */
};

/* Starts *schedule (freed here where it fails) with all warps before run 0. */
warpbound_status wb_run_replay_start(struct wb_run_replay *replay, const struct wb_problem *problem,
                                     struct wb_schedule *schedule, warpbound_error *error);
/* Plays one cycle; moves has an entry for each run. */
void wb_run_replay_cycle(struct wb_run_replay *replay, const struct wb_run_move *moves,
                         uint32_t cycle);
void wb_run_replay_free(struct wb_run_replay *replay);

#endif

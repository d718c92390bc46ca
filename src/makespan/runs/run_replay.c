#include "makespan/runs/run_replay.h"

#include <assert.h>

warpbound_status wb_run_replay_start(struct wb_run_replay *replay, const struct wb_problem *problem,
                                     struct wb_schedule *schedule, warpbound_error *error)
{
  size_t runs = problem->string.run_count;
  size_t warps = problem->warps;
  *replay = (struct wb_run_replay){.problem = problem, .schedule = schedule};
  warpbound_status status =
      wb_schedule_start(schedule, problem->warps, problem->string.length, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_arena *arena = &replay->arena;
  replay->arrivals = wb_arena_allocate(arena, runs * warps, sizeof *replay->arrivals);
  replay->arrived = wb_arena_allocate(arena, runs, sizeof *replay->arrived);
  replay->serving = wb_arena_allocate(arena, runs, sizeof *replay->serving);
  replay->leaving = wb_arena_allocate(arena, runs, sizeof *replay->leaving);
  replay->done = wb_arena_allocate(arena, warps, sizeof *replay->done);
  replay->run_end = wb_arena_allocate(arena, runs, sizeof *replay->run_end);
  if (arena->failed) {
    wb_run_replay_free(replay);
    wb_schedule_free(schedule);
    return wb_out_of_memory(error);
  }
  for (uint32_t w = 0; w < warps; w++)
    replay->arrivals[w] = w;
  replay->arrived[0] = problem->warps;
  size_t end = 0;
  for (size_t r = 0; r < runs; r++)
    replay->run_end[r] = end += problem->string.runs[r].length;
  return WARPBOUND_OK;
}

static void issue(struct wb_run_replay *replay, uint32_t warp, uint32_t cycle)
{
  struct wb_schedule *schedule = replay->schedule;
  schedule->issue_cycle[warp * schedule->length + replay->done[warp]++] = cycle;
  schedule->makespan = cycle;
}

/* One instruction of run r that does not leave it. */
static void issue_inside(struct wb_run_replay *replay, size_t r, uint32_t cycle)
{
  const uint32_t *arrivals = replay->arrivals + r * replay->problem->warps;
  while (replay->serving[r] < replay->arrived[r] &&
         replay->done[arrivals[replay->serving[r]]] + 1 >= replay->run_end[r])
    replay->serving[r]++;
  assert(replay->serving[r] < replay->arrived[r]);
  issue(replay, arrivals[replay->serving[r]], cycle);
}

/* The last instruction of run r by the first warp that has only it left. Arrival
 * order is also the order in which warps come to their last instruction. */
static void issue_exit(struct wb_run_replay *replay, size_t r, uint32_t cycle)
{
  uint32_t warp = replay->arrivals[r * replay->problem->warps + replay->leaving[r]++];
  assert(replay->done[warp] + 1 == replay->run_end[r]);
  issue(replay, warp, cycle);
  if (r + 1 < replay->problem->string.run_count)
    replay->arrivals[(r + 1) * replay->problem->warps + replay->arrived[r + 1]++] = warp;
}

void wb_run_replay_cycle(struct wb_run_replay *replay, const struct wb_run_move *moves,
                         uint32_t cycle)
{
  /* Later runs first: a warp that enters a run issues there no sooner than in the
   * next cycle. */
  for (size_t r = replay->problem->string.run_count; r-- > 0;) {
    for (uint32_t e = 0; e < moves[r].exits; e++)
      issue_exit(replay, r, cycle);
    for (uint32_t x = moves[r].exits; x < moves[r].issues; x++)
      issue_inside(replay, r, cycle);
  }
}

void wb_run_replay_free(struct wb_run_replay *replay)
{
  wb_arena_free(&replay->arena);
}

#include "launch_runs.h"

#include "launches/run_check.h"

#include "random_launch.h"
#include "unit.h"

#define EVENTS ((size_t)1 << 16)

void launch_run(const struct tiny_launch *launch, const struct run_choice *choice,
                struct wb_simulated_launch *run)
{
  uint32_t steps[TINY_PATHS][TINY_LENGTH];
  struct wb_warp_path paths[TINY_PATHS];
  for (size_t p = 0; p < launch->path_count; p++) {
    for (uint32_t i = 0; i < launch->paths[p].length; i++)
      steps[p][i] = launch->paths[p].step[i];
    paths[p] = (struct wb_warp_path){steps[p], launch->paths[p].length};
  }
  const struct wb_simulation_options options = {.policy = choice->policy,
                                                .seed = choice->seed,
                                                .paths = paths,
                                                .path_count = launch->path_count,
                                                .shorter = choice->shorter,
                                                .most_events = choice->events ? EVENTS : 0};
  const struct wb_control control = wb_control_start(NULL);
  warpbound_error error;
  if (wb_launch_simulate(&launch->code, &launch->shape, &options, &control, run, &error) ==
          WARPBOUND_OK &&
      run->ended)
    return;
  struct wb_text text = {0};
  tiny_launch_print(launch, &text);
  fail_msg("%s, seed %llu: the simulator fails: %s\n%s", wb_launch_policy_name(choice->policy),
           (unsigned long long)choice->seed, run->ended ? error.message : "not ended", text.data);
}

/* What happened, for the checker. */
static struct wb_check_launch_event *list_events(const struct wb_simulated_launch *run,
                                                 size_t *count)
{
  struct wb_check_launch_event *events = calloc(run->event_count + 1, sizeof *events);
  assert_non_null(events);
  *count = 0;
  for (size_t e = 0; e < run->event_count; e++) {
    const struct wb_launch_event *event = &run->events[e];
    if (event->kind == WB_EVENT_ISSUE || event->kind == WB_EVENT_REQUEST)
      events[(*count)++] =
          (struct wb_check_launch_event){.request = event->kind == WB_EVENT_REQUEST,
                                         .sm = event->sm,
                                         .partition = event->partition,
                                         .warp = event->warp,
                                         .block = event->block,
                                         .step = event->step,
                                         .stage = event->stage,
                                         .number = event->request,
                                         .time = event->time,
                                         .until = event->until};
  }
  return events;
}

void launch_run_check(const struct tiny_launch *launch, const struct run_choice *choice,
                      const struct wb_simulated_launch *run)
{
  uint32_t steps[TINY_PATHS][TINY_LENGTH];
  const size_t warps = (size_t)launch->shape.blocks * launch->shape.block_warps;
  const uint32_t **path = calloc(warps, sizeof *path);
  size_t *length = calloc(warps, sizeof *length);
  assert_true(path != NULL && length != NULL && run->event_count < EVENTS);
  for (size_t p = 0; p < launch->path_count; p++) {
    for (uint32_t i = 0; i < launch->paths[p].length; i++)
      steps[p][i] = launch->paths[p].step[i];
  }
  for (size_t w = 0; w < warps; w++) {
    path[w] = steps[run->path_of_warp[w]];
    length[w] = launch->paths[run->path_of_warp[w]].length;
  }
  struct wb_check_launch_run claim = {.code = &launch->code,
                                      .shape = launch->shape,
                                      .path = path,
                                      .length = length,
                                      .placed = run->block_begin,
                                      .ready = run->block_ready,
                                      .cycles = run->cycles};
  struct wb_check_launch_event *events = list_events(run, &claim.event_count);
  claim.events = events;
  warpbound_error error;
  if (wb_check_launch_run(&claim, &error) != WARPBOUND_OK) {
    struct wb_text text = {0};
    tiny_launch_print(launch, &text);
    fail_msg("%s, seed %llu: the checker of runs refuses: %s\n%s",
             wb_launch_policy_name(choice->policy), (unsigned long long)choice->seed, error.message,
             text.data);
  }
  claim.cycles++;
  assert_int_equal(wb_check_launch_run(&claim, &error), WARPBOUND_CHECK_FAILED);
  free(events);
  free(path);
  free(length);
}

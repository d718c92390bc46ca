/* The simulator of launches against a second one, which steps through every cycle: the same events
 * on random launches; and the independent checker accepts them as a run of the model. Both
 * simulators take order and draws of a seed from the same rules, so what these rules mean is not
 * tested here; with shorter times there is no check, which knows the most alone. */
#include "base/checked.h"
#include "base/memory.h"
#include "base/random.h"
#include "certificate/launch_run/launch_run_check.h"
#include "launch/simulation/launch_simulation.h"
#include "launches/naive_launch.h"
#include "launches/small_launch.h"
#include "unit.h"

#include <inttypes.h>

#define LAUNCHES 400
#define MOST_PATHS 3
#define MOST_STEPS 16

struct random_launch {
  struct wb_timed_code code;
  struct wb_launch_shape shape;
  struct wb_simulation_options options;
  struct wb_warp_path paths[MOST_PATHS];
  uint32_t steps[MOST_PATHS][MOST_STEPS];
};

static uint32_t between(struct wb_random *random, uint32_t least, uint32_t most)
{
  return least + (uint32_t)wb_random_below(random, (uint64_t)most - least + 1);
}

static bool once_in(struct wb_random *random, uint32_t times)
{
  return wb_random_below(random, times) == 0;
}

static uint8_t any_scoreboard(struct wb_random *random)
{
  return once_in(random, 2) ? (uint8_t)between(random, 0, 2) : WB_NO_SCOREBOARD;
}

static void add_instruction(struct wb_random *random, struct wb_timed_code *code)
{
  struct wb_timed_instruction *const instruction = small_instruction(code, between(random, 1, 4));
  small_use(code, 0, once_in(random, 4) ? 2 : 1);
  if (once_in(random, 3))
    small_use(code, 1, between(random, 1, 4));
  if (once_in(random, 4))
    small_use(code, 2, between(random, 1, 3));
  instruction->latency = once_in(random, 10) ? between(random, 0, 3000) : between(random, 0, 8);
  instruction->read_latency = between(random, 0, 3);
  instruction->write_scoreboard = any_scoreboard(random);
  instruction->read_scoreboard = any_scoreboard(random);
  instruction->wait_mask = once_in(random, 2) ? (uint8_t)between(random, 0, 7) : 0;
  if (once_in(random, 5)) {
    instruction->counted_scoreboard = (uint8_t)between(random, 0, 2);
    instruction->counted_left = (uint8_t)between(random, 0, 2);
  }
  instruction->fence = once_in(random, 8);
  const uint32_t stages = once_in(random, 2) ? between(random, 1, 3) : 0;
  for (uint32_t s = 0; s < stages; s++)
    small_stage(code, (uint8_t)between(random, 3, 6), (uint16_t)between(random, 1, 5),
                once_in(random, 20) ? between(random, 0, 2000) : between(random, 0, 6),
                between(random, 1, 4));
  instruction->read_stages = (uint8_t)between(random, 0, stages);
}

static void make_launch(uint64_t seed, struct random_launch *launch)
{
  struct wb_random random = {seed};
  *launch = (struct random_launch){0};
  small_resource(&launch->code, "slot", WB_LEVEL_PARTITION, once_in(&random, 4) ? 2 : 1, true);
  small_resource(&launch->code, "unit", WB_LEVEL_PARTITION, between(&random, 1, 3), true);
  small_resource(&launch->code, "shared unit", WB_LEVEL_SM, between(&random, 1, 3), true);
  small_resource(&launch->code, "port", WB_LEVEL_PARTITION, between(&random, 1, 2), false);
  small_resource(&launch->code, "path", WB_LEVEL_SM, between(&random, 1, 2), false);
  small_resource(&launch->code, "memory", WB_LEVEL_GPU, between(&random, 1, 4), false);
  small_resource(&launch->code, "cache", WB_LEVEL_GPU, between(&random, 1, 4), false);
  const uint32_t instructions = between(&random, 1, 6);
  for (uint32_t i = 0; i < instructions; i++)
    add_instruction(&random, &launch->code);
  add_instruction(&random, &launch->code);
  launch->code.instructions[instructions].barrier = true;
  const uint32_t paths = between(&random, 1, MOST_PATHS);
  const uint32_t barriers = once_in(&random, 2) ? between(&random, 1, 3) : 0;
  for (uint32_t p = 0; p < paths; p++) {
    const uint32_t plain = (uint32_t)launch->code.instruction_count - 1; /* the last: a barrier */
    const uint32_t length = between(&random, barriers > 0 ? barriers : 1, MOST_STEPS);
    uint32_t left = barriers;
    for (uint32_t i = 0; i < length; i++) {
      const bool barrier = wb_random_below(&random, length - i) < left;
      left -= barrier;
      launch->steps[p][i] = barrier ? plain : between(&random, 0, plain - 1);
    }
    launch->paths[p] = (struct wb_warp_path){launch->steps[p], length};
  }
  const bool wide = once_in(&random, 20); /* more than 64 warps of a partition */
  launch->shape = (struct wb_launch_shape){
      .blocks = between(&random, 1, wide ? 4 : 12),
      .block_warps = wide ? between(&random, 40, 70) : between(&random, 1, 9),
      .sms = between(&random, 1, 3),
      .partitions = wide ? 1 : between(&random, 1, 4),
      .resident_blocks = between(&random, 1, 3),
      .overhead = between(&random, 0, 9),
      .block_start = between(&random, 0, 3),
      .dispatch = between(&random, 0, 2),
  };
  launch->options = (struct wb_simulation_options){
      .policy = (enum wb_launch_policy)(seed % WB_LAUNCH_POLICY_COUNT),
      .seed = wb_random_next(&random),
      .laggards = once_in(&random, 2) ? wb_random_next(&random) : 0,
      .paths = launch->paths,
      .path_count = paths,
      .shorter = once_in(&random, 3) ? between(&random, 1, 1000) : 0,
      .early_starts = once_in(&random, 2),
      .most_events = 1000000,
  };
}

static int order_events(const void *a, const void *b)
{
  const struct wb_launch_event *const x = a;
  const struct wb_launch_event *const y = b;
  const uint64_t left[] = {x->block, x->warp, x->step, x->kind, x->stage, x->request};
  const uint64_t right[] = {y->block, y->warp, y->step, y->kind, y->stage, y->request};
  for (size_t i = 0; i < COUNT_OF(left); i++) {
    if (left[i] != right[i])
      return left[i] < right[i] ? -1 : 1;
  }
  return 0;
}

/* Issues and requests alone, by warp and step. */
static void sort_events(struct wb_simulated_launch *launch)
{
  size_t kept = 0;
  for (size_t i = 0; i < launch->event_count; i++) {
    if (launch->events[i].kind <= WB_EVENT_REQUEST)
      launch->events[kept++] = launch->events[i];
  }
  launch->event_count = kept;
  qsort(launch->events, kept, sizeof *launch->events, order_events);
}

static void compare_runs(uint64_t seed, struct wb_simulated_launch *ours,
                         struct wb_simulated_launch *naive)
{
  sort_events(ours);
  sort_events(naive);
  for (size_t i = 0; i < wb_minimum(ours->event_count, naive->event_count); i++) {
    const struct wb_launch_event *const x = &ours->events[i];
    const struct wb_launch_event *const y = &naive->events[i];
    if (!(order_events(x, y) == 0 && x->time == y->time && x->until == y->until && x->sm == y->sm &&
          x->partition == y->partition && x->instruction == y->instruction &&
          x->resource == y->resource))
      fail_msg("seed %" PRIu64 ": block %" PRIu64 " warp %" PRIu32 " step %" PRIu32
               " kind %d stage %" PRIu32 " request %" PRIu32 " SM %" PRIu32 " at %" PRIu64
               " .. %" PRIu64 ", expected %" PRIu64 " .. %" PRIu64 " on SM %" PRIu32,
               seed, x->block, x->warp, x->step, (int)x->kind, x->stage, x->request, x->sm, x->time,
               x->until, y->time, y->until, y->sm);
  }
  if (ours->event_count != naive->event_count || ours->cycles != naive->cycles ||
      ours->instructions != naive->instructions || ours->longest_block != naive->longest_block ||
      memcmp(ours->busy, naive->busy, sizeof ours->busy) != 0)
    fail_msg("seed %" PRIu64 ": %zu events, %" PRIu64 " cycles, %" PRIu64 " instructions, longest "
             "block %" PRIu64 "; expected %zu, %" PRIu64 ", %" PRIu64 ", %" PRIu64,
             seed, ours->event_count, ours->cycles, ours->instructions, ours->longest_block,
             naive->event_count, naive->cycles, naive->instructions, naive->longest_block);
}

/* Events of `ours` are issues and requests alone. */
static void check_run(uint64_t seed, const struct random_launch *launch,
                      const struct wb_simulated_launch *ours)
{
  const size_t warps = (size_t)launch->shape.blocks * launch->shape.block_warps;
  const uint32_t **const path = wb_allocate(warps, sizeof *path);
  size_t *const length = wb_allocate(warps, sizeof *length);
  struct wb_check_launch_event *const events = wb_allocate(ours->event_count, sizeof *events);
  assert_true(path != NULL && length != NULL && events != NULL);
  for (size_t w = 0; w < warps; w++) {
    path[w] = launch->paths[ours->path_of_warp[w]].instructions;
    length[w] = launch->paths[ours->path_of_warp[w]].length;
  }
  for (size_t i = 0; i < ours->event_count; i++) {
    const struct wb_launch_event *const event = &ours->events[i];
    events[i] = (struct wb_check_launch_event){event->kind == WB_EVENT_REQUEST,
                                               event->sm,
                                               event->partition,
                                               event->warp,
                                               event->block,
                                               event->step,
                                               event->stage,
                                               event->request,
                                               event->time,
                                               event->until};
  }
  const struct wb_check_launch_run run = {.code = &launch->code,
                                          .shape = launch->shape,
                                          .early_starts = launch->options.early_starts,
                                          .path = path,
                                          .length = length,
                                          .placed = ours->block_begin,
                                          .ready = ours->block_ready,
                                          .events = events,
                                          .event_count = ours->event_count,
                                          .cycles = ours->cycles};
  warpbound_error error = {0};
  if (wb_check_launch_run(&run, &error) != WARPBOUND_OK)
    fail_msg("seed %" PRIu64 ": %s", seed, error.message);
  free(path);
  free(length);
  free(events);
}

static void compare_on(uint64_t seed)
{
  struct random_launch launch;
  make_launch(seed, &launch);
  FREED_BY(wb_simulated_launch_free) struct wb_simulated_launch ours;
  FREED_BY(wb_simulated_launch_free) struct wb_simulated_launch naive;
  warpbound_error error = {0};
  if (wb_launch_simulate(&launch.code, &launch.shape, &launch.options, NULL, &ours, &error) !=
      WARPBOUND_OK)
    fail_msg("seed %" PRIu64 ": %s", seed, error.message);
  assert_true(ours.ended);
  naive_launch(&launch.code, &launch.shape, &launch.options, &naive);
  compare_runs(seed, &ours, &naive);
  if (launch.options.shorter == 0)
    check_run(seed, &launch, &ours);
  wb_timed_code_free(&launch.code);
}

/* WARPBOUND_SEED: another first seed. WARPBOUND_CROSS_RUNS: more launches. */
TEST(random_launches_run_as_cycle_by_cycle)
{
  const uint64_t from = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t count = number_from_environment("WARPBOUND_CROSS_RUNS", LAUNCHES);
  for (uint64_t seed = from; seed < from + count; seed++)
    compare_on(seed);
}

/* Simulated runs of random launches: none takes longer than the worst of all schedules
 * (launch_brute.h), nor than the bound; the independent checker of runs accepts those with the
 * longest times. What a path promises by its counts alone is not above what its steps promise,
 * nor that above any run.
 *   WARPBOUND_CROSS_RUNS  100 times the launches (20000)
 *   WARPBOUND_SEED        seed of the first one */
#include "analysis/launch/launch_promise.h"
#include "certificate/launch_run/launch_run_check.h"
#include "launch/simulation/launch_simulation.h"
#include "launch_brute.h"
#include "launch_makers.h"
#include "random_launch.h"
#include "tiny_launch.h"
#include "unit.h"

#include <inttypes.h>

/* Simulated runs of a random launch, for tests. */

/* A run by a policy and a seed; shorter: of 1000 times that are drawn below their most. events: all
 * of it is recorded. Fails the test where the simulator does. Free *run with
 * wb_simulated_launch_free. */
struct run_choice {
  enum wb_launch_policy policy;
  uint64_t seed;
  uint32_t shorter;
  bool early_starts;
  bool events;
};

#define EVENTS ((size_t)1 << 16)

static void launch_run(const struct tiny_launch *launch, const struct run_choice *choice,
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
                                                .early_starts = choice->early_starts,
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

/* The independent checker of runs accepts a run that is recorded with all of its events, and not
 * the same run said to take another time. */
static void launch_run_check(const struct tiny_launch *launch, const struct run_choice *choice,
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
                                      .early_starts = choice->early_starts,
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

/* States of the search; a launch with more is skipped. */
#define STATE_LIMIT ((size_t)5000)
/* Seeds of each policy. */
#define TINY_SEEDS 4u
#define LARGE_SEEDS 18u

struct round {
  uint64_t seed;
  struct random_launch launch;
  struct made_bound made;
};

static void fail_run(const struct round *round, const struct run_choice *choice, uint64_t cycles,
                     const char *what, uint64_t most)
{
  struct wb_text text = {0};
  tiny_launch_print(&round->launch.tiny, &text);
  fail_msg("seed %" PRIu64 ": %s with seed %" PRIu64 ", %" PRIu32 " of 1000 times shorter: %" PRIu64
           " cycles, %s %" PRIu64 "\n%s",
           round->seed, wb_launch_policy_name(choice->policy), choice->seed, choice->shorter,
           cycles, what, most, text.data);
}

static void start_round(uint64_t seed, const struct launch_size *size, struct round *round)
{
  struct wb_random random = {seed};
  *round = (struct round){.seed = seed};
  random_launch_draw(&random, size, &round->launch);
  /* As the simulator has it: more runs are allowed where blocks stay longer. Of its policies
   * convoys alone have full queues. */
  round->launch.tiny.leave = TINY_LEAVE_EARLY;
  round->launch.tiny.full_queues = seed % 4 == 0;
  made_bound_make(&round->launch, false, &round->made);
}

static void end_round(struct round *round)
{
  made_bound_free(&round->made);
  tiny_launch_free(&round->launch.tiny);
}

/* The longest run of all policies that the search has. Runs with shorter times, and with early
 * starts, are only compared with the bound: some may take longer than any with the longest times;
 * so are convoys where the search has no full queues. */
static uint64_t longest_run(const struct round *round, uint32_t seeds, uint64_t worst)
{
  uint64_t longest = 0;
  for (uint32_t r = 0; r < WB_LAUNCH_POLICY_COUNT * seeds; r++) {
    struct run_choice choice = {.policy = (enum wb_launch_policy)(r % WB_LAUNCH_POLICY_COUNT),
                                .seed = r / WB_LAUNCH_POLICY_COUNT,
                                .early_starts = r / WB_LAUNCH_POLICY_COUNT % 2 == 1,
                                .shorter = r / WB_LAUNCH_POLICY_COUNT % 4 == 3 ? 300 : 0};
    FREED_BY(wb_simulated_launch_free) struct wb_simulated_launch run;
    choice.events = choice.shorter == 0 && choice.seed % 4 < 2;
    launch_run(&round->launch.tiny, &choice, &run);
    if (choice.events)
      launch_run_check(&round->launch.tiny, &choice, &run);
    const bool full = wb_launch_policy_convoys(choice.policy) && !round->launch.tiny.full_queues;
    if (choice.shorter == 0 && !choice.early_starts && !full && run.cycles > worst)
      fail_run(round, &choice, run.cycles, "worst of all schedules", worst);
    if (run.cycles > round->made.launch.cycles)
      fail_run(round, &choice, run.cycles, "bound", round->made.launch.cycles);
    longest = run.cycles > longest && !full ? run.cycles : longest;
  }
  return longest;
}

static void print_ratios(const char *what, double *ratio, uint64_t count)
{
  qsort(ratio, count, sizeof *ratio, compare_ratios);
  print_message("# %" PRIu64 " launches, longest run / %s: median %.2f, least %.2f\n", count, what,
                ratio[count / 2], ratio[0]);
}

TEST(test_runs_and_every_schedule)
{
  const uint64_t launches = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 100;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  double *ratio = calloc(launches, sizeof *ratio);
  struct launch_brute *brute = launch_brute_start(STATE_LIMIT);
  assert_non_null(ratio);
  assert_non_null(brute);
  print_message("# seed %" PRIu64 "\n", first);
  uint64_t decided = 0;
  uint64_t reached = 0;
  for (uint64_t r = 0; r < launches; r++) {
    struct round round;
    uint32_t worst;
    start_round(first + r, &launch_size_tiny, &round);
    if (launch_brute_worst(brute, &round.launch.tiny, &worst)) {
      const uint64_t longest = longest_run(&round, TINY_SEEDS, worst);
      reached += longest >= worst;
      ratio[decided++] = (double)longest / worst;
    }
    end_round(&round);
  }
  print_ratios("worst of all schedules", ratio, decided);
  print_message("# worst reached %" PRIu64 "\n", reached);
  assert_true(decided * 2 > launches);
  assert_true(reached * 4 > decided);
  free(ratio);
  launch_brute_free(brute);
}

TEST(test_larger_runs)
{
  const uint64_t launches = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 100;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  double *ratio = calloc(launches, sizeof *ratio);
  assert_non_null(ratio);
  for (uint64_t r = 0; r < launches; r++) {
    struct round round;
    start_round(first + r, &launch_size_large, &round);
    ratio[r] =
        (double)longest_run(&round, LARGE_SEEDS, UINT64_MAX) / (double)round.made.launch.cycles;
    end_round(&round);
  }
  print_ratios("bound", ratio, launches);
  free(ratio);
}

#define WALK_NODES 5u
#define WALK_LENGTH 60u

/* A random walk on a graph in which each node leads to each: nodes are stretches of the code. */
struct random_walk {
  struct wb_path_system system;
  uint32_t first[WALK_NODES], last[WALK_NODES];
  int64_t taken[WALK_NODES * WALK_NODES];
  uint32_t steps[WALK_LENGTH * 8];
  size_t length;
};

static void walk_at_random(struct wb_random *random, const struct wb_timed_code *code,
                           struct random_walk *walk)
{
  struct wb_flow_system *flow = &walk->system.flow;
  assert_ok(wb_flow_system_make(flow, WALK_NODES, WALK_NODES * WALK_NODES, WALK_NODES, NULL));
  for (uint32_t v = 0; v < WALK_NODES; v++) {
    walk->first[v] = (uint32_t)wb_random_below(random, code->instruction_count);
    walk->last[v] = walk->first[v] + (uint32_t)wb_random_below(random, 8);
    if (walk->last[v] >= code->instruction_count)
      walk->last[v] = (uint32_t)code->instruction_count - 1;
    for (uint32_t to = 0; to < WALK_NODES; to++) {
      flow->from[v * WALK_NODES + to] = v;
      flow->to[v * WALK_NODES + to] = to;
    }
  }
  wb_flow_system_walk(flow, 0);
  walk->system.first = walk->first;
  walk->system.last = walk->last;
  const uint64_t count = 1 + wb_random_below(random, WALK_LENGTH);
  const uint64_t stays = wb_random_below(random, 100); /* of 100 steps */
  uint32_t node = 0;
  for (uint64_t n = 0; n < count; n++) {
    for (uint32_t i = walk->first[node]; i <= walk->last[node]; i++)
      walk->steps[walk->length++] = i;
    const uint32_t next =
        wb_random_below(random, 100) < stays ? node : (uint32_t)wb_random_below(random, WALK_NODES);
    if (n + 1 < count)
      walk->taken[node * WALK_NODES + next]++;
    node = next;
  }
}

TEST(test_promises)
{
  const uint64_t launches = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 10;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  double *ratio = calloc(launches, sizeof *ratio);
  assert_non_null(ratio);
  for (uint64_t r = 0; r < launches; r++) {
    struct wb_random random = {first + r};
    struct random_launch launch;
    struct random_walk walk = {0};
    struct wb_launch_promise counts;
    struct wb_launch_promise steps;
    FREED_BY(wb_simulated_launch_free) struct wb_simulated_launch run;
    random_launch_draw(&random, &launch_size_tiny, &launch);
    walk_at_random(&random, &launch.tiny.code, &walk);
    wb_launch_promise_of_steps(&launch.tiny.code, &launch.tiny.shape, walk.steps, walk.length,
                               &steps);
    assert_true(wb_launch_promise_of_counts(&launch.tiny.code, &launch.tiny.shape, &walk.system,
                                            walk.taken, &counts));
    const struct wb_warp_path path = {walk.steps, walk.length};
    const struct wb_simulation_options options = {
        .policy = (enum wb_launch_policy)(r % WB_LAUNCH_POLICY_COUNT),
        .paths = &path,
        .path_count = 1};
    const struct wb_control control = wb_control_start(NULL);
    assert_ok(
        wb_launch_simulate(&launch.tiny.code, &launch.tiny.shape, &options, &control, &run, NULL));
    if (counts.chain > steps.chain || counts.stay > steps.stay || counts.cycles > steps.cycles ||
        steps.cycles > run.cycles)
      fail_msg("seed %" PRIu64 ": promises of %" PRIu64 " (counts) and %" PRIu64
               " cycles (steps), a run of %" PRIu64,
               first + r, counts.cycles, steps.cycles, run.cycles);
    ratio[r] = (double)counts.cycles / (double)steps.cycles;
    wb_flow_system_free(&walk.system.flow);
    tiny_launch_free(&launch.tiny);
  }
  qsort(ratio, launches, sizeof *ratio, compare_ratios);
  print_message("# promise by counts / by steps: median %.2f, least %.2f\n", ratio[launches / 2],
                ratio[0]);
  free(ratio);
}

/* The simulator of launches on launches whose runs are worked out by hand, its refusals and its
 * limits. Random launches: test_launch_simulation_naive.c. */
#include "base/work_control.h"
#include "launch/simulation/launch_simulation.h"
#include "launches/small_launch.h"
#include "unit.h"

#define MOST_STEPS 64
#define MOST_EVENTS 10000

/* Code, its paths and a launch: one warp on one SM unless a test says more. */
struct fixture {
  struct wb_timed_code code;
  struct wb_launch_shape shape;
  struct wb_simulation_options options;
  struct wb_warp_path paths[2];
  uint32_t steps[MOST_STEPS];
  struct wb_simulated_launch run;
  uint8_t slot;
};

static void start(struct fixture *fixture)
{
  *fixture = (struct fixture){
      .shape = {.blocks = 1, .block_warps = 1, .sms = 1, .partitions = 1, .resident_blocks = 1},
      .options = {.most_events = MOST_EVENTS},
  };
  fixture->slot = small_resource(&fixture->code, "slot", WB_LEVEL_PARTITION, 1, true);
  for (uint32_t i = 0; i < MOST_STEPS; i++)
    fixture->steps[i] = i;
}

static struct wb_timed_instruction *add(struct fixture *fixture, uint32_t stall)
{
  struct wb_timed_instruction *const added = small_instruction(&fixture->code, stall);
  small_use(&fixture->code, fixture->slot, 1);
  return added;
}

/* All warps run all of the code, if no path was set. */
static void simulate(struct fixture *fixture)
{
  if (fixture->options.path_count == 0) {
    fixture->paths[0] = (struct wb_warp_path){fixture->steps, fixture->code.instruction_count};
    fixture->options.path_count = 1;
  }
  fixture->options.paths = fixture->paths;
  wb_simulated_launch_free(&fixture->run);
  warpbound_error error = {0};
  if (wb_launch_simulate(&fixture->code, &fixture->shape, &fixture->options, NULL, &fixture->run,
                         &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  assert_true(fixture->run.ended);
}

static void end(struct fixture *fixture)
{
  wb_simulated_launch_free(&fixture->run);
  wb_timed_code_free(&fixture->code);
}

static uint64_t issue_time(const struct fixture *fixture, uint64_t block, uint32_t warp,
                           uint32_t step)
{
  for (size_t i = 0; i < fixture->run.event_count; i++) {
    const struct wb_launch_event *const event = &fixture->run.events[i];
    if (event->kind == WB_EVENT_ISSUE && event->block == block && event->warp == warp &&
        event->step == step)
      return event->time;
  }
  fail_msg("step %u of a warp was not issued", step);
  return 0;
}

static size_t count_events(const struct fixture *fixture, enum wb_launch_event_kind kind)
{
  size_t count = 0;
  for (size_t i = 0; i < fixture->run.event_count; i++)
    count += fixture->run.events[i].kind == kind;
  return count;
}

TEST(stalls_add_up)
{
  FREED_BY(end) struct fixture fixture;
  start(&fixture);
  add(&fixture, 4);
  add(&fixture, 2);
  add(&fixture, 1);
  fixture.shape.overhead = 100;
  simulate(&fixture);
  assert_int_equal(issue_time(&fixture, 0, 0, 1), 4);
  assert_int_equal(issue_time(&fixture, 0, 0, 2), 6);
  assert_int_equal(fixture.run.cycles, 107);
  assert_int_equal(fixture.run.instructions, 3);
  assert_int_equal(fixture.run.longest_block, 7);
  assert_int_equal(fixture.run.busy[fixture.slot], 3);
}

/* The counterexample "service-beyond-stall" of doc/launch.md. */
TEST(own_services_hold_a_warp_back)
{
  FREED_BY(end) struct fixture fixture;
  start(&fixture);
  const uint8_t unit = small_resource(&fixture.code, "unit", WB_LEVEL_PARTITION, 1, true);
  add(&fixture, 1);
  small_use(&fixture.code, unit, 2);
  add(&fixture, 1);
  small_use(&fixture.code, unit, 1);
  simulate(&fixture);
  assert_int_equal(issue_time(&fixture, 0, 0, 1), 2);
  assert_int_equal(fixture.run.cycles, 3);
  assert_int_equal(count_events(&fixture, WB_EVENT_WAIT), 1);
}

TEST(policies_order_warps)
{
  /* When the first and the second step of warps 0, 1 and 2 issue; all three want to at 0. */
  static const uint64_t expected[][6] = {
      [WB_LAUNCH_GREEDY_OLDEST] = {0, 1, 2, 3, 4, 5},
      [WB_LAUNCH_GREEDY_YOUNGEST] = {4, 5, 2, 3, 0, 1},
      [WB_LAUNCH_ROUND_ROBIN] = {0, 3, 1, 4, 2, 5},
      [WB_LAUNCH_STARVING] = {4, 5, 0, 2, 1, 3}, /* seed 0 starves warp 0 */
      [WB_LAUNCH_LAGGING] = {3, 5, 0, 1, 2, 4},  /* warps 0 and 2 lag behind */
      [WB_LAUNCH_LAGGING_YOUNGEST] = {3, 5, 0, 1, 2, 4},
      [WB_LAUNCH_CONVOY] = {0, 3, 1, 4, 2, 5},
      [WB_LAUNCH_CONVOY_LAGGING] = {2, 4, 0, 1, 3, 5},
      [WB_LAUNCH_IN_STEP] = {0, 3, 1, 4, 2, 5},
      [WB_LAUNCH_IN_STEP_LAGGING] = {2, 4, 0, 1, 3, 5},
  };
  static const enum wb_launch_policy policies[] = {
      WB_LAUNCH_GREEDY_OLDEST,  WB_LAUNCH_GREEDY_YOUNGEST, WB_LAUNCH_ROUND_ROBIN,
      WB_LAUNCH_STARVING,       WB_LAUNCH_LAGGING,         WB_LAUNCH_LAGGING_YOUNGEST,
      WB_LAUNCH_CONVOY,         WB_LAUNCH_CONVOY_LAGGING,  WB_LAUNCH_IN_STEP,
      WB_LAUNCH_IN_STEP_LAGGING};
  for (size_t p = 0; p < COUNT_OF(policies); p++) {
    FREED_BY(end) struct fixture fixture;
    start(&fixture);
    add(&fixture, 1);
    add(&fixture, 1);
    fixture.shape.block_warps = 3;
    fixture.options.policy = policies[p];
    fixture.options.laggards = 5;
    simulate(&fixture);
    for (uint32_t i = 0; i < 6; i++)
      assert_int_equal(issue_time(&fixture, 0, i / 2, i % 2), expected[policies[p]][i]);
    assert_int_equal(fixture.run.cycles, 6);
  }
}

TEST(convoys_wait_for_full_resources)
{
  FREED_BY(end) struct fixture fixture;
  start(&fixture);
  const uint8_t memory = small_resource(&fixture.code, "memory", WB_LEVEL_GPU, 1, false);
  add(&fixture, 1);
  small_stage(&fixture.code, memory, 1, 0, 10); /* 0 .. 10, 10 .. 20 */
  add(&fixture, 1);
  fixture.shape.block_warps = 2;
  fixture.options.policy = WB_LAUNCH_CONVOY;
  simulate(&fixture);
  assert_int_equal(issue_time(&fixture, 0, 0, 0), 0);
  assert_int_equal(issue_time(&fixture, 0, 1, 0), 10);
  assert_int_equal(issue_time(&fixture, 0, 0, 1), 20);
  assert_int_equal(issue_time(&fixture, 0, 1, 1), 21);
  assert_int_equal(fixture.run.cycles, 22);
}

/* Blocks of a warp on two SMs, ready at 3 and at 6. That of SM 0 has memory at 4. */
static void start_two_sms(struct fixture *fixture, enum wb_launch_policy policy)
{
  start(fixture);
  const uint8_t memory = small_resource(&fixture->code, "memory", WB_LEVEL_GPU, 1, false);
  add(fixture, 1);
  add(fixture, 1);
  small_stage(&fixture->code, memory, 1, 0, 10);
  add(fixture, 1);
  fixture->shape.blocks = 2;
  fixture->shape.sms = 2;
  fixture->shape.dispatch = 3;
  fixture->options.policy = policy;
}

TEST(sms_that_are_behind_come_into_step)
{
  FREED_BY(end) struct fixture convoy;
  start_two_sms(&convoy, WB_LAUNCH_CONVOY);
  simulate(&convoy);
  assert_int_equal(issue_time(&convoy, 0, 0, 1), 4); /* memory 4 .. 14 */
  assert_int_equal(issue_time(&convoy, 1, 0, 0), 14);
  assert_int_equal(issue_time(&convoy, 0, 0, 2), 14);

  /* SM 1 issues as much as SM 0 has, so both wait for its request, at 14 .. 24. */
  FREED_BY(end) struct fixture in_step;
  start_two_sms(&in_step, WB_LAUNCH_IN_STEP);
  simulate(&in_step);
  assert_int_equal(issue_time(&in_step, 0, 0, 1), 4);
  assert_int_equal(issue_time(&in_step, 1, 0, 0), 6);
  assert_int_equal(issue_time(&in_step, 1, 0, 1), 7);
  assert_int_equal(issue_time(&in_step, 0, 0, 2), 24);
  assert_int_equal(issue_time(&in_step, 1, 0, 2), 24);
}

/* Without early starts the second block would be ready at 3 + 3 + 5. */
TEST(starts_go_on_while_blocks_wait_for_the_dispatcher)
{
  FREED_BY(end) struct fixture fixture;
  start_two_sms(&fixture, WB_LAUNCH_GREEDY_OLDEST);
  fixture.shape.block_start = 5;
  fixture.options.early_starts = true;
  simulate(&fixture);
  assert_int_equal(issue_time(&fixture, 0, 0, 0), 5);
  assert_int_equal(issue_time(&fixture, 1, 0, 0), 6);
  assert_int_equal(fixture.run.block_ready[0], 5);
  assert_int_equal(fixture.run.block_ready[1], 6);
}

TEST(results_release_scoreboards)
{
  FREED_BY(end) struct fixture fixture;
  start(&fixture);
  const uint8_t path = small_resource(&fixture.code, "path", WB_LEVEL_SM, 1, false);
  struct wb_timed_instruction *const load = add(&fixture, 2);
  load->write_scoreboard = 3;
  load->read_scoreboard = 1;
  load->latency = 10;
  load->read_latency = 1;
  small_stage(&fixture.code, path, 2, 4, 3); /* 4 .. 7, 7 .. 10 */
  add(&fixture, 1)->wait_mask = 1 << 1;      /* read: 1 */
  add(&fixture, 1)->wait_mask = 1 << 3;      /* there: 20 */
  simulate(&fixture);
  assert_int_equal(issue_time(&fixture, 0, 0, 1), 2);
  assert_int_equal(issue_time(&fixture, 0, 0, 2), 20);
  assert_int_equal(count_events(&fixture, WB_EVENT_REQUEST), 2);
  assert_int_equal(fixture.run.busy[path], 6);
}

/* Loads take 8, 4 and 6 cycles: 2 of them are under way until 5, 1 until 8. */
TEST(depbar_counts_what_is_under_way)
{
  for (uint8_t left = 0; left < 3; left++) {
    FREED_BY(end) struct fixture fixture;
    start(&fixture);
    for (uint32_t i = 0; i < 3; i++) {
      struct wb_timed_instruction *const load = add(&fixture, 1);
      load->latency = i == 0 ? 8 : i == 1 ? 4 : 6;
      load->write_scoreboard = 2;
    }
    struct wb_timed_instruction *const waits = add(&fixture, 1);
    waits->counted_scoreboard = 2;
    waits->counted_left = left;
    simulate(&fixture);
    static const uint64_t expected[] = {8, 8, 5};
    assert_int_equal(issue_time(&fixture, 0, 0, 3), expected[left]);
  }
}

TEST(fences_wait_for_all_that_is_under_way)
{
  FREED_BY(end) struct fixture fixture;
  start(&fixture);
  const uint8_t memory = small_resource(&fixture.code, "memory", WB_LEVEL_GPU, 1, false);
  add(&fixture, 1); /* a store: 5 .. 15, its results are nobody's: 18 */
  fixture.code.instructions[0].latency = 3;
  small_stage(&fixture.code, memory, 1, 5, 10);
  add(&fixture, 1)->latency = 16; /* 17 */
  add(&fixture, 1)->fence = true;
  simulate(&fixture);
  assert_int_equal(issue_time(&fixture, 0, 0, 1), 1);
  assert_int_equal(issue_time(&fixture, 0, 0, 2), 18);
  fixture.code.instructions[1].latency = 30;
  simulate(&fixture);
  assert_int_equal(issue_time(&fixture, 0, 0, 2), 31);
}

TEST(barriers_wait_for_all_warps)
{
  FREED_BY(end) struct fixture fixture;
  start(&fixture);
  add(&fixture, 5);
  add(&fixture, 2)->barrier = true;
  static const uint32_t late[] = {0, 1, 0};
  static const uint32_t early[] = {1, 0};
  fixture.paths[0] = (struct wb_warp_path){late, 3};
  fixture.paths[1] = (struct wb_warp_path){early, 2};
  fixture.options.path_count = 2;
  fixture.shape.block_warps = 2;
  fixture.shape.partitions = 2;
  simulate(&fixture);
  assert_int_equal(issue_time(&fixture, 0, 0, 2), 7);
  assert_int_equal(issue_time(&fixture, 0, 1, 1), 7);
  assert_int_equal(count_events(&fixture, WB_EVENT_BARRIER_WAIT), 1);
  assert_int_equal(fixture.run.cycles, 12);
}

TEST(blocks_come_one_after_the_other)
{
  FREED_BY(end) struct fixture fixture;
  start(&fixture);
  add(&fixture, 5);
  fixture.shape.blocks = 3;
  fixture.shape.block_start = 2;
  fixture.shape.dispatch = 1;
  simulate(&fixture);
  assert_int_equal(issue_time(&fixture, 2, 0, 0), 19);
  assert_int_equal(fixture.run.cycles, 24);
  assert_int_equal(fixture.run.block_begin[1], 8);
  assert_int_equal(fixture.run.block_ready[1], 11);
  assert_int_equal(fixture.run.block_end[1], 16);
  assert_int_equal(fixture.run.longest_block, 8);
  assert_int_equal(fixture.run.last_block, 2);
}

TEST(dispatcher_serves_one_block_at_a_time)
{
  FREED_BY(end) struct fixture fixture;
  start(&fixture);
  add(&fixture, 5);
  fixture.shape.blocks = 4;
  fixture.shape.sms = 4;
  fixture.shape.dispatch = 3;
  simulate(&fixture);
  assert_int_equal(fixture.run.cycles, 4 * 3 + 5);
  for (uint32_t b = 0; b < 4; b++)
    assert_int_equal(fixture.run.block_sm[b], b);
}

/* A store's way through the SM keeps its block, its way through memory does not. */
TEST(blocks_leave_before_memory_is_done)
{
  FREED_BY(end) struct fixture fixture;
  start(&fixture);
  const uint8_t path = small_resource(&fixture.code, "path", WB_LEVEL_SM, 1, false);
  const uint8_t memory = small_resource(&fixture.code, "memory", WB_LEVEL_GPU, 1, false);
  add(&fixture, 1);
  small_stage(&fixture.code, path, 1, 2, 4);
  small_stage(&fixture.code, memory, 1, 0, 50);
  fixture.shape.blocks = 2;
  simulate(&fixture);
  assert_int_equal(fixture.run.block_end[0], 6);
  assert_int_equal(fixture.run.block_begin[1], 6);
  assert_int_equal(fixture.run.block_end[1], 12);
  assert_int_equal(fixture.run.cycles, 6 + 50 + 50);
}

TEST(servers_share_requests)
{
  FREED_BY(end) struct fixture fixture;
  start(&fixture);
  const uint8_t path = small_resource(&fixture.code, "path", WB_LEVEL_SM, 2, false);
  add(&fixture, 1);
  small_stage(&fixture.code, path, 5, 1, 3);
  simulate(&fixture);
  assert_int_equal(fixture.run.cycles, 1 + 3 * 3);
  assert_int_equal(fixture.run.busy[path], 15);
}

TEST(seeds_choose_where_blocks_go)
{
  FREED_BY(end) struct fixture fixture;
  start(&fixture);
  add(&fixture, 5);
  fixture.shape.blocks = 4;
  fixture.shape.sms = 3;
  fixture.shape.resident_blocks = 2;
  simulate(&fixture); /* the lowest SM first */
  assert_int_equal(fixture.run.block_sm[1], 0);
  assert_int_equal(fixture.run.block_sm[3], 1);
  assert_int_equal(fixture.run.cycles, 6);
  fixture.options.seed = 1; /* in turn */
  simulate(&fixture);
  for (uint32_t b = 0; b < 4; b++)
    assert_int_equal(fixture.run.block_sm[b], b % 3);
}

/* Whatever the seed: no SM gets a second block while another one has none. */
TEST(balanced_runs_use_all_sms_first)
{
  for (uint64_t seed = 0; seed < 3; seed++) {
    FREED_BY(end) struct fixture fixture;
    start(&fixture);
    add(&fixture, 1);
    fixture.shape.blocks = 5;
    fixture.shape.sms = 3;
    fixture.shape.resident_blocks = 3;
    fixture.options.seed = seed;
    fixture.options.balanced = true;
    simulate(&fixture);
    for (uint32_t b = 0; b < 5; b++)
      assert_int_equal(fixture.run.block_sm[b], b % 3);
  }
}

TEST(events_can_be_those_of_the_last_block)
{
  FREED_BY(end) struct fixture fixture;
  start(&fixture);
  add(&fixture, 5);
  fixture.shape.blocks = 5;
  fixture.shape.sms = 2;
  simulate(&fixture);
  assert_int_equal(fixture.run.last_block, 4);
  fixture.options.events_of_sm = true;
  fixture.options.events_sm = fixture.run.last_sm;
  fixture.options.events_from = fixture.run.last_block_begin + 1;
  simulate(&fixture);
  assert_int_equal(fixture.run.event_count, 1);
  assert_int_equal(fixture.run.events[0].block, 4);
}

/* Two partitions find nothing in their caches, nor does the SM. */
TEST(lines_are_fetched_once_by_each_cache)
{
  FREED_BY(end) struct fixture fixture;
  start(&fixture);
  struct wb_timed_code *const code = &fixture.code;
  const uint8_t cache = small_resource(code, "cache", WB_LEVEL_SM, 1, false);
  const uint8_t memory = small_resource(code, "memory", WB_LEVEL_GPU, 1, false);
  add(&fixture, 1);
  add(&fixture, 1);
  code->cold[0] = (struct wb_cold_fetch){
      .name = "code", .count = 1, .level = WB_LEVEL_PARTITION, .stage_count = 1};
  code->cold[0].stages[0] =
      (struct wb_request_stage){.resource = cache, .requests = 1, .delay = 2, .service = 1};
  code->cold[1] =
      (struct wb_cold_fetch){.name = "code", .count = 2, .level = WB_LEVEL_SM, .stage_count = 1};
  code->cold[1].stages[0] =
      (struct wb_request_stage){.resource = memory, .requests = 1, .delay = 10, .service = 3};
  code->cold[2] = (struct wb_cold_fetch){
      .name = "translations", .count = 1, .level = WB_LEVEL_GPU, .stage_count = 1};
  code->cold[2].stages[0] =
      (struct wb_request_stage){.resource = memory, .requests = 1, .delay = 5, .service = 4};
  code->cold_count = 3;
  /* Both instructions are in one line; the second one reads a constant of the same page. */
  struct wb_cold_lines *const lines = &code->cold_lines;
  lines->lines = calloc(4, sizeof *lines->lines);
  lines->first = calloc(3, sizeof *lines->first);
  lines->needs = calloc(3, sizeof *lines->needs);
  assert_true(lines->lines != NULL && lines->first != NULL && lines->needs != NULL);
  lines->count = 4;
  lines->lines[0] = (struct wb_cold_line){.fetch = 2};
  lines->lines[1] = (struct wb_cold_line){.fetch = 1, .behind = 1};
  lines->lines[2] = (struct wb_cold_line){.fetch = 0, .behind = 2};
  lines->lines[3] = (struct wb_cold_line){.fetch = 1, .behind = 1};
  lines->first[1] = 1;
  lines->first[2] = 3;
  lines->needs[0] = 2;
  lines->needs[1] = 2;
  lines->needs[2] = 3;
  fixture.shape.block_warps = 2;
  fixture.shape.partitions = 2;
  fixture.options.cold = true;
  simulate(&fixture);
  /* The page from 5 to 9, the SM's line from 19 to 22, then one partition's and the other's. */
  assert_int_equal(issue_time(&fixture, 0, 0, 0), 25);
  assert_int_equal(issue_time(&fixture, 0, 1, 0), 26);
  /* The first of both asks for the constant at 26. */
  assert_int_equal(issue_time(&fixture, 0, 0, 1), 39);
  assert_int_equal(issue_time(&fixture, 0, 1, 1), 39);
  assert_int_equal(fixture.run.cycles, 40);
  assert_int_equal(fixture.run.busy[memory], 10);
  fixture.options.cold = false;
  simulate(&fixture);
  assert_int_equal(fixture.run.cycles, 2);
}

/* The numbers of doc/launch.md: bounds that no run exceeds, and a run of 1191 that was found. */
TEST(worked_example_stays_below_its_bounds)
{
  static const uint64_t bounds[2][2] = {{1327, 9242}, {1495, 11360}};
  for (size_t barriers = 0; barriers < 2; barriers++) {
    uint64_t most[2] = {0};
    for (uint64_t run = 0; run < 2 * WB_LAUNCH_POLICY_COUNT * 18; run++) {
      FREED_BY(end) struct fixture fixture;
      start(&fixture);
      small_worked_example(&fixture.code, barriers == 1);
      const bool launch = run % 2 == 1;
      fixture.shape = (struct wb_launch_shape){.blocks = launch ? 120 : 1,
                                               .block_warps = 8,
                                               .sms = 14,
                                               .partitions = 4,
                                               .resident_blocks = 3};
      fixture.options.policy = (enum wb_launch_policy)(run / 2 % WB_LAUNCH_POLICY_COUNT);
      fixture.options.seed = run / 2 / WB_LAUNCH_POLICY_COUNT;
      simulate(&fixture);
      assert_true(fixture.run.cycles <= bounds[barriers][launch]);
      if (fixture.run.cycles > most[launch])
        most[launch] = fixture.run.cycles;
    }
    if (barriers == 0)
      assert_int_equal(most[0], 1191);
    assert_true(most[1] > 3000);
  }
}

TEST(shorter_times_are_within_their_most)
{
  FREED_BY(end) struct fixture fixture;
  start(&fixture);
  for (size_t i = 0; i < 50; i++)
    add(&fixture, 10);
  simulate(&fixture);
  assert_int_equal(fixture.run.cycles, 500);
  fixture.options.shorter = 500;
  simulate(&fixture);
  const uint64_t first = fixture.run.cycles;
  assert_in_range(first, 51, 499);
  simulate(&fixture);
  assert_int_equal(fixture.run.cycles, first);
  fixture.options.seed = 1;
  simulate(&fixture);
  assert_int_not_equal(fixture.run.cycles, first);
}

TEST(random_runs_depend_on_the_seed_alone)
{
  uint64_t cycles[2][3];
  for (size_t run = 0; run < 2; run++) {
    for (uint64_t seed = 0; seed < 3; seed++) {
      FREED_BY(end) struct fixture fixture;
      start(&fixture);
      small_worked_example(&fixture.code, true);
      fixture.shape = (struct wb_launch_shape){
          .blocks = 60, .block_warps = 8, .sms = 4, .partitions = 4, .resident_blocks = 3};
      fixture.options.policy = WB_LAUNCH_RANDOM;
      fixture.options.seed = seed * 9;
      simulate(&fixture);
      cycles[run][seed] = fixture.run.cycles;
    }
  }
  assert_memory_equal(cycles[0], cycles[1], sizeof cycles[0]);
  assert_true(cycles[0][0] != cycles[0][1] || cycles[0][1] != cycles[0][2]);
}

static void expect_failure(const struct fixture *fixture, const struct wb_control *control,
                           warpbound_status status, const char *says)
{
  FREED_BY(wb_simulated_launch_free) struct wb_simulated_launch run;
  warpbound_error error = {0};
  assert_int_equal(
      wb_launch_simulate(&fixture->code, &fixture->shape, &fixture->options, control, &run, &error),
      status);
  if (strstr(error.message, says) == NULL)
    fail_msg("'%s' does not say '%s'", error.message, says);
}

TEST(bad_input_is_refused)
{
  FREED_BY(end) struct fixture fixture;
  start(&fixture);
  add(&fixture, 5);
  add(&fixture, 2)->barrier = true;
  fixture.options.paths = fixture.paths;
  expect_failure(&fixture, NULL, WARPBOUND_INVALID_INPUT, "no path");
  fixture.options.path_count = 1;
  expect_failure(&fixture, NULL, WARPBOUND_INVALID_INPUT, "empty");
  fixture.paths[0] = (struct wb_warp_path){fixture.steps, 3};
  expect_failure(&fixture, NULL, WARPBOUND_INVALID_INPUT, "instruction 2, the code has 2");
  fixture.paths[0].length = 2;
  fixture.paths[1] = (struct wb_warp_path){fixture.steps, 1};
  fixture.options.path_count = 2;
  expect_failure(&fixture, NULL, WARPBOUND_INVALID_INPUT, "wait for ever");
  fixture.options.path_count = 1;
  fixture.shape.sms = 0;
  expect_failure(&fixture, NULL, WARPBOUND_INVALID_INPUT, "without blocks");
  fixture.shape.sms = 1;
  fixture.shape.blocks = UINT64_MAX / 2;
  fixture.shape.block_warps = 3;
  expect_failure(&fixture, NULL, WARPBOUND_INVALID_INPUT, "64 bits");
  fixture.shape.blocks = UINT64_C(1) << 60;
  fixture.shape.sms = UINT32_MAX;
  fixture.shape.resident_blocks = UINT32_MAX;
  expect_failure(&fixture, NULL, WARPBOUND_LIMIT, "memory limit");
  fixture.code.instructions[0].stall = 0;
  expect_failure(&fixture, NULL, WARPBOUND_INVALID_INPUT, "out of range");
}

TEST(long_runs_can_be_ended)
{
  FREED_BY(end) struct fixture fixture;
  start(&fixture);
  add(&fixture, 5);
  fixture.paths[0] = (struct wb_warp_path){fixture.steps, 1};
  fixture.options = (struct wb_simulation_options){.paths = fixture.paths, .path_count = 1};
  fixture.shape.blocks = UINT64_C(1) << 60;
  const struct wb_control control = {
      .memory_limit = WB_DEFAULT_MEMORY_LIMIT, .threads = 1, .interrupted = interrupt_at_once};
  expect_failure(&fixture, &control, WARPBOUND_LIMIT, "interrupted, or the time limit was reached");
  fixture.options.most_instructions = 10;
  struct wb_simulated_launch run;
  assert_ok(wb_launch_simulate(&fixture.code, &fixture.shape, &fixture.options, NULL, &run, NULL));
  assert_false(run.ended);
  assert_int_equal(run.instructions, 10);
  assert_int_equal(run.cycles, 50);
}

/* Requests that never wait for anything pile up: an error, not all of the memory. */
TEST(requests_under_way_are_limited)
{
  FREED_BY(end) struct fixture fixture;
  start(&fixture);
  const uint8_t memory = small_resource(&fixture.code, "memory", WB_LEVEL_GPU, 1, false);
  add(&fixture, 1);
  small_stage(&fixture.code, memory, 4096, 0, WB_TIME_LIMIT);
  fixture.paths[0] = (struct wb_warp_path){fixture.steps, 1};
  fixture.options = (struct wb_simulation_options){.paths = fixture.paths, .path_count = 1};
  fixture.shape.blocks = UINT64_C(1) << 40;
  const struct wb_control control = {.memory_limit = 1 << 20, .threads = 1};
  expect_failure(&fixture, &control, WARPBOUND_LIMIT, "memory");
}

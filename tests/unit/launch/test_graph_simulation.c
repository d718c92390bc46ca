/* The simulator of launches together on runs that are worked out by hand. Random ones:
 * cross/together. */
#include "launch/simulation/joined_code.h"
#include "launch/simulation/launch_simulation.h"
#include "launches/small_launch.h"
#include "unit.h"

#define MOST_STEPS 8

/* Two kernels of one warp a block and one instruction, of stalls 3 and 5; two SMs with room 2,
 * blocks take 1 and 2 of it. */
struct fixture {
  struct wb_timed_code own[2], code;
  uint32_t instruction[2];
  struct wb_warp_path paths[2];
  struct wb_simulated_kernel kernels[2];
  struct wb_mixes mixes;
  struct wb_launch_shape shape;
  struct wb_simulated_step steps[MOST_STEPS];
  struct wb_simulated_graph graph;
  struct wb_simulation_options options;
  struct wb_simulated_launch run;
};

static void start(struct fixture *fixture)
{
  const struct wb_timed_code *codes[2];
  size_t first[2];
  *fixture = (struct fixture){
      .mixes = {.kernel_count = 2,
                .most = {2, 1},
                .rooms = {{.capacity = 2, .size = {1, 2}}},
                .room_count = 1},
      .shape = {.sms = 2, .partitions = 1},
  };
  for (size_t k = 0; k < 2; k++) {
    const uint8_t slot =
        small_resource(&fixture->own[k], k == 0 ? "slot" : "other", WB_LEVEL_PARTITION, 1, true);
    small_instruction(&fixture->own[k], k == 0 ? 3 : 5);
    small_use(&fixture->own[k], slot, 1);
    codes[k] = &fixture->own[k];
  }
  assert_ok(wb_timed_code_join(codes, 2, &fixture->code, first, NULL));
  assert_int_equal(fixture->code.resource_count, 2);
  for (size_t k = 0; k < 2; k++) {
    fixture->instruction[k] = (uint32_t)first[k];
    fixture->paths[k] = (struct wb_warp_path){&fixture->instruction[k], 1};
    fixture->kernels[k] = (struct wb_simulated_kernel){1, 1, &fixture->paths[k], 1, 0, 0};
  }
  fixture->graph = (struct wb_simulated_graph){.kernels = fixture->kernels,
                                               .mixes = &fixture->mixes,
                                               .steps = fixture->steps,
                                               .memory = WB_RESOURCE_LIMIT};
}

static void add(struct fixture *fixture, struct wb_simulated_step step)
{
  fixture->steps[fixture->graph.step_count++] = step;
}

static void expect(struct fixture *fixture, uint64_t cycles)
{
  warpbound_error error = {0};
  wb_simulated_launch_free(&fixture->run);
  if (wb_graph_simulate(&fixture->code, &fixture->shape, &fixture->graph, &fixture->options, NULL,
                        &fixture->run, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  assert_true(fixture->run.ended);
  assert_int_equal(fixture->run.cycles, cycles);
}

static void end(struct fixture *fixture)
{
  wb_simulated_launch_free(&fixture->run);
  wb_timed_code_free(&fixture->own[0]);
  wb_timed_code_free(&fixture->own[1]);
  wb_timed_code_free(&fixture->code);
}

TEST(steps_come_after_each_other)
{
  static const uint32_t first[] = {0}, both[] = {1, 2};
  struct fixture fixture;
  start(&fixture);
  fixture.shape.overhead = 4;
  add(&fixture, (struct wb_simulated_step){.kind = WB_STEP_COPY, .cycles = 10});
  add(&fixture, (struct wb_simulated_step){
                    .kind = WB_STEP_LAUNCH, .gap = 2, .after = first, .after_count = 1});
  add(&fixture, (struct wb_simulated_step){
                    .kind = WB_STEP_LAUNCH, .kernel = 1, .after = first, .after_count = 1});
  add(&fixture, (struct wb_simulated_step){
                    .kind = WB_STEP_WAIT, .cycles = 7, .after = both, .after_count = 2});
  /* Both launches of one block end at 10 + 2 + 4 + 3 and 10 + 4 + 5. */
  expect(&fixture, 19 + 7);
  assert_int_equal(fixture.run.step_asked[1], 12);
  assert_int_equal(fixture.run.step_begin[1], 16);
  assert_int_equal(fixture.run.step_end[2], 19);
  end(&fixture);
}

TEST(blocks_wait_for_room_that_they_share)
{
  struct fixture fixture;
  start(&fixture);
  fixture.kernels[0].blocks = 3;
  fixture.kernels[1].blocks = 2;
  add(&fixture, (struct wb_simulated_step){.kind = WB_STEP_LAUNCH});
  add(&fixture, (struct wb_simulated_step){.kind = WB_STEP_LAUNCH, .kernel = 1});
  /* Two small ones fill one SM, the third is alone on the other; a large one needs a whole SM. The
   * second warp of a partition issues a cycle later. */
  expect(&fixture, 3 + 5 + 1);
  /* Large ones first: the small ones come when these have left. */
  fixture.options.seed = 27;
  expect(&fixture, 5 + 3 + 1);
  assert_int_equal(fixture.run.step_end[1], 5);
  /* With SMs of their own nothing waits for the other launch. */
  fixture.kernels[0].sms = 1;
  fixture.kernels[1].first_sm = 1;
  fixture.kernels[1].sms = 1;
  expect(&fixture, 10);
  assert_int_equal(fixture.run.step_end[0], 6);
  end(&fixture);
}

TEST(copies_take_turns_at_an_engine)
{
  struct fixture fixture;
  start(&fixture);
  add(&fixture, (struct wb_simulated_step){.kind = WB_STEP_COPY, .cycles = 4});
  add(&fixture, (struct wb_simulated_step){.kind = WB_STEP_COPY, .cycles = 5});
  add(&fixture, (struct wb_simulated_step){.kind = WB_STEP_COPY, .cycles = 8, .engine = 1});
  expect(&fixture, 9);
  end(&fixture);
}

/* A launch beside the graph is released at its time, unless the graph is over by then. */
TEST(launches_beside_come_at_their_time)
{
  struct fixture fixture;
  start(&fixture);
  fixture.graph.begin = 2;
  add(&fixture, (struct wb_simulated_step){.kind = WB_STEP_LAUNCH, .kernel = 1});
  add(&fixture, (struct wb_simulated_step){.kind = WB_STEP_LAUNCH, .beside = true, .at = 1});
  add(&fixture, (struct wb_simulated_step){.kind = WB_STEP_LAUNCH, .beside = true, .at = 20});
  expect(&fixture, 5);
  assert_int_equal(fixture.run.step_end[1], 4);
  assert_true(fixture.run.step_asked[2] == UINT64_MAX);
  end(&fixture);
}

TEST(a_path_that_makes_no_sense_is_refused)
{
  struct fixture fixture;
  warpbound_error error = {0};
  start(&fixture);
  add(&fixture, (struct wb_simulated_step){.kind = WB_STEP_LAUNCH});
  fixture.kernels[1].path_count = 0;
  assert_int_equal(wb_graph_simulate(&fixture.code, &fixture.shape, &fixture.graph,
                                     &fixture.options, NULL, &fixture.run, &error),
                   WARPBOUND_INVALID_INPUT);
  assert_non_null(strstr(error.message, "no path"));
  end(&fixture);
}

TEST(resources_of_one_name_are_one)
{
  struct fixture fixture;
  const struct wb_timed_code *codes[2];
  struct wb_timed_code joined;
  size_t first[2];
  warpbound_error error = {0};
  start(&fixture);
  codes[0] = &fixture.own[0];
  codes[1] = &fixture.own[0];
  assert_ok(wb_timed_code_join(codes, 2, &joined, first, NULL));
  assert_int_equal(joined.resource_count, 1);
  assert_int_equal(first[1], 1);
  wb_timed_code_free(&joined);
  fixture.own[1].resources[0] = fixture.own[0].resources[0];
  fixture.own[1].resources[0].servers = 2;
  codes[1] = &fixture.own[1];
  assert_int_equal(wb_timed_code_join(codes, 2, &joined, first, &error), WARPBOUND_INVALID_INPUT);
  assert_non_null(strstr(error.message, "'slot' is not the same"));
  end(&fixture);
}

/* A code says nothing of the servers of a resource that it does not use. */
TEST(servers_are_of_the_kernels_that_use_them)
{
  struct fixture fixture;
  const struct wb_timed_code *codes[2];
  struct wb_timed_code joined;
  size_t first[2];
  start(&fixture);
  small_resource(&fixture.own[0], "memory", WB_LEVEL_GPU, 1, false);
  const uint8_t memory = small_resource(&fixture.own[1], "memory", WB_LEVEL_GPU, 4, false);
  small_stage(&fixture.own[1], memory, 1, 0, 1);
  for (size_t order = 0; order < 2; order++) {
    codes[0] = &fixture.own[order];
    codes[1] = &fixture.own[1 - order];
    assert_ok(wb_timed_code_join(codes, 2, &joined, first, NULL));
    assert_int_equal(joined.resource_count, 3);
    for (size_t r = 0; r < joined.resource_count; r++)
      assert_int_equal(joined.resources[r].servers,
                       strcmp(joined.resources[r].name, "memory") == 0 ? 4 : 1);
    wb_timed_code_free(&joined);
  }
  end(&fixture);
}

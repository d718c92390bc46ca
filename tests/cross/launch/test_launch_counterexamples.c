/* Launches that refute bounds simpler than those of doc/launch.md (its table "What fails"): the
 * worst time by every schedule is above the simpler bound, and not above the theorems', nor above
 * the library's. What the simpler bound leaves out is a slip of launch_reference.h. */
#include "launch_brute.h"
#include "launch_makers.h"
#include "launch_reference.h"
#include "unit.h"
#include "written_launch.h"

#include <string.h>

#define STATES ((size_t)100000)

/* The worst time, and that the theorems and the library hold. */
static void expect(struct written_launch *written, uint32_t worst)
{
  const struct tiny_launch *launch = &written->random.tiny;
  struct launch_reference reference;
  uint32_t found;
  struct random_launch counted = written->random;
  tiny_launch_raise_levels(&counted.tiny);
  assert_null(wb_timed_code_check(&launch->code));
  assert_true(random_launch_paths(&written->random, &launch_size_large));
  struct launch_brute *brute = launch_brute_start(STATES);
  assert_non_null(brute);
  assert_true(launch_brute_worst(brute, launch, &found));
  assert_int_equal(found, worst);
  counted.tiny.path_count = launch->path_count;
  memcpy(counted.tiny.paths, launch->paths, sizeof counted.tiny.paths);
  assert_true(launch_reference_find(&counted.tiny, SLIP_NONE, &reference));
  assert_true(launch_reference_bound(&counted.tiny, &reference, SLIP_NONE) >= worst);
  /* The library's bound, over phases, and over composite paths where all warps pass the same
   * barriers, or none. */
  const bool alike = !written->random.graph.crossed && launch->early != TINY_EARLY_ANY;
  for (int composite = 0; composite <= alike; composite++) {
    FREED_BY(made_bound_free) struct made_bound made;
    made_bound_make(&counted, composite, &made);
    if (made.launch.cycles < worst)
      fail_msg("a schedule takes longer than the bound: %u > %llu", worst,
               (unsigned long long)made.launch.cycles);
  }
  launch_brute_free(brute);
}

/* The same, and that the bound with the slip is less than the worst time: also that with no slip
 * where no level is raised for servers that are kept. */
static void refute(struct written_launch *written, uint32_t worst, enum launch_slip slip,
                   uint64_t simpler)
{
  struct launch_reference reference;
  expect(written, worst);
  assert_true(launch_reference_find(&written->random.tiny, slip, &reference));
  assert_int_equal(launch_reference_bound(&written->random.tiny, &reference, slip), simpler);
  assert_true(simpler < worst);
}

/* The slot is held for longer than the stall and keeps its own warp. */
TEST(test_service_beyond_stall)
{
  struct written_launch written;
  written_start(&written);
  written_add(&written, 1, 2);
  written_add(&written, 1, 1);
  written_connect(&written, "01");
  refute(&written, 3, SLIP_OWN_SERVICES, 2);
}

/* The second request comes to the port at the same time as the first and goes before it. */
TEST(test_overtaken_load)
{
  struct written_launch written;
  written_start(&written);
  written_add_port(&written, WB_LEVEL_SM, 1);
  written_add_stage(&written, written_add(&written, 1, 1), (struct wb_request_stage){1, 1, 1, 1});
  written_add_stage(&written, written_add(&written, 1, 1), (struct wb_request_stage){1, 1, 0, 4});
  written_connect(&written, "01");
  refute(&written, 6, SLIP_OWN_REQUESTS, 5);
}

/* Two servers, of which a warp's own requests keep one. */
TEST(test_own_on_other_server)
{
  struct written_launch written;
  written_start(&written);
  written.random.tiny.code.resources[0].servers = 2;
  written.random.tiny.shape.block_warps = 2;
  written_add_port(&written, WB_LEVEL_SM, 2);
  struct wb_timed_instruction *load = written_add(&written, 1, 1);
  written_add_stage(&written, load, (struct wb_request_stage){1, 3, 1, 3});
  load->latency = 2;
  written_connect(&written, "");
  refute(&written, 12, SLIP_OWN_SHARED, 11);
}

/* One warp is late at the barrier, and the other one takes long behind it: 4 cycles and not 3,
 * with an instruction of all warps before and one behind. */
TEST(test_crossed_phases)
{
  struct written_launch written;
  written_start(&written);
  written.random.tiny.shape.block_warps = 2;
  written.random.tiny.shape.partitions = 2;
  written_add(&written, 1, 1);
  written_add(&written, 1, 1)->barrier = true;
  written_add(&written, 2, 1)->barrier = true;
  written_add(&written, 1, 1);
  written_add(&written, 2, 1);
  written_add(&written, 1, 1);
  written_connect(&written, "01 02 13 14 23 24 35 45");
  written.random.graph.crossed = true;
  written_exclude(&written, 0, 2, 4);
  written_exclude(&written, 1, 3, 5);
  refute(&written, 1 + 4 + 1, SLIP_COMPOSITE, 1 + 3 + 1);
}

/* Half of a service is on the chain and half of it among the GPU's: 1.5 and 1.5. */
TEST(test_floors_apart)
{
  struct written_launch written;
  written_start(&written);
  written_add_port(&written, WB_LEVEL_GPU, 2);
  written_add_stage(&written, written_add(&written, 1, 1), (struct wb_request_stage){1, 1, 0, 3});
  written_connect(&written, "");
  refute(&written, 3, SLIP_FLOORS, 2);
}

/* Chains of successive blocks of a slot lie in different partitions. The bounds that these times
 * refuted first were 75 and 95. */
TEST(test_partition_changes)
{
  struct written_launch written;
  written_start(&written);
  written.random.tiny.shape = (struct wb_launch_shape){
      .blocks = 14, .block_warps = 4, .sms = 1, .partitions = 4, .resident_blocks = 2};
  written_add(&written, 3, 1);
  for (int i = 0; i < 3; i++)
    written_add(&written, 1, 1);
  written_connect(&written, "01 12 23");
  refute(&written, 77, SLIP_PARTITIONS, 74);
  written.random.tiny.shape.blocks = 18;
  refute(&written, 99, SLIP_PARTITIONS, 94);
}

/* The last block begins beside one that has just begun, while the blocks of the other SM, whose
 * paths are longer, still run: what is left then is not the last block alone. */
TEST(test_beside_the_last_block)
{
  struct written_launch written;
  written_start(&written);
  written.random.tiny.shape = (struct wb_launch_shape){
      .blocks = 6, .block_warps = 1, .sms = 2, .partitions = 1, .resident_blocks = 2};
  for (int i = 0; i < 7; i++)
    written_add(&written, 1, 1);
  written_add(&written, 4, 1);
  written_connect(&written, "01 03 12 23 34 45 56 67");
  expect(&written, 35);
}

/* A unit that a warp took before its barrier keeps another warp, which passed another barrier. */
TEST(test_unit_held_across_barriers)
{
  struct written_launch written;
  written_start(&written);
  struct wb_timed_code *code = &written.random.tiny.code;
  written.random.tiny.shape.blocks = 2;
  written.random.tiny.shape.block_warps = 2;
  code->resources[code->resource_count++] = (struct wb_resource){"unit", WB_LEVEL_SM, 1, true};
  written_add_unit(&written, written_add(&written, 1, 1), 2);
  written_add_unit(&written, written_add(&written, 1, 3), 4);
  written_add(&written, 1, 1);
  written_add_unit(&written, written_add(&written, 1, 1), 3);
  written_add(&written, 3, 1);
  written_add(&written, 2, 1)->latency = 1;
  written.instructions[1].barrier = written.instructions[3].barrier = true;
  written.instructions[3].latency = 2;
  written_connect(&written, "01 03 12 34 25 45");
  written.random.graph.crossed = true;
  expect(&written, 34);
}

/* The chain meets a block beside it in one partition, and after a barrier in the other one. */
TEST(test_met_again_after_barrier)
{
  struct written_launch written;
  written_start(&written);
  written.random.tiny.shape = (struct wb_launch_shape){
      .blocks = 2, .block_warps = 2, .sms = 1, .partitions = 2, .resident_blocks = 2};
  written_add(&written, 1, 1)->barrier = true;
  written_add(&written, 2, 1)->latency = 2;
  struct wb_timed_instruction *long_one = written_add(&written, 1, 4);
  long_one->write_scoreboard = 0;
  written_add(&written, 1, 1);
  struct wb_timed_instruction *last = written_add(&written, 1, 1);
  last->latency = 3;
  last->wait_mask = 1;
  written_connect(&written, "01 03 12 24 34");
  expect(&written, 18);
}

/* Requests that were made before the barrier, in another partition, and served behind it. */
TEST(test_requests_outlive_barrier)
{
  struct written_launch written;
  written_start(&written);
  written.random.tiny.shape.block_warps = 2;
  written.random.tiny.shape.partitions = 2;
  written_add_port(&written, WB_LEVEL_PARTITION, 1);
  written_add(&written, 1, 1);
  written_add_stage(&written, written_add(&written, 1, 1), (struct wb_request_stage){1, 3, 10, 3});
  written_add(&written, 10, 1);
  written_add(&written, 1, 1)->barrier = true;
  struct wb_timed_instruction *load = written_add(&written, 1, 1);
  written_add_stage(&written, load, (struct wb_request_stage){1, 1, 0, 3});
  load->write_scoreboard = 0;
  written_add(&written, 12, 1)->wait_mask = 1;
  written_connect(&written, "01 02 13 23 34 45");
  expect(&written, 1 + 10 + 9 + 3 + 12);
}

/* No path takes long in both phases, but two warps together do. */
TEST(test_excluded_phases)
{
  struct written_launch written;
  written_start(&written);
  written.random.tiny.shape.block_warps = 2;
  written.random.tiny.shape.partitions = 2;
  written_add(&written, 1, 1);
  written_add(&written, 1, 1);
  written_add(&written, 5, 1);
  written_add(&written, 1, 1)->barrier = true;
  written_add(&written, 1, 1);
  written_add(&written, 5, 1);
  written_add(&written, 1, 1);
  written_connect(&written, "01 02 13 23 34 35 46 56");
  written_exclude(&written, 1, 5, 5);
  expect(&written, 1 + 5 + 1 + 5 + 1);
}

/* A barrier waits for a warp that ends without it; over phases, and where it passes none. */
TEST(test_early_ends)
{
  for (int later = 0; later < 2; later++) {
    struct written_launch written;
    written_start(&written);
    written.random.tiny.shape.partitions = written.random.tiny.shape.block_warps = 2;
    written.random.tiny.early = later ? TINY_EARLY_ANY : TINY_EARLY_FIRST;
    written_add(&written, 1, 1)->barrier = later;
    written_add(&written, 20, 1); /* where warps may end */
    written_add(&written, 1, 1)->barrier = true;
    written_add(&written, 20, 1);
    written_connect(&written, "01 02 23");
    written.random.graph.early_end[1] = true;
    refute(&written, 41, SLIP_EARLY_ENDS, 22);
  }
}

/* A barrier waits for a warp that ends without it until all that it made is over; what is under way
 * at the very end comes after it once more. */
TEST(test_late_early_ends)
{
  for (int later = 0; later < 2; later++) {
    struct written_launch written;
    written_start(&written);
    written.random.tiny.shape.partitions = written.random.tiny.shape.block_warps = 2;
    written.random.tiny.early = later ? TINY_EARLY_ANY : TINY_EARLY_FIRST;
    written.random.tiny.late_ends = true;
    written_add(&written, 1, 1)->barrier = later;
    written_add(&written, 1, 1)->latency = 20; /* where warps may end */
    written_add(&written, 1, 1)->barrier = true;
    written_add(&written, 1, 1)->latency = 20;
    written_connect(&written, "01 02 23");
    written.random.graph.early_end[1] = true;
    expect(&written, 41);
  }
}

/* Blocks of one instruction, one after the other on one SM. */
static struct wb_timed_instruction *start_row(struct written_launch *written, enum tiny_leave leave,
                                              uint64_t blocks)
{
  written_start(written);
  written_add_port(written, WB_LEVEL_GPU, 4);
  written_add_port(written, WB_LEVEL_SM, 4);
  written->random.tiny.leave = leave;
  written->random.tiny.shape.blocks = blocks;
  return written_add(written, 1, 1);
}

/* What a block leaves behind does not hold up the next one, but the launch ends with it; also where
 * all blocks fit at once. */
TEST(test_left_behind)
{
  for (uint64_t blocks = 1; blocks <= 3; blocks++) {
    struct written_launch written;
    struct wb_timed_instruction *store = start_row(&written, TINY_LEAVE_EARLY, blocks);
    written_add_stage(&written, store, (struct wb_request_stage){1, 1, 20, 1});
    store->posted = true;
    written_connect(&written, "");
    expect(&written, (uint32_t)blocks - 1 + 21);
  }
}

/* A block stays until its operands are read, */
TEST(test_stay_of_operands)
{
  struct written_launch written;
  struct wb_timed_instruction *store = start_row(&written, TINY_LEAVE_READ, 3);
  store->read_scoreboard = 0;
  store->read_latency = 20;
  store->posted = true;
  written_connect(&written, "");
  expect(&written, 60);
}

/* until its last stage at the SM is over, */
TEST(test_stay_of_stages)
{
  struct written_launch written;
  struct wb_timed_instruction *store = start_row(&written, TINY_LEAVE_EARLY, 3);
  written_add_stage(&written, store, (struct wb_request_stage){2, 1, 20, 1});
  store->posted = true;
  written_connect(&written, "");
  expect(&written, 63);
}

/* and until a result is there, of whichever way ends last. */
TEST(test_stay_of_results)
{
  for (uint8_t longer = 1; longer <= 2; longer++) {
    struct written_launch written;
    start_row(&written, TINY_LEAVE_ENDED, 3);
    written_add(&written, 1, 1);
    written_add(&written, 1, 1);
    written.instructions[longer].latency = 20;
    written.instructions[longer].write_scoreboard = 0;
    written_connect(&written, "01 02");
    written.random.graph.early_end[1] = true;
    expect(&written, 63);
  }
}

/* A server of the GPU is kept while its request waits for the port of an SM: what waits for it on
 * another SM waits for a server that serves nobody. The bound that does not raise the port's level
 * is less. */
TEST(test_kept_server_of_the_gpu)
{
  struct written_launch written;
  written_start(&written);
  written.random.tiny.shape = (struct wb_launch_shape){
      .blocks = 2, .block_warps = 2, .sms = 2, .partitions = 2, .resident_blocks = 1};
  written_add_port(&written, WB_LEVEL_GPU, 1);
  written_add_port(&written, WB_LEVEL_SM, 1);
  struct wb_timed_instruction *one = written_add(&written, 1, 1);
  written_add_stage(&written, one, (struct wb_request_stage){1, 1, 0, 1});
  written_add_stage(&written, one, (struct wb_request_stage){2, 1, 0, 4});
  written.random.tiny.keeps[0] = true;
  written_connect(&written, "");
  refute(&written, 14, SLIP_NONE, 13);
}

/* The same with a server of the SM, kept for a port of a partition. */
TEST(test_kept_server_of_the_sm)
{
  struct written_launch written;
  written_start(&written);
  written.random.tiny.shape.block_warps = 4;
  written.random.tiny.shape.partitions = 2;
  written.random.tiny.code.resources[0].servers = 2;
  written_add_port(&written, WB_LEVEL_SM, 1);
  written_add_port(&written, WB_LEVEL_PARTITION, 1);
  struct wb_timed_instruction *one = written_add(&written, 1, 1);
  written_add_stage(&written, one, (struct wb_request_stage){1, 1, 0, 1});
  written_add_stage(&written, one, (struct wb_request_stage){2, 1, 0, 5});
  written.random.tiny.keeps[0] = true;
  written_connect(&written, "");
  refute(&written, 17, SLIP_NONE, 15);
}

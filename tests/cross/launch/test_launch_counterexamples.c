/* Launches that refute bounds simpler than those of doc/launch.md (its table "What fails"): the
 * worst time by every schedule is above the simpler bound, and not above the theorems'. What the
 * simpler bound leaves out is a slip of launch_reference.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "launch_brute.h"
#include "launch_reference.h"

#include <string.h>

#define STATES ((size_t)100000)

/* Borrowed by the launch of a test. */
struct written {
  struct wb_timed_instruction instructions[8];
  struct wb_issue_use uses[8];
  struct wb_request_stage stages[8];
  struct tiny_launch launch;
};

/* A launch of one block of one warp on one SM with one slot. */
static void start(struct written *written)
{
  *written = (struct written){0};
  struct wb_timed_code *code = &written->launch.code;
  code->instructions = written->instructions;
  code->uses = written->uses;
  code->stages = written->stages;
  code->resources[0] = (struct wb_resource){"slot", WB_LEVEL_PARTITION, 1, true};
  code->resource_count = 1;
  written->launch.shape = (struct wb_launch_shape){
      .blocks = 1, .block_warps = 1, .sms = 1, .partitions = 1, .resident_blocks = 1};
}

/* Adds an instruction that holds the slot for `slot` cycles. */
static struct wb_timed_instruction *add(struct written *written, uint32_t stall, uint32_t slot)
{
  struct wb_timed_code *code = &written->launch.code;
  struct wb_timed_instruction *one = &written->instructions[code->instruction_count++];
  *one = (struct wb_timed_instruction){.stall = stall,
                                       .first_use = (uint32_t)code->use_count,
                                       .use_count = 1,
                                       .write_scoreboard = WB_NO_SCOREBOARD,
                                       .read_scoreboard = WB_NO_SCOREBOARD,
                                       .counted_scoreboard = WB_NO_SCOREBOARD};
  written->uses[code->use_count++] = (struct wb_issue_use){0, slot};
  return one;
}

/* Adds a resource that requests use. */
static void add_port(struct written *written, enum wb_resource_level level, uint32_t servers)
{
  struct wb_timed_code *code = &written->launch.code;
  code->resources[code->resource_count++] = (struct wb_resource){"port", level, servers, false};
}

static void add_stage(struct written *written, struct wb_timed_instruction *instruction,
                      struct wb_request_stage stage)
{
  struct wb_timed_code *code = &written->launch.code;
  if (instruction->stage_count++ == 0)
    instruction->first_stage = (uint32_t)code->stage_count;
  written->stages[code->stage_count++] = stage;
}

static void add_path(struct written *written, const char *digits)
{
  struct tiny_path *path = &written->launch.paths[written->launch.path_count++];
  for (; *digits != '\0'; digits++)
    path->step[path->length++] = (uint8_t)(*digits - '0');
}

/* The worst time, the bound with the slip, and that the theorems hold. */
static void expect(const struct written *written, uint32_t worst, enum launch_slip slip,
                   uint64_t simpler)
{
  struct launch_reference reference;
  uint32_t found;
  assert_null(wb_timed_code_check(&written->launch.code));
  struct launch_brute *brute = launch_brute_start(STATES);
  assert_non_null(brute);
  assert_true(launch_brute_worst(brute, &written->launch, &found));
  assert_int_equal(found, worst);
  assert_true(launch_reference_find(&written->launch, slip, &reference));
  assert_int_equal(launch_reference_bound(&written->launch, &reference, slip), simpler);
  assert_true(launch_reference_find(&written->launch, SLIP_NONE, &reference));
  assert_true(launch_reference_bound(&written->launch, &reference, SLIP_NONE) >= worst);
  launch_brute_free(brute);
}

/* The slot is held for longer than the stall and keeps its own warp. */
static void test_service_beyond_stall(void **state)
{
  (void)state;
  struct written written;
  start(&written);
  add(&written, 1, 2);
  add(&written, 1, 1);
  add_path(&written, "01");
  expect(&written, 3, SLIP_OWN_SERVICES, 2);
}

/* The second request comes to the port at the same time as the first and goes before it. */
static void test_overtaken_load(void **state)
{
  (void)state;
  struct written written;
  start(&written);
  add_port(&written, WB_LEVEL_SM, 1);
  add_stage(&written, add(&written, 1, 1), (struct wb_request_stage){1, 1, 1, 1});
  add_stage(&written, add(&written, 1, 1), (struct wb_request_stage){1, 1, 0, 4});
  add_path(&written, "01");
  expect(&written, 6, SLIP_OWN_REQUESTS, 5);
}

/* Two servers, of which a warp's own requests keep one. */
static void test_own_on_other_server(void **state)
{
  (void)state;
  struct written written;
  start(&written);
  written.launch.code.resources[0].servers = 2;
  written.launch.shape.block_warps = 2;
  add_port(&written, WB_LEVEL_SM, 2);
  struct wb_timed_instruction *load = add(&written, 1, 1);
  add_stage(&written, load, (struct wb_request_stage){1, 3, 1, 3});
  load->latency = 2;
  add_path(&written, "0");
  expect(&written, 12, SLIP_OWN_SHARED, 11);
}

/* One warp is late at the barrier, and the other one takes long behind it. */
static void test_crossed_phases(void **state)
{
  (void)state;
  struct written written;
  start(&written);
  written.launch.shape.block_warps = 2;
  written.launch.shape.partitions = 2;
  add(&written, 1, 1)->barrier = true;
  add(&written, 2, 1)->barrier = true;
  add(&written, 1, 1);
  add(&written, 2, 1);
  add_path(&written, "03");
  add_path(&written, "12");
  expect(&written, 4, SLIP_COMPOSITE, 3);
}

/* Half of a service is on the chain and half of it among the GPU's: 1.5 and 1.5. */
static void test_floors_apart(void **state)
{
  (void)state;
  struct written written;
  start(&written);
  add_port(&written, WB_LEVEL_GPU, 2);
  add_stage(&written, add(&written, 1, 1), (struct wb_request_stage){1, 1, 0, 3});
  add_path(&written, "0");
  expect(&written, 3, SLIP_FLOORS, 2);
}

/* Chains of successive blocks of a slot lie in different partitions. The bounds that these times
 * refuted first were 75 and 95. */
static void test_partition_changes(void **state)
{
  (void)state;
  struct written written;
  start(&written);
  written.launch.shape = (struct wb_launch_shape){
      .blocks = 14, .block_warps = 4, .sms = 1, .partitions = 4, .resident_blocks = 2};
  add(&written, 3, 1);
  for (int i = 0; i < 3; i++)
    add(&written, 1, 1);
  add_path(&written, "0123");
  expect(&written, 77, SLIP_PARTITIONS, 74);
  written.launch.shape.blocks = 18;
  expect(&written, 99, SLIP_PARTITIONS, 94);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_service_beyond_stall), cmocka_unit_test(test_overtaken_load),
      cmocka_unit_test(test_own_on_other_server),  cmocka_unit_test(test_crossed_phases),
      cmocka_unit_test(test_floors_apart),         cmocka_unit_test(test_partition_changes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

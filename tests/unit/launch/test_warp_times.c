/* The times of a warp's own steps on small code, counted by hand: the worked example of
 * doc/launch.md, each kind of step, loops, barriers, interleaved groups, and what does not fit.
 * Left out: random code and flow, which tests/cross/launch_timing compares with a simulator. */
#include "launches/make_timed_code.h"
#include "unit.h"

struct fixture {
  struct wb_timed_code code;
  struct made_graph graph;
  struct wb_warp_times times;
  uint8_t slot, unit;
};

static void begin(struct fixture *f)
{
  *f = (struct fixture){0};
  f->slot = timed_resource(&f->code, WB_LEVEL_PARTITION, 1, true);
  f->unit = timed_resource(&f->code, WB_LEVEL_PARTITION, 1, true);
  made_graph_begin(&f->graph);
}

static void find(struct fixture *f)
{
  warpbound_error error = {0};
  assert_null(wb_timed_code_check(&f->code));
  const warpbound_status status = wb_warp_times_find(&f->code, &f->graph.graph, &f->times, &error);
  if (status != WARPBOUND_OK)
    print_message("%s\n", error.message);
  assert_ok(status);
}

static void end(struct fixture *f)
{
  wb_timed_code_free(&f->code);
  wb_warp_times_free(&f->times);
}

/* One node of all instructions, which may end the warp. */
static void find_straight(struct fixture *f)
{
  const uint32_t node = made_graph_node(&f->graph, 0, (uint32_t)f->code.instruction_count - 1);
  f->graph.ends[node] = true;
  find(f);
}

static uint64_t requests(const struct wb_timed_code *code, uint64_t denominator, uint32_t first,
                         uint32_t last)
{
  uint64_t sum = 0;
  for (uint32_t i = first; i <= last; i++) {
    for (size_t s = 0; s < code->instructions[i].stage_count; s++) {
      const struct wb_request_stage *stage = &code->stages[code->instructions[i].first_stage + s];
      sum += (uint64_t)stage->requests * stage->service * denominator /
             code->resources[stage->resource].servers;
    }
  }
  return sum;
}

/* ---- the worked example ---- */

struct worked {
  uint8_t path, l2, dram;
};

static void memory(struct fixture *f, struct worked on, uint32_t latency, uint8_t write)
{
  timed_instruction(&f->code,
                    (struct made_instruction){
                        .stall = 2,
                        .write = write,
                        .latency = latency,
                        .stages = {{on.path, 1, 4, 4}, {on.l2, 1, 40, 4}, {on.dram, 1, 60, 8}}});
}

/* Four rounds in a row, or one in a loop. */
static void worked_example(struct fixture *f, bool loop)
{
  const struct worked on = (struct worked){timed_resource(&f->code, WB_LEVEL_SM, 1, false),
                                           timed_resource(&f->code, WB_LEVEL_GPU, 16, false),
                                           timed_resource(&f->code, WB_LEVEL_GPU, 32, false)};
  timed_instructions(&f->code, (struct made_instruction){.stall = 4}, 4);
  for (unsigned round = 0; round < (loop ? 1 : 4); round++) {
    const struct made_instruction ffma = {.stall = 4, .unit = f->unit, .unit_service = 2};
    struct made_instruction waits = ffma;
    waits.wait_mask = 1;
    memory(f, on, 80, 1);
    timed_instruction(&f->code, (struct made_instruction){.stall = 4});
    timed_instruction(&f->code, waits);
    timed_instructions(&f->code, ffma, 7);
    timed_instruction(&f->code, (struct made_instruction){.stall = 6});
  }
  memory(f, on, 0, 0);
  timed_instruction(&f->code, (struct made_instruction){.stall = 1});
}

TEST(the_worked_example_takes_1088_cycles)
{
  FREED_BY(end) struct fixture f;
  begin(&f);
  worked_example(&f, false);
  find_straight(&f);
  const uint64_t d = f.times.denominator;
  assert_int_equal(f.code.instruction_count, 50);
  assert_int_equal(d, 32);
  const uint64_t own = f.times.cycles[0] + f.times.end;
  assert_int_equal(own + requests(&f.code, d, 0, 49), 1088 * d);
  /* With requests on the chain less their share of the GPU's servers: 1085.5, and 5 * 4 of the
   * SM's path. */
  assert_int_equal(own + 20 * d, 1085 * d + d / 2);
}

TEST(its_loop_takes_as_long_as_its_rounds)
{
  FREED_BY(end) struct fixture f;
  begin(&f);
  worked_example(&f, true);
  made_graph_node(&f.graph, 0, 3);
  made_graph_node(&f.graph, 4, 14);
  f.graph.ends[made_graph_node(&f.graph, 15, 16)] = true;
  made_graph_edge(&f.graph, 0, 1);
  made_graph_edge(&f.graph, 1, 1);
  made_graph_edge(&f.graph, 1, 2);
  find(&f);
  const uint64_t d = f.times.denominator;
  const uint64_t own = f.times.cycles[0] + 4 * f.times.cycles[1] + f.times.cycles[2] + f.times.end;
  const uint64_t all =
      requests(&f.code, d, 0, 3) + 4 * requests(&f.code, d, 4, 14) + requests(&f.code, d, 15, 16);
  assert_int_equal(own + all, 1088 * d);
}

/* ---- kinds of steps ---- */

TEST(a_unit_held_longer_than_the_stall_keeps_the_next)
{
  FREED_BY(end) struct fixture f;
  begin(&f);
  timed_instructions(&f.code,
                     (struct made_instruction){.stall = 1, .unit = f.unit, .unit_service = 5}, 2);
  timed_instruction(&f.code, (struct made_instruction){.stall = 1});
  find_straight(&f);
  /* Issues at 0, 5, 6; the last stall ends at 7, the unit is free at 10. */
  assert_int_equal(f.times.cycles[0], 7);
  assert_int_equal(f.times.end, 3);
}

TEST(a_scoreboard_is_released_by_all_that_set_it)
{
  FREED_BY(end) struct fixture f;
  begin(&f);
  timed_instruction(&f.code, (struct made_instruction){.stall = 2, .write = 1, .latency = 30});
  timed_instruction(&f.code, (struct made_instruction){.stall = 2, .read = 1, .read_latency = 9});
  timed_instruction(&f.code, (struct made_instruction){.stall = 2, .write = 2, .latency = 70});
  timed_instruction(&f.code, (struct made_instruction){.stall = 3, .wait_mask = 1});
  find_straight(&f);
  /* The last one issues at 30, though the scoreboard was set again at 2; 2's results come at 74. */
  assert_int_equal(f.times.cycles[0], 33);
  assert_int_equal(f.times.end, 41);
}

TEST(operands_are_read_after_some_of_the_stages)
{
  FREED_BY(end) struct fixture f;
  begin(&f);
  const uint8_t path = timed_resource(&f.code, WB_LEVEL_SM, 1, false);
  const uint8_t cache = timed_resource(&f.code, WB_LEVEL_GPU, 4, false);
  timed_instruction(&f.code,
                    (struct made_instruction){.stall = 1,
                                              .write = 1,
                                              .read = 2,
                                              .latency = 100,
                                              .read_latency = 3,
                                              .read_stages = 1,
                                              .stages = {{path, 2, 10, 6}, {cache, 3, 20, 8}}});
  timed_instruction(&f.code, (struct made_instruction){.stall = 1, .wait_mask = 2});
  timed_instruction(&f.code, (struct made_instruction){.stall = 1, .wait_mask = 1});
  find_straight(&f);
  /* Read: 10 + 6 (1 - 1) + 3 = 13; then one cycle; written at 10 + 20 + 8 (1 - 1 / 4) + 100. */
  assert_int_equal(f.times.denominator, 4);
  assert_int_equal(f.times.cycles[0], 4 * (136 + 1));
  assert_int_equal(f.times.end, 0);
}

TEST(a_counted_wait_counts_as_one_for_all)
{
  FREED_BY(end) struct fixture f;
  begin(&f);
  timed_instruction(&f.code, (struct made_instruction){.stall = 1, .write = 3, .latency = 40});
  timed_instruction(&f.code, (struct made_instruction){.stall = 1, .write = 3, .latency = 90});
  timed_instruction(&f.code,
                    (struct made_instruction){.stall = 4, .counted = 3, .counted_left = 1});
  find_straight(&f);
  assert_int_equal(f.times.cycles[0], 91 + 4);
}

TEST(a_fence_waits_for_all_that_is_under_way)
{
  FREED_BY(end) struct fixture f;
  begin(&f);
  timed_instruction(&f.code, (struct made_instruction){.stall = 1, .latency = 33});
  timed_instruction(&f.code, (struct made_instruction){.stall = 1, .read_latency = 20});
  timed_instruction(&f.code, (struct made_instruction){.stall = 1});
  timed_instruction(&f.code, (struct made_instruction){.stall = 5, .latency = 6, .fence = true});
  find_straight(&f);
  assert_int_equal(f.times.cycles[0], 33 + 5);
  assert_int_equal(f.times.end, 1);
}

/* ---- flow ---- */

TEST(what_is_pending_comes_along_edges)
{
  FREED_BY(end) struct fixture f;
  begin(&f);
  timed_instruction(&f.code, (struct made_instruction){.stall = 1, .write = 1, .latency = 50});
  timed_instruction(&f.code, (struct made_instruction){.stall = 10}); /* one side */
  timed_instruction(&f.code, (struct made_instruction){.stall = 1, .write = 1, .latency = 20});
  timed_instruction(&f.code, (struct made_instruction){.stall = 2, .wait_mask = 1});
  for (uint32_t i = 0; i < 4; i++)
    made_graph_node(&f.graph, i, i);
  made_graph_node(&f.graph, 3, 3); /* not reached */
  made_graph_edge(&f.graph, 0, 1);
  made_graph_edge(&f.graph, 0, 2);
  made_graph_edge(&f.graph, 1, 3);
  made_graph_edge(&f.graph, 2, 3);
  made_graph_edge(&f.graph, 4, 3);
  f.graph.ends[3] = true;
  find(&f);
  assert_int_equal(f.times.cycles[0] + f.times.cycles[1] + f.times.cycles[2], 12);
  assert_int_equal(f.times.pending[1].scoreboard[0], 49);
  assert_int_equal(f.times.pending[3].scoreboard[0], 48); /* of the short side */
  assert_int_equal(f.times.cycles[3], 50);
  assert_int_equal(f.times.end, 0);
  assert_false(f.times.reached[4]);
  assert_int_equal(f.times.cycles[4], 0);
}

/* ---- waits paid in advance ---- */

/* A load of 50 cycles, then a loop of one node, then a node that ends the warp. */
static void load_before_loop(struct fixture *f, struct made_instruction turn)
{
  begin(f);
  timed_instruction(&f->code, (struct made_instruction){.stall = 1, .write = 1, .latency = 50});
  timed_instruction(&f->code, (struct made_instruction){.stall = 20});
  timed_instruction(&f->code, turn);
  timed_instruction(&f->code, (struct made_instruction){.stall = 3, .wait_mask = 1});
}

static void find_loop(struct fixture *f, uint32_t first, uint32_t last)
{
  made_graph_node(&f->graph, 0, 0);
  made_graph_node(&f->graph, first, last);
  made_graph_node(&f->graph, 3, 3);
  made_graph_edge(&f->graph, 0, 1);
  made_graph_edge(&f->graph, 1, 1);
  made_graph_edge(&f->graph, 1, 2);
  f->graph.ends[2] = true;
  find(f);
}

/* Its turns do not pay again for a load that came before the loop. */
TEST(a_load_before_a_loop_is_waited_for_once)
{
  FREED_BY(end) struct fixture f;
  load_before_loop(&f, (struct made_instruction){.stall = 4, .wait_mask = 1});
  find_loop(&f, 2, 2);
  assert_int_equal(f.times.advance[0], 49);
  assert_int_equal(f.times.advance[1] + f.times.advance[2], 0);
  assert_int_equal(f.times.pending[1].scoreboard[0], 0);
  assert_int_equal(f.times.cycles[1], 4);
}

/* What is over by the time that a turn comes to the wait costs no turn anything. */
TEST(what_a_turn_hides_is_not_paid)
{
  FREED_BY(end) struct fixture f;
  load_before_loop(&f, (struct made_instruction){.stall = 4, .wait_mask = 1});
  find_loop(&f, 1, 2);
  assert_int_equal(f.times.advance[0], 49 - 20);
  assert_int_equal(f.times.pending[1].scoreboard[0], 20);
  assert_int_equal(f.times.cycles[1], 20 + 4);
}

TEST(a_loop_that_does_not_wait_pays_nothing)
{
  FREED_BY(end) struct fixture f;
  load_before_loop(&f, (struct made_instruction){.stall = 4});
  find_loop(&f, 1, 2);
  assert_int_equal(f.times.advance[0], 0);
  assert_int_equal(f.times.pending[1].scoreboard[0], 49);
  assert_int_equal(f.times.cycles[2], 25 + 3);
}

/* A turn waits for the load of the turn before: that is its own time. */
TEST(turns_pay_for_their_own_loads)
{
  FREED_BY(end) struct fixture f;
  load_before_loop(
      &f, (struct made_instruction){.stall = 4, .wait_mask = 1, .write = 1, .latency = 40});
  find_loop(&f, 2, 2);
  assert_int_equal(f.times.pending[1].scoreboard[0], 36);
  assert_int_equal(f.times.advance[0], 49 - 36);
  assert_int_equal(f.times.cycles[1], 36 + 4);
}

/* The inner loop waits for what came before the outer one. */
TEST(nested_loops_pay_once)
{
  FREED_BY(end) struct fixture f;
  load_before_loop(&f, (struct made_instruction){.stall = 4, .wait_mask = 1});
  for (uint32_t i = 0; i < 4; i++)
    made_graph_node(&f.graph, i, i);
  made_graph_edge(&f.graph, 0, 1);
  made_graph_edge(&f.graph, 1, 2);
  made_graph_edge(&f.graph, 2, 2);
  made_graph_edge(&f.graph, 2, 1);
  made_graph_edge(&f.graph, 2, 3);
  f.graph.ends[3] = true;
  find(&f);
  assert_int_equal(f.times.advance[0], 49 - 20);
  assert_int_equal(f.times.advance[1], 0);
  assert_int_equal(f.times.cycles[1] + f.times.cycles[2], 20 + 4);
}

/* ---- barriers and groups ---- */

/* Chains may jump from what follows a barrier to an instruction before another barrier. */
TEST(services_are_held_across_all_barriers)
{
  FREED_BY(end) struct fixture f;
  begin(&f);
  timed_instruction(&f.code, (struct made_instruction){.stall = 1});
  timed_instruction(&f.code, (struct made_instruction){.stall = 2,
                                                       .unit = f.unit,
                                                       .unit_service = 40,
                                                       .write = 1,
                                                       .latency = 60,
                                                       .barrier = true});
  timed_instruction(&f.code, (struct made_instruction){.stall = 2, .barrier = true});
  timed_instruction(&f.code, (struct made_instruction){.stall = 1});
  timed_instruction(&f.code, (struct made_instruction){
                                 .stall = 1, .unit = f.unit, .unit_service = 1, .wait_mask = 1});
  for (uint32_t i = 0; i < 5; i++)
    made_graph_node(&f.graph, i, i);
  made_graph_edge(&f.graph, 0, 1);
  made_graph_edge(&f.graph, 0, 2);
  made_graph_edge(&f.graph, 1, 3);
  made_graph_edge(&f.graph, 2, 4);
  find(&f);
  assert_int_equal(f.times.pending[3].service[f.unit], 38);
  assert_int_equal(f.times.pending[4].service[f.unit], 38);
  assert_int_equal(f.times.pending[3].scoreboard[0], 58);
  assert_int_equal(f.times.pending[4].scoreboard[0], 0); /* a warp's own */
  assert_int_equal(f.times.cycles[4], 39);
}

TEST(in_between_other_groups_nothing_is_over)
{
  FREED_BY(end) struct fixture f;
  begin(&f);
  timed_instruction(&f.code, (struct made_instruction){.stall = 1, .write = 1, .latency = 9});
  timed_instruction(&f.code, (struct made_instruction){.stall = 3, .write = 1, .latency = 30});
  timed_instructions(
      &f.code,
      (struct made_instruction){.stall = 2, .unit = f.unit, .unit_service = 7, .wait_mask = 1}, 2);
  timed_instruction(&f.code, (struct made_instruction){.stall = 1, .wait_mask = 1});
  made_graph_node(&f.graph, 0, 0);
  made_graph_node(&f.graph, 1, 1);
  made_graph_node(&f.graph, 2, 3);
  made_graph_node(&f.graph, 4, 4);
  made_graph_edge(&f.graph, 0, 1);
  made_graph_edge(&f.graph, 0, 2);
  made_graph_edge(&f.graph, 1, 3);
  made_graph_edge(&f.graph, 2, 3);
  f.graph.interleaved[1] = true;
  f.graph.interleaved[2] = true;
  f.graph.ends[3] = true;
  find(&f);
  assert_int_equal(f.times.cycles[0], 1);
  assert_int_equal(f.times.cycles[1], 3);
  assert_int_equal(f.times.cycles[2], 2 * (30 + 7));
  assert_int_equal(f.times.pending[3].scoreboard[0], 30);
  assert_int_equal(f.times.cycles[3], 31);
}

/* Lanes that ended may have set it just before the others go on. */
TEST(what_ended_groups_set_is_pending)
{
  FREED_BY(end) struct fixture f;
  begin(&f);
  timed_instruction(&f.code, (struct made_instruction){.stall = 1});
  timed_instruction(&f.code, (struct made_instruction){.stall = 50}); /* these go on */
  timed_instruction(&f.code, (struct made_instruction){.stall = 3, .write = 1, .latency = 30});
  timed_instruction(&f.code, (struct made_instruction){.stall = 1, .wait_mask = 1});
  for (uint32_t i = 0; i < 4; i++)
    made_graph_node(&f.graph, i, i);
  made_graph_edge(&f.graph, 0, 1);
  made_graph_edge(&f.graph, 0, 2);
  made_graph_edge(&f.graph, 1, 3);
  f.graph.interleaved[1] = true;
  f.graph.interleaved[2] = true;
  f.graph.ends[2] = true;
  f.graph.ends[3] = true;
  find(&f);
  assert_int_equal(f.times.cycles[1], 50);
  assert_int_equal(f.times.pending[3].scoreboard[0], 30);
  assert_int_equal(f.times.cycles[3], 31);
  assert_int_equal(f.times.end, 30);
}

/* Two scoreboards whose times drift apart by a cycle a round: found without a million rounds. */
TEST(slow_growth_is_cut_short)
{
  FREED_BY(end) struct fixture f;
  begin(&f);
  timed_instruction(&f.code, (struct made_instruction){
                                 .stall = 1, .write = 1, .wait_mask = 1, .latency = 100000001});
  timed_instruction(&f.code, (struct made_instruction){
                                 .stall = 1, .write = 2, .wait_mask = 2, .latency = 100000000});
  made_graph_node(&f.graph, 0, 1);
  made_graph_edge(&f.graph, 0, 0);
  f.graph.ends[0] = true;
  find(&f);
  assert_in_range(f.times.pending[0].scoreboard[0], 99999999, 100000001);
  assert_in_range(f.times.cycles[0], 100000000, 100000003);
}

/* ---- what does not fit ---- */

TEST(times_that_do_not_fit_are_refused)
{
  FREED_BY(end) struct fixture f;
  begin(&f);
  f.code.resources[f.unit].servers = 65536;
  const uint8_t cache = timed_resource(&f.code, WB_LEVEL_GPU, 16, false);
  struct made_instruction made = {.stall = WB_TIME_LIMIT, .write = 1, .latency = WB_TIME_LIMIT};
  for (size_t s = 0; s < 4; s++)
    made.stages[s] = (struct made_stage){cache, 1, WB_TIME_LIMIT, WB_TIME_LIMIT};
  timed_instructions(&f.code, made, 60000);
  made_graph_node(&f.graph, 0, 59999);
  assert_null(wb_timed_code_check(&f.code));
  warpbound_error error = {0};
  assert_ok(wb_warp_times_find(&f.code, &f.graph.graph, &f.times, &error)); /* 3.9 * 10^18 */
  wb_warp_times_free(&f.times);
  for (uint32_t i = 0; i < 60000; i++)
    f.code.instructions[i].wait_mask = 1;
  assert_invalid(wb_warp_times_find(&f.code, &f.graph.graph, &f.times, &error));
  assert_non_null(strstr(error.message, "do not fit"));
  assert_null(f.times.cycles);
}

TEST(servers_without_a_small_multiple_are_refused)
{
  FREED_BY(end) struct fixture f;
  begin(&f);
  timed_resource(&f.code, WB_LEVEL_GPU, 65536, false);
  timed_resource(&f.code, WB_LEVEL_GPU, 16, false);
  timed_instruction(&f.code, (struct made_instruction){.stall = 1});
  find_straight(&f);
  assert_int_equal(f.times.denominator, 65536);
  wb_warp_times_free(&f.times);
  timed_resource(&f.code, WB_LEVEL_GPU, 17, false);
  warpbound_error error = {0};
  assert_invalid(wb_warp_times_find(&f.code, &f.graph.graph, &f.times, &error));
  assert_non_null(strstr(error.message, "common multiple"));
}

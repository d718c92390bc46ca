/* The picture of a simulated run of a launch: well-formed, harmless with any text of the input,
 * limited, and true to the events. How it looks is not tested. */
#include "launches/small_launch.h"
#include "report/analyze/analyze_report.h"
#include "unit.h"

#include <inttypes.h>

#define MOST_STEPS 64

struct fixture {
  struct wb_launch_analysis analysis;
  struct wb_function function;
  struct wb_instruction instructions[MOST_STEPS];
  uint32_t steps[MOST_STEPS];
  struct wb_text text;
};

/* The worked example of doc/launch.md with barriers, B blocks on two SMs; its events on `sm`, or on
 * all where it is UINT32_MAX. */
static void simulate(struct fixture *fixture, uint64_t blocks, uint32_t sm, const char *opcode)
{
  *fixture = (struct fixture){0};
  struct wb_launch_analysis *const analysis = &fixture->analysis;
  small_worked_example(&analysis->timed, true);
  const size_t count = analysis->timed.instruction_count;
  for (uint32_t i = 0; i < count; i++) {
    fixture->steps[i] = i;
    fixture->instructions[i] = (struct wb_instruction){
        .opcode = opcode, .operands = "", .unit = (uint8_t)(i % WB_UNIT_COUNT)};
  }
  fixture->function = (struct wb_function){
      .name = opcode, .instructions = fixture->instructions, .instruction_count = count};
  analysis->function = &fixture->function;
  analysis->shape = (struct wb_launch_shape){
      .blocks = blocks, .block_warps = 8, .sms = 2, .partitions = 4, .resident_blocks = 3};
  const struct wb_warp_path path = {fixture->steps, count};
  const struct wb_simulation_options options = {.seed = 1,
                                                .paths = &path,
                                                .path_count = 1,
                                                .most_events = 1000000,
                                                .events_of_sm = sm != UINT32_MAX,
                                                .events_sm = sm};
  assert_ok(wb_launch_simulate(&analysis->timed, &analysis->shape, &options, NULL,
                               &analysis->worst_run, NULL));
}

static void draw(struct fixture *fixture)
{
  wb_timeline_svg(&fixture->analysis, &fixture->text);
  assert_false(fixture->text.failed);
}

static void end(struct fixture *fixture)
{
  wb_text_free(&fixture->text);
  wb_simulated_launch_free(&fixture->analysis.worst_run);
  wb_timed_code_free(&fixture->analysis.timed);
}

static size_t count(const struct fixture *fixture, const char *part)
{
  size_t number = 0;
  for (const char *at = fixture->text.data; (at = strstr(at, part)) != NULL; at++)
    number++;
  return number;
}

/* Every element that begins ends, in order; no & that begins nothing. */
static void expect_well_formed(const char *svg)
{
  char open[32][32];
  size_t depth = 0;
  for (const char *at = svg; (at = strchr(at, '<')) != NULL; at++) {
    const char *const close = strchr(at, '>');
    assert_non_null(close);
    char name[32];
    if (at[1] == '/') {
      assert_int_equal(sscanf(at + 2, "%31[a-z]", name), 1);
      assert_true(depth > 0);
      assert_string_equal(open[--depth], name);
    } else if (close[-1] != '/') {
      assert_true(depth < 32);
      assert_int_equal(sscanf(at + 1, "%31[a-z]", open[depth]), 1);
      depth++;
    }
  }
  assert_int_equal(depth, 0);
  for (const char *at = svg; (at = strchr(at, '&')) != NULL; at++)
    assert_true(strncmp(at, "&lt;", 4) == 0 || strncmp(at, "&gt;", 4) == 0 ||
                strncmp(at, "&amp;", 5) == 0);
}

TEST(small_run_is_drawn_with_tips)
{
  FREED_BY(end) struct fixture fixture;
  simulate(&fixture, 1, UINT32_MAX, "FFMA");
  draw(&fixture);
  expect_well_formed(fixture.text.data);
  assert_int_equal(count(&fixture, ">partition "), 4);
  assert_int_equal(count(&fixture, ">block 0, warp "), 8);
  assert_true(count(&fixture, "FFMA, step 0 of block 0, warp 7: issues in cycle 1<") == 1);
  assert_true(count(&fixture, "served by DRAM, cycles") > 0);
  assert_true(count(&fixture, "waits at the barrier, cycles") > 0);
  assert_true(count(&fixture, "All warps that were recorded") == 1);
}

TEST(text_of_the_input_does_no_harm)
{
  FREED_BY(end) struct fixture fixture;
  simulate(&fixture, 1, UINT32_MAX, "]]></title><script>alert(\"1\")</script>&\x01\xff<!--");
  strcpy(fixture.analysis.timed.resources[4].name, "<b onclick=1>&");
  draw(&fixture);
  expect_well_formed(fixture.text.data);
  assert_int_equal(count(&fixture, "<script"), 0);
  assert_int_equal(count(&fixture, "<b"), 0);
  assert_int_equal(count(&fixture, "<!"), 0);
  assert_true(count(&fixture, "&lt;script&gt;") > 0);
}

TEST(large_run_is_limited)
{
  FREED_BY(end) struct fixture fixture;
  simulate(&fixture, 60, 1, "FFMA");
  draw(&fixture);
  expect_well_formed(fixture.text.data);
  assert_int_equal(count(&fixture, ">block "), WB_TIMELINE_MOST_ROWS);
  assert_int_equal(count(&fixture, "SM 1, cycles"), 1);
  assert_int_equal(count(&fixture, "The latest 48 of 240 warps"), 1); /* 30 blocks * 8 - 48 */
  assert_true(fixture.text.length < 4000000);
}

TEST(rows_are_the_latest_blocks_of_the_last_sm)
{
  FREED_BY(end) struct fixture fixture;
  simulate(&fixture, 60, UINT32_MAX, "FFMA");
  struct wb_timeline_rows rows;
  const struct wb_simulated_launch *const run = &fixture.analysis.worst_run;
  assert_true(wb_timeline_rows_choose(run, &rows));
  assert_int_equal(rows.sm, run->last_sm);
  assert_int_equal(rows.count, WB_TIMELINE_MOST_ROWS);
  bool last = false;
  for (size_t r = 0; r < rows.count; r++) {
    last |= rows.rows[r].block == run->last_block;
    assert_true(r == 0 || rows.rows[r].partition >= rows.rows[r - 1].partition);
    assert_true(rows.rows[r].block >= 48);
  }
  assert_true(last);
  for (size_t e = 0; e < run->event_count; e++) {
    const size_t row = wb_timeline_row_of(&rows, &run->events[e]);
    if (row == SIZE_MAX)
      continue;
    assert_int_equal(rows.rows[row].block, run->events[e].block);
    assert_true(run->events[e].time >= rows.from && run->events[e].until <= rows.until);
  }
}

TEST(without_events_there_is_no_picture)
{
  struct fixture fixture = {0};
  draw(&fixture);
  assert_int_equal(fixture.text.length, 0);
}

/* With a file as argument: a picture to look at. */

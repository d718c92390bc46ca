/* The checker of simulated launches, on one small run made by hand: it is accepted, and refused
 * with each rule of the model broken, for the reason that is meant. Runs of random launches are
 * accepted in tests/cross/launch. */
#include "certificate/launch_run/launch_run_check.h"
#include "unit.h"

#define BLOCKS 3
#define WARPS 2
#define EVENTS 24

enum { SLOT, PATH, MEMORY };

/* Two warps a block in one partition of one SM, which holds one block: a load that takes the slot
 * and the load path's server of the SM, then one of memory's two; a barrier; what waits for the
 * load. */
static struct wb_issue_use uses[] = {{SLOT, 1}};
static struct wb_request_stage stages[] = {
    {.resource = PATH, .requests = 1, .delay = 1, .service = 2},
    {.resource = MEMORY, .requests = 2, .delay = 0, .service = 4}};
static struct wb_timed_instruction instructions[] = {{.stall = 1,
                                                      .use_count = 1,
                                                      .stage_count = 2,
                                                      .latency = 3,
                                                      .write_scoreboard = 0,
                                                      .read_scoreboard = WB_NO_SCOREBOARD,
                                                      .counted_scoreboard = WB_NO_SCOREBOARD},
                                                     {.stall = 2,
                                                      .use_count = 1,
                                                      .write_scoreboard = WB_NO_SCOREBOARD,
                                                      .read_scoreboard = WB_NO_SCOREBOARD,
                                                      .counted_scoreboard = WB_NO_SCOREBOARD,
                                                      .barrier = true},
                                                     {.stall = 1,
                                                      .use_count = 1,
                                                      .write_scoreboard = WB_NO_SCOREBOARD,
                                                      .read_scoreboard = WB_NO_SCOREBOARD,
                                                      .counted_scoreboard = WB_NO_SCOREBOARD,
                                                      .wait_mask = 1}};
static struct wb_timed_code code = {
    .resources = {{.name = "slot", .level = WB_LEVEL_PARTITION, .servers = 1, .at_issue = true},
                  {.name = "path", .level = WB_LEVEL_SM, .servers = 1},
                  {.name = "memory", .level = WB_LEVEL_GPU, .servers = 2}},
    .resource_count = 3,
    .instructions = instructions,
    .instruction_count = 3,
    .uses = uses,
    .use_count = 1,
    .stages = stages,
    .stage_count = 2};

struct run {
  uint32_t steps[3];
  const uint32_t *path[BLOCKS * WARPS];
  size_t length[BLOCKS * WARPS];
  uint64_t placed[BLOCKS], ready[BLOCKS];
  struct wb_check_launch_event events[BLOCKS * EVENTS];
  struct wb_check_launch_run run;
};

static struct wb_check_launch_event issue(uint64_t block, uint32_t warp, uint32_t step,
                                          uint64_t time)
{
  return (struct wb_check_launch_event){.block = block, .warp = warp, .step = step, .time = time};
}

static struct wb_check_launch_event request(uint64_t block, uint32_t warp, uint32_t stage,
                                            uint32_t number, uint64_t time)
{
  return (struct wb_check_launch_event){.request = true,
                                        .block = block,
                                        .warp = warp,
                                        .stage = stage,
                                        .number = number,
                                        .time = time,
                                        .until = time + stages[stage].service};
}

static void make(struct run *run)
{
  size_t count = 0;
  *run = (struct run){.steps = {0, 1, 2}};
  for (size_t w = 0; w < BLOCKS * WARPS; w++) {
    run->path[w] = run->steps;
    run->length[w] = 3;
  }
  for (uint64_t b = 0; b < BLOCKS; b++) {
    run->placed[b] = 15 * b;
    run->ready[b] = 15 * b;
    /* A block whose first instruction issues at `begin`; it leaves 11 cycles later: the load of
     * warp 0 is at memory at 3 .. 6, that of warp 1 at 7 .. 10, after the path at 3 .. 4 and
     * waiting for memory; its last instruction waits for the latency until 14, so it leaves at 15.
     */
    const uint64_t begin = 15 * b;
    const struct wb_check_launch_event events[] = {
        issue(b, 0, 0, begin),          request(b, 0, 0, 0, begin + 1),
        request(b, 0, 1, 0, begin + 3), request(b, 0, 1, 1, begin + 3),
        issue(b, 0, 1, begin + 2),      issue(b, 0, 2, begin + 10),
        issue(b, 1, 0, begin + 1),      request(b, 1, 0, 0, begin + 3),
        request(b, 1, 1, 0, begin + 7), request(b, 1, 1, 1, begin + 7),
        issue(b, 1, 1, begin + 3),      issue(b, 1, 2, begin + 14),
    };
    memcpy(run->events + count, events, sizeof events);
    count = count + COUNT_OF(events);
  }
  run->run = (struct wb_check_launch_run){.code = &code,
                                          .shape = {.blocks = BLOCKS,
                                                    .block_warps = WARPS,
                                                    .sms = 1,
                                                    .partitions = 1,
                                                    .resident_blocks = 1,
                                                    .overhead = 5},
                                          .path = run->path,
                                          .length = run->length,
                                          .placed = run->placed,
                                          .ready = run->ready,
                                          .events = run->events,
                                          .event_count = count,
                                          .cycles = 50};
}

static void expect_refused(const struct run *run, const char *reason)
{
  warpbound_error error = {0};
  assert_int_equal(wb_check_launch_run(&run->run, &error), WARPBOUND_CHECK_FAILED);
  if (strstr(error.message, reason) == NULL)
    fail_msg("expected \"%s\", found \"%s\"", reason, error.message);
}

TEST(accepted)
{
  struct run run;
  warpbound_error error = {0};
  make(&run);
  if (wb_check_launch_run(&run.run, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  run.run.ready = NULL;
  assert_ok(wb_check_launch_run(&run.run, &error));
}

TEST(events_and_paths)
{
  struct run run;
  make(&run);
  run.run.event_count--;
  expect_refused(&run, "the paths make 36 events, not 35");
  make(&run);
  run.events[4].step = 2;
  expect_refused(&run, "an event is missing");
  make(&run);
  run.events[4].partition = 1;
  run.run.shape.partitions = 2;
  expect_refused(&run, "an event is missing, or in another partition");
  make(&run);
  run.run.shape.partitions = 2;
  expect_refused(&run, "more than 1 of its warps are in one partition");
  make(&run);
  run.length[1] = 2;
  expect_refused(&run, "events");
  make(&run);
  run.run.cycles = 49;
  expect_refused(&run, "the run takes 50 cycles, not 49");
}

TEST(pasts)
{
  struct run run;
  make(&run);
  run.events[11].time--; /* the scoreboard is released at 14 */
  expect_refused(&run, "it issues before its own past allows");
  make(&run);
  run.events[4].time = 0; /* the stall */
  expect_refused(&run, "slot serves more than it has servers");
  make(&run);
  run.events[1].time = 0; /* the delay */
  run.events[1].until = 2;
  expect_refused(&run, "served before the stage before has ended");
  make(&run);
  run.events[1].until++;
  expect_refused(&run, "path serves more than it has servers");
  make(&run);
  run.events[8].until++;
  expect_refused(&run, "is not served for as long as it needs");
}

TEST(servers)
{
  struct run run;
  make(&run);
  run.events[8].time = 6;
  run.events[8].until = 10;
  expect_refused(&run, "memory serves more than it has servers");
  make(&run);
  run.events[9].time = 8; /* one server idles in cycle 7 */
  run.events[9].until = 12;
  expect_refused(&run, "a request waits while no resource is full");
  make(&run);
  run.events[10].time =
      8; /* cycle 7: memory is full; but also 3 .. 6: allowed as requests' queues */
  run.events[5].time = 12; /* after cycle 11 nothing is full */
  expect_refused(&run, "it waits while no resource that it needs is full");
}

TEST(rooms)
{
  struct run run;
  make(&run);
  run.placed[1] = 14;
  expect_refused(&run, "holds more blocks than it has room for");
  make(&run);
  run.run.shape.resident_blocks = 2;
  expect_refused(&run, "has room while a block waits");
  make(&run);
  run.run.shape.sms = 2;
  expect_refused(&run, "has no block while a block waits");
  make(&run);
  run.run.shape.dispatch = 1;
  expect_refused(&run, "is ready before its dispatch and its start are over");
  make(&run);
  run.ready[2]--;
  expect_refused(&run, "block 2 is not ready when its start is over");
  make(&run);
  run.run.early_starts = true;
  assert_ok(wb_check_launch_run(&run.run, NULL));
  run.run.shape.dispatch = 1;
  expect_refused(&run, "block 0 is not ready when its dispatch and its start are over");
  run.run.shape.dispatch = 0;
  run.run.shape.block_start = 1;
  expect_refused(&run, "block 0 is not ready when its dispatch and its start are over");
  /* All of the last block is a cycle late. */
  make(&run);
  run.run.early_starts = true;
  run.run.cycles++;
  run.ready[2]++;
  for (size_t e = 0; e < run.run.event_count; e++) {
    run.events[e].time += run.events[e].block == 2;
    run.events[e].until += run.events[e].block == 2;
  }
  expect_refused(&run, "block 2 is not ready when its dispatch and its start are over");
  make(&run);
  run.placed[2]++;
  run.ready[2]++;
  expect_refused(&run, "it issues before its own past allows");
}

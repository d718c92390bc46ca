/* How many warp instructions a second the simulator of whole launches runs, on one core: kernels of
 * arithmetic, of memory accesses, of both with barriers, on launches of a few million of them.
 * usage: launch_simulation [RUNS] */
#include "launch/simulation/launch_simulation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_RUNS 25
#define WARPS 8
#define PATH 4096

/* A device like that of doc/launch.md's worked example; accesses are of 4 sectors. */
enum { SLOT, FP32, LANES, PATH_TO_MEMORY, L2, DRAM, RESOURCES };
/* Instructions. */
enum { ADD, MULTIPLY, FIRST_MULTIPLY, LOAD, SHARED_LOAD, STORE, BARRIER, BRANCH, LEAVE, CODE };

static const struct wb_resource resources[RESOURCES] = {
    [SLOT] = {"issue slot", WB_LEVEL_PARTITION, 1, true},
    [FP32] = {"FP32", WB_LEVEL_PARTITION, 1, true},
    [LANES] = {"integer", WB_LEVEL_PARTITION, 1, true},
    [PATH_TO_MEMORY] = {"load/store path", WB_LEVEL_SM, 1, false},
    [L2] = {"L2", WB_LEVEL_GPU, 16, false},
    [DRAM] = {"DRAM", WB_LEVEL_GPU, 32, false},
};

static struct wb_issue_use uses[] = {{SLOT, 1}, {FP32, 2}, {SLOT, 1}, {LANES, 2}};
static struct wb_request_stage stages[] = {
    {PATH_TO_MEMORY, 1, 4, 4}, {L2, 4, 40, 4}, {DRAM, 4, 60, 8}};

/* clang-format off: a row an instruction */
#define PLAIN                                                                                      \
  .write_scoreboard = WB_NO_SCOREBOARD, .read_scoreboard = WB_NO_SCOREBOARD,                       \
  .counted_scoreboard = WB_NO_SCOREBOARD
#define LOADS                                                                                      \
  .read_scoreboard = WB_NO_SCOREBOARD, .counted_scoreboard = WB_NO_SCOREBOARD, .write_scoreboard = 0
static struct wb_timed_instruction instructions[CODE] = {
    [ADD] = {PLAIN, .stall = 4, .first_use = 2, .use_count = 2},
    [MULTIPLY] = {PLAIN, .stall = 2, .use_count = 2},
    [FIRST_MULTIPLY] = {PLAIN, .stall = 4, .use_count = 2, .wait_mask = 1},
    [LOAD] = {LOADS, .stall = 2, .use_count = 1, .stage_count = 3, .latency = 80},
    [SHARED_LOAD] = {LOADS, .stall = 2, .use_count = 1, .stage_count = 1, .latency = 20},
    [STORE] = {PLAIN, .stall = 2, .use_count = 1, .stage_count = 3},
    [BARRIER] = {PLAIN, .stall = 20, .use_count = 1, .barrier = true},
    [BRANCH] = {PLAIN, .stall = 6, .use_count = 1},
    [LEAVE] = {PLAIN, .stall = 1, .use_count = 1},
};
/* clang-format on */

/* A kernel: a loop's body and how often it runs; before it 4 ADD, after it STORE and LEAVE. */
struct kernel {
  const char *name;
  uint8_t body[20];
  size_t length, rounds;
};

#define M MULTIPLY
static const struct kernel kernels[] = {
    {"arithmetic (16 FFMA, IADD, BRA)",
     {M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, ADD, BRANCH},
     18,
     20},
    {"memory (LDG, FFMA, IADD, BRA)", {LOAD, FIRST_MULTIPLY, ADD, BRANCH}, 4, 40},
    {"both (LDG, IADD, 8 FFMA, BRA)",
     {LOAD, ADD, FIRST_MULTIPLY, M, M, M, M, M, M, M, BRANCH},
     11,
     20},
    {"barriers (LDG, BAR, 2 LDS, 8 FFMA, BAR, BRA)",
     {LOAD, ADD, FIRST_MULTIPLY, BARRIER, SHARED_LOAD, SHARED_LOAD, FIRST_MULTIPLY, M, M, M, M, M,
      M, M, BARRIER, BRANCH},
     16,
     16},
};
#define KERNELS (sizeof kernels / sizeof *kernels)

static size_t make_path(const struct kernel *kernel, uint32_t *path)
{
  size_t length = 0;
  while (length < 4)
    path[length++] = ADD;
  for (size_t r = 0; r < kernel->rounds; r++) {
    for (size_t i = 0; i < kernel->length; i++)
      path[length++] = kernel->body[i];
  }
  path[length++] = STORE;
  path[length++] = LEAVE;
  return length;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

static double simulate(const struct wb_timed_code *code, const struct wb_launch_shape *shape,
                       const struct wb_simulation_options *options,
                       struct wb_simulated_launch *launch)
{
  warpbound_error error = {0};
  const clock_t start = clock();
  if (wb_launch_simulate(code, shape, options, NULL, launch, &error) != WARPBOUND_OK) {
    fprintf(stderr, "launch_simulation: %s\n", error.message);
    exit(1);
  }
  return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static void measure(const struct kernel *kernel, uint32_t sms, enum wb_launch_policy policy,
                    int runs)
{
  static uint32_t path[PATH];
  struct wb_timed_code code = {.instructions = instructions,
                               .instruction_count = CODE,
                               .uses = uses,
                               .use_count = sizeof uses / sizeof *uses,
                               .stages = stages,
                               .stage_count = sizeof stages / sizeof *stages,
                               .resource_count = RESOURCES};
  memcpy(code.resources, resources, sizeof resources);
  const struct wb_warp_path warp_path = {path, make_path(kernel, path)};
  const struct wb_launch_shape shape = {
      .blocks = 1000, .block_warps = WARPS, .sms = sms, .partitions = 4, .resident_blocks = 6};
  const struct wb_simulation_options options = {
      .policy = policy, .seed = 1, .paths = &warp_path, .path_count = 1};
  double seconds[MOST_RUNS];
  uint64_t cycles = 0, count = 0;
  for (int r = 0; r < runs; r++) {
    struct wb_simulated_launch launch;
    seconds[r] = simulate(&code, &shape, &options, &launch);
    cycles = launch.cycles;
    count = launch.instructions;
    wb_simulated_launch_free(&launch);
  }
  qsort(seconds, (size_t)runs, sizeof *seconds, compare);
  printf("%-46s %3" PRIu32 " SMs  %-20s %9" PRIu64 " instr. %8" PRIu64
         " cycles %7.3f s %6.1f M/s\n",
         kernel->name, sms, wb_launch_policy_name(policy), count, cycles, seconds[runs / 2],
         (double)count / seconds[runs / 2] / 1e6);
}

int main(int argc, char **argv)
{
  const int asked = argc > 1 ? atoi(argv[1]) : 5;
  const int runs = asked < 1 ? 1 : asked > MOST_RUNS ? MOST_RUNS : asked;
  printf("warp instructions a second (times 32: lanes' instructions), medians of %d runs in "
         "processor time\n",
         runs);
  for (size_t k = 0; k < KERNELS; k++) {
    measure(&kernels[k], 14, WB_LAUNCH_GREEDY_OLDEST, runs);
    measure(&kernels[k], 132, WB_LAUNCH_GREEDY_OLDEST, runs);
  }
  for (int policy = 1; policy < WB_LAUNCH_POLICY_COUNT; policy++)
    measure(&kernels[2], 14, (enum wb_launch_policy)policy, runs);
  return 0;
}

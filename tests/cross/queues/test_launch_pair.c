/* Bounds by a pair of the GPU's resources (doc/launches/pair.md) on random tiny launches, the
 * library's and its independent checker's, against every schedule of each (launch_brute.h) in which
 * the queue before the second one is never full, and each sector goes on by itself.
 *
 *   WARPBOUND_CROSS_RUNS  the launches (1000)
 *   WARPBOUND_SEED        seed of the first one
 *   WARPBOUND_CROSS_EVERY one of so many of the launches that are listed (1)
 *   WARPBOUND_CROSS_STATES
 *                         most states of one search (5000) */
#include "launch/simulation/launch_simulation.h"
#include "launch/timing/stage_pair.h"
#include "launch/timing/stage_series.h"
#include "launch_brute.h"
#include "launch_makers.h"
#include "launch_shapes.h"
#include "random_launch.h"
#include "unit.h"
#include "written_launch.h"

#include <inttypes.h>

/* States of the search; a launch with more is skipped. */
#define STATE_LIMIT 5000

/* A launch with its bounds. */
struct round {
  uint64_t seed;
  struct random_launch launch;
  bool composite, shorter, paired, series;
  uint64_t plain; /* the bound without a pair */
  struct made_bound made;
  uint32_t worst;
};

static void make_round(uint64_t seed, struct round *round)
{
  static const struct launch_size *const sizes[] = {&launch_size_pair, &launch_size_pair_blocks,
                                                    &launch_size_pair, &launch_size_series};
  struct wb_random random = {seed};
  *round = (struct round){.seed = seed};
  struct wb_timed_code *code = &round->launch.tiny.code;
  random_launch_draw(&random, sizes[seed % (sizeof sizes / sizeof *sizes)], &round->launch);
  round->composite = round->launch.graph.unphased ||
                     (wb_random_below(&random, 4) == 0 && !round->launch.graph.crossed &&
                      round->launch.tiny.early != TINY_EARLY_ANY);
  made_bound_make(&round->launch, round->composite, &round->made);
  round->plain = round->made.launch.cycles;
  made_bound_free(&round->made);
  round->series = wb_random_below(&random, 4) == 0 && wb_stage_series_mark(code);
  if (round->series || wb_random_below(&random, 2) == 0)
    round->launch.tiny.full_queues = false;
  round->paired = wb_stage_pair_mark(code, WB_RESOURCE_LIMIT);
  assert_null(wb_timed_code_check(code));
  made_bound_make(&round->launch, round->composite, &round->made);
  round->shorter = wb_random_below(&random, 5) == 0;
}

static void free_round(struct round *round)
{
  made_bound_free(&round->made);
  tiny_launch_free(&round->launch.tiny);
}

static void fail_round(const struct round *round, const char *what, uint64_t bound)
{
  struct wb_text text = {0};
  tiny_launch_print(&round->launch.tiny, &text);
  for (size_t r = 0; r < round->launch.tiny.code.resource_count; r++)
    wb_text_format(&text, "  place of %s: %u\n", round->launch.tiny.code.resources[r].name,
                   round->launch.tiny.code.resources[r].place);
  fail_msg("seed %" PRIu64 ": %s: worst %" PRIu32 "%s, bound %" PRIu64 ", without a pair %" PRIu64
           "%s\n%s",
           round->seed, what, round->worst, round->shorter ? " with shorter times" : "", bound,
           round->plain, round->launch.tiny.full_queues ? ", full queues" : "", text.data);
}

/* What was found in all rounds. */
struct tally {
  uint64_t decided, reached, less, waves, shorter, full, runs, longest;
  double *ratio, *before;
  struct launch_shapes shapes;
};

/* The checker's bound is the makers'. */
static void check_claim(const struct round *round)
{
  if (round->composite && !round->launch.graph.unphased)
    return;
  const uint64_t checked = made_bound_check(&round->launch, &round->made);
  if (checked != round->made.launch.cycles && !round->launch.graph.unphased)
    fail_round(round, "the checker's bound is not the makers'", checked);
}

/* A run by the policy, of the paths that have as many barriers as the first one. */
static uint64_t simulate(const struct round *round, enum wb_launch_policy policy)
{
  const struct tiny_launch *tiny = &round->launch.tiny;
  uint32_t steps[TINY_PATHS][TINY_LENGTH];
  struct wb_warp_path paths[TINY_PATHS];
  struct wb_simulation_options options = {
      .policy = policy, .seed = round->seed, .laggards = 1, .paths = paths};
  uint32_t expected = 0;
  for (size_t p = 0; p < tiny->path_count; p++) {
    uint32_t barriers = 0;
    for (uint32_t i = 0; i < tiny->paths[p].length; i++) {
      steps[p][i] = tiny->paths[p].step[i];
      barriers += tiny->code.instructions[steps[p][i]].barrier;
    }
    expected = p == 0 ? barriers : expected;
    if (barriers == expected)
      paths[options.path_count++] = (struct wb_warp_path){steps[p], tiny->paths[p].length};
  }
  struct wb_simulated_launch run;
  warpbound_error error;
  if (wb_launch_simulate(&tiny->code, &tiny->shape, &options, NULL, &run, &error) != WARPBOUND_OK)
    fail_msg("seed %" PRIu64 ": the simulator fails: %s", round->seed, error.message);
  const uint64_t cycles = run.cycles;
  wb_simulated_launch_free(&run);
  return cycles;
}

/* Simulated runs take no longer than the worst of all schedules. Whether one takes as long. */
static bool compare_runs(const struct round *round)
{
  static const enum wb_launch_policy policies[] = {WB_LAUNCH_GREEDY_OLDEST, WB_LAUNCH_LAGGING,
                                                   WB_LAUNCH_RANDOM, WB_LAUNCH_GREEDY_YOUNGEST};
  const uint64_t worst = round->worst + round->launch.tiny.shape.overhead;
  uint64_t longest = 0;
  for (size_t p = 0; p < sizeof policies / sizeof *policies; p++) {
    const uint64_t cycles = simulate(round, policies[p]);
    longest = cycles > longest ? cycles : longest;
  }
  if (longest > worst)
    fail_round(round, "a simulated run takes longer than every schedule", longest);
  return longest == worst;
}

static void compare(struct launch_brute *brute, struct round *round, struct tally *tally)
{
  struct wb_random random = {round->seed + 1};
  const struct wb_launch_shape *shape = &round->launch.tiny.shape;
  const uint64_t bound = round->made.launch.cycles;
  struct wb_timed_code *code = &round->launch.tiny.code;
  if (round->shorter)
    random_launch_shorten(&random, code);
  const bool searched = launch_brute_worst(brute, &round->launch.tiny, &round->worst);
  launch_shapes_count(&tally->shapes, &round->launch.tiny, searched);
  if (!searched) {
    round->worst = 0;
    return;
  }
  if (round->worst + shape->overhead > bound)
    fail_round(round, "a schedule takes longer than the bound by a pair", bound);
  if (!round->series && round->worst + shape->overhead > round->plain)
    fail_round(round, "a schedule takes longer than the bound without a pair", round->plain);
  if (round->launch.tiny.leave == TINY_LEAVE_EARLY && !round->shorter) {
    tally->runs++;
    tally->longest += compare_runs(round);
  }
  const uint64_t least = bound < round->plain ? bound : round->plain;
  tally->before[tally->decided] = (double)round->worst / (double)round->plain;
  tally->ratio[tally->decided++] = (double)round->worst / (double)least;
  tally->reached += round->worst == bound && bound < round->plain;
  tally->less += bound < round->plain;
  tally->shorter += round->shorter;
  tally->full += round->launch.tiny.full_queues;
  tally->waves += shape->blocks > (uint64_t)shape->sms * shape->resident_blocks;
}

TEST(test_every_schedule)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 1000);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct tally tally = {.ratio = calloc(runs, sizeof *tally.ratio),
                        .before = calloc(runs, sizeof *tally.before)};
  struct launch_brute *brute =
      launch_brute_start(number_from_environment("WARPBOUND_CROSS_STATES", STATE_LIMIT));
  uint64_t paired = 0;
  assert_non_null(tally.ratio);
  assert_non_null(tally.before);
  assert_non_null(brute);
  print_message("# seed %" PRIu64 ", %" PRIu64 " launches\n", first, runs);
  for (uint64_t r = 0; r < runs; r++) {
    struct round round;
    make_round(first + r, &round);
    if (round.paired) {
      paired++;
      compare(brute, &round, &tally);
    }
    free_round(&round);
  }
  assert_true(tally.decided > 0);
  qsort(tally.ratio, tally.decided, sizeof *tally.ratio, compare_ratios);
  qsort(tally.before, tally.decided, sizeof *tally.before, compare_ratios);
  print_message("# pairs: %" PRIu64 " of %" PRIu64 " launches searched, less than without %" PRIu64
                ", of these reached %" PRIu64 "; worst / least bound: median %.2f, without a pair "
                "%.2f; several waves %" PRIu64 ", shorter times %" PRIu64 ", full queues %" PRIu64
                "; runs of %" PRIu64 ", as long as the worst %" PRIu64 "\n",
                tally.decided, paired, tally.less, tally.reached, tally.ratio[tally.decided / 2],
                tally.before[tally.decided / 2], tally.waves, tally.shorter, tally.full, tally.runs,
                tally.longest);
  launch_shapes_print(&tally.shapes);
  free(tally.ratio);
  free(tally.before);
  launch_brute_free(brute);
}

/* Of the same launches; the search alone judges the test above. */
TEST(test_claims)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 1000);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  for (uint64_t r = 0; r < runs; r++) {
    struct round round;
    make_round(first + r, &round);
    if (round.paired)
      check_claim(&round);
    free_round(&round);
  }
}

/* Whether each stage makes one request, so that sectors need not wait for each other. */
static bool makes_single_requests(const struct wb_timed_code *code)
{
  bool single = true;
  for (size_t s = 0; s < code->stage_count; s++)
    single = single && code->stages[s].requests == 1;
  return single;
}

/* One of so many launches that are listed below. */
static uint32_t every(void)
{
  return (uint32_t)number_from_environment("WARPBOUND_CROSS_EVERY", 1);
}

/* Launches above the bound, of 2,000 or a part of them, where sectors wait for each other between
 * the two resources, or (full) where queues before the memory may be full. */
static uint64_t count_above(struct launch_brute *brute, bool full)
{
  uint64_t above = 0;
  for (uint64_t seed = 3000000; seed < 3002000; seed += every()) {
    struct round round;
    make_round(seed, &round);
    struct tiny_launch *tiny = &round.launch.tiny;
    tiny->full_queues = full;
    for (size_t r = 0; r < tiny->code.resource_count; r++)
      tiny->code.resources[r].place = 0;
    if (round.paired && !round.series && (!full || makes_single_requests(&tiny->code)) &&
        launch_brute_worst(brute, tiny, &round.worst)) {
      round.worst += (uint32_t)tiny->shape.overhead;
      if (round.worst > round.plain)
        fail_round(&round, "a schedule takes longer than the bound without a pair", round.plain);
      above += round.worst > round.made.launch.cycles;
    }
    free_round(&round);
  }
  return above;
}

/* Without (I), and without (Q'), the theorem is false. */
TEST(test_assumptions)
{
  struct launch_brute *brute = launch_brute_start(300);
  assert_non_null(brute);
  const uint64_t together = count_above(brute, false);
  const uint64_t full = count_above(brute, true);
  print_message("# above the bound by a pair: %" PRIu64
                " where sectors wait for each other, %" PRIu64 " where queues are full\n",
                together, full);
  assert_true(together > 0);
  launch_brute_free(brute);
}

/* Two ways, of which some warps go the one and one the other: the first makes requests of the pair;
 * the second one of short services, or one at the memory alone, waits for it and takes longest. So
 * own steps are of the second way, and work of others is of the first. */
struct two_ways {
  uint32_t service, memory, delay; /* of the first way */
  uint32_t requests;
  uint32_t own_delay;
  bool alone; /* the own request is at the memory alone */
  uint32_t servers, memory_servers;
  uint32_t warps;
};

static void make_two_ways(const struct two_ways *ways, struct written_launch *written)
{
  const uint16_t requests = (uint16_t)ways->requests;
  struct wb_timed_instruction *one, *other;
  written_start(written);
  written->random.tiny.shape.block_warps = ways->warps;
  written_add_port(written, WB_LEVEL_GPU, ways->servers);
  written_add_port(written, WB_LEVEL_GPU, ways->memory_servers);
  written_add(written, 1, 1);
  one = written_add(written, 1, 1);
  written_add_stage(
      written, one,
      (struct wb_request_stage){.resource = 1, .requests = requests, .service = ways->service});
  written_add_stage(
      written, one,
      (struct wb_request_stage){
          .resource = 2, .requests = requests, .delay = ways->delay, .service = ways->memory});
  other = written_add(written, 1, 1);
  if (!ways->alone)
    written_add_stage(written, other,
                      (struct wb_request_stage){.resource = 1, .requests = 1, .service = 1});
  written_add_stage(written, other,
                    (struct wb_request_stage){
                        .resource = 2, .requests = 1, .delay = ways->own_delay, .service = 1});
  other->write_scoreboard = 0;
  written_add(written, 9, 1)->wait_mask = 1;
  written_connect(written, "01 02 23");
  written->random.graph.early_end[1] = true;
  assert_true(random_launch_paths(&written->random, &launch_size_large));
}

/* Returns whether the bound is reached. */
static bool check_two_ways(struct launch_brute *brute, const struct two_ways *ways)
{
  struct written_launch written;
  FREED_BY(made_bound_free) struct made_bound pair = {0};
  uint32_t worst;
  make_two_ways(ways, &written);
  assert_true(wb_stage_pair_mark(&written.random.tiny.code, WB_RESOURCE_LIMIT));
  made_bound_make(&written.random, false, &pair);
  if (!launch_brute_worst(brute, &written.random.tiny, &worst))
    return false;
  if (worst > pair.launch.cycles)
    fail_msg("a schedule takes longer than the bound by a pair: %" PRIu32 " cycles, bound %" PRIu64
             "; services %u and %u, delay %u, requests %u; own delay %u%s; servers %u and %u, "
             "warps %u",
             worst, pair.launch.cycles, ways->service, ways->memory, ways->delay, ways->requests,
             ways->own_delay, ways->alone ? ", at the memory alone" : "", ways->servers,
             ways->memory_servers, ways->warps);
  return worst == pair.launch.cycles;
}

TEST(test_two_ways)
{
  struct launch_brute *brute = launch_brute_start(STATE_LIMIT);
  uint32_t count = 0, reached = 0;
  assert_non_null(brute);
  const uint32_t ranges[] = {3, 4, 3, 2, 2, 2, 2, 3, 3};
  uint32_t all = 1;
  for (size_t d = 0; d < sizeof ranges / sizeof *ranges; d++)
    all *= ranges[d];
  for (uint32_t k = 0; k < all; k += every()) {
    uint32_t rest = k;
    uint32_t drawn[sizeof ranges / sizeof *ranges];
    for (size_t d = 0; d < sizeof ranges / sizeof *ranges; d++) {
      drawn[d] = rest % ranges[d];
      rest /= ranges[d];
    }
    const struct two_ways ways = {.service = 1 + drawn[0],
                                  .memory = 1 + drawn[1],
                                  .delay = drawn[2],
                                  .requests = 1 + drawn[3],
                                  .own_delay = drawn[4],
                                  .alone = drawn[5],
                                  .servers = 1 + drawn[6],
                                  .memory_servers = 1 + drawn[7],
                                  .warps = 2 + drawn[8]};
    reached += check_two_ways(brute, &ways);
    count++;
  }
  print_message("# two ways: %" PRIu32 " launches searched, bound reached %" PRIu32 "\n", count,
                reached);
  launch_brute_free(brute);
}

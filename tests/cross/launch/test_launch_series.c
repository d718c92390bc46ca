/* Bounds by series of stages (doc/launches/series.md) on random tiny launches, the library's and
 * its independent checker's, against every schedule of each (launch_brute.h) in which an idle
 * server of a resource in the series has no request waiting.
 *
 *   WARPBOUND_CROSS_RUNS  the launches (1000)
 *   WARPBOUND_SEED        seed of the first one
 *   WARPBOUND_CROSS_STATES
 *                         most states of one search (5000) */
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

static uint32_t *worst_of; /* by launch: its worst time, 0 where it was skipped; NULL: none known */

/* A launch with its bounds. */
struct round {
  uint64_t seed;
  struct random_launch launch;
  bool composite, shorter;
  uint64_t plain; /* the bound without a series */
  struct made_bound made;
  uint32_t worst;
};

/* Places at random, as far as they are valid ones. */
static void draw_places(struct wb_random *random, struct wb_timed_code *code)
{
  uint8_t place = 0;
  wb_stage_series_clear(code);
  for (int l = WB_LEVEL_PARTITION; l <= WB_LEVEL_SM; l++) {
    const size_t first = wb_random_below(random, code->resource_count);
    for (size_t k = 0; k < code->resource_count; k++) {
      struct wb_resource *one = &code->resources[(first + k) % code->resource_count];
      if (one->level == (enum wb_resource_level)l && one->servers == 1 && !one->at_issue)
        one->place = ++place;
    }
  }
}

static void make_round(uint64_t seed, bool searched, struct round *round)
{
  static const struct launch_size *const sizes[] = {
      &launch_size_passes, &launch_size_series, &launch_size_passes, &launch_size_series,
      &launch_size_passes, &launch_size_loops,  &launch_size_passes, &launch_size_early};
  struct wb_random random = {seed};
  *round = (struct round){.seed = seed};
  struct wb_timed_code *code = &round->launch.tiny.code;
  random_launch_draw(&random, sizes[seed % (sizeof sizes / sizeof *sizes)], &round->launch);
  round->launch.tiny.full_queues = false;
  bool barriers = false;
  for (size_t i = 0; i < code->instruction_count; i++)
    barriers |= code->instructions[i].barrier;
  /* Of some nothing is said but that warps of a block pass as many barriers. */
  round->launch.tiny.as_many =
      seed % 4 == 1 && barriers && round->launch.tiny.early == TINY_NONE_EARLY;
  if (round->launch.tiny.as_many && seed / 8 % 2 == 0) {
    struct wb_random own = random;
    random_launch_groups(&own, &round->launch.tiny);
  }
  round->composite = round->launch.graph.unphased ||
                     (wb_random_below(&random, 4) == 0 && !round->launch.graph.crossed &&
                      round->launch.tiny.early != TINY_EARLY_ANY);
  round->composite &= !round->launch.tiny.as_many;
  made_bound_make(&round->launch, round->composite, &round->made);
  round->plain = round->made.launch.cycles;
  made_bound_free(&round->made);
  if (wb_random_below(&random, 3) == 0)
    draw_places(&random, code);
  else
    wb_stage_series_mark(code);
  assert_null(wb_timed_code_check(code));
  made_bound_make(&round->launch, round->composite, &round->made);
  round->shorter = searched && wb_random_below(&random, 5) == 0;
  if (round->shorter)
    random_launch_shorten(&random, code);
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
  fail_msg("seed %" PRIu64 ": %s: worst %" PRIu32 "%s, bound %" PRIu64 ", without series %" PRIu64
           "\n%s",
           round->seed, what, round->worst, round->shorter ? " with shorter times" : "", bound,
           round->plain, text.data);
}

/* What was found in all rounds. */
struct tally {
  uint64_t decided, reached, less, barriers, waves, partitions, shorter, needed;
  double *ratio, *before;
  struct launch_shapes shapes;
};

/* The checker's bound is the makers', and safe too. */
static void check_claim(const struct round *round)
{
  if (round->composite && !round->launch.graph.unphased)
    return;
  const uint64_t checked = made_bound_check(&round->launch, &round->made);
  if (round->worst + round->launch.tiny.shape.overhead > checked)
    fail_round(round, "of the checker, a schedule takes longer than the bound", checked);
  if (checked != round->made.launch.cycles && !round->launch.graph.unphased)
    fail_round(round, "the checker's bound is not the makers'", checked);
}

static void compare(struct launch_brute *brute, struct round *round, struct tally *tally)
{
  const struct wb_launch_shape *shape = &round->launch.tiny.shape;
  const uint64_t bound = round->made.launch.cycles;
  const bool searched = launch_brute_worst(brute, &round->launch.tiny, &round->worst);
  launch_shapes_count(&tally->shapes, &round->launch.tiny, searched);
  if (!searched) {
    round->worst = 0;
    return;
  }
  if (round->worst + shape->overhead > bound)
    fail_round(round, "a schedule takes longer than the bound by series", bound);
  const uint64_t least = bound < round->plain ? bound : round->plain;
  tally->before[tally->decided] = (double)round->worst / (double)round->plain;
  tally->ratio[tally->decided++] = (double)round->worst / (double)least;
  tally->reached += round->worst == bound && bound < round->plain;
  tally->less += bound < round->plain;
  tally->shorter += round->shorter;
  tally->barriers += round->made.maxima.terms.phases > 1;
  tally->partitions += shape->partitions > 1;
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
  worst_of = calloc(runs + 1, sizeof *worst_of);
  assert_non_null(worst_of);
  assert_non_null(tally.ratio);
  assert_non_null(tally.before);
  assert_non_null(brute);
  print_message("# seed %" PRIu64 ", %" PRIu64 " launches\n", first, runs);
  for (uint64_t r = 0; r < runs; r++) {
    struct round round;
    make_round(first + r, true, &round);
    compare(brute, &round, &tally);
    worst_of[r] = round.worst;
    free_round(&round);
  }
  assert_true(tally.decided > 0);
  qsort(tally.ratio, tally.decided, sizeof *tally.ratio, compare_ratios);
  qsort(tally.before, tally.decided, sizeof *tally.before, compare_ratios);
  print_message("# series: %" PRIu64 " of %" PRIu64 " launches searched, less than without %" PRIu64
                ", of these reached %" PRIu64 "; worst / least bound: median %.2f, without series "
                "%.2f; barriers %" PRIu64 ", several partitions %" PRIu64 ", several waves %" PRIu64
                ", shorter times %" PRIu64 "\n",
                tally.decided, runs, tally.less, tally.reached, tally.ratio[tally.decided / 2],
                tally.before[tally.decided / 2], tally.barriers, tally.partitions, tally.waves,
                tally.shorter);
  launch_shapes_print(&tally.shapes);
  assert_true(tally.less * 10 > tally.decided && tally.reached > 0);
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
    make_round(first + r, false, &round);
    round.worst = worst_of != NULL ? worst_of[r] : 0;
    check_claim(&round);
    free_round(&round);
  }
  free(worst_of);
}

/* Two ways, of which one warp goes the one and one the other: the first makes a request of up to
 * three stages; the second one of short services, or, in parts, one and then another, waits for it
 * and takes longest. So own steps are of the second way, and work of others is of the first. */
struct two_ways {
  uint32_t services[3]; /* of the first way; 0: no such stage */
  uint32_t own[2];      /* of the second way */
  uint32_t requests;    /* of the first stage */
  uint32_t partitions;
  bool in_parts;
};

static void make_two_ways(const struct two_ways *ways, struct written_launch *written)
{
  struct wb_timed_instruction *one, *other;
  written_start(written);
  written->random.tiny.shape.block_warps = 2;
  written->random.tiny.shape.partitions = ways->partitions;
  written_add(written, 1, 1);
  one = written_add(written, 1, 1);
  for (uint8_t r = 0; r < 3 && ways->services[r] > 0; r++) {
    written_add_port(written, WB_LEVEL_SM, 1);
    written_add_stage(written, one,
                      (struct wb_request_stage){.resource = (uint8_t)(r + 1),
                                                .requests = (uint16_t)(r == 0 ? ways->requests : 1),
                                                .service = ways->services[r]});
  }
  other = written_add(written, 1, 1);
  for (uint8_t r = 0; r < 3 && ways->services[r] > 0; r++) {
    if (r == 1 && ways->in_parts) {
      other->write_scoreboard = 0;
      other = written_add(written, 1, 1);
      other->wait_mask = 1;
    }
    written_add_stage(written, other,
                      (struct wb_request_stage){.resource = (uint8_t)(r + 1),
                                                .requests = 1,
                                                .service = r < 2 ? ways->own[r] : 1});
  }
  other->write_scoreboard = 0;
  written_add(written, 6, 1)->wait_mask = 1;
  written_connect(written, ways->in_parts ? "01 02 23 34" : "01 02 23");
  written->random.graph.early_end[1] = true;
  assert_true(random_launch_paths(&written->random, &launch_size_large));
}

/* Returns whether the bound is reached. */
static bool check_two_ways(struct launch_brute *brute, const struct two_ways *ways)
{
  struct written_launch written;
  FREED_BY(made_bound_free) struct made_bound plain = {0};
  FREED_BY(made_bound_free) struct made_bound series = {0};
  uint32_t worst;
  make_two_ways(ways, &written);
  made_bound_make(&written.random, false, &plain);
  assert_true(wb_stage_series_mark(&written.random.tiny.code));
  made_bound_make(&written.random, false, &series);
  assert_true(launch_brute_worst(brute, &written.random.tiny, &worst));
  if (worst > series.launch.cycles)
    fail_msg("a schedule takes longer than the bound by series: %" PRIu32 " cycles, bound %" PRIu64
             ", without series %" PRIu64
             "; services %u %u %u and %u %u, requests %u, partitions %u%s",
             worst, series.launch.cycles, plain.launch.cycles, ways->services[0], ways->services[1],
             ways->services[2], ways->own[0], ways->own[1], ways->requests, ways->partitions,
             ways->in_parts ? ", in parts" : "");
  assert_true(worst <= plain.launch.cycles);
  return worst == series.launch.cycles;
}

/* All of the family with services of 2 to 4, 1 to 4 and 0 to 2. */
TEST(test_two_ways)
{
  struct launch_brute *brute = launch_brute_start(4 * STATE_LIMIT);
  uint32_t count = 0, reached = 0;
  assert_non_null(brute);
  for (uint32_t k = 0; k < 3 * 4 * 3 * 2 * 2 * 2 * 2 * 2; k++) {
    uint32_t rest = k;
    const uint32_t ranges[] = {3, 4, 3, 2, 2, 2, 2, 2};
    uint32_t drawn[8];
    for (size_t d = 0; d < 8; d++) {
      drawn[d] = rest % ranges[d];
      rest /= ranges[d];
    }
    const struct two_ways ways = {.services = {2 + drawn[0], 1 + drawn[1], drawn[2]},
                                  .own = {1 + drawn[3], 1 + drawn[4]},
                                  .requests = 1 + drawn[5],
                                  .partitions = 1 + drawn[6],
                                  .in_parts = drawn[7]};
    reached += check_two_ways(brute, &ways);
    count++;
  }
  print_message("# two ways: %" PRIu32 " launches searched, bound reached %" PRIu32 "\n", count,
                reached);
  launch_brute_free(brute);
}

/* A stage at resource number `resource`. */
static void add_single(struct written_launch *written, struct wb_timed_instruction *one,
                       uint8_t resource, uint32_t delay, uint32_t service)
{
  written_add_stage(written, one,
                    (struct wb_request_stage){
                        .resource = resource, .requests = 1, .delay = delay, .service = service});
}

/* Delays between stages, of the own run and of places that it skips. */
TEST(test_delays_in_the_series)
{
  struct launch_brute *brute = launch_brute_start(4 * STATE_LIMIT);
  assert_non_null(brute);
  for (int skips = 0; skips < 2; skips++) {
    struct written_launch written;
    FREED_BY(made_bound_free) struct made_bound series = {0};
    struct wb_timed_instruction *one, *other;
    uint32_t worst;
    written_start(&written);
    written.random.tiny.shape.block_warps = 2;
    for (int r = 0; r < 2 + skips; r++)
      written_add_port(&written, WB_LEVEL_SM, 1);
    written_add(&written, 1, 1);
    one = written_add(&written, 1, 1);
    add_single(&written, one, 1, skips ? 0 : 1, 4);
    add_single(&written, one, 2, 0, 1);
    if (skips)
      add_single(&written, one, 3, 1, 2);
    other = written_add(&written, 1, 1);
    add_single(&written, other, 1, skips ? 1 : 0, skips ? 2 : 1);
    add_single(&written, other, skips ? 3 : 2, skips ? 0 : 1, 1);
    other->write_scoreboard = 0;
    written_add(&written, skips ? 9 : 6, 1)->wait_mask = 1;
    written_connect(&written, "01 02 23");
    written.random.graph.early_end[1] = true;
    assert_true(random_launch_paths(&written.random, &launch_size_large));
    assert_true(wb_stage_series_mark(&written.random.tiny.code));
    made_bound_make(&written.random, false, &series);
    assert_true(launch_brute_worst(brute, &written.random.tiny, &worst));
    if (worst > series.launch.cycles)
      fail_msg("a schedule takes longer than the bound by series: %" PRIu32
               " cycles, bound %" PRIu64,
               worst, series.launch.cycles);
    print_message("# worst %" PRIu32 ", bound by series %" PRIu64 "\n", worst,
                  series.launch.cycles);
    assert_int_equal(worst, skips ? 21 : 16);
  }
  launch_brute_free(brute);
}

/* Four warps, each with a request of 5 and 5 cycles at two servers of the SM, and one of 1 and 1.
 */
static void make_pairs(struct random_launch *launch)
{
  static const uint32_t service[] = {5, 5, 1, 1};
  struct tiny_launch *tiny = &launch->tiny;
  struct wb_timed_code *code = &tiny->code;
  *launch = (struct random_launch){.graph = {.node_count = 1, .last = {1}}};
  code->resource_count = 3;
  code->resources[0] = (struct wb_resource){"slot", WB_LEVEL_PARTITION, 1, true, 0};
  code->resources[1] = (struct wb_resource){"first", WB_LEVEL_SM, 1, false, 0};
  code->resources[2] = (struct wb_resource){"second", WB_LEVEL_SM, 1, false, 0};
  code->instruction_count = code->use_count = 2;
  code->stage_count = 4;
  code->instructions = calloc(2, sizeof *code->instructions);
  code->uses = calloc(2, sizeof *code->uses);
  code->stages = calloc(4, sizeof *code->stages);
  assert_true(code->instructions != NULL && code->uses != NULL && code->stages != NULL);
  for (uint32_t i = 0; i < 2; i++) {
    code->instructions[i] = (struct wb_timed_instruction){.stall = 1,
                                                          .first_use = i,
                                                          .use_count = 1,
                                                          .first_stage = 2 * i,
                                                          .stage_count = 2,
                                                          .write_scoreboard = WB_NO_SCOREBOARD,
                                                          .read_scoreboard = WB_NO_SCOREBOARD,
                                                          .counted_scoreboard = WB_NO_SCOREBOARD};
    code->uses[i] = (struct wb_issue_use){0, 1};
  }
  for (uint32_t s = 0; s < 4; s++)
    code->stages[s] = (struct wb_request_stage){
        .resource = (uint8_t)(1 + s % 2), .requests = 1, .service = service[s]};
  tiny->paths[0] = (struct tiny_path){.step = {0, 1}, .length = 2};
  tiny->path_count = 1;
  tiny->shape = (struct wb_launch_shape){
      .blocks = 1, .block_warps = 4, .sms = 1, .partitions = 1, .resident_blocks = 1};
}

/* Without (Q) the theorem is false: the first server is kept until the second one is free. */
TEST(test_queues_that_hold_up)
{
  struct launch_brute *brute = launch_brute_start(STATE_LIMIT * 20);
  struct random_launch launch;
  struct made_bound plain, series;
  uint32_t worst, kept;
  assert_non_null(brute);
  make_pairs(&launch);
  assert_null(wb_timed_code_check(&launch.tiny.code));
  made_bound_make(&launch, false, &plain);
  assert_true(wb_stage_series_mark(&launch.tiny.code));
  made_bound_make(&launch, false, &series);
  assert_true(launch_brute_worst(brute, &launch.tiny, &worst));
  launch.tiny.keeps[0] = launch.tiny.keeps[2] = true;
  assert_true(launch_brute_worst(brute, &launch.tiny, &kept));
  print_message("# a server that is kept: worst %" PRIu32 " without, %" PRIu32
                " with it; bound by series %" PRIu64 ", without series %" PRIu64 "\n",
                worst, kept, series.launch.cycles, plain.launch.cycles);
  assert_true(worst <= series.launch.cycles && kept > series.launch.cycles);
  assert_true(kept <= plain.launch.cycles);
  made_bound_free(&plain);
  made_bound_free(&series);
  tiny_launch_free(&launch.tiny);
  launch_brute_free(brute);
}

/* Bounds by series of stages (doc/launches/series.md) on random tiny launches, the library's and
 * its independent checker's, against every schedule of each (launch_brute.h) in which an idle
 * server of a resource in the series has no request waiting. WARPBOUND_CROSS_RUNS  the launches
 * (1000) WARPBOUND_SEED        seed of the first one */
#include "launch/timing/stage_series.h"
#include "launch_brute.h"
#include "launch_makers.h"
#include "random_launch.h"
#include "unit.h"

#include <inttypes.h>

/* States of the search; a launch with more is skipped. */
#define STATE_LIMIT ((size_t)5000)

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
  static const struct launch_size *const sizes[] = {&launch_size_series, &launch_size_series,
                                                    &launch_size_series, &launch_size_loops,
                                                    &launch_size_early};
  struct wb_random random = {seed};
  *round = (struct round){.seed = seed};
  struct wb_timed_code *code = &round->launch.tiny.code;
  random_launch_draw(&random, sizes[seed % (sizeof sizes / sizeof *sizes)], &round->launch);
  round->launch.tiny.full_queues = false;
  round->composite = round->launch.graph.unphased ||
                     (wb_random_below(&random, 4) == 0 && !round->launch.graph.crossed &&
                      round->launch.tiny.early != TINY_EARLY_ANY);
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
};

/* The checker's bound is no more than the makers', and safe too. Its proofs are of the times that
 * were not made shorter. */
static void check_claim(const struct round *round)
{
  if (round->shorter || (round->composite && !round->launch.graph.unphased))
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
  if (!launch_brute_worst(brute, &round->launch.tiny, &round->worst))
    return;
  if (round->worst + shape->overhead > bound)
    fail_round(round, "a schedule takes longer than the bound by series", bound);
  check_claim(round);
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
  struct launch_brute *brute = launch_brute_start(STATE_LIMIT);
  assert_non_null(tally.ratio);
  assert_non_null(tally.before);
  assert_non_null(brute);
  print_message("# seed %" PRIu64 ", %" PRIu64 " launches\n", first, runs);
  for (uint64_t r = 0; r < runs; r++) {
    struct round round;
    make_round(first + r, true, &round);
    compare(brute, &round, &tally);
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
  assert_true(tally.less * 10 > tally.decided && tally.reached > 0);
  free(tally.ratio);
  free(tally.before);
  launch_brute_free(brute);
}

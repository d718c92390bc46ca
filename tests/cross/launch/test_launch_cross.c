/* Bounds on random tiny launches, the library's and its independent checker's, against every
 * schedule of each (launch_brute.h), and against the theorems from all paths one by one
 * (launch_reference.h).
 *   WARPBOUND_CROSS_RUNS  20 times the launches (20000)
 *   WARPBOUND_SEED        seed of the first one
 *   WARPBOUND_CROSS_STATES
 *                         most states of one search (5000) */
#include "analysis/launch/launch_steps.h"
#include "launch_brute.h"
#include "launch_makers.h"
#include "launch_reference.h"
#include "launch_shapes.h"
#include "random_launch.h"
#include "unit.h"

#include <inttypes.h>

/* States of the search; a launch with more is skipped. */
#define STATE_LIMIT 5000

static uint32_t *worst_of; /* by launch: its worst time, 0 where it was skipped; NULL: none known */

/* A launch, and what was found. */
struct round {
  uint64_t seed;
  struct random_launch launch;
  bool composite;
  bool shorter; /* the search ran with shorter times */
  struct launch_reference reference;
  uint64_t of_reference; /* the theorems' bound, without the overhead */
  struct made_bound made;
  uint32_t worst;
};

/* What was found in all rounds. */
struct tally {
  uint64_t skipped, decided, reached, shorter, barriers, paths, waves, composite, early, loosest;
  double *ratio, least;
  struct launch_shapes shapes;
};

static void fail_round(const struct round *round, const char *condition)
{
  struct wb_text text = {0};
  tiny_launch_print(&round->launch.tiny, &text);
  fail_msg("seed %" PRIu64 ": %s\n  worst %" PRIu32 "%s, bound %" PRIu64
           " by %s%s, from all paths %" PRIu64 "\n%s",
           round->seed, condition, round->worst, round->shorter ? " with shorter times" : "",
           round->made.launch.cycles, wb_launch_formula_name(round->made.launch.formula),
           round->composite ? " over composite paths" : "", round->of_reference, text.data);
}

#define CHECK(round, condition)                                                                    \
  do {                                                                                             \
    if (!(condition))                                                                              \
      fail_round(round, #condition);                                                               \
  } while (0)

/* The parts add up to the bound. */
static void check_parts(const struct round *round, const struct wb_launch_bound *bound)
{
  int64_t sum = 0;
  for (size_t p = 0; p < WB_PART_COUNT; p++)
    sum += bound->part[p];
  CHECK(round, sum == (int64_t)(bound->cycles * round->made.maxima.terms.denominator));
}

/* searched: the search's times may be shorter than those that the bound is for. */
static void make_round(uint64_t seed, bool searched, struct round *round)
{
  *round = (struct round){.seed = seed};
  struct wb_random random = {seed};
  static const struct launch_size *const sizes[] = {&launch_size_loops, &launch_size_early,
                                                    &launch_size_tiny, &launch_size_tiny,
                                                    &launch_size_early_loops};
  random_launch_draw(&random, sizes[seed % (sizeof sizes / sizeof *sizes)], &round->launch);
  /* Maxima over composite paths assume that all warps of a block pass the same barriers. */
  round->composite = round->launch.graph.unphased ||
                     (wb_random_below(&random, 4) == 0 && !round->launch.graph.crossed &&
                      round->launch.tiny.early != TINY_EARLY_ANY);
  assert_null(wb_timed_code_check(&round->launch.tiny.code));
  assert_true(launch_reference_find(&round->launch.tiny, SLIP_NONE, &round->reference));
  round->of_reference = launch_reference_bound(&round->launch.tiny, &round->reference, SLIP_NONE);
  made_bound_make(&round->launch, round->composite, &round->made);
  round->shorter = searched && wb_random_below(&random, 5) == 0;
  if (round->shorter)
    random_launch_shorten(&random, &round->launch.tiny.code);
}

static void compare(struct launch_brute *brute, struct round *round, struct tally *tally)
{
  const struct tiny_launch *tiny = &round->launch.tiny;
  const bool searched = launch_brute_worst(brute, tiny, &round->worst);
  launch_shapes_count(&tally->shapes, tiny, searched);
  if (!searched) {
    round->worst = 0;
    tally->skipped++;
    return;
  }
  CHECK(round, round->worst <= round->of_reference);
  if (round->worst + tiny->shape.overhead > round->made.launch.cycles)
    fail_round(round, "a schedule takes longer than the bound");
  const double ratio = (double)round->worst / (double)round->made.launch.cycles;
  if (!round->shorter && (tally->least == 0 || ratio < tally->least)) {
    tally->least = ratio;
    tally->loosest = round->seed;
  }
  tally->ratio[tally->decided++] = ratio;
  tally->reached += round->worst == round->made.launch.cycles;
  tally->shorter += round->shorter;
  tally->barriers += round->reference.phases > 1;
  tally->paths += tiny->path_count > 1;
  tally->waves += tiny->shape.blocks > tiny->shape.sms * tiny->shape.resident_blocks;
  tally->composite += round->composite;
  tally->early += round->reference.phases > 1 && tiny->early != TINY_NONE_EARLY;
}

TEST(test_every_schedule)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 20;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct tally tally = {.ratio = calloc(runs, sizeof *tally.ratio)};
  struct launch_brute *brute =
      launch_brute_start(number_from_environment("WARPBOUND_CROSS_STATES", STATE_LIMIT));
  worst_of = calloc(runs + 1, sizeof *worst_of);
  assert_non_null(worst_of);
  assert_non_null(tally.ratio);
  assert_non_null(brute);
  print_message("# seed %" PRIu64 ", %" PRIu64 " launches\n", first, runs);
  for (uint64_t r = 0; r < runs; r++) {
    struct round round;
    make_round(first + r, true, &round);
    compare(brute, &round, &tally);
    worst_of[r] = round.worst;
    made_bound_free(&round.made);
    tiny_launch_free(&round.launch.tiny);
  }
  qsort(tally.ratio, tally.decided, sizeof *tally.ratio, compare_ratios);
  print_message(
      "# %" PRIu64 " launches searched, %" PRIu64 " too large; bound reached %" PRIu64
      ", worst / bound: median %.2f, least %.2f (with the longest times: %.2f, seed %" PRIu64 ")\n"
      "# with barriers %" PRIu64 ", several paths %" PRIu64 ", several waves %" PRIu64
      ", composite %" PRIu64 ", early ends %" PRIu64 ", shorter times %" PRIu64 "\n",
      tally.decided, tally.skipped, tally.reached, tally.ratio[tally.decided / 2], tally.ratio[0],
      tally.least, tally.loosest, tally.barriers, tally.paths, tally.waves, tally.composite,
      tally.early, tally.shorter);
  launch_shapes_print(&tally.shapes);
  assert_true(tally.early > 0);
  assert_true(tally.decided > tally.skipped);
  assert_true(tally.reached * 10 > tally.decided);
  free(tally.ratio);
  launch_brute_free(brute);
}

/* Launches whose servers are kept until the next stage has its own: the bound counts what they are
 * kept for at their level. */
TEST(test_kept_servers)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 80;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct launch_brute *brute =
      launch_brute_start(number_from_environment("WARPBOUND_CROSS_STATES", STATE_LIMIT));
  uint64_t decided = 0;
  uint64_t raised = 0;
  uint64_t reached = 0;
  uint64_t needed = 0; /* above the bound of which no level is raised */
  struct launch_shapes shapes = {0};
  assert_non_null(brute);
  for (uint64_t r = 0; r < runs; r++) {
    struct round round = {.seed = first + r};
    struct wb_random random = {round.seed};
    struct tiny_launch *tiny = &round.launch.tiny;
    struct tiny_launch kept;
    struct launch_reference reference;
    bool rises = false;
    do { /* three in four with a level that is raised */
      if (tiny->code.instructions != NULL)
        tiny_launch_free(tiny);
      random_launch_draw(&random, &launch_size_kept, &round.launch);
      kept = *tiny;
      tiny_launch_raise_levels(tiny);
      for (size_t p = 0; p < tiny->code.resource_count; p++)
        rises |= tiny->code.resources[p].level != kept.code.resources[p].level;
    } while (!rises && r % 4 != 0);
    made_bound_make(&round.launch, false, &round.made);
    assert_true(launch_reference_find(&kept, SLIP_NONE, &reference));
    const bool searched = launch_brute_worst(brute, &kept, &round.worst);
    launch_shapes_count(&shapes, &kept, searched);
    if (searched) {
      const uint64_t worst = round.worst + kept.shape.overhead;
      if (worst > round.made.launch.cycles)
        fail_round(&round, "with servers that are kept a schedule takes longer than the bound");
      decided++;
      raised += rises;
      reached += worst == round.made.launch.cycles;
      needed += round.worst > launch_reference_bound(&kept, &reference, SLIP_NONE);
    }
    made_bound_free(&round.made);
    tiny_launch_free(tiny);
  }
  print_message("# kept servers: %" PRIu64 " of %" PRIu64
                " launches searched, levels raised %" PRIu64 ", bound reached %" PRIu64
                ", above the bound without raised levels %" PRIu64 "\n",
                decided, runs, raised, reached, needed);
  launch_shapes_print(&shapes);
  assert_true(decided * 2 > runs && raised > 0);
  launch_brute_free(brute);
}

/* Blocks of one wave that go to an SM with the fewest: as if no SM had room for more than its
 * share.
 */
TEST(test_balanced_dispatch)
{
  static const struct launch_size *const sizes[] = {&launch_size_tiny, &launch_size_loops};
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 40;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct launch_brute *brute =
      launch_brute_start(number_from_environment("WARPBOUND_CROSS_STATES", STATE_LIMIT));
  uint64_t decided = 0;
  uint64_t reached = 0;
  uint64_t less = 0;
  struct launch_shapes shapes = {0};
  assert_non_null(brute);
  for (uint64_t r = 0; r < runs; r++) {
    struct round round = {.seed = first + r};
    struct wb_random random = {round.seed};
    struct tiny_launch *tiny = &round.launch.tiny;
    struct wb_launch_upper balanced;
    struct wb_residencies residencies = {.count = 1};
    warpbound_error error;
    random_launch_draw(&random, sizes[r % 2], &round.launch);
    tiny->balanced = true;
    tiny->shape.sms = 2;
    tiny->shape.resident_blocks = 2 + (uint32_t)wb_random_below(&random, 2);
    tiny->shape.block_warps =
        tiny->shape.resident_blocks == 2 ? 1 + (uint32_t)wb_random_below(&random, 3) : 1;
    tiny->shape.blocks = 2 + wb_random_below(&random, 2 * tiny->shape.resident_blocks - 3);
    made_bound_make(&round.launch, round.launch.graph.unphased, &round.made);
    const struct wb_launch_shape shape = tiny->shape;
    residencies.items[0].occupancy.resident_blocks = shape.resident_blocks;
    assert_int_equal(wb_launch_upper_find(&round.made.maxima.terms, &shape, &residencies, true,
                                          &balanced, &error),
                     WARPBOUND_OK);
    const bool searched = launch_brute_worst(brute, tiny, &round.worst);
    launch_shapes_count(&shapes, tiny, searched);
    if (searched) {
      if (round.worst + shape.overhead > balanced.bound.cycles)
        fail_round(&round, "with blocks that are spread a schedule takes longer than the bound");
      decided++;
      reached += round.worst + shape.overhead == balanced.bound.cycles;
      less += balanced.bound.cycles < round.made.launch.cycles;
    }
    made_bound_free(&round.made);
    tiny_launch_free(tiny);
  }
  print_message("# balanced dispatch: %" PRIu64 " of %" PRIu64
                " launches searched, bound reached %" PRIu64 ", less than without %" PRIu64 "\n",
                decided, runs, reached, less);
  launch_shapes_print(&shapes);
  assert_true(decided * 4 > runs && less > 0 && reached > 0);
  launch_brute_free(brute);
}

/* All warps of a block, or of the launch, take one path, any: the library's bound and the
 * checker's. */
static void search_same_paths(bool of_launch, uint64_t runs)
{
  static const struct launch_size *const sizes[] = {&launch_size_tiny, &launch_size_loops,
                                                    &launch_size_early};
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct launch_brute *brute =
      launch_brute_start(number_from_environment("WARPBOUND_CROSS_STATES", STATE_LIMIT));
  uint64_t drawn = 0, decided = 0, reached = 0, less = 0, waves = 0, lower = 0;
  struct launch_shapes shapes = {0};
  assert_non_null(brute);
  for (uint64_t r = 0; r < runs; r++) {
    struct round round = {.seed = first + r};
    struct wb_random random = {round.seed};
    struct tiny_launch *tiny = &round.launch.tiny;
    random_launch_draw(&random, sizes[r % 3], &round.launch);
    if (tiny->path_count < 2 ||
        (!of_launch && tiny->shape.block_warps < 2 && tiny->shape.resident_blocks < 2)) {
      tiny_launch_free(tiny);
      continue;
    }
    drawn++;
    tiny->same_path = !of_launch;
    tiny->launch_path = of_launch;
    made_bound_make(&round.launch, round.launch.graph.unphased, &round.made);
    check_parts(&round, &round.made.launch);
    if (!of_launch && tiny->shape.blocks > 1 && round.made.maxima.terms.one_path > 0)
      fail_round(&round, "nothing says that several blocks take one path");
    struct wb_launch_terms apart = round.made.maxima.terms;
    struct wb_launch_bound without;
    apart.one_path = 0;
    if (!of_launch)
      apart.same_path = 0;
    assert_ok(wb_launch_bound_evaluate(&apart, &tiny->shape, &without, NULL));
    less += round.made.launch.cycles < without.cycles;
    const uint64_t checked = made_bound_check(&round.launch, &round.made);
    const bool searched = launch_brute_worst(brute, tiny, &round.worst);
    launch_shapes_count(&shapes, tiny, searched);
    if (searched) {
      const uint64_t worst = round.worst + tiny->shape.overhead;
      if (worst > round.made.launch.cycles)
        fail_round(&round, "with one path for all warps a schedule takes longer than the bound");
      if (worst > checked)
        fail_round(&round, "with one path a schedule takes longer than the checker's bound");
      decided++;
      reached += worst == round.made.launch.cycles;
      waves += tiny->shape.blocks > tiny->shape.sms * tiny->shape.resident_blocks;
    }
    if (of_launch ? checked > round.made.launch.cycles : checked != round.made.launch.cycles)
      fail_round(&round, "by the checker other cycles are proven");
    lower += checked < round.made.launch.cycles;
    made_bound_free(&round.made);
    tiny_launch_free(tiny);
  }
  print_message("# one path for all warps of a %s: %" PRIu64 " of %" PRIu64
                " launches searched, several waves %" PRIu64 ", bound reached %" PRIu64
                ", less than without %" PRIu64 ", the checker proves less %" PRIu64 "\n",
                of_launch ? "launch" : "block", decided, drawn, waves, reached, less, lower);
  launch_shapes_print(&shapes);
  assert_true(decided * 4 > drawn && less > 0 && reached > 0);
  /* Of several that hold it takes the least, which the makers do not look for. */
  if (lower * 100 > drawn)
    fail_msg("the number of bounds that the checker makes less, %" PRIu64
             ", is above one in a hundred",
             lower);
  launch_brute_free(brute);
}

TEST(test_same_path)
{
  search_same_paths(false, number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 20);
}

TEST(test_launch_path)
{
  search_same_paths(true, number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 40);
}

/* Warps of a block, or of each of its groups, pass as many barriers, or the first ones of as many,
 * and nothing says where: the library's bound and the checker's. */
static void search_as_many(bool early, bool groups, uint64_t part)
{
  static const struct launch_size *const sizes[2][2] = {
      {&launch_size_tiny, &launch_size_loops}, {&launch_size_early, &launch_size_early_many}};
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / part;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct launch_brute *brute =
      launch_brute_start(number_from_environment("WARPBOUND_CROSS_STATES", STATE_LIMIT));
  uint64_t drawn = 0, decided = 0, reached = 0, waves = 0, less = 0, crossed = 0;
  struct launch_shapes shapes = {0};
  assert_non_null(brute);
  for (uint64_t r = 0; r < runs; r++) {
    struct round round = {.seed = first + r};
    struct wb_random random = {round.seed};
    struct tiny_launch *tiny = &round.launch.tiny;
    bool barriers = false;
    random_launch_draw(&random, groups && r % 3 == 0 ? &launch_size_groups : sizes[early][r % 2],
                       &round.launch);
    for (size_t i = 0; i < tiny->code.instruction_count; i++)
      barriers |= tiny->code.instructions[i].barrier;
    if (!barriers || early != (tiny->early != TINY_NONE_EARLY)) {
      tiny_launch_free(tiny);
      continue;
    }
    drawn++;
    tiny->early = early ? TINY_EARLY_ANY : TINY_NONE_EARLY;
    crossed += round.launch.graph.crossed || round.launch.graph.unphased;
    tiny->as_many = true;
    if (groups)
      random_launch_groups(&random, tiny);
    made_bound_make(&round.launch, false, &round.made);
    check_parts(&round, &round.made.launch);
    less += round.made.launch.formula != WB_FORMULA_TOTAL;
    const bool searched = launch_brute_worst(brute, tiny, &round.worst);
    launch_shapes_count(&shapes, tiny, searched);
    const uint64_t worst = round.worst + tiny->shape.overhead;
    if (searched && worst > round.made.launch.cycles)
      fail_round(&round, "with as many barriers a schedule takes longer than the bound");
    decided += searched;
    reached += searched && worst == round.made.launch.cycles;
    waves += searched && tiny->shape.blocks > tiny->shape.sms * tiny->shape.resident_blocks;
    if (made_bound_check(&round.launch, &round.made) != round.made.launch.cycles)
      fail_round(&round, "by the checker other cycles are proven");
    made_bound_free(&round.made);
    tiny_launch_free(tiny);
  }
  print_message("# as many barriers%s: %" PRIu64 " of %" PRIu64
                " launches searched, several waves %" PRIu64 ", at different places %" PRIu64
                ", bound reached %" PRIu64 ", less than all steps one after the other %" PRIu64
                "\n",
                early    ? " and early ends"
                : groups ? " of groups"
                         : "",
                decided, drawn, waves, crossed, reached, less);
  launch_shapes_print(&shapes);
  assert_true(decided * 4 > drawn && less > 0 && reached > 0);
  launch_brute_free(brute);
}

TEST(test_as_many_barriers)
{
  search_as_many(false, false, 40);
}

TEST(test_early_ends_of_as_many)
{
  search_as_many(true, false, 40);
}

TEST(test_barriers_of_groups)
{
  search_as_many(false, true, 40);
}

/* Blocks of one warp, of which an SM holds as many as its partitions have places for: the library's
 * bound and the checker's. */
TEST(test_full_partitions)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 40;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct launch_brute *brute =
      launch_brute_start(number_from_environment("WARPBOUND_CROSS_STATES", STATE_LIMIT));
  uint64_t drawn = 0, decided = 0, reached = 0, by_them = 0;
  struct launch_shapes shapes = {0};
  assert_non_null(brute);
  for (uint64_t r = 0; r < runs; r++) {
    struct round round = {.seed = first + r};
    struct wb_random random = {round.seed};
    struct tiny_launch *tiny = &round.launch.tiny;
    /* Two warps in a partition are searched in short code alone. */
    const bool pairs = wb_random_below(&random, 3) == 0;
    random_launch_draw(&random, &launch_size_tiny, &round.launch);
    while (pairs && (tiny->path_count > 1 || tiny->paths[0].length > 2)) {
      tiny_launch_free(tiny);
      random_launch_draw(&random, &launch_size_tiny, &round.launch);
    }
    tiny->partition_places = pairs ? 2 : 1;
    tiny->shape.block_warps = 1;
    tiny->shape.partitions = pairs ? 2 : 2 + (uint32_t)wb_random_below(&random, 2);
    tiny->shape.resident_blocks = tiny->shape.partitions * tiny->partition_places;
    tiny->shape.sms =
        tiny->shape.resident_blocks == 2 ? 1 + (uint32_t)wb_random_below(&random, 2) : 1;
    tiny->shape.blocks =
        tiny->shape.sms * tiny->shape.resident_blocks + 1 + wb_random_below(&random, 3);
    made_bound_make(&round.launch, round.launch.graph.unphased, &round.made);
    if (round.made.maxima.terms.phases == 1) {
      drawn++;
      check_parts(&round, &round.made.launch);
      by_them += round.made.launch.formula == WB_FORMULA_FULL_PARTITIONS;
      const bool searched = launch_brute_worst(brute, tiny, &round.worst);
      launch_shapes_count(&shapes, tiny, searched);
      if (searched && round.worst + tiny->shape.overhead > round.made.launch.cycles)
        fail_round(&round, "with full partitions a schedule takes longer than the bound");
      decided += searched;
      reached += searched && round.worst + tiny->shape.overhead == round.made.launch.cycles;
      if (made_bound_check(&round.launch, &round.made) != round.made.launch.cycles)
        fail_round(&round, "by the checker other cycles are proven");
    }
    made_bound_free(&round.made);
    tiny_launch_free(tiny);
  }
  print_message("# full partitions: %" PRIu64 " of %" PRIu64
                " launches searched, bound by them %" PRIu64 ", reached %" PRIu64 "\n",
                decided, drawn, by_them, reached);
  launch_shapes_print(&shapes);
  assert_true(decided * 4 > drawn && by_them > 0 && reached > 0);
  launch_brute_free(brute);
}

/* A launch whose data L2 keeps, and its bound; then perhaps with shorter times. */
static void make_kept_round(uint64_t seed, struct round *round)
{
  static const struct launch_size *const sizes[] = {&launch_size_tiny, &launch_size_loops};
  struct wb_random random = {seed};
  struct tiny_launch *tiny = &round->launch.tiny;
  *round = (struct round){.seed = seed};
  do {
    if (tiny->code.instructions != NULL)
      tiny_launch_free(tiny);
    random_launch_draw(&random, sizes[seed % 2], &round->launch);
  } while (!random_launch_keep_data(&random, tiny));
  assert_null(wb_timed_code_check(&tiny->code));
  round->composite = round->launch.graph.unphased;
  made_bound_make(&round->launch, round->composite, &round->made);
  round->shorter = wb_random_below(&random, 5) == 0;
  if (round->shorter)
    random_launch_shorten(&random, &tiny->code);
}

/* Every schedule, every order of fetches, what lines drive out; then what the independent checker
 * says of the same launches. */
TEST(test_kept_data)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 20;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct launch_brute *brute =
      launch_brute_start(number_from_environment("WARPBOUND_CROSS_STATES", STATE_LIMIT));
  double *ratios = calloc(runs, sizeof *ratios);
  uint32_t *worst = calloc(runs, sizeof *worst);
  uint64_t decided = 0, reached = 0, waves = 0, warm = 0, sectors = 0, barriers = 0;
  struct launch_shapes shapes = {0};
  assert_non_null(brute);
  assert_non_null(ratios);
  assert_non_null(worst);
  for (uint64_t r = 0; r < runs; r++) {
    struct round round;
    make_kept_round(first + r, &round);
    const struct tiny_launch *tiny = &round.launch.tiny;
    check_parts(&round, &round.made.launch);
    const bool searched = launch_brute_worst(brute, tiny, &round.worst);
    launch_shapes_count(&shapes, tiny, searched);
    if (searched) {
      worst[r] = round.worst;
      if (round.worst + tiny->shape.overhead > round.made.launch.cycles)
        fail_round(&round, "with kept data a schedule takes longer than the bound");
      ratios[decided++] = (double)round.worst / (double)round.made.launch.cycles;
      reached += round.worst + tiny->shape.overhead == round.made.launch.cycles;
      waves += tiny->shape.blocks > tiny->shape.sms * tiny->shape.resident_blocks;
      warm += tiny->code.kept.warm;
      sectors += tiny->code.kept.buffers[0].by_sector;
      barriers += round.made.maxima.terms.phases > 1;
    }
    made_bound_free(&round.made);
    tiny_launch_free(&round.launch.tiny);
  }
  qsort(ratios, decided, sizeof *ratios, compare_ratios);
  print_message("# kept data: %" PRIu64 " of %" PRIu64 " launches searched, bound reached %" PRIu64
                ", worst / bound: median %.2f; several waves %" PRIu64 ", barriers %" PRIu64
                ", warm %" PRIu64 ", by sector %" PRIu64 "\n",
                decided, runs, reached, ratios[decided / 2], waves, barriers, warm, sectors);
  launch_shapes_print(&shapes);
  assert_true(decided * 2 > runs && warm > 0 && sectors > 0);
  for (uint64_t r = 0; r < runs; r++) {
    struct round round;
    make_kept_round(first + r, &round);
    round.worst = worst[r];
    /* The proofs are of the times that were not made shorter. */
    const uint64_t checked =
        round.shorter ? round.made.launch.cycles : made_bound_check(&round.launch, &round.made);
    if (checked < worst[r])
      fail_round(&round, "of the checker, a schedule takes longer than the bound");
    if (checked < round.made.launch.cycles)
      fail_round(&round, "the checker says fewer cycles are proven than the makers'");
    made_bound_free(&round.made);
    tiny_launch_free(&round.launch.tiny);
  }
  free(worst);
  free(ratios);
  launch_brute_free(brute);
}

/* The independent checker's bound. It numbers the phases itself where it can, and wants proofs for
 * each. */
static void check_claim(const struct round *round)
{
  if (round->composite && !round->launch.graph.unphased)
    return;
  const uint64_t bound = made_bound_check(&round->launch, &round->made);
  CHECK(round, round->worst + round->launch.tiny.shape.overhead <= bound);
}

/* Of the same launches; the search alone judges the test above. */
TEST(test_sums_and_claims)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 20;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  for (uint64_t r = 0; r < runs; r++) {
    struct round round;
    make_round(first + r, false, &round);
    round.worst = worst_of != NULL ? worst_of[r] : 0;
    /* The makers' sums are those of all paths, where a sum needs no approximation; the chain is not
     * shorter. */
    const struct wb_launch_terms *terms = &round.made.maxima.terms;
    const struct launch_reference *reference = &round.reference;
    const int64_t scale = (int64_t)terms->denominator / reference->denominator;
    CHECK(&round, (int64_t)terms->denominator % reference->denominator == 0);
    CHECK(&round, (int64_t)terms->sum[WB_SUM_PARTITION] >= reference->partition * scale);
    CHECK(&round, (int64_t)terms->sum[WB_SUM_OTHERS] >= reference->others * scale);
    CHECK(&round, (int64_t)terms->sum[WB_SUM_GPU] >= reference->gpu * scale);
    const int64_t start = round.launch.tiny.shape.block_start * reference->denominator;
    CHECK(&round, (int64_t)terms->sum[WB_SUM_OWN] >= (reference->own - start) * scale);
    CHECK(&round, (int64_t)terms->sum[WB_SUM_ALONE_OWN] >= (reference->alone_own - start) * scale);
    CHECK(&round, (int64_t)terms->phases >= reference->phases);
    CHECK(&round, (int64_t)terms->longest_unit >= reference->longest_unit);
    check_parts(&round, &round.made.launch);
    check_parts(&round, &round.made.block);
    check_claim(&round);
    made_bound_free(&round.made);
    tiny_launch_free(&round.launch.tiny);
  }
  free(worst_of);
}

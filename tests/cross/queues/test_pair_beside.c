/* Bounds by a pair of the GPU's resources (doc/launches/pair.md) where the launch has company or
 * many blocks: others at one of the two resources (foreign-traffic.md), rounds of a slow dispatcher
 * and the mean over all slots, chains that come back (many-blocks.md). The library's bound and its
 * independent checker's, against every schedule of random tiny launches.
 *
 *   WARPBOUND_CROSS_RUNS  the launches of each test (400)
 *   WARPBOUND_SEED        seed of the first one
 *   WARPBOUND_CROSS_STATES
 *                         most states of one search (3000) */
#include "launch/timing/stage_pair.h"
#include "launch/timing/stage_series.h"
#include "launch_brute.h"
#include "launch_makers.h"
#include "launch_shapes.h"
#include "random_launch.h"
#include "unit.h"

#include <inttypes.h>

/* States of the search; a launch with more is skipped. */
#define STATE_LIMIT 3000
/* Codes and shapes drawn for one launch. */
#define TRIES 200

static uint32_t draw(struct wb_random *random, uint32_t most)
{
  return 1 + (uint32_t)wb_random_below(random, most);
}

/* What a test draws. */
struct kind {
  const struct launch_size *size;
  /* Draws a shape. */
  void (*reshape)(struct wb_random *random, struct tiny_launch *tiny);
  /* Whether the bound is one that the test is about. */
  bool (*is_meant)(const struct wb_launch_bound *bound);
};

struct tally {
  uint64_t drawn, decided, less, reached;
};

/* Draws launches until one has a pair and the bound that is meant; false: none of TRIES has. */
static bool make(struct wb_random *random, const struct kind *kind, struct random_launch *launch,
                 struct made_bound *plain, struct made_bound *made)
{
  for (int t = 0; t < TRIES; t++) {
    struct wb_timed_code *code = &launch->tiny.code;
    random_launch_draw(random, kind->size, launch);
    kind->reshape(random, &launch->tiny);
    assert_null(wb_timed_code_check(code));
    made_bound_make(launch, launch->graph.unphased, plain);
    const bool series = wb_random_below(random, 5) == 0 && wb_stage_series_mark(code);
    if (series || wb_random_below(random, 2) == 0)
      launch->tiny.full_queues = false;
    if (wb_stage_pair_mark(code, WB_RESOURCE_LIMIT)) {
      assert_null(wb_timed_code_check(code));
      made_bound_make(launch, launch->graph.unphased, made);
      if (kind->is_meant(&made->launch))
        return true;
      made_bound_free(made);
    }
    made_bound_free(plain);
    tiny_launch_free(&launch->tiny);
  }
  return false;
}

static void search(struct launch_brute *brute, uint64_t seed, const struct kind *kind,
                   struct tally *tally)
{
  struct wb_random random = {seed};
  struct random_launch launch;
  struct made_bound plain, made;
  uint32_t worst;
  if (!make(&random, kind, &launch, &plain, &made))
    return;
  struct tiny_launch *tiny = &launch.tiny;
  const uint64_t bound = made.launch.cycles;
  tally->drawn++;
  if (!launch.graph.unphased)
    assert_int_equal(made_bound_check(&launch, &made), bound);
  const bool shorter = wb_random_below(&random, 5) == 0;
  if (shorter)
    random_launch_shorten(&random, &tiny->code);
  if (launch_brute_worst(brute, tiny, &worst)) {
    struct wb_text text = {0};
    worst += (uint32_t)tiny->shape.overhead;
    if (worst > bound) {
      tiny_launch_print(tiny, &text);
      for (size_t r = 0; r < tiny->code.resource_count; r++)
        wb_text_format(&text, "  place of %s: %u\n", tiny->code.resources[r].name,
                       tiny->code.resources[r].place);
      fail_msg("seed %" PRIu64 ": a schedule takes longer than the bound by a pair: worst %" PRIu32
               "%s, bound %" PRIu64 ", without a pair %" PRIu64 ", others at %u: %" PRIu32
               " millionths, %" PRIu32 " cycles\n%s",
               seed, worst, shorter ? " with shorter times" : "", bound, plain.launch.cycles,
               (unsigned)tiny->foreign, tiny->shape.foreign_share,
               (uint32_t)tiny->shape.foreign_burst, text.data);
    }
    tally->decided++;
    tally->less += bound < plain.launch.cycles;
    tally->reached += worst == bound && bound < plain.launch.cycles;
  }
  made_bound_free(&plain);
  made_bound_free(&made);
  tiny_launch_free(tiny);
}

static void search_all(const struct kind *kinds, size_t count, const char *name)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 400);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct launch_brute *brute =
      launch_brute_start(number_from_environment("WARPBOUND_CROSS_STATES", STATE_LIMIT));
  struct tally tally = {0};
  assert_non_null(brute);
  for (uint64_t r = 0; r < runs; r++)
    search(brute, first + r, &kinds[(first + r) % count], &tally);
  print_message("# %s, seed %" PRIu64 ": %" PRIu64 " of %" PRIu64 " launches searched, %" PRIu64
                " less than without a pair, of these reached %" PRIu64 "\n",
                name, first, tally.decided, tally.drawn, tally.less, tally.reached);
  assert_true(tally.decided * 10 > tally.drawn && tally.less > 0);
  launch_brute_free(brute);
}

/* ---- other ways through the pair ---- */

/* Each stage of an instruction that makes requests is mostly at one of the pair, in any order and
 * with any numbers of requests: to the memory and back to the front, twice through both, at one of
 * both alone. */
static void any_way(struct wb_random *random, struct tiny_launch *tiny)
{
  struct wb_timed_code *code = &tiny->code;
  const uint8_t front = (uint8_t)(code->resource_count - 2);
  for (size_t s = 0; s < code->stage_count; s++) {
    struct wb_request_stage *stage = &code->stages[s];
    if (wb_random_below(random, 5) > 0)
      stage->resource = (uint8_t)(front + wb_random_below(random, 2));
    stage->requests = (uint16_t)draw(random, 2);
    stage->delay = (uint32_t)wb_random_below(random, 3);
  }
}

static bool is_any(const struct wb_launch_bound *bound)
{
  return bound->cycles > 0;
}

TEST(test_other_ways)
{
  static const struct launch_size few = {.phases = 2,
                                         .sms = 2,
                                         .partitions = 2,
                                         .resident_blocks = 2,
                                         .block_warps = 3,
                                         .blocks = 3,
                                         .resident_warps = 3,
                                         .instructions = 3,
                                         .service = 4,
                                         .paths = 2,
                                         .pair = true,
                                         .series = true};
  static const struct launch_size chained = {.phases = 1,
                                             .sms = 1,
                                             .partitions = 1,
                                             .resident_blocks = 1,
                                             .block_warps = 3,
                                             .blocks = 1,
                                             .resident_warps = 3,
                                             .instructions = 3,
                                             .service = 4,
                                             .paths = 2,
                                             .pair = true,
                                             .series = true,
                                             .chained = true};
  static const struct kind kinds[] = {{&few, any_way, is_any}, {&chained, any_way, is_any}};
  search_all(kinds, COUNT_OF(kinds), "other ways");
}

/* ---- others at the memory ---- */

#define FEW                                                                                        \
  .phases = 2, .sms = 2, .partitions = 2, .resident_blocks = 2, .block_warps = 2, .blocks = 2,     \
  .resident_warps = 2, .instructions = 2, .service = 3, .paths = 2, .pair = true, .series = true

/* Others are at the second resource of the pair, one in four times at the first. */
static void beside_others(struct wb_random *random, struct tiny_launch *tiny)
{
  static const uint32_t shares[] = {0, 1, 1, 2, 2, 3};
  const uint32_t before = wb_random_below(random, 4) == 0;
  tiny->foreign = (uint8_t)(tiny->code.resource_count - 1 - before);
  tiny->shape.foreign_share = TINY_SHARE * shares[wb_random_below(random, 6)];
  tiny->shape.foreign_burst = (uint32_t)wb_random_below(random, 3);
}

TEST(test_others_at_the_memory)
{
  static const struct launch_size few = {FEW};
  static const struct launch_size chained = {FEW, .chained = true};
  static const struct kind kinds[] = {{&few, beside_others, is_any},
                                      {&chained, beside_others, is_any}};
  search_all(kinds, COUNT_OF(kinds), "others at the memory");
}

/* ---- many blocks ---- */

static void many_rounds(struct wb_random *random, struct tiny_launch *tiny)
{
  struct wb_launch_shape *shape = &tiny->shape;
  const bool two = wb_random_below(random, 2) == 0;
  shape->resident_blocks = two ? 2 : 1;
  shape->sms = two ? draw(random, 2) : 1 + draw(random, 3);
  shape->block_warps = shape->sms == 1 || !two ? draw(random, 2) : 1;
  shape->partitions = draw(random, 2);
  const uint32_t slots = shape->sms * shape->resident_blocks;
  shape->blocks = slots + draw(random, 2 * slots);
  shape->dispatch = (uint32_t)wb_random_below(random, 8);
  shape->block_start = (uint32_t)wb_random_below(random, 3);
}

static bool is_by_rounds(const struct wb_launch_bound *bound)
{
  return bound->formula == WB_FORMULA_ROUNDS;
}

static bool is_by_mean(const struct wb_launch_bound *bound)
{
  return bound->formula == WB_FORMULA_MEAN;
}

#define MANY                                                                                       \
  .phases = 1, .sms = 1, .partitions = 1, .resident_blocks = 1, .block_warps = 1, .blocks = 1,     \
  .resident_warps = 4, .instructions = 2, .service = 3, .paths = 1, .pair = true, .series = true

TEST(test_many_rounds)
{
  static const struct launch_size many = {MANY};
  static const struct launch_size chained = {MANY, .chained = true};
  static const struct kind kinds[] = {{&many, many_rounds, is_by_mean},
                                      {&many, many_rounds, is_by_rounds},
                                      {&chained, many_rounds, is_by_mean}};
  search_all(kinds, COUNT_OF(kinds), "many rounds");
}

static void two_partitions(struct wb_random *random, struct tiny_launch *tiny)
{
  struct wb_launch_shape *shape = &tiny->shape;
  *shape = (struct wb_launch_shape){.sms = 1,
                                    .partitions = 2,
                                    .resident_blocks = 2,
                                    .block_warps = 1 + draw(random, 3),
                                    .blocks = 2 + draw(random, 3),
                                    .dispatch = (uint32_t)wb_random_below(random, 3),
                                    .block_start = (uint32_t)wb_random_below(random, 3)};
}

static bool comes_back(const struct wb_launch_bound *bound)
{
  return (bound->formula == WB_FORMULA_PAIRS || bound->formula == WB_FORMULA_MEAN) &&
         bound->times[WB_SUM_OWN] > bound->slot_blocks + 1;
}

TEST(test_come_back_through_the_memory)
{
  static const struct launch_size holds = {MANY, .holds = true};
  static const struct kind kinds[] = {{&holds, two_partitions, comes_back}};
  search_all(kinds, COUNT_OF(kinds), "chains that come back");
}

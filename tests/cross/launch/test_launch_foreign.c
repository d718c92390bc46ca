/* Bounds on random tiny launches beside foreign traffic (doc/launches/foreign-traffic.md), the
 * library's and its independent checker's, against every schedule of each and every pattern of what
 * others take.
 *
 *   WARPBOUND_CROSS_RUNS  20 times the launches (20000)
 *   WARPBOUND_SEED        seed of the first one
 *   WARPBOUND_CROSS_STATES
 *                         most states of one search (500) */
#include "launch_brute.h"
#include "launch_makers.h"
#include "launch_shapes.h"
#include "random_launch.h"
#include "unit.h"

#include <inttypes.h>

/* States of the search; a launch with more is skipped. */
#define STATE_LIMIT 500
/* Of so many launches one is searched without others too. */
#define ALONE 8

/* Whether the launch asks for something that the whole GPU shares, which others are to use: the
 * first such stage's. */
static bool find_memory(struct tiny_launch *tiny)
{
  for (size_t s = 0; s < tiny->code.stage_count; s++) {
    tiny->foreign = tiny->code.stages[s].resource;
    if (tiny->code.resources[tiny->foreign].level == WB_LEVEL_GPU)
      return true;
  }
  return false;
}

static void draw(struct wb_random *random, struct random_launch *launch)
{
  static const uint32_t shares[] = {0, 1, 1, 2, 2, 3};
  struct tiny_launch *tiny = &launch->tiny;
  random_launch_draw(random, &launch_size_tiny, launch);
  while (!find_memory(tiny)) {
    tiny_launch_free(tiny);
    random_launch_draw(random, &launch_size_tiny, launch);
  }
  tiny->shape.foreign_share = TINY_SHARE * shares[wb_random_below(random, 6)];
  tiny->shape.foreign_burst = (uint32_t)wb_random_below(random, 3);
}

TEST(test_every_schedule_and_pattern)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 20;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct launch_brute *brute =
      launch_brute_start(number_from_environment("WARPBOUND_CROSS_STATES", STATE_LIMIT));
  uint64_t decided = 0, reached = 0, asked = 0, slower = 0;
  double ratios = 0;
  struct launch_shapes shapes = {0};
  assert_non_null(brute);
  print_message("# seed %" PRIu64 ", %" PRIu64 " launches\n", first, runs);
  for (uint64_t r = 0; r < runs; r++) {
    struct wb_random random = {first + r};
    struct random_launch launch;
    struct tiny_launch *tiny = &launch.tiny;
    struct made_bound made;
    uint32_t worst, alone;
    draw(&random, &launch);
    made_bound_make(&launch, false, &made);
    const struct wb_launch_shape shape = tiny->shape;
    const bool searched = launch_brute_worst(brute, tiny, &worst);
    launch_shapes_count(&shapes, tiny, searched);
    if (searched) {
      if (worst + tiny->shape.overhead > made.launch.cycles) {
        struct wb_text text = {0};
        tiny_launch_print(tiny, &text);
        fail_msg("seed %" PRIu64
                 ": a schedule takes longer than the bound where others hold %s for %" PRIu32
                 " millionths and %" PRIu32 " cycles: %" PRIu32 " cycles, bound %" PRIu64 "\n%s",
                 first + r, tiny->code.resources[tiny->foreign].name, tiny->shape.foreign_share,
                 tiny->shape.foreign_burst, worst, made.launch.cycles, text.data);
      }
      reached += worst + tiny->shape.overhead == made.launch.cycles;
      ratios += (double)worst / (double)made.launch.cycles;
      tiny->shape.foreign_share = tiny->shape.foreign_burst = 0;
      if (decided++ % ALONE == 0 && launch_brute_worst(brute, tiny, &alone)) {
        asked++;
        slower += worst > alone;
      }
    }
    tiny->shape.foreign_share = shape.foreign_share;
    tiny->shape.foreign_burst = shape.foreign_burst;
    assert_int_equal(made_bound_check(&launch, &made), made.launch.cycles);
    made_bound_free(&made);
    tiny_launch_free(tiny);
  }
  print_message("# %" PRIu64 " launches searched, bound reached %" PRIu64
                ", slower than without others %" PRIu64 " of %" PRIu64
                ", worst / bound: mean %.2f\n",
                decided, reached, slower, asked, ratios / (double)decided);
  launch_shapes_print(&shapes);
  assert_true(decided * 5 > runs && slower * 2 > asked);
  launch_brute_free(brute);
}

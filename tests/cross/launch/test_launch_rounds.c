/* Launches of several waves with a dispatcher that takes time (doc/launch.md, theorem D): bounds,
 * the library's and its independent checker's, against every schedule of random tiny launches.
 *   WARPBOUND_CROSS_RUNS  the launches (400)
 *   WARPBOUND_SEED        seed of the first one */
#include "launch_brute.h"
#include "launch_makers.h"
#include "random_launch.h"
#include "unit.h"

#include <inttypes.h>

/* States of the search; a launch with more is skipped. */
#define STATE_LIMIT ((size_t)5000)

struct round {
  uint64_t seed;
  struct random_launch launch;
  struct made_bound made;
  bool shorter;
  uint32_t worst;
};

static void fail_round(const struct round *round, const char *what)
{
  struct wb_text text = {0};
  tiny_launch_print(&round->launch.tiny, &text);
  fail_msg("seed %" PRIu64 ": %s\n  worst %" PRIu32 "%s, bound %" PRIu64 " by %s\n%s", round->seed,
           what, round->worst, round->shorter ? " with shorter times" : "",
           round->made.launch.cycles, wb_launch_formula_name(round->made.launch.formula),
           text.data);
}

static uint32_t draw(struct wb_random *random, uint32_t most)
{
  return 1 + (uint32_t)wb_random_below(random, most);
}

/* Mostly one block an SM, where other blocks are met at the GPU's resources alone. */
static void draw_shape(struct wb_random *random, struct wb_launch_shape *shape)
{
  const bool two = wb_random_below(random, 4) == 0;
  shape->resident_blocks = two ? 2 : 1;
  shape->sms = two ? draw(random, 2) : 1 + draw(random, 3);
  shape->block_warps = !two && shape->sms == 2 ? draw(random, 2) : 1;
  shape->partitions = draw(random, 2);
  const uint32_t slots = shape->sms * shape->resident_blocks;
  shape->blocks = slots + draw(random, slots + 2);
  shape->dispatch = draw(random, 4);
}

static void make_round(uint64_t seed, struct round *round)
{
  static const struct launch_size *const sizes[] = {&launch_size_tiny, &launch_size_loops,
                                                    &launch_size_tiny, &launch_size_early};
  struct wb_random random = {seed};
  struct tiny_launch *tiny = &round->launch.tiny;
  *round = (struct round){.seed = seed};
  random_launch_draw(&random, sizes[seed % 4], &round->launch);
  draw_shape(&random, &tiny->shape);
  assert_null(wb_timed_code_check(&tiny->code));
  made_bound_make(&round->launch, round->launch.graph.unphased, &round->made);
  round->shorter = wb_random_below(&random, 5) == 0;
}

TEST(test_every_schedule)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 400);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct launch_brute *brute = launch_brute_start(STATE_LIMIT);
  double *ratios = calloc(runs, sizeof *ratios);
  uint64_t decided = 0, reached = 0, used = 0, used_two = 0, used_reached = 0;
  assert_non_null(brute);
  assert_non_null(ratios);
  for (uint64_t r = 0; r < runs; r++) {
    struct round round;
    make_round(first + r, &round);
    struct tiny_launch *tiny = &round.launch.tiny;
    const bool by_rounds = round.made.launch.formula == WB_FORMULA_ROUNDS;
    const uint64_t checked = made_bound_check(&round.launch, &round.made);
    if (round.shorter) {
      struct wb_random random = {round.seed + 7};
      random_launch_shorten(&random, &tiny->code);
    }
    if (launch_brute_worst(brute, tiny, &round.worst)) {
      const uint64_t worst = round.worst + tiny->shape.overhead;
      if (worst > round.made.launch.cycles)
        fail_round(&round, "with a slow dispatcher a schedule takes longer than the bound");
      if (checked < worst)
        fail_round(&round, "of the checker, a schedule takes longer than the bound");
      if (checked < round.made.launch.cycles)
        fail_round(&round, "the checker says fewer cycles are proven than the makers'");
      ratios[decided++] = (double)round.worst / (double)round.made.launch.cycles;
      reached += worst == round.made.launch.cycles;
      used += by_rounds;
      used_two += by_rounds && tiny->shape.resident_blocks > 1;
      used_reached += by_rounds && worst == round.made.launch.cycles;
    }
    made_bound_free(&round.made);
    tiny_launch_free(tiny);
  }
  qsort(ratios, decided, sizeof *ratios, compare_ratios);
  print_message("# seed %" PRIu64 ": %" PRIu64 " of %" PRIu64
                " launches searched, by rounds %" PRIu64 ", of these of two blocks an SM %" PRIu64
                "; bound reached %" PRIu64 ", by rounds %" PRIu64 ", worst / bound: median %.2f\n",
                first, decided, runs, used, used_two, reached, used_reached, ratios[decided / 2]);
  assert_true(decided * 4 > runs && used > 0 && used_two > 0 && used_reached > 0);
  free(ratios);
  launch_brute_free(brute);
}

/* Launches of several waves with a dispatcher that takes time (doc/launch.md, theorems D and E):
 * bounds, the library's and its independent checker's, against every schedule of random tiny
 * launches. WARPBOUND_CROSS_RUNS  the launches (400) WARPBOUND_SEED        seed of the first one */
#include "launch_brute.h"
#include "launch_makers.h"
#include "random_launch.h"
#include "unit.h"

#include <inttypes.h>

/* States of the search; a launch with more is skipped. */
#define STATE_LIMIT ((size_t)5000)
#define STATE_LIMIT_BACK ((size_t)20000)

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

/* Several waves of two blocks an SM whose dispatcher takes about as long as they: where theorem E
 * is less than theorems 2 and D. */
static void draw_waves(struct wb_random *random, struct wb_launch_shape *shape)
{
  shape->resident_blocks = 2;
  shape->sms = 1 + (uint32_t)(wb_random_below(random, 4) == 0);
  const bool wide = shape->sms == 1 && wb_random_below(random, 4) == 0;
  shape->block_warps = wide ? 2 : 1;
  shape->partitions = wide ? 2 : 1;
  const uint32_t slots = shape->sms * shape->resident_blocks;
  shape->blocks = 2 * slots + draw(random, 2 * slots);
  shape->dispatch = 1 + draw(random, 8);
}

static void draw_launch(struct wb_random *random, bool waves, struct round *round)
{
  static const struct launch_size *const sizes[] = {&launch_size_tiny, &launch_size_loops,
                                                    &launch_size_tiny, &launch_size_early};
  struct tiny_launch *tiny = &round->launch.tiny;
  random_launch_draw(random, sizes[round->seed % 4], &round->launch);
  if (waves)
    draw_waves(random, &tiny->shape);
  else
    draw_shape(random, &tiny->shape);
  assert_null(wb_timed_code_check(&tiny->code));
  made_bound_make(&round->launch, round->launch.graph.unphased, &round->made);
}

/* A third of the launches are drawn again until theorem E has the least, at most so often. */
#define TRIES 60

static void make_round(uint64_t seed, struct round *round)
{
  struct wb_random random = {seed};
  *round = (struct round){.seed = seed};
  const bool waves = wb_random_below(&random, 3) == 0;
  draw_launch(&random, waves, round);
  for (unsigned t = 0; waves && t < TRIES && round->made.launch.formula != WB_FORMULA_MEAN; t++) {
    made_bound_free(&round->made);
    tiny_launch_free(&round->launch.tiny);
    *round = (struct round){.seed = seed};
    draw_launch(&random, waves, round);
  }
  round->shorter = wb_random_below(&random, 5) == 0;
}

TEST(test_every_schedule)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 400);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct launch_brute *brute = launch_brute_start(STATE_LIMIT);
  double *ratios = calloc(runs, sizeof *ratios);
  uint64_t decided = 0, reached = 0, used = 0, used_two = 0, used_reached = 0, used_mean = 0,
           mean_reached = 0;
  assert_non_null(brute);
  assert_non_null(ratios);
  for (uint64_t r = 0; r < runs; r++) {
    struct round round;
    make_round(first + r, &round);
    struct tiny_launch *tiny = &round.launch.tiny;
    const bool by_rounds = round.made.launch.formula == WB_FORMULA_ROUNDS;
    const bool by_mean = round.made.launch.formula == WB_FORMULA_MEAN;
    const uint64_t checked = made_bound_check(&round.launch, &round.made);
    if (checked != round.made.launch.cycles)
      fail_round(&round, "other cycles are proven by the checker than by the makers");
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
      ratios[decided++] = (double)round.worst / (double)round.made.launch.cycles;
      reached += worst == round.made.launch.cycles;
      used_mean += by_mean;
      mean_reached += by_mean && worst == round.made.launch.cycles;
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
                ", by the mean %" PRIu64 " (reached %" PRIu64 "); bound reached %" PRIu64
                ", by rounds %" PRIu64 ", worst / bound: median %.2f\n",
                first, decided, runs, used, used_two, used_mean, mean_reached, reached,
                used_reached, ratios[decided / 2]);
  assert_true(decided * 4 > runs && used > 0 && used_two > 0 && used_reached > 0 && used_mean > 0);
  free(ratios);
  launch_brute_free(brute);
}

/* ---- chains that come back through a block beside ---- */

/* Few instructions without barriers, that hold units for longer than their stalls. */
static const struct launch_size launch_size_back = {.phases = 1,
                                                    .sms = 1,
                                                    .partitions = 2,
                                                    .resident_blocks = 2,
                                                    .block_warps = 4,
                                                    .blocks = 5,
                                                    .resident_warps = 8,
                                                    .instructions = 3,
                                                    .service = 4,
                                                    .paths = 2};

/* Two blocks an SM, several warps of a block in a partition. */
static void draw_come_back(struct wb_random *random, struct wb_launch_shape *shape)
{
  shape->resident_blocks = 2;
  shape->sms = 1;
  shape->block_warps = 2 + draw(random, 2);
  shape->partitions = 2;
  shape->blocks = 2 + draw(random, 3);
  shape->dispatch = (uint32_t)wb_random_below(random, 2);
  shape->block_start = (uint32_t)wb_random_below(random, 3);
}

static bool comes_back(const struct wb_launch_bound *bound)
{
  return (bound->formula == WB_FORMULA_PAIRS || bound->formula == WB_FORMULA_MEAN) &&
         bound->times[WB_SUM_OWN] > bound->slot_blocks + 1;
}

static void make_come_back(uint64_t seed, struct round *round)
{
  struct wb_random random = {seed};
  struct tiny_launch *tiny = &round->launch.tiny;
  for (unsigned t = 0; t <= 10 * TRIES; t++) {
    *round = (struct round){.seed = seed};
    random_launch_draw(&random, &launch_size_back, &round->launch);
    draw_come_back(&random, &tiny->shape);
    assert_null(wb_timed_code_check(&tiny->code));
    made_bound_make(&round->launch, round->launch.graph.unphased, &round->made);
    if (comes_back(&round->made.launch) || t == 10 * TRIES)
      break;
    made_bound_free(&round->made);
    tiny_launch_free(tiny);
  }
  round->shorter = wb_random_below(&random, 5) == 0;
}

/* These are larger: a tenth of the others. */
TEST(test_come_back)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 400) / 10;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct launch_brute *brute = launch_brute_start(STATE_LIMIT_BACK);
  uint64_t decided = 0, used = 0, reached = 0;
  assert_non_null(brute);
  for (uint64_t seed = first; seed < first + runs; seed++) {
    struct round round;
    make_come_back(seed, &round);
    const struct wb_launch_bound *bound = &round.made.launch;
    if (made_bound_check(&round.launch, &round.made) != bound->cycles)
      fail_round(&round, "other cycles are proven by the checker than by the makers");
    if (round.shorter) {
      struct wb_random random = {seed + 7};
      random_launch_shorten(&random, &round.launch.tiny.code);
    }
    if (launch_brute_worst(brute, &round.launch.tiny, &round.worst)) {
      const uint64_t worst = round.worst + round.launch.tiny.shape.overhead;
      if (worst > bound->cycles)
        fail_round(&round, "of chains that come back, a schedule takes longer than the bound");
      decided++;
      used += comes_back(bound);
      reached += comes_back(bound) && worst == bound->cycles;
    }
    made_bound_free(&round.made);
    tiny_launch_free(&round.launch.tiny);
  }
  assert_true(runs < 10 || used > 0);
  print_message("# seed %" PRIu64 ": %" PRIu64 " of %" PRIu64
                " launches searched, chains come back in %" PRIu64 ", bound reached %" PRIu64 "\n",
                first, decided, runs, used, reached);
  launch_brute_free(brute);
}

/* ---- the slots' gaps ---- */

#define MOST_SLOTS 12
#define MOST_SERVICES 60

/* A dispatcher of `slots` places, and blocks that stay as long as they are drawn to. */
struct spells {
  uint32_t slots, blocks, dispatch;
  uint32_t begin[MOST_SERVICES], end[MOST_SERVICES]; /* of each service */
  uint32_t gaps; /* of all places together, until the last service begins */
};

/* Until when the block of a service stays: often all leave at one time, or some at once. */
static uint32_t stay_until(struct wb_random *random, uint32_t now, uint32_t together)
{
  const uint64_t kind = wb_random_below(random, 4);
  if (kind == 0)
    return now + (uint32_t)wb_random_below(random, 3);
  return kind == 1 ? now + (uint32_t)wb_random_below(random, 40) : together > now ? together : now;
}

/* Serves one block after the other as soon as a place is empty, each into any empty place. */
static void run_spells(struct wb_random *random, struct spells *spells)
{
  uint32_t free_from[MOST_SLOTS] = {0};
  uint32_t together = 0;
  uint32_t now = 0;
  for (uint32_t i = 0; i < spells->blocks; i++) {
    uint32_t first = UINT32_MAX;
    for (uint32_t k = 0; k < spells->slots; k++)
      first = free_from[k] < first ? free_from[k] : first;
    now = first > now ? first : now;
    spells->begin[i] = now;
    if (i + 1 == spells->blocks)
      break;
    now += 1 + (uint32_t)wb_random_below(random, spells->dispatch);
    spells->end[i] = now;
    uint32_t place;
    do
      place = (uint32_t)wb_random_below(random, spells->slots);
    while (free_from[place] > now);
    spells->gaps += now - free_from[place];
    if (i % spells->slots == 0)
      together = now + (uint32_t)wb_random_below(random, 60);
    free_from[place] = stay_until(random, now, together);
  }
  for (uint32_t k = 0; k < spells->slots; k++)
    spells->gaps += free_from[k] < now ? now - free_from[k] : 0;
}

/* The walk of theorem D from the last service back: how often the dispatcher has paused. */
static uint32_t pauses_of(const struct spells *spells)
{
  uint32_t pauses = 0;
  for (uint32_t i = spells->blocks - 1; i > 0;) {
    const bool paused = spells->begin[i] > spells->end[i - 1];
    assert_true(!paused || i >= spells->slots);
    pauses += paused;
    i -= paused ? spells->slots : 1;
  }
  return pauses;
}

/* All places are empty for d ((B - 1) M' - a' M' (M' - 1) / 2) cycles together at most, and in some
 * launches for so long. */
TEST(test_gaps_of_slots)
{
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  uint64_t paused = 0;
  uint64_t most = 0; /* of what is allowed, in parts of 1000 */
  for (uint64_t seed = first; seed < first + 100000; seed++) {
    struct wb_random random = {seed};
    struct spells spells = {.slots = draw(&random, MOST_SLOTS), .dispatch = draw(&random, 4)};
    spells.blocks = spells.slots + draw(&random, MOST_SERVICES - spells.slots);
    run_spells(&random, &spells);
    const uint32_t pauses = pauses_of(&spells);
    const uint64_t all = (uint64_t)(spells.blocks - 1) * spells.slots;
    const uint64_t lost = (uint64_t)pauses * spells.slots * (spells.slots - 1) / 2;
    assert_true(lost <= all);
    const uint64_t allowed = spells.dispatch * (all - lost);
    if (spells.gaps > allowed)
      fail_msg("seed %" PRIu64 ": %u places, %u blocks: gaps %u, allowed %" PRIu64, seed,
               spells.slots, spells.blocks, spells.gaps, allowed);
    paused += pauses > 1;
    if (pauses > 1 && allowed > 0)
      most = most > spells.gaps * 1000 / allowed ? most : spells.gaps * 1000 / allowed;
  }
  print_message("# gaps: %" PRIu64 " launches with two pauses, at most %" PRIu64
                " of 1000 parts of what is allowed\n",
                paused, most);
  assert_true(paused > 1000);
}

/* Launches of several waves with a dispatcher that takes time (doc/launch.md, theorems D and E):
 * bounds, the library's and its independent checker's, against every schedule of random tiny
 * launches.
 *   WARPBOUND_CROSS_RUNS  the launches (400)
 *   WARPBOUND_SEED        seed of the first one
 *   WARPBOUND_CROSS_STATES
 *                         most states of one search (5000) */
#include "launch_brute.h"
#include "launch_makers.h"
#include "launch_shapes.h"
#include "random_launch.h"
#include "unit.h"

#include <inttypes.h>

/* States of the search; a launch with more is skipped. */
#define STATE_LIMIT 5000

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

static struct launch_brute *start_search(void)
{
  struct launch_brute *brute =
      launch_brute_start(number_from_environment("WARPBOUND_CROSS_STATES", STATE_LIMIT));
  assert_non_null(brute);
  return brute;
}

TEST(test_every_schedule)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 400);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct launch_brute *brute = start_search();
  double *ratios = calloc(runs, sizeof *ratios);
  struct launch_shapes shapes = {0};
  uint64_t decided = 0, reached = 0, used = 0, used_two = 0, used_reached = 0;
  assert_non_null(ratios);
  for (uint64_t r = 0; r < runs; r++) {
    struct round round;
    make_round(first + r, &round);
    struct tiny_launch *tiny = &round.launch.tiny;
    const bool by_rounds = round.made.launch.formula == WB_FORMULA_ROUNDS;
    const uint64_t checked = made_bound_check(&round.launch, &round.made);
    if (checked != round.made.launch.cycles)
      fail_round(&round, "other cycles are proven by the checker than by the makers");
    if (round.shorter) {
      struct wb_random random = {round.seed + 7};
      random_launch_shorten(&random, &tiny->code);
    }
    const bool searched = launch_brute_worst(brute, tiny, &round.worst);
    launch_shapes_count(&shapes, tiny, searched);
    if (searched) {
      const uint64_t worst = round.worst + tiny->shape.overhead;
      if (worst > round.made.launch.cycles)
        fail_round(&round, "with a slow dispatcher a schedule takes longer than the bound");
      if (checked < worst)
        fail_round(&round, "of the checker, a schedule takes longer than the bound");
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
  launch_shapes_print(&shapes);
  assert_true(decided * 4 > runs && used > 0 && used_two > 0 && used_reached > 0);
  free(ratios);
  launch_brute_free(brute);
}

/* ---- shapes in which one theorem is the least ---- */

/* Shapes of launches that a theorem is looked for in, by what an SM has and a block. */
struct shape_range {
  const struct wb_launch_shape *kinds;
  size_t kind_count;
  uint32_t most_waves;
  uint32_t most_dispatch, most_start;
  bool (*is_meant)(const struct wb_launch_bound *);
};

/* Shapes drawn for one code. */
#define SHAPES_TRIED 60u

/* Draws the launch's shape until the theorem is the least. */
static bool find_shape(struct wb_random *random, const struct shape_range *range,
                       struct round *round)
{
  struct wb_launch_shape *shape = &round->launch.tiny.shape;
  for (uint32_t t = 0; t < SHAPES_TRIED; t++) {
    *shape = range->kinds[wb_random_below(random, range->kind_count)];
    const uint32_t slots = shape->sms * shape->resident_blocks;
    shape->blocks = slots + draw(random, (range->most_waves - 1) * slots);
    shape->dispatch = (uint32_t)wb_random_below(random, range->most_dispatch + 1);
    shape->block_start = (uint32_t)wb_random_below(random, range->most_start + 1);
    made_bound_reshape(&round->launch, &round->made);
    if (range->is_meant(&round->made.launch))
      return true;
  }
  return false;
}

/* Codes drawn for one launch, of which few need so many. */
#define CODES_TRIED 1000u

/* Draws code until the theorem is the least in some shape; false: in none. */
static bool make_in_range(struct wb_random *random, const struct launch_size *size,
                          const struct shape_range *range, struct round *round)
{
  const uint64_t seed = round->seed;
  for (uint32_t t = 1;; t++) {
    *round = (struct round){.seed = seed};
    random_launch_draw(random, size, &round->launch);
    assert_null(wb_timed_code_check(&round->launch.tiny.code));
    made_bound_make(&round->launch, round->launch.graph.unphased, &round->made);
    const bool found = find_shape(random, range, round);
    if (found || t == CODES_TRIED)
      return found;
    made_bound_free(&round->made);
    tiny_launch_free(&round->launch.tiny);
  }
}

/* Launches of the same code, each in a shape of its own draw. */
#define SHAPES_OF_CODE 3u

struct range_tally {
  uint64_t drawn, meant, decided, reached;
  double *ratios; /* worst / bound */
  struct launch_shapes shapes;
};

/* Makes the bounds of all of them before the times may become shorter. */
static void search_range(struct launch_brute *brute, const struct launch_size *size,
                         const struct shape_range *range, struct round *round,
                         struct range_tally *tally)
{
  struct wb_random random = {round->seed};
  struct tiny_launch *tiny = &round->launch.tiny;
  struct wb_launch_shape shape[SHAPES_OF_CODE];
  struct wb_launch_bound bound[SHAPES_OF_CODE];
  uint32_t count = 0;
  const bool found = make_in_range(&random, size, range, round);
  do {
    if (made_bound_check(&round->launch, &round->made) != round->made.launch.cycles)
      fail_round(round, "other cycles are proven by the checker than by the makers");
    shape[count] = tiny->shape;
    bound[count++] = round->made.launch;
  } while (found && count < SHAPES_OF_CODE && find_shape(&random, range, round));
  round->shorter = wb_random_below(&random, 5) == 0;
  if (round->shorter)
    random_launch_shorten(&random, &tiny->code);
  for (uint32_t k = 0; k < count; k++) {
    tiny->shape = shape[k];
    round->made.launch = bound[k];
    const bool searched = launch_brute_worst(brute, tiny, &round->worst);
    const uint64_t worst = round->worst + tiny->shape.overhead;
    launch_shapes_count(&tally->shapes, tiny, searched);
    if (searched && worst > bound[k].cycles)
      fail_round(round, "of many blocks, a schedule takes longer than the bound");
    if (searched)
      tally->ratios[tally->decided++] = (double)worst / (double)bound[k].cycles;
    tally->reached += searched && worst == bound[k].cycles;
  }
  tally->drawn += count;
  tally->meant += found ? count : 0;
  made_bound_free(&round->made);
  tiny_launch_free(tiny);
}

/* At most so many launches; `sizes` of their codes in turn. */
static void search_ranges(uint64_t runs, const struct launch_size *const *sizes, size_t size_count,
                          const struct shape_range *range, const char *name)
{
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t codes = (runs + SHAPES_OF_CODE - 1) / SHAPES_OF_CODE;
  struct launch_brute *brute = start_search();
  struct range_tally tally = {.ratios = calloc(SHAPES_OF_CODE * codes, sizeof *tally.ratios)};
  assert_non_null(tally.ratios);
  for (uint64_t c = 0; c < codes; c++) {
    struct round round = {.seed = first + c};
    search_range(brute, sizes[round.seed % size_count], range, &round, &tally);
  }
  qsort(tally.ratios, tally.decided, sizeof *tally.ratios, compare_ratios);
  assert_true(tally.decided * 4 > tally.drawn && tally.meant * 4 > tally.drawn);
  print_message("# %s, seed %" PRIu64 ": %" PRIu64 " of %" PRIu64
                " launches searched, the theorem the least in %" PRIu64
                " of all, bound reached %" PRIu64 ", worst / bound: median %.2f, most %.2f\n",
                name, first, tally.decided, tally.drawn, tally.meant, tally.reached,
                tally.ratios[tally.decided / 2], tally.ratios[tally.decided - 1]);
  launch_shapes_print(&tally.shapes);
  free(tally.ratios);
  launch_brute_free(brute);
}

#define KIND(m, r, w, p)                                                                           \
  {                                                                                                \
    .sms = (m), .resident_blocks = (r), .block_warps = (w), .partitions = (p)                      \
  }

static bool is_by_mean(const struct wb_launch_bound *bound)
{
  return bound->formula == WB_FORMULA_MEAN;
}

/* Theorem E is the least: several blocks an SM, and a dispatcher that takes about as long as they.
 */
TEST(test_mean_of_slots)
{
  static const struct wb_launch_shape kinds[] = {
      KIND(1, 2, 1, 1), KIND(1, 2, 1, 2), KIND(1, 2, 2, 1), KIND(1, 2, 2, 2),
      KIND(1, 3, 1, 1), KIND(1, 3, 1, 2), KIND(2, 2, 1, 1), KIND(2, 2, 1, 2)};
  static const struct shape_range range = {kinds, COUNT_OF(kinds), 4, 9, 0, is_by_mean};
  static const struct launch_size *const sizes[] = {&launch_size_tiny, &launch_size_loops,
                                                    &launch_size_tiny, &launch_size_early};
  search_ranges(number_from_environment("WARPBOUND_CROSS_RUNS", 400) / 2, sizes, COUNT_OF(sizes),
                &range, "the mean of slots");
}

/* ---- chains that come back through a block beside ---- */

static bool comes_back(const struct wb_launch_bound *bound)
{
  return (bound->formula == WB_FORMULA_PAIRS || bound->formula == WB_FORMULA_MEAN) &&
         bound->times[WB_SUM_OWN] > bound->slot_blocks + 1;
}

#define COME_BACK                                                                                  \
  .phases = 1, .sms = 1, .partitions = 2, .resident_blocks = 2, .block_warps = 4, .blocks = 5,     \
  .resident_warps = 8, .service = 4, .holds = true

/* Several warps of a block in a partition, and code without barriers that holds units of it for
 * longer than its stalls. */
TEST(test_come_back)
{
  static const struct launch_size one = {COME_BACK, .instructions = 3, .paths = 1};
  static const struct launch_size two = {COME_BACK, .instructions = 3, .paths = 2};
  static const struct launch_size *const sizes[] = {&one, &one, &one, &two};
  static const struct wb_launch_shape kinds[] = {KIND(1, 2, 3, 2), KIND(1, 2, 4, 2)};
  static const struct shape_range range = {kinds, COUNT_OF(kinds), 3, 2, 2, comes_back};
  search_ranges(number_from_environment("WARPBOUND_CROSS_RUNS", 400) / 5, sizes, COUNT_OF(sizes),
                &range, "chains that come back");
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

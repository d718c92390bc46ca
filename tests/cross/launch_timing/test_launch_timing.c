/* Times of a warp's own steps against the longest chain and against runs of one warp, on random
 * code and flow. WARPBOUND_CROSS_RUNS  ten times the cases of each test (20000) WARPBOUND_SEED seed
 * of the first one Left out: other warps, which is what the theorems of doc/launch.md add
 * (tests/cross/launch). */
#include "one_warp_run.h"
#include "random_timing.h"
#include "unit.h"

#include <inttypes.h>

#define RUNS 20000

static uint64_t cases(void)
{
  return number_from_environment("WARPBOUND_CROSS_RUNS", RUNS) / 10;
}

static struct wb_random random_of(uint64_t number)
{
  return (struct wb_random){number_from_environment("WARPBOUND_SEED", 1) * 1000003 + number};
}

static void find(const struct random_timing *timing, struct wb_warp_times *times)
{
  assert_null(wb_timed_code_check(&timing->code));
  assert_ok(wb_warp_times_find(&timing->code, &timing->made.graph, times, NULL));
}

static uint64_t bound_of(const struct wb_warp_times *times, const struct timed_walk *walk)
{
  uint64_t sum = times->end;
  for (size_t n = 0; n < walk->node_count; n++) {
    assert_true(times->reached[walk->nodes[n]]);
    sum += times->cycles[walk->nodes[n]];
  }
  for (size_t e = 0; e < walk->edge_count; e++)
    sum += times->advance[walk->edges[e]];
  return sum;
}

/* Service / servers of all requests. */
static uint64_t shares_of(const struct wb_timed_code *code, uint64_t denominator,
                          const struct timed_walk *walk)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < walk->count; i++) {
    const struct wb_timed_instruction *at = &code->instructions[walk->steps[i].instruction];
    for (unsigned s = 0; s < at->stage_count; s++) {
      const struct wb_request_stage *stage = &code->stages[at->first_stage + s];
      sum += (uint64_t)stage->requests * stage->service * denominator /
             code->resources[stage->resource].servers;
    }
  }
  return sum;
}

/* How close the bound comes to chains: reached, and the sum of ratios. */
struct met {
  uint64_t walks, reached;
  double ratios;
};

static void note(struct met *met, uint64_t chain, uint64_t bound)
{
  met->walks++;
  met->reached += chain == bound;
  met->ratios += bound > 0 ? (double)chain / (double)bound : 1;
}

static void print_met(const char *what, const struct met *met)
{
  print_message("# %s: %" PRIu64 " walks, bound reached by %" PRIu64 ", chain / bound %.3f\n", what,
                met->walks, met->reached, met->ratios / (double)met->walks);
}

static void compare(uint64_t number, const struct random_timing *timing,
                    const struct wb_warp_times *times, const struct timed_walk *walk,
                    struct met *met)
{
  const uint64_t chain =
      longest_chain(&timing->code, times->denominator, walk->steps, NULL, walk->count, true);
  const uint64_t bound = bound_of(times, walk);
  if (chain > bound)
    fail_msg("case %" PRIu64 ": a chain of %" PRIu64 " is above %" PRIu64, number, chain, bound);
  note(met, chain, bound);
}

TEST(no_chain_is_above_the_times)
{
  static struct timed_walk walk;
  struct met met = {0};
  for (uint64_t number = 0; number < cases(); number++) {
    struct wb_random random = random_of(number);
    FREED_BY(random_timing_free) struct random_timing timing;
    FREED_BY(wb_warp_times_free) struct wb_warp_times times;
    random_timing_make(&random, number % 2 == 0, &timing);
    find(&timing, &times);
    for (unsigned w = 0; w < 8; w++) {
      if (random_walk(&random, &timing, &walk))
        compare(number, &timing, &times, &walk, &met);
    }
  }
  assert_true(met.walks > cases());
  print_met("one warp", &met);
}

/* On one path without branches the bound is the chain. */
TEST(straight_code_takes_its_chain)
{
  static struct timed_walk walk;
  uint64_t compared = 0;
  for (uint64_t number = 0; number < cases(); number++) {
    struct wb_random random = random_of(number);
    FREED_BY(random_timing_free) struct random_timing timing;
    FREED_BY(wb_warp_times_free) struct wb_warp_times times;
    random_timing_make(&random, false, &timing);
    /* The nodes in a row, which only the last one ends. */
    struct made_graph *made = &timing.made;
    made->graph.edge_count = 0;
    for (uint32_t n = 0; n < made->graph.node_count; n++) {
      made->ends[n] = n + 1 == made->graph.node_count;
      if (n > 0)
        made_graph_edge(made, n - 1, n);
    }
    find(&timing, &times);
    if (random_walk(&random, &timing, &walk)) {
      compared++;
      assert_int_equal(
          longest_chain(&timing.code, times.denominator, walk.steps, NULL, walk.count, true),
          bound_of(&times, &walk));
    }
  }
  assert_true(compared > cases() / 2);
}

/* ---- composite paths: each phase from any of some walks ---- */

#define WALKS 4
#define PHASES 32

struct composition {
  struct timed_walk walks[WALKS];
  size_t walk_count;
  size_t first[WALKS][PHASES + 1]; /* by walk and phase: its first step */
  uint64_t most[PHASES];           /* by phase: the most cycles of it on some walk */
  size_t phases;                   /* that all walks end with a barrier */
};

/* Cuts a walk at its barriers; how many phases it has that end with one. */
static size_t cut(struct composition *composition, const struct random_timing *timing,
                  const struct wb_warp_times *times, size_t number)
{
  const struct timed_walk *walk = &composition->walks[number];
  size_t phase = 0;
  size_t step = 0;
  uint64_t cycles = 0;
  for (size_t n = 0; n < walk->node_count && phase < PHASES; n++) {
    const uint32_t node = walk->nodes[n];
    cycles += times->cycles[node];
    if (n > 0)
      cycles += times->advance[walk->edges[n - 1]];
    if (timing->made.first[node] <= timing->made.last[node])
      step += timing->made.last[node] - timing->made.first[node] + 1;
    if (timing->made.first[node] <= timing->made.last[node] &&
        timing->code.instructions[timing->made.last[node]].barrier) {
      if (cycles > composition->most[phase])
        composition->most[phase] = cycles;
      composition->first[number][++phase] = step;
      cycles = 0;
    }
  }
  return phase;
}

static void compose(struct wb_random *random, const struct random_timing *timing,
                    const struct wb_warp_times *times, struct composition *composition)
{
  *composition = (struct composition){.phases = PHASES};
  for (unsigned w = 0; w < WALKS; w++) {
    if (!random_walk(random, timing, &composition->walks[composition->walk_count]))
      continue;
    const size_t phases = cut(composition, timing, times, composition->walk_count++);
    composition->phases = phases < composition->phases ? phases : composition->phases;
  }
}

/* Chains may step from a phase of one warp to an earlier one of another, by what both take. Ends
 * are those of whole walks, and left out. */
TEST(composite_chains_are_not_above_the_times)
{
  static struct composition composition;
  static struct timed_step steps[RANDOM_STEPS * WALKS];
  static uint32_t walk_of[RANDOM_STEPS * WALKS];
  struct met met = {0};
  for (uint64_t number = 0; number < cases(); number++) {
    struct wb_random random = random_of(number);
    FREED_BY(random_timing_free) struct random_timing timing;
    FREED_BY(wb_warp_times_free) struct wb_warp_times times;
    random_timing_make(&random, true, &timing);
    find(&timing, &times);
    compose(&random, &timing, &times, &composition);
    for (unsigned trial = 0; trial < 8 && composition.walk_count > 1 && composition.phases > 1;
         trial++) {
      size_t length = 0;
      uint64_t bound = 0;
      for (size_t phase = 0; phase < composition.phases; phase++) {
        const size_t w = wb_random_below(&random, composition.walk_count);
        bound += composition.most[phase];
        for (size_t s = composition.first[w][phase]; s < composition.first[w][phase + 1]; s++) {
          steps[length] = composition.walks[w].steps[s];
          walk_of[length++] = (uint32_t)w;
        }
      }
      const uint64_t chain =
          longest_chain(&timing.code, times.denominator, steps, walk_of, length, false);
      if (chain > bound)
        fail_msg("case %" PRIu64 ": a chain of %" PRIu64 " is above %" PRIu64, number, chain,
                 bound);
      note(&met, chain, bound);
    }
  }
  assert_true(met.walks > cases() / 10);
  print_met("composite paths", &met);
}

TEST(no_mixture_of_groups_is_above_the_times)
{
  static struct timed_walk walk;
  struct met met = {0};
  for (uint64_t number = 0; number < cases(); number++) {
    struct wb_random random = random_of(number);
    FREED_BY(random_timing_free) struct random_timing timing;
    FREED_BY(wb_warp_times_free) struct wb_warp_times times;
    random_timing_groups(&random, &timing);
    find(&timing, &times);
    for (unsigned w = 0; w < 8; w++) {
      random_group_walk(&random, &timing, &walk);
      compare(number, &timing, &times, &walk, &met);
    }
  }
  assert_int_equal(met.walks, 8 * cases());
  print_met("two groups", &met);
}

/* Theorem 1 for a block of one warp: the chain and the shares of its requests. */
TEST(no_run_of_one_warp_is_above_the_times)
{
  static struct timed_walk walk;
  uint64_t runs = 0;
  uint64_t reached = 0;
  for (uint64_t number = 0; number < cases(); number++) {
    struct wb_random random = random_of(number);
    struct random_timing timing;
    struct wb_warp_times times;
    const bool groups = number % 4 == 3;
    if (groups)
      random_timing_groups(&random, &timing);
    else
      random_timing_make(&random, false, &timing);
    find(&timing, &times);
    for (unsigned w = 0; w < 3; w++) {
      if (groups)
        random_group_walk(&random, &timing, &walk);
      else if (!random_walk(&random, &timing, &walk))
        continue;
      const uint64_t bound =
          (bound_of(&times, &walk) + shares_of(&timing.code, times.denominator, &walk)) /
          times.denominator;
      const uint64_t time = one_warp_run(&random, &timing.code, walk.steps, walk.count, w == 2);
      if (time > bound)
        fail_msg("case %" PRIu64 ": a run of %" PRIu64 " is above %" PRIu64, number, time, bound);
      runs++;
      reached += time == bound;
    }
    wb_warp_times_free(&times);
    random_timing_free(&timing);
  }
  assert_true(runs > cases());
  assert_true(reached > 0);
  print_message("# runs of one warp: %" PRIu64 ", bound reached by %" PRIu64 "\n", runs, reached);
}

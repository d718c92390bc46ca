/* Simulated runs of random launches: none takes longer than the worst of all schedules
 * (launch_brute.h), nor than the bound; the independent checker of runs accepts those with the
 * longest times.
 *   WARPBOUND_CROSS_RUNS  100 times the launches (20000)
 *   WARPBOUND_SEED        seed of the first one */
#include "launch_brute.h"
#include "launch_makers.h"
#include "launch_runs.h"
#include "random_launch.h"
#include "unit.h"

#include <inttypes.h>

/* States of the search; a launch with more is skipped. */
#define STATE_LIMIT ((size_t)5000)
/* Seeds of each policy. */
#define TINY_SEEDS 4u
#define LARGE_SEEDS 18u

struct round {
  uint64_t seed;
  struct random_launch launch;
  struct made_bound made;
};

static void fail_run(const struct round *round, const struct run_choice *choice, uint64_t cycles,
                     const char *what, uint64_t most)
{
  struct wb_text text = {0};
  tiny_launch_print(&round->launch.tiny, &text);
  fail_msg("seed %" PRIu64 ": %s with seed %" PRIu64 ", %" PRIu32 " of 1000 times shorter: %" PRIu64
           " cycles, %s %" PRIu64 "\n%s",
           round->seed, wb_launch_policy_name(choice->policy), choice->seed, choice->shorter,
           cycles, what, most, text.data);
}

static void start_round(uint64_t seed, const struct launch_size *size, struct round *round)
{
  struct wb_random random = {seed};
  *round = (struct round){.seed = seed};
  random_launch_draw(&random, size, &round->launch);
  /* As the simulator has it: more runs are allowed where blocks stay longer or queues are full. */
  round->launch.tiny.leave = TINY_LEAVE_EARLY;
  round->launch.tiny.full_queues = false;
  made_bound_make(&round->launch, false, &round->made);
}

static void end_round(struct round *round)
{
  made_bound_free(&round->made);
  tiny_launch_free(&round->launch.tiny);
}

/* The longest run of all policies. Runs with shorter times are only compared with the bound: some
 * may take longer than any with the longest times. */
static uint64_t longest_run(const struct round *round, uint32_t seeds, uint64_t worst)
{
  uint64_t longest = 0;
  for (uint32_t r = 0; r < WB_LAUNCH_POLICY_COUNT * seeds; r++) {
    struct run_choice choice = {.policy = (enum wb_launch_policy)(r % WB_LAUNCH_POLICY_COUNT),
                                .seed = r / WB_LAUNCH_POLICY_COUNT,
                                .shorter = r / WB_LAUNCH_POLICY_COUNT % 4 == 3 ? 300 : 0};
    struct wb_simulated_launch run;
    choice.events = choice.shorter == 0 && choice.seed % 4 == 0;
    launch_run(&round->launch.tiny, &choice, &run);
    if (choice.events)
      launch_run_check(&round->launch.tiny, &choice, &run);
    if (choice.shorter == 0 && run.cycles > worst)
      fail_run(round, &choice, run.cycles, "worst of all schedules", worst);
    if (run.cycles > round->made.launch.cycles)
      fail_run(round, &choice, run.cycles, "bound", round->made.launch.cycles);
    longest = run.cycles > longest ? run.cycles : longest;
    wb_simulated_launch_free(&run);
  }
  return longest;
}

static int compare_numbers(const void *a, const void *b)
{
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print_ratios(const char *what, double *ratio, uint64_t count)
{
  qsort(ratio, count, sizeof *ratio, compare_numbers);
  print_message("# %" PRIu64 " launches, longest run / %s: median %.2f, least %.2f\n", count, what,
                ratio[count / 2], ratio[0]);
}

TEST(test_runs_and_every_schedule)
{
  const uint64_t launches = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 100;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  double *ratio = calloc(launches, sizeof *ratio);
  struct launch_brute *brute = launch_brute_start(STATE_LIMIT);
  assert_non_null(ratio);
  assert_non_null(brute);
  print_message("# seed %" PRIu64 "\n", first);
  uint64_t decided = 0;
  uint64_t reached = 0;
  for (uint64_t r = 0; r < launches; r++) {
    struct round round;
    uint32_t worst;
    start_round(first + r, &launch_size_tiny, &round);
    if (launch_brute_worst(brute, &round.launch.tiny, &worst)) {
      const uint64_t longest = longest_run(&round, TINY_SEEDS, worst);
      reached += longest >= worst;
      ratio[decided++] = (double)longest / worst;
    }
    end_round(&round);
  }
  print_ratios("worst of all schedules", ratio, decided);
  print_message("# worst reached %" PRIu64 "\n", reached);
  assert_true(decided * 2 > launches);
  assert_true(reached * 4 > decided);
  free(ratio);
  launch_brute_free(brute);
}

TEST(test_larger_runs)
{
  const uint64_t launches = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 100;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  double *ratio = calloc(launches, sizeof *ratio);
  assert_non_null(ratio);
  for (uint64_t r = 0; r < launches; r++) {
    struct round round;
    start_round(first + r, &launch_size_large, &round);
    ratio[r] =
        (double)longest_run(&round, LARGE_SEEDS, UINT64_MAX) / (double)round.made.launch.cycles;
    end_round(&round);
  }
  print_ratios("bound", ratio, launches);
  free(ratio);
}

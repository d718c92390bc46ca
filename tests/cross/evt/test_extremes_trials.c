/* How often what chooses blocks and thresholds and looks at the largest values errs, over some
 * hundred samples of known distributions, with limits three standard errors wide about what was
 * measured. The tables of bench/evt_extremes.c have 1,000 samples and more distributions.
 *   WARPBOUND_CROSS_RUNS  samples (200); of fewer no share is judged, they only have to run */
#include "trials.h"
#include "unit.h"

#include <math.h>

#define MOST_RUNS 200
#define THREADS 2
#define FIRST_SEED 270000

#define PARETO(XI)                                                                                 \
  {                                                                                                \
    .family = MADE_PARETO, .location = 1000, .scale = 50, .shape = (XI)                            \
  }

/* Samples of a distribution. */
static size_t runs(void)
{
  const uint64_t wanted = number_from_environment("WARPBOUND_CROSS_RUNS", MOST_RUNS);
  return wanted < MOST_RUNS ? (size_t)wanted : MOST_RUNS;
}

static void assert_share(const char *name, double share, double low, double high)
{
  print_message("# %s: %.3f\n", name, share);
  if (runs() == MOST_RUNS && !(share >= low && share <= high))
    fail_msg("%s: %.3f is not in %.3f to %.3f (seeds from %d)", name, share, low, high, FIRST_SEED);
}

static double (*try_all(const struct extremes_trial *trial,
                        trial_function *function))[TRIAL_RESULTS]
{
  return run_trials(function, trial, runs(), FIRST_SEED, THREADS);
}

/* The share of trials whose result lies in low to high; those that are NAN are in none. */
static double share_between(double (*rows)[TRIAL_RESULTS], size_t result, double low, double high)
{
  size_t inside = 0;
  for (size_t i = 0; i < runs(); i++)
    inside += rows[i][result] >= low && rows[i][result] <= high;
  return (double)inside / (double)runs();
}

/* All values are of one GPD: both tests refuse the lowest threshold at 5 % in 5 % of the samples,
 * the Anderson-Darling rule with its control keeps it in 95 %. */
TEST(test_one_tail)
{
  static const struct extremes_trial trials[] = {
      {.recipe = PARETO(-0.2), .count = 2000},
      {.recipe = PARETO(0.2), .count = 2000},
      {.recipe = {.family = MADE_PARETO, .location = 995, .scale = 50, .tick = 10}, .count = 2000},
  };
  for (size_t t = 0; t < COUNT_OF(trials); t++) {
    double(*rows)[TRIAL_RESULTS] = try_all(&trials[t], scan_trial);
    assert_share("Anderson-Darling", share_at_most(rows, runs(), SCAN_ANDERSON_DARLING, 0.05),
                 0.003, 0.1);
    assert_share("score test", share_at_most(rows, runs(), SCAN_NORTHROP_COLEMAN, 0.05), 0.003,
                 0.1);
    assert_share("lowest threshold kept", share_between(rows, SCAN_KEPT, 0.99, 1.01), 0.88, 1);
    free(rows);
  }
}

/* A uniform body below 1000 and a GPD above: of the tail's values most are kept, few of the body
 * are taken. */
TEST(test_spliced)
{
  static const struct extremes_trial trials[] = {
      {.recipe = PARETO(-0.2), .count = 20000, .tail_share = 0.05, .body = 500},
      {.recipe = PARETO(0.1), .count = 20000, .tail_share = 0.05, .body = 500},
  };
  for (size_t t = 0; t < COUNT_OF(trials); t++) {
    double(*rows)[TRIAL_RESULTS] = try_all(&trials[t], scan_trial);
    static const double least[] = {0.92, 0.6, 0.58};
    static const double most[] = {0.03, 0.06, 0.3}; /* stability sees a soft change late */
    static const char *const names[] = {"Anderson-Darling", "score test", "stability"};
    for (int rule = 0; rule < SCAN_RULES; rule++) {
      assert_share(names[rule], share_between(rows, (size_t)(SCAN_KEPT + rule), 0.3, 1.25),
                   least[rule], 1);
      assert_share("far too low", share_between(rows, (size_t)(SCAN_KEPT + rule), 1.5, 99), 0,
                   most[rule]);
    }
    free(rows);
  }
}

TEST(test_false_alarms)
{
  static const struct extremes_trial trials[] = {
      {.recipe = PARETO(-0.3), .count = 300},
      {.recipe = PARETO(0), .count = 300},
      {.recipe = PARETO(0.3), .count = 300},
      {.recipe = {.family = MADE_PARETO, .location = 995, .scale = 50, .tick = 10}, .count = 300},
  };
  for (size_t t = 0; t < COUNT_OF(trials); t++) {
    double(*rows)[TRIAL_RESULTS] = try_all(&trials[t], points_trial);
    assert_share("values apart from their own tail", share_at_most(rows, runs(), POINTS_P, 0.05),
                 0.003, 0.1);
    free(rows);
  }
}

TEST(test_apart)
{
  static const struct extremes_trial few = {
      .recipe = PARETO(0), .count = 500, .outliers = 5, .outlier_level = 1e-6};
  static const struct extremes_trial many = {.recipe = PARETO(0),
                                             .count = 1000,
                                             .outliers = 80,
                                             .outlier_level = 1e-4,
                                             .outlier_spread = 0.1};
  double(*rows)[TRIAL_RESULTS] = try_all(&few, points_trial);
  assert_share("five apart", share_at_most(rows, runs(), POINTS_P, 0.05), 0.95, 1);
  assert_share("five called a mixture", mean_result(rows, runs(), POINTS_MIXTURE), 0, 0.08);
  free(rows);
  rows = try_all(&many, points_trial);
  assert_share("eighty called a mixture", mean_result(rows, runs(), POINTS_MIXTURE), 0.95, 1);
  free(rows);
}

TEST(test_variation)
{
  static const struct extremes_trial exponential = {.recipe = PARETO(0), .count = 5000};
  static const struct extremes_trial heavy = {.recipe = PARETO(0.3), .count = 5000};
  static const struct extremes_trial light = {.recipe = PARETO(-0.3), .count = 5000};
  double(*rows)[TRIAL_RESULTS] = try_all(&exponential, variation_trial);
  assert_share("exponential called light or heavy",
               mean_result(rows, runs(), VARIATION_LIGHT) +
                   mean_result(rows, runs(), VARIATION_HEAVY),
               0.005, 0.09);
  free(rows);
  rows = try_all(&heavy, variation_trial);
  assert_share("heavy called heavy", mean_result(rows, runs(), VARIATION_HEAVY), 0.99, 1);
  free(rows);
  rows = try_all(&light, variation_trial);
  assert_share("light called light", mean_result(rows, runs(), VARIATION_LIGHT), 0.99, 1);
  free(rows);
}

TEST(test_blocks)
{
  static const struct extremes_trial trial = {.recipe = PARETO(0), .count = 2000};
  const size_t fewer = runs() < 100 ? runs() : 100;
  double(*rows)[TRIAL_RESULTS] = run_trials(block_trial, &trial, fewer, FIRST_SEED, THREADS);
  assert_share("smallest size kept", share_at_most(rows, fewer, BLOCK_PLACE, 0), 0.88, 1);
  assert_share("all sizes refused", mean_result(rows, fewer, BLOCK_REFUSED), 0, 0.06);
  free(rows);
}

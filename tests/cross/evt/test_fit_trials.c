/* Size and power of the tests of fits, and coverage of their intervals, over some hundred samples
 * of known distributions, with limits three standard errors wide. The tables of bench/evt_fits.c
 * have 1,000 samples and more distributions.
 *   WARPBOUND_CROSS_RUNS  samples (400); of fewer no share is judged, they only have to run */
#include "trials.h"
#include "unit.h"

#include <math.h>

#define MOST_RUNS 400
#define REPLICATES 39
#define THREADS 2
#define FIRST_SEED 190000

#define GEV(XI)                                                                                    \
  {                                                                                                \
    .family = MADE_GEV, .location = 1000, .scale = 20, .shape = (XI)                               \
  }
#define PARETO(XI)                                                                                 \
  {                                                                                                \
    .family = MADE_PARETO, .location = 1000, .scale = 20, .shape = (XI)                            \
  }

/* Samples of a distribution. */
static size_t runs(void)
{
  const uint64_t wanted = number_from_environment("WARPBOUND_CROSS_RUNS", MOST_RUNS);
  return wanted < MOST_RUNS ? (size_t)wanted : MOST_RUNS;
}

/* Three standard errors of a share over RUNS samples. */
static double slack(double share)
{
  return 3 * sqrt(share * (1 - share) / (double)runs());
}

static void assert_share(const char *name, double share, double low, double high)
{
  if (runs() == MOST_RUNS && !(share >= low && share <= high))
    fail_msg("%s: %.3f is not in %.3f to %.3f (seeds from %d)", name, share, low, high, FIRST_SEED);
}

static double (*try_all(const struct fit_trial *trial, trial_function *function))[TRIAL_RESULTS]
{
  return run_trials(function, trial, runs(), FIRST_SEED, THREADS);
}

/* The right family is refused at 5 % in 5 % of the samples, on a clock with ticks too. */
TEST(test_size)
{
  static const struct {
    const char *name;
    struct fit_trial trial;
  } rows[] = {
      {"Gumbel", {.recipe = GEV(0), .family = WB_TAIL_GUMBEL}},
      {"GEV", {.recipe = GEV(0.2), .family = WB_TAIL_GEV}},
      {"GEV by L-moments",
       {.recipe = GEV(-0.1), .family = WB_TAIL_GEV, .method = WB_FIT_L_MOMENTS}},
      {"exponential", {.recipe = PARETO(0), .family = WB_TAIL_EXPONENTIAL}},
      {"GPD", {.recipe = PARETO(0.3), .family = WB_TAIL_PARETO}},
      {"GPD of coarse ticks",
       {.recipe = {.family = MADE_PARETO, .location = 995, .scale = 20, .tick = 10},
        .family = WB_TAIL_PARETO}},
  };
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    struct fit_trial trial = rows[r].trial;
    trial.count = 100;
    trial.replicates = REPLICATES;
    double(*results)[TRIAL_RESULTS] = try_all(&trial, goodness_trial);
    assert_share(rows[r].name, share_at_most(results, runs(), GOODNESS_A, 0.05), 0.05 - slack(0.05),
                 0.05 + slack(0.05));
    assert_share(rows[r].name, share_at_most(results, runs(), GOODNESS_W, 0.05), 0.05 - slack(0.05),
                 0.05 + slack(0.05));
    free(results);
  }
}

/* Larger samples than a replicate, of a fine clock: the replicates' distances stand for theirs. */
TEST(test_size_of_large)
{
  const struct fit_trial trial = {
      .recipe = {.family = MADE_PARETO, .location = 999.5, .scale = 20, .shape = 0.1, .tick = 1},
      .count = 4000,
      .family = WB_TAIL_PARETO,
      .replicates = 19};
  const size_t fewer = runs() < 200 ? runs() : 200;
  double(*results)[TRIAL_RESULTS] = run_trials(goodness_trial, &trial, fewer, FIRST_SEED, THREADS);
  assert_share("GPD", share_at_most(results, fewer, GOODNESS_A, 0.05), 0.01, 0.10);
  free(results);
}

TEST(test_power)
{
  static const struct made_times modes = {.family = MADE_GEV,
                                          .location = 1000,
                                          .scale = 20,
                                          .modes = MADE_MODES_MIXED,
                                          .mode_gap = 120,
                                          .mode_share = 0.3};
  const struct fit_trial trial = {
      .recipe = modes, .count = 100, .family = WB_TAIL_GEV, .replicates = REPLICATES};
  double(*results)[TRIAL_RESULTS] = try_all(&trial, goodness_trial);
  assert_share("two modes", share_at_most(results, runs(), GOODNESS_A, 0.05), 0.95, 1);
  assert_share("two modes", share_at_most(results, runs(), GOODNESS_W, 0.05), 0.95, 1);
  free(results);
}

TEST(test_likelihood_ratio)
{
  const struct fit_trial gumbel = {.recipe = GEV(0), .count = 500, .family = WB_TAIL_GUMBEL};
  const struct fit_trial heavy = {
      .recipe = PARETO(0.3), .count = 500, .family = WB_TAIL_EXPONENTIAL};
  double(*results)[TRIAL_RESULTS] = try_all(&gumbel, ratio_trial);
  assert_share("Gumbel in GEV", share_at_most(results, runs(), RATIO_P, 0.05), 0.05 - slack(0.05),
               0.05 + slack(0.05));
  free(results);
  results = try_all(&heavy, ratio_trial);
  assert_share("exponential of a heavy tail", share_at_most(results, runs(), RATIO_P, 0.05), 0.95,
               1);
  free(results);
}

/* Profile intervals of the level and the shape hold the true ones in 95 % of the samples; those by
 * the delta method are known to be too low. */
TEST(test_coverage)
{
  static const struct fit_trial trials[] = {
      {.recipe = GEV(-0.2), .family = WB_TAIL_GEV},
      {.recipe = GEV(0.2), .family = WB_TAIL_GEV},
      {.recipe = PARETO(-0.1), .family = WB_TAIL_PARETO},
      {.recipe = PARETO(0.3), .family = WB_TAIL_PARETO},
  };
  for (size_t r = 0; r < COUNT_OF(trials); r++) {
    struct fit_trial trial = trials[r];
    trial.count = 200;
    trial.survival = 1e-6;
    double(*results)[TRIAL_RESULTS] = try_all(&trial, coverage_trial);
    const double profile = share_at_most(results, runs(), COVER_PROFILE, 0);
    assert_share("level", profile, 0.95 - slack(0.95), 0.95 + slack(0.95));
    assert_share("shape", share_at_most(results, runs(), COVER_SHAPE, 0), 0.95 - slack(0.95),
                 0.95 + slack(0.95));
    assert_share("level by the delta method", share_at_most(results, runs(), COVER_DELTA, 0), 0.75,
                 profile);
    assert_share("no fit", mean_result(results, runs(), COVER_FAILED), 0, 0);
    free(results);
  }
}

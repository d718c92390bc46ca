/* The generator of times for tests: its distributions, its dependence and what is added. */
#include "samples/assert_double.h"
#include "samples/make_times.h"
#include "unit.h"

#define COUNT 100000
#define SEED 11

static double times[COUNT];

/* The share of times above the level that is exceeded with some probability, within 5 standard
 * errors of independent ones, or `looser` times as many. */
static void check_levels(const struct made_times *recipe, double looser)
{
  const double survivals[] = {0.9, 0.5, 0.1, 0.01, 0.001};
  make_times(recipe, COUNT, SEED, times);
  for (size_t k = 0; k < COUNT_OF(survivals); k++) {
    const double level = made_level(recipe, survivals[k]);
    size_t above = 0;
    for (size_t i = 0; i < COUNT; i++)
      above += times[i] > level;
    const double error = sqrt(survivals[k] * (1 - survivals[k]) / COUNT);
    assert_within((double)above / COUNT, survivals[k], 5 * looser * error);
  }
}

TEST(families_have_their_levels)
{
  for (int family = MADE_NORMAL; family <= MADE_PARETO; family++)
    for (int shape = -1; shape <= 1; shape++) {
      struct made_times recipe = {
          .family = (enum made_family)family, .location = 50, .scale = 3, .shape = 0.3 * shape};
      if (family == MADE_LOGNORMAL)
        recipe.shape = 0.4 + 0.1 * shape;
      check_levels(&recipe, 1);
      recipe.correlation = 0.5;
      check_levels(&recipe, 2);
      recipe.correlation = 0;
      recipe.max_dependence = 0.5;
      check_levels(&recipe, 2);
    }
}

TEST(known_levels)
{
  const struct made_times normal = {.family = MADE_NORMAL, .location = 10, .scale = 2};
  assert_within(made_level(&normal, 0.025), 10 + 2 * 1.959963984540054, 1e-12);
  assert_within(made_level(&normal, 1e-9), 10 + 2 * 5.997807015007774, 1e-10);
  const struct made_times pareto = {.family = MADE_PARETO, .location = 1, .scale = 2, .shape = 0.5};
  assert_within(made_level(&pareto, 0.01), 1 + 4 * (10 - 1), 1e-12);
  const struct made_times gumbel = {.family = MADE_GEV, .location = 1, .scale = 2};
  assert_within(made_level(&gumbel, 1e-12), 1 + 2 * 12 * log(10), 1e-9);
}

static double correlation_of(const double *values, size_t count)
{
  double mean = 0, square = 0, product = 0;
  for (size_t i = 0; i < count; i++)
    mean += values[i] / (double)count;
  for (size_t i = 0; i < count; i++)
    square += (values[i] - mean) * (values[i] - mean);
  for (size_t i = 0; i + 1 < count; i++)
    product += (values[i] - mean) * (values[i + 1] - mean);
  return product / square;
}

TEST(dependence_is_as_said)
{
  make_times(&(struct made_times){.scale = 1, .correlation = 0.7}, COUNT, SEED, times);
  assert_within(correlation_of(times, COUNT), 0.7, 0.02);
  make_times(&(struct made_times){.scale = 1}, COUNT, SEED, times);
  assert_within(correlation_of(times, COUNT), 0, 0.02);
}

/* Of a process with the extremal index theta, the maximum of n times is below the level that one
 * exceeds with probability t / n with probability exp(-theta t). */
TEST(maxima_have_the_extremal_index)
{
  const struct made_times recipe = {.family = MADE_EXPONENTIAL, .scale = 1, .max_dependence = 0.6};
  const double level = made_level(&recipe, 2.0 / 500);
  unsigned below = 0;
  for (uint64_t k = 0; k < 4000; k++) {
    make_times(&recipe, 500, SEED + k, times);
    double largest = 0;
    for (size_t i = 0; i < 500; i++)
      largest = fmax(largest, times[i]);
    below += largest <= level;
  }
  assert_within(below / 4000.0, exp(-0.4 * 2), 0.03);
}

/* Of times that are all 100, what is added shows. */
TEST(additions_are_as_said)
{
  const struct made_times recipe = {.family = MADE_UNIFORM,
                                    .location = 100,
                                    .modes = MADE_MODES_BLOCKS,
                                    .mode_gap = 7,
                                    .mode_length = 3,
                                    .drift = 9,
                                    .step = 1000,
                                    .step_at = 0.5};
  make_times(&recipe, 10, SEED, times);
  const double modes[] = {0, 0, 0, 7, 7, 7, 0, 0, 0, 7};
  for (size_t i = 0; i < 10; i++)
    assert_within(times[i], 100 + (double)i + modes[i] + (i >= 5 ? 1000 : 0), 1e-9);
}

TEST(outliers_come_in_bursts)
{
  const struct made_times recipe = {.family = MADE_UNIFORM,
                                    .location = 10,
                                    .outlier_share = 0.001,
                                    .outlier_length = 5,
                                    .outlier_size = 100};
  make_times(&recipe, COUNT, SEED, times);
  size_t outliers = 0, begun = 0;
  for (size_t i = 0; i < COUNT; i++) {
    outliers += times[i] > 10;
    begun += times[i] > 10 && (i == 0 || times[i - 1] <= 10);
  }
  assert_within((double)outliers / COUNT, 0.005, 0.001);
  assert_within((double)outliers / (double)begun, 5, 0.2);
}

TEST(ticks_and_seeds)
{
  const struct made_times recipe = {.family = MADE_NORMAL, .location = 50, .scale = 3, .tick = 0.5};
  make_times(&recipe, 1000, SEED, times);
  make_times(&recipe, 1000, SEED, times + 1000);
  make_times(&recipe, 1000, SEED + 1, times + 2000);
  assert_memory_equal(times, times + 1000, 1000 * sizeof *times);
  assert_memory_not_equal(times, times + 2000, 1000 * sizeof *times);
  for (size_t i = 0; i < 1000; i++)
    assert_within(2 * times[i], nearbyint(2 * times[i]), 0);
}

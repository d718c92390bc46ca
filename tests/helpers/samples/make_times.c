/* Times as those of GPU kernels, made with known distributions from a seed. */
#include "samples/make_times.h"

#include <math.h>

double made_uniform(struct wb_random *random)
{
  return ((double)(wb_random_next(random) >> 11) + 0.5) * 0x1p-53;
}

/* The polar method of Marsaglia and Bray (1964), of whose two numbers one is used. */
double made_normal(struct wb_random *random)
{
  for (;;) {
    const double x = 2 * made_uniform(random) - 1;
    const double y = 2 * made_uniform(random) - 1;
    const double square = x * x + y * y;
    if (square < 1 && square > 0)
      return x * sqrt(-2 * log(square) / square);
  }
}

static double normal_survival(double z)
{
  return 0.5 * erfc(z * M_SQRT1_2);
}

/* By halving: the tests' own, independent of the library's. */
static double normal_level(double survival)
{
  double low = -40, high = 40;
  for (int i = 0; i < 64; i++) {
    const double middle = 0.5 * (low + high);
    if (normal_survival(middle) > survival)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}

/* The level above the threshold of a standard generalised Pareto: (s^-shape - 1) / shape, where
 * log_survival = log s. */
static double pareto_level(double shape, double log_survival)
{
  return shape == 0 ? -log_survival : expm1(-shape * log_survival) / shape;
}

double made_level(const struct made_times *recipe, double survival)
{
  switch (recipe->family) {
  case MADE_NORMAL:
    return recipe->location + recipe->scale * normal_level(survival);
  case MADE_EXPONENTIAL:
    return recipe->location - recipe->scale * log(survival);
  case MADE_LOGNORMAL:
    return recipe->location + recipe->scale * exp(recipe->shape * normal_level(survival));
  case MADE_UNIFORM:
    return recipe->location + recipe->scale * (1 - survival);
  case MADE_GEV:
    return recipe->location + recipe->scale * pareto_level(recipe->shape, log(-log1p(-survival)));
  case MADE_PARETO:
    return recipe->location + recipe->scale * pareto_level(recipe->shape, log(survival));
  }
  return NAN;
}

/* The level of a standard normal number: without the inverse of its distribution where the family
 * is made of it. */
static double level_of_normal(const struct made_times *recipe, double z)
{
  if (recipe->family == MADE_NORMAL)
    return recipe->location + recipe->scale * z;
  if (recipe->family == MADE_LOGNORMAL)
    return recipe->location + recipe->scale * exp(recipe->shape * z);
  return made_level(recipe, normal_survival(z));
}

/* What the draws carry from one to the next. */
struct process {
  struct wb_random random;
  double normal;  /* of the Gaussian process */
  double frechet; /* of the max-autoregressive one */
  size_t burst;   /* outliers that are still to come */
};

static double max_autoregressive_draw(const struct made_times *recipe, struct process *process,
                                      size_t index)
{
  const double a = recipe->max_dependence;
  const double fresh = -1 / log(made_uniform(&process->random));
  process->frechet = index == 0 ? fresh : fmax(a * process->frechet, (1 - a) * fresh);
  return made_level(recipe, -expm1(-1 / process->frechet));
}

static double draw(const struct made_times *recipe, struct process *process, size_t index)
{
  if (recipe->correlation != 0) {
    const double a = recipe->correlation;
    const double fresh = made_normal(&process->random);
    process->normal = index == 0 ? fresh : a * process->normal + sqrt(1 - a * a) * fresh;
    return level_of_normal(recipe, process->normal);
  }
  if (recipe->max_dependence != 0)
    return max_autoregressive_draw(recipe, process, index);
  if (recipe->family == MADE_NORMAL || recipe->family == MADE_LOGNORMAL)
    return level_of_normal(recipe, made_normal(&process->random));
  return made_level(recipe, made_uniform(&process->random));
}

static double mode_addition(const struct made_times *recipe, struct wb_random *random, size_t index)
{
  switch (recipe->modes) {
  case MADE_MODES_NONE:
    return 0;
  case MADE_MODES_MIXED:
    return made_uniform(random) < recipe->mode_share ? recipe->mode_gap : 0;
  case MADE_MODES_ALTERNATING:
    return index % 2 != 0 ? recipe->mode_gap : 0;
  case MADE_MODES_BLOCKS:
    return index / recipe->mode_length % 2 != 0 ? recipe->mode_gap : 0;
  }
  return 0;
}

static double outlier_addition(const struct made_times *recipe, struct process *process)
{
  if (recipe->outlier_share == 0)
    return 0;
  if (process->burst == 0 && made_uniform(&process->random) < recipe->outlier_share)
    process->burst = recipe->outlier_length == 0 ? 1 : recipe->outlier_length;
  if (process->burst == 0)
    return 0;
  process->burst--;
  return -recipe->outlier_size * log(made_uniform(&process->random));
}

/* What time adds: spread, drift and step. `share`: how much of the series lies before. */
static double changed_with_time(const struct made_times *recipe, double value, double share)
{
  if (recipe->late_scale != 0 && share >= 0.5)
    value = recipe->location + (value - recipe->location) * recipe->late_scale;
  if (recipe->step != 0 && share >= recipe->step_at)
    value += recipe->step;
  return value;
}

void make_times(const struct made_times *recipe, size_t count, uint64_t seed, double *times)
{
  struct process process = {.random = {seed}};
  for (size_t i = 0; i < count; i++) {
    double value = draw(recipe, &process, i);
    value = changed_with_time(recipe, value, (double)i / (double)count);
    if (count > 1)
      value += recipe->drift * ((double)i / (double)(count - 1));
    value += mode_addition(recipe, &process.random, i);
    value += outlier_addition(recipe, &process);
    times[i] = recipe->tick > 0 ? recipe->tick * nearbyint(value / recipe->tick) : value;
  }
}

/* The largest value of a Brownian bridge at some places: two large samples with ties. */
#include "evt/tests/lattice_paths.h"

#include "base/memory.h"
#include "evt/tests/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With more different values than these the whole bridge does. */
#define MOST_PLACES 1000
/* Places nearer to each other than this share are one: at the ends of the distribution. */
#define LEAST_STEP 1e-3
/* The width of the cells in which the motion is followed: a quarter of the least standard deviation
 * of a step. */
static const double cell_width = 0.0079;

static const double pi = 3.14159265358979323846;

/* A Brownian motion from 0 that was below `limit` at all places so far: its density in cells
 * between -limit and limit. The bridge is the motion that is 0 at 1. */
struct motion {
  double limit, width;
  size_t cells;
  double *density, *next;
  double time;
};

static double normal_density(double x, double deviation)
{
  return exp(-0.5 * x * x / (deviation * deviation)) / (deviation * sqrt(2 * pi));
}

static double middle_of(const struct motion *motion, size_t cell)
{
  return ((double)cell + 0.5) * motion->width - motion->limit;
}

/* The density after the first step, from 0. */
static void start(struct motion *motion, double step)
{
  for (size_t k = 0; k < motion->cells; k++)
    motion->density[k] = normal_density(middle_of(motion, k), sqrt(step));
  motion->time = step;
}

/* weights[d]: the probability of a step by d cells, for d up to 8 standard deviations. Returns how
 * many there are. */
static size_t weigh(const struct motion *motion, double step, double *weights)
{
  const double deviation = sqrt(step);
  size_t reach = (size_t)(8 * deviation / motion->width) + 1;
  if (reach > motion->cells - 1)
    reach = motion->cells - 1;
  for (size_t d = 0; d <= reach; d++)
    weights[d] = motion->width * normal_density((double)d * motion->width, deviation);
  return reach;
}

static void advance(struct motion *motion, double step, double *weights)
{
  const size_t reach = weigh(motion, step, weights);
  for (size_t to = 0; to < motion->cells; to++) {
    const size_t low = to > reach ? to - reach : 0;
    const size_t high = to + reach < motion->cells ? to + reach : motion->cells - 1;
    double sum = 0;
    for (size_t from = low; from <= high; from++)
      sum += motion->density[from] * weights[from < to ? to - from : from - to];
    motion->next[to] = sum;
  }
  double *const swapped = motion->density;
  motion->density = motion->next;
  motion->next = swapped;
  motion->time += step;
}

/* The probability that the motion is 0 at 1, relative to that without a limit. */
static double returned(const struct motion *motion)
{
  const double deviation = sqrt(1 - motion->time);
  double sum = 0;
  for (size_t k = 0; k < motion->cells; k++)
    sum += motion->density[k] * normal_density(middle_of(motion, k), deviation);
  return sum * motion->width * sqrt(2 * pi);
}

/* The probability that the bridge stays below the limit at the ends of all groups of ties. Memory:
 * three arrays of cells. */
static double staying(const struct wb_sample_pair *pair, struct motion *motion, double *weights)
{
  const double all = (double)pair->first + (double)pair->second;
  size_t passed = 0;
  for (size_t k = 0; k + 1 < pair->groups; k++) {
    passed += pair->tied[k];
    const double time = (double)passed / all;
    if (time - motion->time < LEAST_STEP || 1 - time < LEAST_STEP)
      continue;
    if (motion->time == 0)
      start(motion, time);
    else
      advance(motion, time - motion->time, weights);
  }
  return motion->time == 0 ? 1 : returned(motion);
}

warpbound_status wb_tied_bridge_survival(const struct wb_sample_pair *pair, double *survival,
                                         warpbound_error *error)
{
  const double m = (double)pair->first, n = (double)pair->second;
  const double root = sqrt(m / (m + n) * n);
  const double d = (double)pair->distance / (m * n);
  /* Stephens's (1970) correction for finite samples. */
  *survival = wb_bridge_supremum_survival((root + 0.12 + 0.11 / root) * d);
  if (pair->groups > MOST_PLACES || *survival < 1e-6)
    return WARPBOUND_OK;
  struct motion motion = {.limit = root * d};
  motion.cells = (size_t)ceil(2 * motion.limit / cell_width);
  motion.cells = motion.cells < 8 ? 8 : motion.cells;
  motion.width = 2 * motion.limit / (double)motion.cells;
  double *const memory = wb_allocate(3 * motion.cells, sizeof *memory);
  if (memory == NULL)
    return wb_out_of_memory(error);
  motion.density = memory;
  motion.next = memory + motion.cells;
  const double tied = 1 - staying(pair, &motion, memory + 2 * motion.cells);
  if (tied > 1e-6)
    *survival = fmin(tied, *survival);
  free(memory);
  return WARPBOUND_OK;
}

/* The two-sample Kolmogorov-Smirnov test, and the distribution of its statistic: exact by lattice
 * paths, and of large samples by a Brownian bridge that is looked at where values differ. */
#include "base/memory.h"
#include "evt/math/special_functions.h"
#include "evt/samples/samples.h"
#include "evt/tests/ranks.h"
#include "evt/tests/series_tests.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Steps up to which the p-value is exact: some hundredths of a second. */
static const double most_steps = 2e7;
/* With more different values than these the whole bridge does. */
#define MOST_PLACES 1000
/* Places nearer to each other than this share are one: at the ends of the distribution. */
#define LEAST_STEP 1e-3
/* The width of the cells in which the motion is followed: a quarter of the least standard deviation
 * of a step. */
static const double cell_width = 0.0079;

static const double pi = 3.14159265358979323846;

/* ---- lattice paths ---- */

/* About how many steps wb_lattice_path_survival takes; each is some nanoseconds. */
static double lattice_path_cost(const struct wb_sample_pair *pair)
{
  const double most = (double)(pair->first < pair->second ? pair->first : pair->second) + 1;
  /* Between so many cells the paths of a step lie that have not reached the distance. */
  const double band = 2 * (double)pair->distance / ((double)pair->first + (double)pair->second) + 1;
  double cost = 0;
  for (size_t k = 0; k < pair->groups; k++) {
    const double size = (double)pair->tied[k];
    cost += size * fmin(most, band + size);
  }
  return cost;
}

/* The probabilities of the paths that have not reached the distance: at[i], low <= i <= high, of
 * those of whose first `step` values i are of the first sample. */
struct front {
  const struct wb_sample_pair *pair;
  double *at; /* by i; 0 outside of low .. high */
  size_t low, high, step;
  double reached; /* of paths that have */
};

/* One more value: of the first sample or of the second, in proportion to what is left of each. */
static void advance_paths(struct front *front)
{
  const struct wb_sample_pair *const pair = front->pair;
  const double left = (double)(pair->first + pair->second - front->step);
  double *const at = front->at;
  if (front->high < pair->first)
    front->high++;
  for (size_t i = front->high; i > front->low; i--) {
    const double second_left = (double)(pair->second + i) - (double)front->step;
    const double first_left = (double)(pair->first - i + 1);
    at[i] = (at[i] * second_left + at[i - 1] * first_left) / left;
  }
  const double second_left = (double)(pair->second + front->low) - (double)front->step;
  at[front->low] *= second_left / left;
  front->step++;
}

static bool has_reached(const struct front *front, size_t i)
{
  const struct wb_sample_pair *const pair = front->pair;
  const int64_t j = (int64_t)front->step - (int64_t)i;
  const int64_t apart = (int64_t)i * (int64_t)pair->second - j * (int64_t)pair->first;
  return (apart < 0 ? -apart : apart) >= pair->distance;
}

/* A path with i > first or j > second has probability 0: its factor of what is left is 0. */
warpbound_status wb_lattice_path_survival(const struct wb_sample_pair *pair, double *survival,
                                          warpbound_error *error)
{
  struct front front = {.pair = pair, .at = wb_allocate(pair->first + 1, sizeof *front.at)};
  if (front.at == NULL)
    return wb_out_of_memory(error);
  front.at[0] = 1;
  bool some = true;
  for (size_t k = 0; k < pair->groups && some; k++) {
    for (size_t s = 0; s < pair->tied[k]; s++)
      advance_paths(&front);
    /* Takes the paths that have reached the distance out of the front. */
    while (front.low <= front.high && has_reached(&front, front.low)) {
      front.reached += front.at[front.low];
      front.at[front.low++] = 0;
    }
    while (front.high > front.low && has_reached(&front, front.high)) {
      front.reached += front.at[front.high];
      front.at[front.high--] = 0;
    }
    some = front.low <= front.high;
  }
  *survival = fmin(1, front.reached);
  free(front.at);
  return WARPBOUND_OK;
}

/* ---- the bridge ---- */

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

/* weights[d]: the probability of a step by d cells, for d up to 8 standard deviations. */
static void advance(struct motion *motion, double step, double *weights)
{
  const double deviation = sqrt(step);
  size_t reach = (size_t)(8 * deviation / motion->width) + 1;
  if (reach > motion->cells - 1)
    reach = motion->cells - 1;
  for (size_t d = 0; d <= reach; d++)
    weights[d] = motion->width * normal_density((double)d * motion->width, deviation);
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
    if (motion->time > 0) {
      advance(motion, time - motion->time, weights);
      continue;
    }
    for (size_t cell = 0; cell < motion->cells; cell++)
      motion->density[cell] = normal_density(middle_of(motion, cell), sqrt(time));
    motion->time = time;
  }
  if (motion->time == 0)
    return 1;
  /* The probability that the motion is 0 at 1, relative to that without a limit. */
  const double deviation = sqrt(1 - motion->time);
  double sum = 0;
  for (size_t cell = 0; cell < motion->cells; cell++)
    sum += motion->density[cell] * normal_density(middle_of(motion, cell), deviation);
  return sum * motion->width * sqrt(2 * pi);
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

/* ---- the test ---- */

static double *sorted_copy(const double *values, size_t count)
{
  double *const copy = wb_allocate(count, sizeof *copy);
  if (copy != NULL) {
    memcpy(copy, values, count * sizeof *copy);
    wb_sort_ascending(copy, count);
  }
  return copy;
}

static size_t end_of_equals(const double *ascending, size_t count, size_t start, double value)
{
  while (start < count && ascending[start] == value)
    start++;
  return start;
}

warpbound_status wb_test_two_samples(const double *first, size_t first_count, const double *second,
                                     size_t second_count, double share, struct wb_test *test,
                                     warpbound_error *error)
{
  struct wb_sample_pair pair = {.first = first_count, .second = second_count};
  *test = (struct wb_test){.p_value = NAN};
  if (first_count == 0 || second_count == 0)
    return WARPBOUND_OK;
  double *const first_sorted = sorted_copy(first, first_count);
  double *const second_sorted = sorted_copy(second, second_count);
  size_t *const tied = wb_allocate(first_count + second_count, sizeof *tied);
  warpbound_status status = WARPBOUND_OK;
  if (first_sorted == NULL || second_sorted == NULL || tied == NULL) {
    status = wb_out_of_memory(error);
  } else {
    /* Walks both sorted samples from the least value on: the groups of equal values, into `tied`,
     * and the place of the largest distance. */
    const int64_t m = (int64_t)pair.first, n = (int64_t)pair.second;
    size_t i = 0, j = 0;
    while (i < pair.first || j < pair.second) {
      const size_t before = i + j;
      const double value = j == pair.second                     ? first_sorted[i]
                           : i == pair.first                    ? second_sorted[j]
                           : first_sorted[i] < second_sorted[j] ? first_sorted[i]
                                                                : second_sorted[j];
      i = end_of_equals(first_sorted, pair.first, i, value);
      j = end_of_equals(second_sorted, pair.second, j, value);
      tied[pair.groups++] = i + j - before;
      const int64_t apart = (int64_t)i * n - (int64_t)j * m;
      const int64_t distance = apart < 0 ? -apart : apart;
      if (distance > pair.distance) {
        pair.distance = distance;
        test->detail = value;
      }
    }
    pair.tied = tied;
  }
  if (status == WARPBOUND_OK && pair.groups >= 2) {
    const double product = (double)pair.first * (double)pair.second;
    test->statistic = (double)pair.distance / product;
    if (share != 1)
      pair.distance = (int64_t)fmin((double)pair.distance / sqrt(share), product);
    const bool exact = lattice_path_cost(&pair) <= most_steps;
    status =
        (exact ? wb_lattice_path_survival : wb_tied_bridge_survival)(&pair, &test->p_value, error);
  }
  free(first_sorted);
  free(second_sorted);
  free(tied);
  return status;
}

/* Halves of the same size have distances in steps of 1 / size alone, so coarse that a test of 5 %
 * on 100 values would reject 3.9 % of the time: the value in the middle is left out, and the steps
 * are of 1 / (size (size - 1)). */
warpbound_status wb_test_halves(const double *values, size_t count, struct wb_test *test,
                                warpbound_error *error)
{
  *test = (struct wb_test){.p_value = NAN};
  if (count < WB_TEST_FEWEST)
    return WARPBOUND_OK;
  double share;
  /* At least 1: of modes that alternate the sums of ranks vary less, but not the distance. */
  struct wb_ranks ranks;
  struct wb_long_run long_run = {.share = 1};
  warpbound_status status = wb_ranks_of(values, count, &ranks, error);
  if (status == WARPBOUND_OK && ranks.square_sum > 0)
    status = wb_long_run_if_dependent(&ranks, &long_run, error);
  wb_ranks_free(&ranks);
  share = fmax(1, long_run.share);
  if (status != WARPBOUND_OK)
    return status;
  const size_t first = count / 2;
  const size_t second = count % 2 != 0 ? first + 1 : first - 1;
  return wb_test_two_samples(values, first, values + count - second, second, share, test, error);
}

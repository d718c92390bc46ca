/* The two-sample Kolmogorov-Smirnov test. */
#include "evt/tests/series_tests.h"

#include "base/memory.h"
#include "evt/samples/ascending.h"
#include "evt/tests/lattice_paths.h"
#include "evt/tests/long_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps up to which the p-value is exact: some hundredths of a second. */
static const double most_steps = 2e7;

/* Both samples, each sorted, and room for the sizes of groups of equal values. */
struct sorted_pair {
  double *first, *second; /* owned */
  size_t *tied;           /* owned */
};

static void free_pair(struct sorted_pair *sorted)
{
  free(sorted->first);
  free(sorted->second);
  free(sorted->tied);
}

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

/* Walks both samples from the least value on: the groups of equal values, and the place of the
 * largest distance. */
static void compare(const struct sorted_pair *sorted, struct wb_sample_pair *pair, double *place)
{
  const int64_t m = (int64_t)pair->first, n = (int64_t)pair->second;
  size_t i = 0, j = 0;
  while (i < pair->first || j < pair->second) {
    const size_t before = i + j;
    const double value = j == pair->second                      ? sorted->first[i]
                         : i == pair->first                     ? sorted->second[j]
                         : sorted->first[i] < sorted->second[j] ? sorted->first[i]
                                                                : sorted->second[j];
    i = end_of_equals(sorted->first, pair->first, i, value);
    j = end_of_equals(sorted->second, pair->second, j, value);
    sorted->tied[pair->groups++] = i + j - before;
    const int64_t apart = (int64_t)i * n - (int64_t)j * m;
    const int64_t distance = apart < 0 ? -apart : apart;
    if (distance > pair->distance) {
      pair->distance = distance;
      *place = value;
    }
  }
}

/* share: by how much the variance of sums of the values exceeds that of independent ones; the
 * distance is taken for that of independent values divided by its root. */
static warpbound_status compare_sorted(const struct sorted_pair *sorted,
                                       struct wb_sample_pair *pair, double share,
                                       struct wb_test *test, warpbound_error *error)
{
  pair->tied = sorted->tied;
  compare(sorted, pair, &test->detail);
  if (pair->groups < 2)
    return WARPBOUND_OK;
  const double product = (double)pair->first * (double)pair->second;
  test->statistic = (double)pair->distance / product;
  if (share != 1)
    pair->distance = (int64_t)fmin((double)pair->distance / sqrt(share), product);
  if (wb_lattice_path_cost(pair) <= most_steps)
    return wb_lattice_path_survival(pair, &test->p_value, error);
  return wb_tied_bridge_survival(pair, &test->p_value, error);
}

static warpbound_status compare_samples(const double *first, size_t first_count,
                                        const double *second, size_t second_count, double share,
                                        struct wb_test *test, warpbound_error *error)
{
  struct sorted_pair sorted = {sorted_copy(first, first_count), sorted_copy(second, second_count),
                               wb_allocate(first_count + second_count, sizeof(size_t))};
  struct wb_sample_pair pair = {.first = first_count, .second = second_count};
  const warpbound_status status =
      sorted.first == NULL || sorted.second == NULL || sorted.tied == NULL
          ? wb_out_of_memory(error)
          : compare_sorted(&sorted, &pair, share, test, error);
  free_pair(&sorted);
  return status;
}

warpbound_status wb_test_two_samples(const double *first, size_t first_count, const double *second,
                                     size_t second_count, struct wb_test *test,
                                     warpbound_error *error)
{
  *test = (struct wb_test){.p_value = NAN};
  if (first_count == 0 || second_count == 0)
    return WARPBOUND_OK;
  return compare_samples(first, first_count, second, second_count, 1, test, error);
}

static warpbound_status long_run_share(const double *values, size_t count, double *share,
                                       warpbound_error *error)
{
  struct wb_ranks ranks;
  struct wb_long_run long_run = {.share = 1};
  warpbound_status status = wb_ranks_of(values, count, &ranks, error);
  if (status == WARPBOUND_OK && ranks.square_sum > 0)
    status = wb_long_run_if_dependent(&ranks, &long_run, error);
  wb_ranks_free(&ranks);
  *share = long_run.share;
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
  const warpbound_status status = long_run_share(values, count, &share, error);
  if (status != WARPBOUND_OK)
    return status;
  const size_t first = count / 2;
  const size_t second = count % 2 != 0 ? first + 1 : first - 1;
  return compare_samples(values, first, values + count - second, second, share, test, error);
}

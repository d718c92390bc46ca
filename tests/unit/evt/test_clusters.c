/* The extremal index and declustering, against sequences by hand, numbers of R's evd 2.3 and a
 * process whose index is known. */
#include "evt/extremes/maxima_and_peaks.h"
#include "samples/make_times.h"
#include "unit.h"

#include <math.h>

#define COUNT 60

static const double sequence[COUNT] = {3, 9, 8, 2, 1, 7, 1, 1, 1, 9, 6, 1, 2, 3, 1, 8, 1, 9, 1, 1,
                                       1, 1, 1, 7, 8, 9, 1, 1, 2, 1, 1, 1, 1, 6, 1, 1, 1, 8, 9, 7,
                                       1, 9, 1, 1, 1, 1, 1, 1, 7, 1, 1, 2, 1, 1, 1, 8, 8, 1, 1, 6};

/* Values of 8 at distances, of 1 elsewhere. */
static size_t make_gaps(const unsigned *gaps, size_t count, size_t first, double *values,
                        size_t length)
{
  for (size_t i = 0; i < length; i++)
    values[i] = 1;
  size_t at = first;
  values[at] = 8;
  for (size_t i = 0; i < count; i++)
    values[at += gaps[i]] = 8;
  return count + 1;
}

/* clusters(x, 5, r = r, cmax = TRUE) and exi(x, 5, r = r) of evd. */
TEST(test_runs)
{
  static const struct {
    size_t run_length, clusters;
    double index;
    double peaks[12];
  } expected[] = {
      {1, 12, 0.6315789, {9, 7, 9, 8, 9, 9, 6, 9, 9, 7, 8, 6}},
      {2, 10, 0.5263158, {9, 7, 9, 9, 9, 6, 9, 7, 8, 6}},
      {3, 8, 0.4210526, {9, 9, 9, 9, 6, 9, 7, 8}},
      {4, 6, 0.3157895, {9, 9, 9, 9, 7, 8}},
      {5, 5, 0.2631579, {9, 9, 9, 7, 8}},
  };
  for (size_t k = 0; k < COUNT_OF(expected); k++) {
    double peaks[COUNT];
    struct wb_extremal_index index;
    const size_t length = expected[k].run_length;
    assert_int_equal(wb_decluster(sequence, COUNT, 5, length, peaks), expected[k].clusters);
    for (size_t i = 0; i < expected[k].clusters; i++)
      assert_true(peaks[i] == expected[k].peaks[i]);
    assert_ok(wb_extremal_index_of(sequence, COUNT, 5, length, &index, NULL));
    assert_int_equal(index.exceedances, 19);
    assert_int_equal(index.clusters, expected[k].clusters);
    assert_true(fabs(index.runs - expected[k].index) < 1e-7);
  }
}

TEST(test_each_alone)
{
  const double values[] = {9, 8, 1, 7, 5};
  double peaks[5];
  assert_int_equal(wb_decluster(values, 5, 5, 0, peaks), 3);
  assert_true(peaks[0] == 9 && peaks[1] == 8 && peaks[2] == 7);
}

/* exi(x, 5, r = 0) of evd. Of 27 exceedances floor(.4657 * 27) = 12 gaps part clusters, but the
 * 12th and the 13th are both 1, so that fewer do: the 11th largest, 2, and those above it. */
TEST(test_intervals)
{
  static const unsigned gaps[] = {1, 1, 1, 14, 1, 2, 1,  23, 1, 1,  9, 31, 1,
                                  1, 1, 1, 17, 2, 1, 12, 1,  1, 40, 1, 3,  1};
  double values[200];
  struct wb_extremal_index index;
  assert_int_equal(make_gaps(gaps, 26, 4, values, 200), 27);
  assert_ok(wb_extremal_index_of(values, 200, 5, 0, &index, NULL));
  assert_true(fabs(index.intervals - 0.4656601539) < 1e-9);
  assert_int_equal(index.exceedances, 27);
  assert_int_equal(index.run_length, 1);
  assert_int_equal(index.clusters, 11);
  assert_true(fabs(index.runs - 0.4074074074) < 1e-9);
}

/* No gap above 2: the estimate of the paper's first case, held at 1 (evd gives 1). */
TEST(test_short_gaps)
{
  static const unsigned gaps[] = {1, 1, 2, 1, 1, 1, 2, 2, 1, 1, 2, 1};
  double values[20];
  struct wb_extremal_index index;
  make_gaps(gaps, 12, 1, values, 20);
  assert_ok(wb_extremal_index_of(values, 20, 5, 0, &index, NULL));
  assert_true(index.intervals == 1);
  assert_int_equal(index.run_length, 0);
  assert_int_equal(index.clusters, 13);
}

TEST(test_few)
{
  struct wb_extremal_index index;
  assert_ok(wb_extremal_index_of(sequence, 20, 5, 2, &index, NULL));
  assert_true(isnan(index.intervals) && isnan(index.runs));
  assert_int_equal(index.exceedances, 7);
  assert_int_equal(index.clusters, 4);
  assert_ok(wb_extremal_index_of(sequence, 0, 5, 0, &index, NULL));
  assert_int_equal(index.exceedances, 0);
}

/* A max-autoregressive process has the index 1 - a. Both estimates are within four standard errors,
 * about theta^(3/2) sqrt(2 / clusters) (of the mean of as many geometric sizes). */
TEST(test_known_index)
{
  enum { LENGTH = 200000 };
  double *values = malloc(LENGTH * sizeof *values);
  assert_non_null(values);
  for (unsigned k = 0; k < 4; k++) {
    const double theta = 1 - 0.3 * k;
    const struct made_times recipe = {
        .family = MADE_EXPONENTIAL, .location = 1000, .scale = 50, .max_dependence = 1 - theta};
    make_times(&recipe, LENGTH, 100 + k, values);
    struct wb_extremal_index index;
    const double threshold = made_level(&recipe, 0.01);
    assert_ok(wb_extremal_index_of(values, LENGTH, threshold, 0, &index, NULL));
    const double error = theta * sqrt(2 / (double)index.clusters);
    print_message("# theta %.1f: intervals %.3f, runs %.3f of length %zu, error %.3f\n", theta,
                  index.intervals, index.runs, index.run_length, error);
    assert_true(fabs(index.intervals - theta) < 4 * error);
    assert_true(fabs(index.runs - theta) < 4 * error);
  }
  free(values);
}

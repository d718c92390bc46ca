/* Clusters of exceedances: the extremal index and declustering. */
#include "evt/extremes/clusters.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_EXCEEDANCES 10

/* Ferro and Segers 2003, eq. 5 and 6. */
static double intervals_estimate(const size_t *gaps, size_t count)
{
  double sum = 0;
  double squares = 0;
  double less_sum = 0;
  double less_products = 0;
  size_t largest = 0;
  for (size_t i = 0; i < count; i++) {
    const double gap = (double)gaps[i];
    sum += gap;
    squares += gap * gap;
    less_sum += gap - 1;
    less_products += (gap - 1) * (gap - 2);
    largest = gaps[i] > largest ? gaps[i] : largest;
  }
  const double estimate = largest <= 2 ? 2 * sum * sum / ((double)count * squares)
                                       : 2 * less_sum * less_sum / ((double)count * less_products);
  return fmin(1, estimate);
}

static int compare_descending(const void *a, const void *b)
{
  const size_t first = *(const size_t *)a;
  const size_t second = *(const size_t *)b;
  return (first < second) - (first > second);
}

/* The run length that makes of the exceedances about theta times as many clusters: the C-th largest
 * gap, where the C - 1 larger ones part clusters, C = floor(theta * exceedances) + 1, less while
 * gaps are equal (Ferro and Segers 2003, section 4). Sorts the gaps. */
static size_t intervals_run_length(size_t *gaps, size_t count, double theta)
{
  qsort(gaps, count, sizeof *gaps, compare_descending);
  size_t parting = (size_t)floor(theta * (double)(count + 1));
  if (parting >= count)
    return 0;
  while (parting > 0 && gaps[parting - 1] == gaps[parting])
    parting--;
  return gaps[parting];
}

/* Runs of at least run_length values at or below the threshold end a cluster; run_length 0: each
 * exceedance is a cluster. */
static size_t count_clusters(const double *values, size_t count, double threshold,
                             size_t run_length)
{
  size_t clusters = 0;
  size_t below = run_length;
  for (size_t i = 0; i < count; i++) {
    if (values[i] > threshold) {
      clusters += below >= run_length;
      below = 0;
    } else {
      below++;
    }
  }
  return clusters;
}

warpbound_status wb_extremal_index_of(const double *values, size_t count, double threshold,
                                      size_t run_length, struct wb_extremal_index *index,
                                      warpbound_error *error)
{
  *index = (struct wb_extremal_index){
      .intervals = NAN,
      .runs = NAN,
      .run_length = run_length,
  };
  for (size_t i = 0; i < count; i++)
    index->exceedances += values[i] > threshold;
  if (index->exceedances < LEAST_EXCEEDANCES) {
    index->clusters = count_clusters(values, count, threshold, run_length);
    return WARPBOUND_OK;
  }
  /* Distances between neighbouring exceedances, one fewer than these. */
  size_t *gaps = wb_allocate(index->exceedances, sizeof *gaps);
  size_t found = 0, last = 0;
  if (gaps == NULL)
    return wb_out_of_memory(error);
  for (size_t i = 0; i < count; i++) {
    if (!(values[i] > threshold))
      continue;
    if (found > 0)
      gaps[found - 1] = i - last;
    last = i;
    found++;
  }
  index->intervals = intervals_estimate(gaps, found - 1);
  if (run_length == 0)
    index->run_length = intervals_run_length(gaps, found - 1, index->intervals);
  index->clusters = count_clusters(values, count, threshold, index->run_length);
  index->runs = (double)index->clusters / (double)index->exceedances;
  free(gaps);
  return WARPBOUND_OK;
}

size_t wb_decluster(const double *values, size_t count, double threshold, size_t run_length,
                    double *peaks)
{
  size_t clusters = 0;
  size_t below = run_length;
  for (size_t i = 0; i < count; i++) {
    if (!(values[i] > threshold)) {
      below++;
      continue;
    }
    if (below >= run_length)
      peaks[clusters++] = values[i];
    else if (values[i] > peaks[clusters - 1])
      peaks[clusters - 1] = values[i];
    below = 0;
  }
  return clusters;
}

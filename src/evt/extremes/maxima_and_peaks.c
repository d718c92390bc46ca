/* What distributions of extremes are fitted to: maxima of blocks, and peaks of clusters. */
#include "evt/extremes/maxima_and_peaks.h"

#include "base/memory.h"
#include "evt/extremes/thresholds.h"
#include "evt/fit/tail_fit.h"
#include "evt/goodness/goodness.h"
#include "evt/tests/series_tests.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_MAXIMA 50 /* of the largest block that is tried */
/* Of the smallest one, n values: so many, and more by this power of n. */
#define MOST_MAXIMA 100.0
#define MAXIMA_OF 2000.0
#define MAXIMA_GROWTH 0.1
#define LEAST_BLOCK 10 /* a maximum of fewer is far from the limit law */
#define USUAL_BLOCK 20 /* the least where it leaves enough maxima */
#define MOST_SIZES 10
#define LEAST_RATIO 1.5 /* of neighbouring sizes */
#define REPLICATES 99   /* of the bootstrap of each size */

size_t wb_block_maxima(const double *values, size_t count, size_t block, double *maxima)
{
  const size_t blocks = block == 0 ? 0 : count / block;
  for (size_t b = 0; b < blocks; b++) {
    double largest = values[b * block];
    for (size_t i = 1; i < block; i++)
      if (values[b * block + i] > largest)
        largest = values[b * block + i];
    maxima[b] = largest;
  }
  return blocks;
}

/* Lists the sizes that are tried, ascending; none where there are too few values. */
static void list_sizes(size_t count, struct wb_block_sizes *sizes)
{
  const size_t largest = count / LEAST_MAXIMA;
  size_t smallest = largest < USUAL_BLOCK ? LEAST_BLOCK : USUAL_BLOCK;
  const double most = MOST_MAXIMA * pow((double)count / MAXIMA_OF, MAXIMA_GROWTH);
  if ((double)count / most > (double)smallest)
    smallest = (size_t)((double)count / most);
  if (largest < smallest)
    return;
  const double range = log((double)largest / (double)smallest);
  const double ratios = floor(range / log(LEAST_RATIO));
  const unsigned steps = ratios < MOST_SIZES - 1 ? (unsigned)ratios : MOST_SIZES - 1;
  for (unsigned i = 0; i <= steps; i++) {
    const double share = steps > 0 ? (double)i / steps : 1;
    const size_t size = (size_t)llround((double)smallest * exp(range * share));
    if (sizes->count == 0 || size > sizes->tried[sizes->count - 1].block)
      sizes->tried[sizes->count++].block = size > largest ? largest : size;
  }
}

/* Tests one size. maxima has room for those of the smallest size. */
static warpbound_status try_size(const struct wb_block_question *question, uint64_t seed,
                                 double *maxima, struct wb_block_choice *choice,
                                 warpbound_error *error)
{
  choice->maxima = wb_block_maxima(question->values, question->count, choice->block, maxima);
  struct wb_test independence;
  warpbound_status status = wb_test_ljung_box(maxima, choice->maxima, 0, &independence, error);
  if (status != WARPBOUND_OK)
    return status;
  choice->independence_p = independence.p_value;
  choice->anderson_darling_p = NAN;
  const struct wb_fit_data data = {
      .values = maxima, .count = choice->maxima, .control = question->control};
  struct wb_tail_fit fit;
  status = wb_tail_fit(&data, WB_TAIL_GEV, WB_FIT_LIKELIHOOD, &fit, error);
  if (status == WARPBOUND_INVALID_INPUT)
    return WARPBOUND_OK; /* no fit: this size is refused */
  if (status != WARPBOUND_OK)
    return status;
  choice->fitted = true;
  choice->shape = fit.tail.shape;
  struct wb_goodness goodness;
  status = wb_goodness_of_fit(&data, &fit, question->tick, REPLICATES, seed, question->control,
                              &goodness, error);
  if (status == WARPBOUND_OK)
    choice->anderson_darling_p = goodness.anderson_darling_p;
  return status;
}

warpbound_status wb_block_size_choose(const struct wb_block_question *question,
                                      struct wb_block_sizes *sizes, warpbound_error *error)
{
  *sizes = (struct wb_block_sizes){0};
  list_sizes(question->count, sizes);
  if (sizes->count == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "too few values to choose a size of blocks: %zu, expected at least %d",
                   question->count, LEAST_BLOCK * LEAST_MAXIMA);
  double *maxima = wb_allocate(question->count / sizes->tried[0].block, sizeof *maxima);
  warpbound_status status = maxima != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
  for (size_t i = 0; i < sizes->count && status == WARPBOUND_OK; i++)
    status = try_size(question, question->seed + i, maxima, &sizes->tried[i], error);
  free(maxima);
  if (status == WARPBOUND_OK) {
    /* The smallest size that ForwardStop does not refuse, else that of the largest p-value: twice
     * the smaller of both (Bonferroni), at most 1; 0 where there is no fit. */
    double p_values[WB_BLOCK_CHOICES];
    double adjusted[WB_BLOCK_CHOICES];
    size_t place = 0, best = sizes->count - 1;
    for (size_t i = 0; i < sizes->count; i++) {
      const struct wb_block_choice *choice = &sizes->tried[i];
      const double independence = isnan(choice->independence_p) ? 1 : choice->independence_p;
      const bool has_p = choice->fitted && !isnan(choice->anderson_darling_p);
      p_values[i] = has_p ? fmin(1, 2 * fmin(choice->anderson_darling_p, independence)) : 0;
    }
    wb_forward_stop(p_values, sizes->count, adjusted);
    while (place < sizes->count && adjusted[place] <= question->significance)
      place++;
    for (size_t i = sizes->count; i-- > 0;)
      if (p_values[i] > p_values[best])
        best = i;
    sizes->refused = place == sizes->count;
    sizes->block = sizes->tried[sizes->refused ? best : place].block;
  }
  return status;
}

/* Clusters of exceedances: the extremal index and declustering. */

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

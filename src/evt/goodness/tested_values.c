#include "evt/goodness/tested_values.h"

#include "base/memory.h"
#include "base/random.h"
#include "evt/goodness/replicates.h"
#include "evt/samples/ascending.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limits of what the ticks of a clock that is fine add to the distances: see is_fine. */
#define TICK_LIMIT 0.5
#define GAP_LIMIT 0.05

static double least_of(const double *values, size_t count)
{
  double least = values[0];
  for (size_t k = 1; k < count; k++)
    least = fmin(least, values[k]);
  return least;
}

/* Whether equal values may be spread evenly over their tick. Within a tick the true distribution
 * then differs from a straight line by up to f' tick^2 / 8, so that n values add about
 * n (tick / scale)^4 / 100 to the distances. Of excesses the least tick must begin at the
 * threshold: a gap or an overlap of g adds about n (g / scale)^2. */
static bool is_fine(const struct wb_fit_data *data, const struct wb_tail_fit *fit, double tick,
                    double least)
{
  const struct wb_tail *tail = &fit->tail;
  if (tick <= 0 || fit->has_trend)
    return tick <= 0;
  const double n = (double)data->count, share = tick / tail->scale;
  const double gap =
      wb_tail_is_of_maxima(tail->family) ? 0 : (least - tick / 2 - tail->location) / tail->scale;
  return n * share * share * share * share <= TICK_LIMIT && n * gap * gap <= GAP_LIMIT;
}

/* Places equal values of the sorted ones evenly over the tick around them. */
static void spread_ties(double *ascending, size_t count, double tick)
{
  size_t end;
  for (size_t first = 0; first < count; first = end) {
    end = first + 1;
    while (end < count && ascending[end] - ascending[first] < tick / 2)
      end++;
    const double low = ascending[first] - tick / 2, step = tick / (double)(end - first);
    for (size_t k = first; k < end; k++)
      ascending[k] = low + step * ((double)(k - first) + 0.5);
  }
}

/* A random part of the data of `size` values, in their order (Knuth, volume 2, algorithm 3.4.2S).
 */
static void take_part(const struct wb_fit_data *data, size_t size, uint64_t seed, double *values,
                      double *covariate)
{
  struct wb_random random = {.state = seed};
  random.state = wb_random_next(&random);
  size_t taken = 0;
  for (size_t k = 0; taken < size; k++) {
    if (wb_random_below(&random, data->count - k) >= size - taken)
      continue;
    values[taken] = data->values[k];
    if (covariate != NULL)
      covariate[taken] = data->covariate[k];
    taken++;
  }
}

/* Compares a part, with its own fit. values: room for it. */
static warpbound_status compare_part(const struct wb_fit_data *data, uint64_t seed, double *values,
                                     struct wb_tested_values *tested, warpbound_error *error)
{
  tested->count = tested->replicate_size;
  take_part(data, tested->count, seed, values, tested->replicate_covariate);
  const struct wb_fit_data part = {.values = values,
                                   .count = tested->count,
                                   .covariate = tested->replicate_covariate,
                                   .threshold = data->threshold};
  const enum wb_fit_method method = tested->fit.method;
  const warpbound_status status =
      wb_tail_fit(&part, tested->fit.tail.family, method, &tested->fit, error);
  if (status == WARPBOUND_OK)
    tested->distances =
        wb_fit_distances(&tested->fit, tested->replicate_covariate, values, tested->count);
  return status;
}

/* Compares all values. values: room for them. In a trend the order of the values counts, so that
 * they cannot be spread. */
static void compare_all(const struct wb_fit_data *data, double *values,
                        struct wb_tested_values *tested)
{
  tested->count = data->count;
  memcpy(values, data->values, data->count * sizeof *values);
  const bool spread = data->count > tested->replicate_size && tested->tick > 0;
  if (spread) {
    wb_sort_ascending(values, data->count);
    spread_ties(values, data->count, tested->tick);
    tested->tick = 0;
  }
  tested->distances = wb_fit_distances(&tested->fit, data->covariate, values, data->count);
}

/* Covariates of replicates: those of the values, or evenly chosen ones of them. */
static bool take_covariate(const struct wb_fit_data *data, struct wb_tested_values *tested)
{
  if (!tested->fit.has_trend)
    return true;
  tested->replicate_covariate = wb_allocate(tested->replicate_size, sizeof(double));
  for (size_t k = 0; tested->replicate_covariate != NULL && k < tested->replicate_size; k++)
    tested->replicate_covariate[k] = data->covariate[k * data->count / tested->replicate_size];
  return tested->replicate_covariate != NULL;
}

void wb_tested_values_free(struct wb_tested_values *tested)
{
  free(tested->replicate_covariate);
  tested->replicate_covariate = NULL;
}

warpbound_status wb_tested_values_take(const struct wb_fit_data *data,
                                       const struct wb_tail_fit *fit, double tick, uint64_t seed,
                                       struct wb_tested_values *tested, warpbound_error *error)
{
  const bool large = data->count > WB_REPLICATE_VALUES;
  const double least = least_of(data->values, data->count);
  *tested = (struct wb_tested_values){.fit = *fit,
                                      .replicate_size = large ? WB_REPLICATE_VALUES : data->count,
                                      .tick = tick,
                                      .anchor = least};
  double *values = wb_allocate(data->count, sizeof *values);
  warpbound_status status = WARPBOUND_OK;
  if (values == NULL || !take_covariate(data, tested))
    status = wb_out_of_memory(error);
  else if (large && !is_fine(data, fit, tick, least))
    status = compare_part(data, seed, values, tested, error);
  else
    compare_all(data, values, tested);
  free(values);
  if (status != WARPBOUND_OK)
    wb_tested_values_free(tested);
  return status;
}

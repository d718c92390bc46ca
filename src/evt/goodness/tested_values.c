#include "evt/goodness/tested_values.h"

#include "base/memory.h"
#include "base/random.h"
#include "evt/goodness/replicates.h"

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

/* Whether replicates need not be rounded. Within a tick the true distribution differs by up to
 * f' tick^2 / 8 from the straight line of values that are spread evenly over it, so that n values
 * add about n (tick / scale)^4 / 100 to the distances. Of excesses the least tick must begin at the
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
    tested->distances = wb_fit_distances(&tested->fit, tested->replicate_covariate, tested->tick,
                                         values, tested->count);
  return status;
}

/* Compares all values, where they are more than those of a replicate with replicates that are not
 * rounded. values: room for them. */
static void compare_all(const struct wb_fit_data *data, double *values,
                        struct wb_tested_values *tested)
{
  tested->count = data->count;
  memcpy(values, data->values, data->count * sizeof *values);
  tested->distances =
      wb_fit_distances(&tested->fit, data->covariate, tested->tick, values, data->count);
  if (data->count > tested->replicate_size)
    tested->tick = 0;
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
  const double least = least_of(data->values, data->count);
  const bool fine = is_fine(data, fit, tick, least);
  const size_t most = fine ? WB_REPLICATE_VALUES : WB_PART_VALUES;
  *tested = (struct wb_tested_values){.fit = *fit,
                                      .replicate_size = data->count < most ? data->count : most,
                                      .tick = tick,
                                      .anchor = least};
  double *values = wb_allocate(data->count, sizeof *values);
  warpbound_status status = WARPBOUND_OK;
  if (values == NULL || !take_covariate(data, tested))
    status = wb_out_of_memory(error);
  else if (!fine && data->count > most)
    status = compare_part(data, seed, values, tested, error);
  else
    compare_all(data, values, tested);
  free(values);
  if (status != WARPBOUND_OK)
    wb_tested_values_free(tested);
  return status;
}

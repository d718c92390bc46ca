/* Goodness of fit by a parametric bootstrap: samples drawn from the fit, to which the same family
 * is fitted in the same way; and the likelihood ratio test of a family in a larger one. */
#include "evt/goodness/goodness.h"

#include "base/memory.h"
#include "base/random.h"
#include "evt/fit/bootstrap.h"
#include "evt/samples/samples.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Draws for one value above the threshold; nearly all need one. */
#define MOST_DRAWS 100
/* Values of a replicate at most, where the clock is fine. The distribution of the distances, if the
 * hypothesis holds, hardly depends on the count of values beyond some hundred. */
#define REPLICATE_VALUES 1000
/* Limits of what the ticks of a clock that is fine add to the distances: see is_fine. */
#define TICK_LIMIT 0.5
#define GAP_LIMIT 0.05
/* The mean of the statistic under the hypothesis is 1 + b / n rather than 1: b over 20,000 samples
 * of each of 30, 50 and 100 values. */
#define GUMBEL_EXCESS 2.5
#define EXPONENTIAL_EXCESS 9.0

/* ---- replicates ---- */

/* The distances of values from a fit to them. The values are changed: the trend, if there is one,
 * is taken from them, they are sorted, and without a trend equal ones are spread over the tick. */
static struct wb_distances distances_from(const struct wb_tail_fit *fit, const double *covariate,
                                          double tick, double *values, size_t count)
{
  assert(covariate != NULL || !fit->has_trend);
  for (size_t k = 0; fit->has_trend && k < count; k++)
    values[k] -= fit->trend * covariate[k];
  wb_sort_ascending(values, count);
  if (tick > 0 && !fit->has_trend)
    wb_spread_ties(&fit->tail, tick, values, count);
  return wb_distances_of(&fit->tail, values, count);
}

/* How replicates are drawn, and what comes of them. */
struct bootstrap {
  struct wb_tail_fit fit; /* that the values are compared with; of a part where it is one */
  size_t compared;        /* values */
  size_t size;            /* values of a replicate */
  double *covariate;      /* of each of them, where the fit has a trend; else NULL; owned */
  double tick;            /* of the clock; 0: replicates are not rounded */
  double anchor;          /* a value that the clock can show; above the threshold */
  uint64_t seed;
  unsigned count;                 /* replicates */
  struct wb_distances *distances; /* by replicate; NAN where nothing could be fitted; owned */
};

/* Of excesses those are kept that are shown above the threshold, as those of the data were. */
static double draw(const struct bootstrap *bootstrap, double trend, struct wb_random *random)
{
  const struct wb_tail *tail = &bootstrap->fit.tail;
  const double anchor = bootstrap->anchor, tick = bootstrap->tick;
  for (unsigned k = 0; k < MOST_DRAWS; k++) {
    const double time = trend + wb_tail_draw(tail, random);
    const double shown = tick > 0 ? anchor + tick * nearbyint((time - anchor) / tick) : time;
    if (wb_tail_is_of_maxima(tail->family) || shown > tail->location)
      return shown;
  }
  return anchor;
}

/* The distances of replicate `index` from the fit to it, which starts from the parameters that it
 * was drawn with, where that can be. */
static bool run_replicate(void *context, unsigned index, double *values)
{
  const struct bootstrap *const bootstrap = context;
  const struct wb_tail_fit *const near = &bootstrap->fit;
  struct wb_random random = wb_replicate_generator(bootstrap->seed, index);
  for (size_t k = 0; k < bootstrap->size; k++)
    values[k] =
        draw(bootstrap, bootstrap->covariate == NULL ? 0 : near->trend * bootstrap->covariate[k],
             &random);
  const struct wb_fit_data data = {.values = values,
                                   .count = bootstrap->size,
                                   .covariate = bootstrap->covariate,
                                   .threshold = near->tail.location};
  struct wb_tail_fit fit;
  const warpbound_status status =
      near->has_trend ? wb_tail_fit(&data, near->tail.family, near->method, &fit, NULL)
                      : wb_tail_refit(&data, near, &fit, NULL);
  bootstrap->distances[index] =
      status == WARPBOUND_OK
          ? distances_from(&fit, bootstrap->covariate, bootstrap->tick, values, bootstrap->size)
          : (struct wb_distances){.anderson_darling = NAN, .cramer_von_mises = NAN};
  return status != WARPBOUND_INTERNAL;
}

/* ---- what is compared ---- */

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

/* Where the clock is fine all values are compared, with replicates of at most REPLICATE_VALUES
 * values; those of larger samples are not rounded. It is fine where it has no ticks, or where what
 * they add to the distances, which is of the order of n (tick / scale)^4, is far below the spread
 * of the distances. Where it is not, up to WB_PART_VALUES values are compared, with replicates of
 * the same size that are rounded as the values were. Of larger samples they are a random part, with
 * a fit to that part: the size of the test is right, but it sees no more than that many values
 * show. */
static warpbound_status compare(const struct wb_fit_data *data, struct bootstrap *bootstrap,
                                struct wb_distances *distances, warpbound_error *error)
{
  bootstrap->anchor = data->values[0];
  for (size_t k = 1; k < data->count; k++)
    bootstrap->anchor = fmin(bootstrap->anchor, data->values[k]);
  const bool fine = is_fine(data, &bootstrap->fit, bootstrap->tick, bootstrap->anchor);
  const size_t most = fine ? REPLICATE_VALUES : WB_PART_VALUES;
  const bool has_trend = bootstrap->fit.has_trend;
  bootstrap->size = data->count < most ? data->count : most;
  bootstrap->compared = data->count;
  double *values = wb_allocate(data->count, sizeof *values);
  if (has_trend)
    bootstrap->covariate = wb_allocate(bootstrap->size, sizeof *bootstrap->covariate);
  if (values == NULL || (has_trend && bootstrap->covariate == NULL)) {
    free(values);
    return wb_out_of_memory(error);
  }
  /* Covariates of replicates: those of the values, or evenly chosen ones of them. */
  for (size_t k = 0; has_trend && k < bootstrap->size; k++)
    bootstrap->covariate[k] = data->covariate[k * data->count / bootstrap->size];
  warpbound_status status = WARPBOUND_OK;
  if (!fine && data->count > most) {
    /* Compares a part, with its own fit. values: room for it. */
    const struct wb_tail_fit whole = bootstrap->fit;
    bootstrap->compared = bootstrap->size;
    /* A random part of the data of `size` values, in their order (Knuth, volume 2,
     * algorithm 3.4.2S).
     */
    struct wb_random random = {.state = bootstrap->seed};
    random.state = wb_random_next(&random);
    size_t taken = 0;
    for (size_t k = 0; taken < bootstrap->size; k++) {
      if (wb_random_below(&random, data->count - k) >= bootstrap->size - taken)
        continue;
      values[taken] = data->values[k];
      if (bootstrap->covariate != NULL)
        bootstrap->covariate[taken] = data->covariate[k];
      taken++;
    }
    const struct wb_fit_data part = {.values = values,
                                     .count = bootstrap->size,
                                     .covariate = bootstrap->covariate,
                                     .threshold = data->threshold};
    status = wb_tail_fit(&part, whole.tail.family, whole.method, &bootstrap->fit, error);
    if (status == WARPBOUND_OK)
      *distances = distances_from(&bootstrap->fit, bootstrap->covariate, bootstrap->tick, values,
                                  bootstrap->size);
  } else {
    memcpy(values, data->values, data->count * sizeof *values);
    *distances =
        distances_from(&bootstrap->fit, data->covariate, bootstrap->tick, values, data->count);
    if (data->count > bootstrap->size)
      bootstrap->tick = 0;
  }
  free(values);
  return status;
}

/* ---- the test ---- */

warpbound_status wb_goodness_of_fit(const struct wb_fit_data *data, const struct wb_tail_fit *fit,
                                    double tick, unsigned replicates, uint64_t seed,
                                    const struct wb_control *control, struct wb_goodness *goodness,
                                    warpbound_error *error)
{
  struct bootstrap bootstrap = {.fit = *fit, .tick = tick, .seed = seed, .count = replicates};
  struct wb_distances distances;
  warpbound_status status = compare(data, &bootstrap, &distances, error);
  if (status == WARPBOUND_OK) {
    *goodness = (struct wb_goodness){.anderson_darling = distances.anderson_darling,
                                     .cramer_von_mises = distances.cramer_von_mises,
                                     .compared = bootstrap.compared};
    bootstrap.distances = wb_allocate(replicates, sizeof *bootstrap.distances);
    const struct wb_replicate_work work = {.name = "goodness of fit",
                                           .count = replicates,
                                           .size = bootstrap.size,
                                           .run = run_replicate,
                                           .context = &bootstrap};
    status = bootstrap.distances != NULL
                 ? wb_replicate_threads_run(&work, control->threads, control, error)
                 : wb_out_of_memory(error);
  }
  if (status == WARPBOUND_OK) {
    /* The share of all samples, the tested one among them, that lie as far from their fits. */
    unsigned fitted = 0, farther_a = 0, farther_w = 0;
    for (unsigned k = 0; k < bootstrap.count; k++) {
      const struct wb_distances *each = &bootstrap.distances[k];
      fitted += isnan(each->anderson_darling) ? 0 : 1;
      farther_a += each->anderson_darling >= goodness->anderson_darling;
      farther_w += each->cramer_von_mises >= goodness->cramer_von_mises;
    }
    goodness->replicates = fitted;
    goodness->anderson_darling_p = fitted == 0 ? NAN : (farther_a + 1.0) / (fitted + 1.0);
    goodness->cramer_von_mises_p = fitted == 0 ? NAN : (farther_w + 1.0) / (fitted + 1.0);
  }
  free(bootstrap.distances);
  free(bootstrap.covariate);
  return status;
}

/* ---- likelihood ratio ---- */

struct wb_likelihood_ratio wb_likelihood_ratio_of(const struct wb_tail_fit *smaller,
                                                  const struct wb_tail_fit *larger)
{
  const double gain = smaller->negative_log_likelihood - larger->negative_log_likelihood;
  if (isnan(gain))
    return (struct wb_likelihood_ratio){.statistic = NAN, .p_value = NAN};
  const double statistic = fmax(2 * gain, 0);
  /* Bartlett's factor: the statistic divided by it has the mean of chi-squared. */
  const double excess =
      wb_tail_is_of_maxima(smaller->tail.family) ? GUMBEL_EXCESS : EXPONENTIAL_EXCESS;
  const bool corrected = smaller->tail.family != larger->tail.family && smaller->count > 0;
  const double factor = corrected ? 1 + excess / (double)smaller->count : 1;
  /* chi-squared of 1 degree of freedom is the square of a normal */
  const double p_value = erfc(sqrt(statistic / factor / 2));
  return (struct wb_likelihood_ratio){.statistic = statistic, .p_value = p_value};
}

#define LEAST_PROBABILITY 1e-300

/* The sum of Stephens has ln F of the i-th smallest with ln (1 - F) of the i-th largest; by value
 * each i counts 2i - 1 times for the former and 2n + 1 - 2i times for the latter. */
struct wb_distances wb_distances_of(const struct wb_tail *tail, const double *ascending,
                                    size_t count)
{
  assert(count > 0);
  const double n = (double)count;
  double logarithms = 0, squares = 0;
  for (size_t k = 0; k < count; k++) {
    const double twice = 2 * (double)k + 1; /* 2i - 1 */
    const double below = wb_tail_distribution(tail, ascending[k]);
    const double above = wb_tail_survival(tail, ascending[k]);
    logarithms += (twice / n) * log(fmax(below, LEAST_PROBABILITY)) +
                  ((2 * n - twice) / n) * log(fmax(above, LEAST_PROBABILITY));
    const double difference = below - twice / (2 * n);
    squares += difference * difference;
  }
  return (struct wb_distances){.anderson_darling = -n - logarithms,
                               .cramer_von_mises = 1 / (12 * n) + squares};
}

void wb_spread_ties(const struct wb_tail *tail, double tick, double *ascending, size_t count)
{
  const double lower_end = tail->shape > 0 ? tail->location - tail->scale / tail->shape : -INFINITY;
  const double lowest = wb_tail_is_of_maxima(tail->family) ? lower_end : tail->location;
  const double highest = wb_tail_upper_end(tail);
  size_t end;
  for (size_t first = 0; first < count; first = end) {
    const double value = ascending[first];
    for (end = first + 1; end < count && ascending[end] - value < tick / 2; end++)
      ;
    /* The values of [first, end) are equal within rounding. */
    const double low = fmax(value - tick / 2, lowest), high = fmin(value + tick / 2, highest);
    const double step = (high - low) / (double)(end - first);
    for (size_t k = first; k < end && low <= value && value <= high; k++)
      ascending[k] = low + step * ((double)(k - first) + 0.5);
  }
}

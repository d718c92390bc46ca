#include "evt/goodness/replicates.h"

#include "evt/goodness/ties.h"
#include "evt/samples/ascending.h"

#include <math.h>

/* Draws for one value above the threshold; nearly all need one. */
#define MOST_DRAWS 100

/* A generator for each replicate, started at a number that its index is scattered to. */
static struct wb_random generator_of(uint64_t seed, unsigned index)
{
  struct wb_random random = {.state = seed};
  random.state = wb_random_next(&random) + index;
  random.state = wb_random_next(&random);
  return random;
}

/* What the clock shows of a time. */
static double shown(const struct wb_replicates *replicates, double time)
{
  if (replicates->tick <= 0)
    return time;
  return replicates->anchor +
         replicates->tick * nearbyint((time - replicates->anchor) / replicates->tick);
}

/* Of excesses those are kept that are shown above the threshold, as those of the data were. */
static double draw(const struct wb_replicates *replicates, double trend, struct wb_random *random)
{
  const struct wb_tail *tail = &replicates->fit->tail;
  for (unsigned k = 0; k < MOST_DRAWS; k++) {
    const double value = shown(replicates, trend + wb_tail_draw(tail, random));
    if (wb_tail_is_of_maxima(tail->family) || value > tail->location)
      return value;
  }
  return replicates->anchor;
}

static void draw_all(const struct wb_replicates *replicates, unsigned index, double *values)
{
  struct wb_random random = generator_of(replicates->seed, index);
  for (size_t k = 0; k < replicates->size; k++) {
    const double trend =
        replicates->covariate == NULL ? 0 : replicates->fit->trend * replicates->covariate[k];
    values[k] = draw(replicates, trend, &random);
  }
}

/* The fit to a replicate: from the parameters that it was drawn with, where that can be. */
static warpbound_status refit(const struct wb_replicates *replicates, const double *values,
                              struct wb_tail_fit *fit, warpbound_error *error)
{
  const struct wb_tail_fit *near = replicates->fit;
  const struct wb_fit_data data = {.values = values,
                                   .count = replicates->size,
                                   .covariate = replicates->covariate,
                                   .threshold = near->tail.location};
  if (near->has_trend)
    return wb_tail_fit(&data, near->tail.family, near->method, fit, error);
  return wb_tail_refit(&data, near, fit, error);
}

warpbound_status wb_replicate_distances(const struct wb_replicates *replicates, unsigned index,
                                        double *values, struct wb_distances *distances,
                                        warpbound_error *error)
{
  draw_all(replicates, index, values);
  struct wb_tail_fit fit;
  const warpbound_status status = refit(replicates, values, &fit, error);
  if (status == WARPBOUND_OK)
    *distances =
        wb_fit_distances(&fit, replicates->covariate, replicates->tick, values, replicates->size);
  return status;
}

struct wb_distances wb_fit_distances(const struct wb_tail_fit *fit, const double *covariate,
                                     double tick, double *values, size_t count)
{
  for (size_t k = 0; fit->has_trend && k < count; k++)
    values[k] -= fit->trend * covariate[k];
  wb_sort_ascending(values, count);
  if (tick > 0 && !fit->has_trend)
    wb_spread_ties(&fit->tail, tick, values, count);
  return wb_distances_of(&fit->tail, values, count);
}

/* Levels at other block sizes and thresholds than those in use: how far the answer hangs on the
 * choice. */
#include "analysis/measured/measured_steps.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* By which factors a list goes higher than what is in use: larger blocks, fewer times above. Those
 * up to MOST_AVERAGED are averaged with it. */
static const double higher[] = {1, 1.5, 2, 3};
#define HIGHER (sizeof higher / sizeof *higher)
#define MOST_AVERAGED 2.0
/* By which factor each step goes lower, and how many there are at most. */
#define LOWER 1.5
#define LOWER_STEPS 8
/* Values of a fit: the time of an interval grows with them. */
#define MOST_VALUES 2000.0
#define LEAST_VALUES 20.0
#define LEAST_BLOCK 10.0
/* The share of times above the lowest threshold. */
#define LOWEST_SHARE 0.2

/* Appends a choice, but not twice the same: that in use is kept. */
static void add_choice(struct wb_measured_series *result, struct wb_measured_choice choice)
{
  for (size_t k = 0; k < result->choice_count; k++) {
    const struct wb_measured_choice *other = &result->choices[k];
    if (other->of_maxima == choice.of_maxima && other->block == choice.block &&
        other->threshold == choice.threshold)
      return;
  }
  if (result->choice_count < WB_MEASURED_CHOICES)
    result->choices[result->choice_count++] = choice;
}

/* Factors from the lowest choice up. Returns how many. */
static size_t list_factors(double lowest, double factors[LOWER_STEPS + HIGHER])
{
  size_t count = 0;
  for (int step = LOWER_STEPS; step > 0; step--)
    if (pow(LOWER, -step) >= lowest)
      factors[count++] = pow(LOWER, -step);
  for (size_t h = 0; h < HIGHER; h++)
    factors[count++] = higher[h];
  return count;
}

static void list_blocks(struct wb_measured_work *work)
{
  struct wb_measured_series *result = work->result;
  const double size = (double)result->block_size;
  const double values = (double)work->count;
  const bool given = work->options->block_size > 0;
  double factors[LOWER_STEPS + HIGHER];
  const size_t count = list_factors(fmax(LEAST_BLOCK, values / MOST_VALUES) / size, factors);
  for (size_t f = 0; f < count; f++) {
    const double block = floor(size * factors[f]);
    const bool in_use = factors[f] == 1;
    /* Times that are maxima already have no other size. */
    if (!in_use && (size == 1 || values / block < LEAST_VALUES))
      continue;
    add_choice(result,
               (struct wb_measured_choice){
                   .of_maxima = true,
                   .block = (size_t)block,
                   .in_use = in_use,
                   .averaged = in_use || (!given && factors[f] > 1 && factors[f] <= MOST_AVERAGED),
               });
  }
}

static void list_thresholds(struct wb_measured_work *work)
{
  struct wb_measured_series *result = work->result;
  const double above = (double)result->exceedances;
  const double most = fmin(MOST_VALUES, LOWEST_SHARE * (double)work->count);
  const bool given = work->options->has_threshold;
  double factors[LOWER_STEPS + HIGHER];
  const size_t count = list_factors(above / most, factors);
  for (size_t f = 0; f < count; f++) {
    const bool in_use = factors[f] == 1;
    double threshold = result->threshold;
    if (!in_use && (above / factors[f] < LEAST_VALUES ||
                    wb_threshold_of(result->ascending, work->count, (size_t)(above / factors[f]),
                                    result->resolution.tick, &threshold) == 0))
      continue;
    add_choice(result,
               (struct wb_measured_choice){
                   .threshold = threshold,
                   .in_use = in_use,
                   .averaged = in_use || (!given && factors[f] > 1 && factors[f] <= MOST_AVERAGED),
               });
  }
}

/* Fits what a choice leaves, and finds its levels. values: room for all that it leaves. */
static warpbound_status fit_choice(struct wb_measured_work *work, struct wb_measured_choice *choice,
                                   double *values, struct wb_measured_choice_level *levels)
{
  const struct wb_measured_series *result = work->result;
  struct wb_fit_data data = {.values = values, .control = work->control};
  struct wb_measured_fit scale = {0}; /* what turns probabilities of one run into survivals */
  if (choice->of_maxima) {
    data.count = wb_block_maxima(work->values, work->count, choice->block, values);
    scale.runs_per_block = wb_measured_runs_of(work, choice->block);
  } else {
    data.threshold = choice->threshold;
    data.count = wb_decluster(work->values, work->count, choice->threshold,
                              result->declustered ? result->index.run_length : 0, values);
    scale.share_above = (double)wb_count_above(result->ascending, work->count, choice->threshold) /
                        (double)work->count;
  }
  choice->values = data.count;
  warpbound_error why;
  warpbound_status status = wb_tail_fit(&data, choice->of_maxima ? WB_TAIL_GEV : WB_TAIL_PARETO,
                                        WB_FIT_LIKELIHOOD, &scale.fit, &why);
  if (wb_measured_is_fatal(status))
    return wb_fail_with(work->error, &why);
  if (status != WARPBOUND_OK || scale.fit.at_boundary)
    return WARPBOUND_OK;
  choice->made = true;
  choice->shape = scale.fit.tail.shape;
  status = WARPBOUND_OK;
  for (size_t p = 0; status == WARPBOUND_OK && p < work->options->probability_count; p++) {
    const double survival = wb_measured_survival(&scale, work->options->probabilities[p]);
    if (!(survival > 0 && survival < 1))
      continue;
    levels[p].level = wb_tail_level(&scale.fit.tail, survival);
    status = wb_profile_level(&data, &scale.fit, survival, work->options->confidence,
                              &levels[p].interval, work->error);
  }
  return status;
}

/* The most values that a choice leaves. */
static size_t most_values(const struct wb_measured_work *work)
{
  size_t most = 1;
  for (size_t k = 0; k < work->result->choice_count; k++) {
    const struct wb_measured_choice *choice = &work->result->choices[k];
    const size_t left =
        choice->of_maxima ? work->count / choice->block
                          : wb_count_above(work->result->ascending, work->count, choice->threshold);
    most = left > most ? left : most;
  }
  return most;
}

warpbound_status wb_measured_try_choices(struct wb_measured_work *work)
{
  struct wb_measured_series *result = work->result;
  const size_t probabilities = work->options->probability_count;
  if (result->maxima != NULL)
    list_blocks(work);
  if (result->peaks != NULL)
    list_thresholds(work);
  if (result->choice_count == 0 || probabilities == 0)
    return WARPBOUND_OK;
  const size_t cells = result->choice_count * probabilities;
  result->choice_levels = wb_allocate(cells, sizeof *result->choice_levels);
  double *values = wb_allocate(most_values(work), sizeof *values);
  warpbound_status status = result->choice_levels != NULL && values != NULL
                                ? WARPBOUND_OK
                                : wb_out_of_memory(work->error);
  for (size_t c = 0; status == WARPBOUND_OK && c < cells; c++)
    result->choice_levels[c] = (struct wb_measured_choice_level){.level = NAN};
  for (size_t k = 0; status == WARPBOUND_OK && k < result->choice_count; k++)
    status =
        fit_choice(work, &result->choices[k], values, &result->choice_levels[k * probabilities]);
  free(values);
  return status;
}

/* Fits of a series, and all that is said of each: goodness, intervals, return levels. */
#include "analysis/measured/measured_steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- levels ---- */

double wb_measured_survival(const struct wb_measured_fit *fit, double probability)
{
  if (wb_tail_is_of_maxima(fit->fit.tail.family))
    return -expm1(fit->runs_per_block * log1p(-probability));
  return probability / fit->share_above;
}

static void judge_level(const struct wb_measured_work *work, struct wb_measured_level *level)
{
  const double most = work->result->summary.most;
  level->extrapolated = level->level > most;
  level->below_observed =
      level->level < most && level->probability * (double)work->count < work->options->significance;
  level->above_bound = work->options->bound.given && level->level > work->options->bound.value;
}

static warpbound_status find_level(struct wb_measured_work *work, const struct wb_fit_data *data,
                                   const struct wb_measured_fit *result, double probability,
                                   struct wb_measured_level *level)
{
  const struct wb_tail_fit *fit = &result->fit;
  const double survival = wb_measured_survival(result, probability);
  *level = (struct wb_measured_level){
      .probability = probability, .survival = survival, .level = NAN, .error = NAN};
  if (!(survival > 0 && survival < 1))
    return WARPBOUND_OK;
  level->level = wb_tail_level(&fit->tail, survival);
  level->error = wb_fit_level_error(fit, survival);
  judge_level(work, level);
  if (fit->method != WB_FIT_LIKELIHOOD)
    return WARPBOUND_OK;
  return wb_profile_level(data, fit, survival, work->options->confidence, &level->profile,
                          work->error);
}

static warpbound_status bootstrap_levels(struct wb_measured_work *work,
                                         const struct wb_tail_fit *fit,
                                         struct wb_measured_fit *result, unsigned step)
{
  double survivals[WB_MEASURED_LEVELS];
  struct wb_interval intervals[WB_MEASURED_LEVELS];
  size_t places[WB_MEASURED_LEVELS], count = 0;
  unsigned failed;
  for (size_t p = 0; p < work->options->probability_count; p++)
    if (!isnan(result->levels[p].level)) {
      places[count] = p;
      survivals[count++] = result->levels[p].survival;
    }
  if (work->options->bootstrap == 0 || count == 0)
    return WARPBOUND_OK;
  const warpbound_status status = wb_bootstrap_levels(
      fit, survivals, count, work->options->confidence, work->options->bootstrap,
      wb_measured_seed(work, step), work->control, intervals, &failed, work->error);
  for (size_t k = 0; status == WARPBOUND_OK && k < count; k++)
    result->levels[places[k]].bootstrap = intervals[k];
  return status;
}

/* ---- one fit ---- */

void wb_measured_fail_fits(struct wb_measured_work *work, enum wb_measured_fit_kind first,
                           enum wb_measured_fit_kind last, const char *why)
{
  for (int kind = (int)first; kind <= (int)last; kind++) {
    struct wb_measured_fit *fit = &work->result->fits[kind];
    fit->failed = true;
    snprintf(fit->why, sizeof fit->why, "%.199s", why);
  }
}

void wb_measured_compare(struct wb_measured_work *work, enum wb_measured_fit_kind larger,
                         enum wb_measured_fit_kind smaller)
{
  struct wb_measured_fit *fit = &work->result->fits[larger];
  const struct wb_measured_fit *inner = &work->result->fits[smaller];
  if (fit->failed || inner->failed)
    return;
  fit->ratio = wb_likelihood_ratio_of(&inner->fit, &fit->fit);
  fit->has_ratio = true;
}

warpbound_status wb_measured_judge_fit(struct wb_measured_work *work,
                                       const struct wb_measured_fitting *fitting,
                                       const struct wb_tail_fit *fit)
{
  struct wb_measured_fit *result = &work->result->fits[fitting->kind];
  result->fit = *fit;
  result->runs_per_block = fitting->runs_per_block;
  result->share_above = fitting->share_above;
  result->impossible = wb_tail_upper_end(&fit->tail) < work->result->summary.most;
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; status == WARPBOUND_OK && p < work->options->probability_count; p++)
    status = find_level(work, &fitting->data, result, work->options->probabilities[p],
                        &result->levels[p]);
  if (status == WARPBOUND_OK)
    status = bootstrap_levels(work, fit, result, 100 + (unsigned)fitting->kind);
  if (status == WARPBOUND_OK && wb_fit_shape_place(fit) < fit->parameter_count)
    status = wb_profile_shape(&fitting->data, fit, work->options->confidence, &result->shape,
                              work->error);
  if (status == WARPBOUND_OK && work->options->replicates > 0) {
    status = wb_goodness_of_fit(&fitting->data, fit, work->result->resolution.tick,
                                work->options->replicates,
                                wb_measured_seed(work, 200 + (unsigned)fitting->kind),
                                work->control, &result->goodness, work->error);
    result->has_goodness = status == WARPBOUND_OK;
  }
  return status;
}

warpbound_status wb_measured_fit_family(struct wb_measured_work *work,
                                        const struct wb_measured_fitting *fitting)
{
  struct wb_tail_fit fit;
  warpbound_error why;
  const warpbound_status status =
      wb_tail_fit(&fitting->data, fitting->family, fitting->method, &fit, &why);
  if (status == WARPBOUND_INTERNAL || status == WARPBOUND_LIMIT)
    return wb_fail_with(work->error, &why);
  if (status != WARPBOUND_OK) {
    wb_measured_fail_fits(work, fitting->kind, fitting->kind, why.message);
    return WARPBOUND_OK;
  }
  return wb_measured_judge_fit(work, fitting, &fit);
}

/* Fits by either method, their covariance, and the errors that follow from it. */
#include "evt/fit/tail_fit.h"

#include "evt/fit/fit_sample.h"
#include "evt/fit/maximum_likelihood.h"
#include "evt/fit/minimise.h"
#include "evt/math/special_functions.h"

#include <math.h>

/* Below this shape the errors of maximum likelihood are not those of its information (Smith,
 * Biometrika 72, 1985). */
#define LEAST_REGULAR_SHAPE (-0.5)

unsigned wb_fit_scale_place(const struct wb_tail_fit *fit)
{
  return (wb_tail_is_of_maxima(fit->tail.family) ? 1U : 0U) + (fit->has_trend ? 1U : 0U);
}

unsigned wb_fit_shape_place(const struct wb_tail_fit *fit)
{
  return wb_tail_has_shape(fit->tail.family) ? wb_fit_scale_place(fit) + 1 : fit->parameter_count;
}

double wb_fit_error(const struct wb_tail_fit *fit, unsigned parameter)
{
  if (!fit->has_covariance || parameter >= fit->parameter_count)
    return NAN;
  return sqrt(fit->covariance[parameter][parameter]);
}

double wb_fit_level_error(const struct wb_tail_fit *fit, double survival)
{
  if (!fit->has_covariance)
    return NAN;
  const double y = wb_tail_reduced_level(fit->tail.family, survival);
  const double t = fit->tail.shape * y, ratio = y * wb_exp_ratio(t);
  double gradient[WB_FIT_PARAMETERS] = {0};
  if (wb_tail_is_of_maxima(fit->tail.family))
    gradient[0] = 1.0;
  gradient[wb_fit_scale_place(fit)] = ratio;
  if (wb_tail_has_shape(fit->tail.family))
    gradient[wb_fit_shape_place(fit)] = fit->tail.scale * ratio * y * wb_log_of_exp_ratio(t).first;
  double variance = 0;
  for (unsigned i = 0; i < fit->parameter_count; i++) {
    for (unsigned j = 0; j < fit->parameter_count; j++)
      variance += gradient[i] * fit->covariance[i][j] * gradient[j];
  }
  return sqrt(variance);
}

/* derivative[i][j]: of the fit's parameter i by the free parameter j of the standardised sample,
 * which are the same but for shift, units and the logarithm of the scale. */
static void find_derivatives(const struct wb_fit_sample *sample, const struct wb_tail_fit *fit,
                             double derivative[WB_FIT_PARAMETERS][WB_FIT_PARAMETERS])
{
  for (unsigned i = 0; i < sample->free_count; i++) {
    for (unsigned j = 0; j < sample->free_count; j++)
      derivative[i][j] = 0;
    switch (sample->free[i]) {
    case WB_LOCATION:
      derivative[i][i] = sample->unit;
      if (fit->has_trend)
        derivative[i][i + 1] = -sample->unit * sample->covariate_shift / sample->covariate_unit;
      break;
    case WB_TREND:
      derivative[i][i] = sample->unit / sample->covariate_unit;
      break;
    case WB_LOG_SCALE:
      derivative[i][i] = fit->tail.scale;
      break;
    default:
      derivative[i][i] = 1.0;
    }
  }
}

static void find_covariance(const struct wb_fit_sample *sample,
                            const struct wb_likelihood_peak *peak, struct wb_tail_fit *fit)
{
  const unsigned count = sample->free_count;
  struct wb_score score = peak->score;
  double factor[WB_UNKNOWNS][WB_UNKNOWNS], inverse[WB_UNKNOWNS][WB_UNKNOWNS];
  double derivative[WB_FIT_PARAMETERS][WB_FIT_PARAMETERS];
  if (peak->at_boundary || fit->tail.shape <= LEAST_REGULAR_SHAPE ||
      !wb_cholesky(count, score.hessian, factor))
    return;
  wb_cholesky_invert(count, factor, inverse);
  find_derivatives(sample, fit, derivative);
  for (unsigned i = 0; i < count; i++) {
    for (unsigned j = 0; j < count; j++) {
      double sum = 0;
      for (unsigned k = 0; k < count; k++) {
        for (unsigned l = 0; l < count; l++)
          sum += derivative[i][k] * inverse[k][l] * derivative[j][l];
      }
      fit->covariance[i][j] = sum;
    }
  }
  fit->has_covariance = true;
}

static void take_parameters(const struct wb_fit_sample *sample, const struct wb_fit_data *data,
                            const double parameters[WB_LIKELIHOOD_PARAMETERS],
                            struct wb_tail_fit *fit)
{
  fit->tail = wb_fit_sample_tail(sample, parameters, &fit->trend);
  if (!wb_tail_is_of_maxima(fit->tail.family))
    fit->tail.location = data->threshold;
  fit->has_trend = data->covariate != NULL;
  fit->count = data->count;
  fit->parameter_count = sample->free_count;
}

static void take_peak(const struct wb_fit_sample *sample, const struct wb_fit_data *data,
                      const struct wb_likelihood_peak *peak, struct wb_tail_fit *fit)
{
  *fit = (struct wb_tail_fit){.method = WB_FIT_LIKELIHOOD};
  take_parameters(sample, data, peak->parameters, fit);
  fit->negative_log_likelihood = wb_fit_sample_value(sample, peak->value);
  fit->at_boundary = peak->at_boundary;
  find_covariance(sample, peak, fit);
}

static warpbound_status fit_l_moments(const struct wb_fit_sample *sample,
                                      const struct wb_fit_data *data, struct wb_tail_fit *fit,
                                      warpbound_error *error)
{
  const enum wb_tail_family family = sample->likelihood.family;
  struct wb_tail tail;
  if (data->covariate)
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "a trend is fitted by likelihood alone");
  if (!wb_tail_of_l_moments(family, &sample->moments, 0.0, &tail))
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "no %s distribution has the L-moments of the %zu values", wb_tail_name(family),
                   data->count);
  double parameters[WB_LIKELIHOOD_PARAMETERS] = {
      [WB_LOCATION] = tail.location, [WB_LOG_SCALE] = log(tail.scale), [WB_SHAPE] = tail.shape};
  struct wb_score score;
  wb_likelihood_at(&sample->likelihood, parameters, false, &score);
  *fit = (struct wb_tail_fit){.method = WB_FIT_L_MOMENTS};
  take_parameters(sample, data, parameters, fit);
  fit->negative_log_likelihood = wb_fit_sample_value(sample, score.value);
  return WARPBOUND_OK;
}

warpbound_status wb_tail_fit(const struct wb_fit_data *data, enum wb_tail_family family,
                             enum wb_fit_method method, struct wb_tail_fit *fit,
                             warpbound_error *error)
{
  struct wb_fit_sample sample;
  warpbound_status status = wb_fit_sample_make(data, family, &sample, error);
  struct wb_likelihood_peak peak;
  if (status == WARPBOUND_OK && method != WB_FIT_LIKELIHOOD)
    status = fit_l_moments(&sample, data, fit, error);
  else if (status == WARPBOUND_OK && wb_maximise_likelihood(&sample, &peak))
    take_peak(&sample, data, &peak, fit);
  else if (status == WARPBOUND_OK)
    status = wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "no maximum of the likelihood of a %s fit to %zu values was found",
                     wb_tail_name(family), data->count);
  wb_fit_sample_free(&sample);
  /* A search that was stopped has found nothing to rely on. */
  if (data->control != NULL && wb_control_stopped(data->control) != WB_STOP_NONE)
    status =
        wb_fail(error, WARPBOUND_LIMIT,
                "a fit to %zu values was ended by a limit of time or an interruption", data->count);
  return status;
}

/* The maximum of a sample drawn from `near`; false where it is not to be trusted. */
static bool maximise_near(const struct wb_fit_sample *sample, const struct wb_tail *near,
                          struct wb_likelihood_peak *peak)
{
  double start[WB_LIKELIHOOD_PARAMETERS];
  wb_fit_sample_standardise(sample, near, 0.0, start);
  if (near->shape <= LEAST_REGULAR_SHAPE)
    return wb_maximise_likelihood_of_draw(sample, start, peak);
  return wb_maximise_likelihood_near(sample, start, peak) &&
         peak->parameters[WB_SHAPE] > LEAST_REGULAR_SHAPE;
}

warpbound_status wb_tail_refit(const struct wb_fit_data *data, const struct wb_tail_fit *near,
                               struct wb_tail_fit *fit, warpbound_error *error)
{
  const enum wb_tail_family family = near->tail.family;
  if (near->method != WB_FIT_LIKELIHOOD || data->covariate)
    return wb_tail_fit(data, family, near->method, fit, error);
  struct wb_fit_sample sample;
  struct wb_likelihood_peak peak;
  warpbound_status status = wb_fit_sample_make_near(data, &near->tail, &sample, error);
  const bool found = status == WARPBOUND_OK && maximise_near(&sample, &near->tail, &peak);
  if (found)
    take_peak(&sample, data, &peak, fit);
  wb_fit_sample_free(&sample);
  return status != WARPBOUND_OK || found ? status
                                         : wb_tail_fit(data, family, near->method, fit, error);
}

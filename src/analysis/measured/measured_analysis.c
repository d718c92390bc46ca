#include "analysis/measured/measured_analysis.h"

#include "analysis/measured/measured_steps.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* ---- options ---- */

static bool is_within(double value, double least, double most)
{
  return value >= least && value <= most; /* false of NaN */
}

static warpbound_status check_options(const struct wb_measured_options *options,
                                      warpbound_error *error)
{
  if (options->probability_count > WB_MEASURED_LEVELS)
    return wb_fail(error, WARPBOUND_USAGE, "expected at most %d probabilities, found %zu",
                   WB_MEASURED_LEVELS, options->probability_count);
  for (size_t p = 0; p < options->probability_count; p++)
    if (!is_within(options->probabilities[p], 1e-300, 0.5))
      return wb_fail(error, WARPBOUND_USAGE,
                     "probability: expected a number from 1e-300 to 0.5, found %g",
                     options->probabilities[p]);
  if (!is_within(options->confidence, 0.5, 0.9999))
    return wb_fail(error, WARPBOUND_USAGE,
                   "confidence: expected a number from 0.5 to 0.9999, found %g",
                   options->confidence);
  if (!is_within(options->significance, 1e-6, 0.5))
    return wb_fail(error, WARPBOUND_USAGE,
                   "significance: expected a number from 1e-6 to 0.5, found %g",
                   options->significance);
  if (options->has_threshold && !isfinite(options->threshold))
    return wb_fail(error, WARPBOUND_USAGE, "threshold: expected a finite number");
  if (options->bound.given && !isfinite(options->bound.value))
    return wb_fail(error, WARPBOUND_USAGE, "bound: expected a finite number");
  return WARPBOUND_OK;
}

/* ---- one series ---- */

static warpbound_status judge(struct wb_measured_work *work)
{
  wb_measured_judge(work);
  return WARPBOUND_OK;
}

/* In this order: nothing is fitted before the verdict. */
static const struct {
  const char *phase;
  warpbound_status (*run)(struct wb_measured_work *work);
} steps[] = {
    {"summary", wb_measured_summarise},
    {"checks", wb_measured_check_all},
    {"verdict", judge},
    {"block maxima", wb_measured_fit_maxima},
    {"peaks over a threshold", wb_measured_fit_peaks},
    {"levels without a fit", wb_measured_bound_levels},
};

static warpbound_status analyse_series(struct wb_measured_work *work)
{
  const size_t count = sizeof steps / sizeof *steps;
  for (size_t s = 0; s < count; s++) {
    if (wb_control_poll(work->control, steps[s].phase, (double)s / (double)count) != WB_STOP_NONE)
      return wb_fail(work->error, WARPBOUND_LIMIT, "stopped before this: %s", steps[s].phase);
    const warpbound_status status = steps[s].run(work);
    if (status != WARPBOUND_OK)
      return status;
  }
  return WARPBOUND_OK;
}

uint64_t wb_measured_seed(const struct wb_measured_work *work, unsigned step)
{
  struct wb_random random = {.state = work->options->seed ^ (uint64_t)step << 32};
  return wb_random_next(&random);
}

/* Says which series the limit ended, in words of its own. */
static warpbound_status fail_at_limit(const struct wb_samples *samples, size_t done,
                                      warpbound_error *error)
{
  if (samples->count == 1)
    return wb_fail(error, WARPBOUND_LIMIT,
                   "a limit of time or an interruption ended the statistics before they were done");
  return wb_fail(error, WARPBOUND_LIMIT,
                 "a limit of time or an interruption ended the statistics at '%.100s': %zu of %zu "
                 "series are done",
                 samples->series[done].name, done, samples->count);
}

static void free_series(struct wb_measured_series *series)
{
  free(series->ascending);
  free(series->maxima);
  free(series->peaks);
  *series = (struct wb_measured_series){0};
}

warpbound_status wb_measured_analyse(const struct wb_samples *samples,
                                     const struct wb_measured_options *options,
                                     const struct wb_control *control, struct wb_measured *measured,
                                     warpbound_error *error)
{
  *measured = (struct wb_measured){.samples = samples, .options = *options};
  warpbound_status status = check_options(options, error);
  if (status != WARPBOUND_OK)
    return status;
  measured->series = wb_allocate(samples->count, sizeof *measured->series);
  if (measured->series == NULL)
    return wb_out_of_memory(error);
  for (size_t s = 0; status == WARPBOUND_OK && s < samples->count; s++) {
    measured->series[s].series = &samples->series[s];
    struct wb_measured_work work = {.options = options,
                                    .control = control,
                                    .result = &measured->series[s],
                                    .values = samples->series[s].values,
                                    .count = samples->series[s].count,
                                    .error = error};
    status = analyse_series(&work);
    if (status == WARPBOUND_OK)
      measured->count++;
    else
      free_series(&measured->series[s]);
  }
  if (status == WARPBOUND_LIMIT)
    return fail_at_limit(samples, measured->count, error);
  if (status != WARPBOUND_OK)
    wb_measured_free(measured);
  return status;
}

void wb_measured_free(struct wb_measured *measured)
{
  for (size_t s = 0; s < measured->count; s++)
    free_series(&measured->series[s]);
  free(measured->series);
  *measured = (struct wb_measured){0};
}

/* Measured times, of the public header. */
#include "api/measured/samples.h"

#include "api/arguments.h"
#include "base/memory.h"
#include "formats/samples/samples_file.h"
#include "formats/samples/time_units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static warpbound_status start(warpbound_samples **samples, warpbound_samples **made,
                              warpbound_error *error)
{
  const warpbound_status status = wb_require(samples, "samples", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  *samples = NULL;
  *made = wb_allocate(1, sizeof **made);
  return *made != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

/* Hands the samples out, or frees them after an error. */
static warpbound_status finish(warpbound_status status, warpbound_samples *made,
                               warpbound_samples **samples)
{
  if (status == WARPBOUND_OK)
    *samples = made;
  else
    warpbound_samples_free(made);
  return status;
}

warpbound_status warpbound_samples_parse(const char *name, const char *text, size_t length,
                                         const warpbound_samples_options *options,
                                         warpbound_samples **samples, warpbound_error *error)
{
  warpbound_samples *made = NULL;
  struct wb_samples_choice choice = {0};
  warpbound_status status = start(samples, &made, error);
  if (status != WARPBOUND_OK)
    return status;
  if (options != NULL)
    choice = (struct wb_samples_choice){options->column, options->group, options->unit};
  status = wb_require(text, "text", "measured times", error);
  if (status == WARPBOUND_OK)
    status =
        wb_samples_parse(name != NULL ? name : "", text, length, &choice, &made->samples, error);
  return finish(status, made, samples);
}

/* ---- values of the caller ---- */

static warpbound_status check_values(const double *values, size_t count, warpbound_error *error)
{
  const warpbound_status status = wb_require(values, "values", "measured times", error);
  if (status != WARPBOUND_OK)
    return status;
  if (count == 0 || count > WB_SAMPLES_LIMIT)
    return wb_fail(error, WARPBOUND_USAGE, "count: expected 1 to %zu values, found %zu",
                   WB_SAMPLES_LIMIT, count);
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(values[i]) || values[i] < 0)
      return wb_fail(error, WARPBOUND_USAGE,
                     "values: expected a finite number of 0 or more at index %zu, found %g", i,
                     values[i]);
  }
  return WARPBOUND_OK;
}

static warpbound_status take_unit(struct wb_samples *samples, const char *unit,
                                  warpbound_error *error)
{
  if (unit == NULL)
    return WARPBOUND_OK;
  const char *known = wb_time_unit(unit, strlen(unit));
  if (known == NULL)
    return wb_fail(error, WARPBOUND_USAGE, "unit: expected cycles, ns, us, ms or s, found '%.40s'",
                   unit);
  samples->unit = wb_copy_text(known, strlen(known));
  return samples->unit != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

/* Also where it fails all that was made belongs to the samples. */
static warpbound_status take_values(struct wb_samples *samples, const double *values, size_t count,
                                    warpbound_error *error)
{
  samples->file = wb_copy_text("", 0);
  if (samples->file == NULL || !wb_grow(samples->series, &samples->capacity, (size_t)1))
    return wb_out_of_memory(error);
  struct wb_series *series = &samples->series[0];
  *series =
      (struct wb_series){.name = wb_copy_text("", 0), .values = wb_allocate(count, sizeof *values)};
  samples->count = 1;
  if (series->name == NULL || series->values == NULL)
    return wb_out_of_memory(error);
  for (size_t i = 0; i < count; i++)
    series->values[i] = fabs(values[i]); /* -0 */
  series->count = series->capacity = count;
  return WARPBOUND_OK;
}

warpbound_status warpbound_samples_create(const double *values, size_t count, const char *unit,
                                          warpbound_samples **samples, warpbound_error *error)
{
  warpbound_samples *made = NULL;
  warpbound_status status = start(samples, &made, error);
  if (status != WARPBOUND_OK)
    return status;
  status = check_values(values, count, error);
  if (status == WARPBOUND_OK)
    status = take_unit(&made->samples, unit, error);
  if (status == WARPBOUND_OK)
    status = take_values(&made->samples, values, count, error);
  return finish(status, made, samples);
}

void warpbound_samples_free(warpbound_samples *samples)
{
  if (samples != NULL)
    wb_samples_free(&samples->samples);
  free(samples);
}

/* ---- what there is ---- */

const char *warpbound_samples_unit(const warpbound_samples *samples)
{
  return samples != NULL && samples->samples.unit != NULL ? samples->samples.unit : "";
}

size_t warpbound_samples_series_count(const warpbound_samples *samples)
{
  return samples != NULL ? samples->samples.count : 0;
}

/* The series, or NULL. */
static const struct wb_series *series_of(const warpbound_samples *samples, size_t series)
{
  return series < warpbound_samples_series_count(samples) ? &samples->samples.series[series] : NULL;
}

const char *warpbound_samples_series_name(const warpbound_samples *samples, size_t series)
{
  const struct wb_series *found = series_of(samples, series);
  return found != NULL ? found->name : "";
}

size_t warpbound_samples_count(const warpbound_samples *samples, size_t series)
{
  const struct wb_series *found = series_of(samples, series);
  return found != NULL ? found->count : 0;
}

const double *warpbound_samples_values(const warpbound_samples *samples, size_t series)
{
  const struct wb_series *found = series_of(samples, series);
  return found != NULL ? found->values : NULL;
}

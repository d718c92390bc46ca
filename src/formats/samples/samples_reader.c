/* Files of measured times: from a text to series. */
#include "formats/samples/samples_readers.h"

#include "base/memory.h"
#include "formats/samples/time_units.h"

#include <stdlib.h>
#include <string.h>

warpbound_status wb_samples_note_unit(struct wb_samples_reading *reading, const char *what,
                                      const char *unit, warpbound_error *error)
{
  if (reading->unit == NULL || strcmp(reading->unit, unit) == 0) {
    reading->unit = unit;
    return WARPBOUND_OK;
  }
  if (reading->choice->unit != NULL)
    return wb_fail(error, WARPBOUND_USAGE, "--unit: %.200s says %s, found '%.40s'", what, unit,
                   reading->choice->unit);
  return wb_fail(error, WARPBOUND_INVALID_INPUT,
                 "expected %s as before, found %s: one analysis is of times of one unit",
                 reading->unit, unit);
}

warpbound_status wb_samples_place(const struct wb_samples_reading *reading, size_t line,
                                  size_t column, warpbound_error *error)
{
  const warpbound_error cause = *error;
  return cause.status == WARPBOUND_INVALID_INPUT && cause.line == 0
             ? wb_fail_at(error, cause.status, reading->name, line, column, "%s", cause.message)
             : cause.status;
}

static warpbound_status take_unit(struct wb_samples_reading *reading, warpbound_error *error)
{
  const char *unit = reading->choice->unit;
  reading->unit = unit != NULL ? wb_time_unit(unit, strlen(unit)) : NULL;
  if (unit == NULL || reading->unit != NULL)
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_USAGE, "--unit: expected cycles, ns, us, ms or s, found '%.40s'",
                 unit);
}

/* Whether the text is JSON: no row of numbers or names begins so. */
static bool is_json(const char *text, size_t length)
{
  size_t at = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  while (at < length &&
         (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n'))
    at++;
  return at < length && (text[at] == '[' || text[at] == '{');
}

/* Hands over what was read. */
static warpbound_status finish(struct wb_samples_reading *reading, warpbound_error *error)
{
  struct wb_samples *samples = reading->builder.samples;
  if (reading->builder.total == 0)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, reading->name, 0, 0,
                      "expected measured times, found none");
  samples->file = wb_copy_text(reading->name, strlen(reading->name));
  if (reading->unit != NULL)
    samples->unit = wb_copy_text(reading->unit, strlen(reading->unit));
  samples->column = reading->column;
  reading->column = NULL;
  return samples->file != NULL && (samples->unit != NULL || reading->unit == NULL)
             ? WARPBOUND_OK
             : wb_out_of_memory(error);
}

static warpbound_status read_all(struct wb_samples_reading *reading, warpbound_error *error)
{
  warpbound_status status = take_unit(reading, error);
  if (status == WARPBOUND_OK)
    status = is_json(reading->text, reading->length) ? wb_samples_read_json(reading, error)
                                                     : wb_samples_read_csv(reading, error);
  return status == WARPBOUND_OK ? finish(reading, error) : status;
}

warpbound_status wb_samples_parse(const char *name, const char *text, size_t length,
                                  const struct wb_samples_choice *choice,
                                  struct wb_samples *samples, warpbound_error *error)
{
  warpbound_error own = {0};
  struct wb_samples_reading reading = {.name = name,
                                       .text = text,
                                       .length = length,
                                       .choice = choice,
                                       .builder = {.samples = samples}};
  *samples = (struct wb_samples){0};
  const warpbound_status status = read_all(&reading, error != NULL ? error : &own);
  wb_series_builder_free(&reading.builder);
  free(reading.column);
  if (status != WARPBOUND_OK)
    wb_samples_free(samples);
  return status;
}

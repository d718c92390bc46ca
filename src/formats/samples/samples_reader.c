/* Files of measured times: from a text to series. */
#include "formats/samples/samples_readers.h"

#include "base/hash.h"
#include "base/memory.h"
#include "formats/samples/sample_value.h"

#include <stdlib.h>
#include <string.h>

/* ---- series by name ---- */

/* A name that is looked for. */
struct key {
  const char *name;
  size_t length;
};

static bool is_named(const struct wb_series *series, const struct key *key)
{
  return strlen(series->name) == key->length && memcmp(series->name, key->name, key->length) == 0;
}

static bool equal(const void *items, uint32_t item, const void *key)
{
  return is_named((const struct wb_series *)items + item, key);
}

static uint64_t hash_of(const void *items, uint32_t item)
{
  const struct wb_series *series = (const struct wb_series *)items + item;
  return wb_hash_finish(wb_hash_bytes(WB_HASH_START, series->name, strlen(series->name)));
}

static warpbound_status add_series(struct wb_series_builder *builder, const struct key *key,
                                   uint32_t *slot, warpbound_error *error)
{
  struct wb_samples *samples = builder->samples;
  if (samples->count >= WB_SERIES_LIMIT)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "expected at most %d groups: runs or kernels, not a number of each measurement",
                   WB_SERIES_LIMIT);
  char *name = wb_copy_text(key->name, key->length);
  if (name == NULL || !wb_grow(samples->series, &samples->capacity, samples->count + 1)) {
    free(name);
    return wb_out_of_memory(error);
  }
  samples->series[samples->count++] = (struct wb_series){.name = name};
  *slot = (uint32_t)samples->count;
  return WARPBOUND_OK;
}

warpbound_status wb_series_find(struct wb_series_builder *builder, const char *name, size_t length,
                                size_t *place, warpbound_error *error)
{
  const struct wb_samples *samples = builder->samples;
  const struct key key = {name, strnlen(name, length)};
  if (builder->last < samples->count && is_named(&samples->series[builder->last], &key)) {
    *place = builder->last;
    return WARPBOUND_OK;
  }
  if (!wb_hash_table_grow(&builder->by_name, samples->count, hash_of, samples->series))
    return wb_out_of_memory(error);
  const uint64_t hash = wb_hash_finish(wb_hash_bytes(WB_HASH_START, name, key.length));
  uint32_t *slot = wb_hash_table_slot(&builder->by_name, hash, equal, samples->series, &key);
  warpbound_status status = WARPBOUND_OK;
  if (*slot == 0)
    status = add_series(builder, &key, slot, error);
  if (status == WARPBOUND_OK)
    *place = builder->last = *slot - 1;
  return status;
}

warpbound_status wb_series_add(struct wb_series_builder *builder, size_t place, double value,
                               warpbound_error *error)
{
  struct wb_series *series = &builder->samples->series[place];
  if (builder->total >= WB_SAMPLES_LIMIT)
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "expected at most %zu values", WB_SAMPLES_LIMIT);
  if (series->count >= series->capacity &&
      !wb_grow(series->values, &series->capacity, series->count + 1))
    return wb_out_of_memory(error);
  series->values[series->count++] = value;
  builder->total++;
  return WARPBOUND_OK;
}

/* ---- units and places ---- */

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

/* ---- the file ---- */

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
  warpbound_status status = WARPBOUND_OK;
  *samples = (struct wb_samples){0};
  error = error != NULL ? error : &own;
  if (choice->unit != NULL) {
    reading.unit = wb_time_unit(choice->unit, strlen(choice->unit));
    if (reading.unit == NULL)
      status = wb_fail(error, WARPBOUND_USAGE,
                       "--unit: expected cycles, ns, us, ms or s, found '%.40s'", choice->unit);
  }
  if (status == WARPBOUND_OK) {
    /* Whether the text is JSON: no row of numbers or names begins so. */
    size_t at = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < length &&
           (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n'))
      at++;
    status = (at < length && (text[at] == '[' || text[at] == '{'))
                 ? wb_samples_read_json(&reading, error)
                 : wb_samples_read_csv(&reading, error);
  }
  if (status == WARPBOUND_OK)
    status = finish(&reading, error);
  wb_hash_table_free(&reading.builder.by_name);
  free(reading.column);
  if (status != WARPBOUND_OK)
    wb_samples_free(samples);
  return status;
}

#include "formats/samples/series_builder.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

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

void wb_series_builder_free(struct wb_series_builder *builder)
{
  wb_hash_table_free(&builder->by_name);
}

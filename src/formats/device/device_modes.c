/* Modes of device files: other numbers of some values, as the power modes of Jetson have. */
#include "formats/device/device_reader.h"

#include "base/memory.h"
#include "base/text/ascii.h"
#include "formats/device/device_file.h"
#include "formats/json/json_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_MODE 60
#define MODE_LIMIT 32

/* ---- reading ---- */

/* "mode NAME: SOURCE", which a value of the mode has for its source. */
static const char *applied_source(struct wb_device_reader *reader,
                                  const struct wb_device_mode *mode)
{
  struct wb_text text = {0};
  wb_text_format(&text, "mode %s%s%s", mode->name, mode->source[0] != '\0' ? ": " : "",
                 mode->source);
  if (text.failed && wb_json_good(&reader->json))
    reader->json.status = wb_out_of_memory(reader->json.error);
  const char *copy = text.failed ? "" : wb_device_copy_text(reader, text.data, text.length);
  wb_text_free(&text);
  return copy;
}

static void read_changes(struct wb_device_reader *reader, const json_t *values,
                         struct wb_device_mode *mode)
{
  struct wb_json_reader *json = &reader->json;
  const char *key;
  json_t *number;
  if (!json_is_object(values))
    wb_json_expected(json, "an object as {\"sms\": 8}", values);
  struct wb_mode_change *changes =
      wb_json_allocate(json, json_object_size(values), sizeof *changes);
  json_object_foreach((json_t *)values, key, number)
  {
    char place[WB_DEVICE_PLACE_SIZE];
    if (!wb_json_good(json))
      return;
    snprintf(place, sizeof place, "modes, %s", mode->name);
    const uint32_t value = wb_device_find_value(reader, place, key);
    wb_json_at(json, "modes, %s, %.60s", mode->name, key);
    changes[mode->change_count++] =
        (struct wb_mode_change){value, wb_json_number(json, number, 0, INT64_MAX)};
  }
  mode->changes = changes;
}

void wb_device_read_modes(struct wb_device_reader *reader, const json_t *list)
{
  struct wb_json_reader *json = &reader->json;
  wb_json_at(json, "modes");
  const size_t count = list != NULL ? wb_device_expect_list(reader, list, MODE_LIMIT) : 0;
  struct wb_device_mode *modes = wb_json_allocate(json, count, sizeof *modes);
  for (size_t m = 0; m < count && wb_json_good(json); m++) {
    const json_t *object = json_array_get(list, m);
    struct wb_device_mode *mode = &modes[m];
    wb_json_at(json, "modes, entry %zu", m + 1);
    wb_json_object(json, object, "name kind source values");
    mode->name = wb_device_read_name(reader, json_object_get(object, "name"), LONGEST_MODE);
    for (size_t b = 0; b < m; b++) {
      if (wb_same_ignoring_case(modes[b].name, mode->name))
        wb_json_fail(json, "%s: expected a name that no mode before has, found '%s'", json->place,
                     mode->name);
    }
    mode->kind = wb_device_read_kind(reader, object);
    mode->source = wb_device_read_source(reader, object);
    mode->applied = applied_source(reader, mode);
    wb_json_at(json, "modes, %s, values", mode->name);
    read_changes(reader, json_object_get(object, "values"), mode);
    reader->device->modes = modes;
    reader->device->mode_count = m + 1;
  }
}

void wb_device_check_modes(struct wb_device_reader *reader)
{
  struct wb_device_timing *device = reader->device;
  struct wb_device_value *before =
      wb_json_allocate(&reader->json, device->value_count, sizeof *before);
  if (!wb_json_good(&reader->json))
    return;
  memcpy(before, device->values, device->value_count * sizeof *before);
  for (size_t m = 0; m < device->mode_count && wb_json_good(&reader->json); m++) {
    warpbound_error cause = {0};
    const warpbound_status status = wb_device_timing_mode(device, device->modes[m].name, &cause);
    if (status == WARPBOUND_INTERNAL)
      reader->json.status = wb_out_of_memory(reader->json.error);
    else if (status != WARPBOUND_OK)
      wb_json_fail(&reader->json, "modes, %s: %.400s", device->modes[m].name, cause.message);
    memcpy(device->values, before, device->value_count * sizeof *before);
  }
}

/* ---- writing ---- */

json_t *wb_device_modes_json(const struct wb_device_timing *device)
{
  json_t *list = json_array();
  for (size_t m = 0; m < device->mode_count; m++) {
    const struct wb_device_mode *mode = &device->modes[m];
    json_t *values = json_object();
    for (size_t c = 0; c < mode->change_count; c++)
      wb_json_put(&values, device->values[mode->changes[c].value].name,
                  json_integer((json_int_t)mode->changes[c].given));
    wb_json_push(&list, json_pack("{s:s, s:s, s:s, s:o}", "name", mode->name, "kind",
                                  wb_value_kind_name(mode->kind), "source", mode->source, "values",
                                  values));
  }
  return list;
}

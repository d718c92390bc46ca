/* The numbers of a device file: its values, and members that name one. */
#include "formats/device/device_reader.h"

#include "base/memory.h"
#include "base/text/choice.h"
#include "base/text/nearest.h"
#include "formats/device/device_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_NAME 100
#define LONGEST_SOURCE 2000

static const char *const value_keys[] = {"value", "kind", "source", NULL};
static const struct wb_choice kinds[] = {
    {"documented", WB_VALUE_DOCUMENTED},
    {"measured", WB_VALUE_MEASURED},
    {"declared", WB_VALUE_DECLARED},
    {"assumed", WB_VALUE_ASSUMED},
    {NULL, 0},
};

warpbound_status wb_device_read_text(struct wb_device_reader *reader, const char *place,
                                     const json_t *found, size_t most, char **copy)
{
  const char *text = json_string_value(found);
  if (text == NULL)
    return wb_json_wrong(reader->name, place, "a string", found, reader->error);
  const size_t length = json_string_length(found);
  if (length > most)
    return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                      "%s: expected at most %zu bytes, found %zu", place, most, length);
  for (size_t i = 0; i < length; i++) {
    if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
      return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                        "%s: expected a text without control characters, found '%.80s'", place,
                        text);
  }
  *copy = wb_copy_text(text, length);
  return *copy != NULL ? WARPBOUND_OK : wb_out_of_memory(reader->error);
}

warpbound_status wb_device_read_plain(struct wb_device_reader *reader, const char *place,
                                      const json_t *found, uint64_t most, uint64_t *number)
{
  return wb_json_number(reader->name, place, found, 0, most, number, reader->error);
}

/* Appends a value with a name that none has yet, whose texts the device owns in any case. */
static warpbound_status add_value(struct wb_device_reader *reader, struct wb_device_value value)
{
  struct wb_device_timing *device = reader->device;
  const size_t needed = device->value_count + 1;
  warpbound_status status = WARPBOUND_OK;
  reader->given += !value.left_out;
  if (value.name == NULL || value.source == NULL)
    status = wb_out_of_memory(reader->error);
  else if (reader->given > WB_DEVICE_VALUE_LIMIT)
    status = wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                        "expected at most %d numbers, found more", WB_DEVICE_VALUE_LIMIT);
  else if (!wb_grow(device->values, &device->value_capacity, needed))
    status = wb_out_of_memory(reader->error);
  if (status != WARPBOUND_OK) {
    free(value.name);
    free(value.source);
    return status;
  }
  device->values[device->value_count++] = value;
  return WARPBOUND_OK;
}

static warpbound_status read_kind(struct wb_device_reader *reader, const char *place,
                                  const json_t *found, enum wb_value_kind *kind)
{
  const char *text = json_string_value(found);
  if (text == NULL)
    return wb_json_wrong(reader->name, place,
                         "\"measured\", \"documented\", \"declared\" or "
                         "\"assumed\"",
                         found, reader->error);
  int number = 0;
  char prefix[WB_DEVICE_PLACE_SIZE + 8];
  snprintf(prefix, sizeof prefix, "%s: ", place);
  warpbound_error cause;
  if (wb_choice_read(kinds, prefix, text, &number, &cause) != WARPBOUND_OK)
    return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0, "%s",
                      cause.message);
  *kind = (enum wb_value_kind)number;
  return WARPBOUND_OK;
}

/* A value's name is written in options and messages: it is one word of printable characters. */
static warpbound_status check_value_name(struct wb_device_reader *reader, const char *name)
{
  const size_t length = strlen(name);
  bool good = length > 0 && length <= LONGEST_NAME;
  for (size_t i = 0; i < length && good; i++)
    good = (unsigned char)name[i] > 0x20 && name[i] != 0x7f && name[i] != '=';
  if (good)
    return WARPBOUND_OK;
  return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                    "values: expected a name of 1 to %d characters without blanks and '=', found "
                    "'%.110s'",
                    LONGEST_NAME, name);
}

static warpbound_status read_value(struct wb_device_reader *reader, const char *name,
                                   const json_t *object)
{
  warpbound_status status = check_value_name(reader, name);
  if (status != WARPBOUND_OK)
    return status;
  char place[WB_DEVICE_PLACE_SIZE];
  snprintf(place, sizeof place, "values, %s", name);
  if (!json_is_object(object))
    return wb_json_wrong(reader->name, place, "an object as {\"value\": 4, \"kind\": \"declared\"}",
                         object, reader->error);
  status = wb_json_check_keys(reader->name, object, value_keys, reader->error);
  uint64_t number = 0;
  if (status == WARPBOUND_OK)
    status =
        wb_device_read_plain(reader, place, json_object_get(object, "value"), INT64_MAX, &number);
  enum wb_value_kind kind = WB_VALUE_DECLARED;
  const json_t *found = json_object_get(object, "kind");
  if (status == WARPBOUND_OK && found != NULL)
    status = read_kind(reader, place, found, &kind);
  char *source = NULL;
  found = json_object_get(object, "source");
  if (status == WARPBOUND_OK && found != NULL)
    status = wb_device_read_text(reader, place, found, LONGEST_SOURCE, &source);
  if (status != WARPBOUND_OK)
    return status;
  if (source == NULL)
    source = wb_copy_text("", 0);
  return add_value(reader, (struct wb_device_value){.name = wb_copy_text(name, strlen(name)),
                                                    .value = number,
                                                    .kind = kind,
                                                    .source = source});
}

warpbound_status wb_device_read_values(struct wb_device_reader *reader, const json_t *values)
{
  warpbound_status status = WARPBOUND_OK;
  if (values == NULL)
    return status;
  if (!json_is_object(values))
    return wb_json_wrong(reader->name, "values", "an object", values, reader->error);
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)values, key, value)
  {
    status = read_value(reader, key, value);
    if (status != WARPBOUND_OK)
      return status;
  }
  return WARPBOUND_OK;
}

/* The value that a text names; the message about one that is not there has a near one. */
static warpbound_status find_value(struct wb_device_reader *reader, const char *place,
                                   const char *name, uint32_t *value)
{
  const struct wb_device_timing *device = reader->device;
  const size_t found = wb_device_value_find(device, name);
  if (found != SIZE_MAX && !device->values[found].left_out) {
    *value = (uint32_t)found;
    return WARPBOUND_OK;
  }
  struct wb_nearest nearest = wb_nearest_start(name);
  for (size_t v = 0; v < device->value_count; v++) {
    if (!device->values[v].left_out)
      wb_nearest_offer(&nearest, device->values[v].name);
  }
  char hint[WB_HINT_SIZE];
  return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                    "%s: expected the name of one of 'values', found '%.100s'%s", place, name,
                    wb_nearest_hint(&nearest, "", hint));
}

/* The number at a place where the file has none: a value of its own with the place's name, or,
 * where another one has that, with a blank in it, which no other one has. */
static warpbound_status add_left_out(struct wb_device_reader *reader, const char *place,
                                     uint32_t *value)
{
  static const char source[] = "not given by the device file: 0 is assumed";
  char name[WB_DEVICE_PLACE_SIZE + 16];
  const bool taken = wb_device_value_find(reader->device, place) != SIZE_MAX;
  snprintf(name, sizeof name, "%s%s", place, taken ? " (left out)" : "");
  *value = (uint32_t)reader->device->value_count;
  return add_value(reader,
                   (struct wb_device_value){.name = wb_copy_text(name, strlen(name)),
                                            .kind = WB_VALUE_ASSUMED,
                                            .source = wb_copy_text(source, sizeof source - 1),
                                            .left_out = true});
}

warpbound_status wb_device_read_number(struct wb_device_reader *reader, const char *place,
                                       const json_t *found, bool optional, uint32_t *value)
{
  if (found == NULL && optional)
    return add_left_out(reader, place, value);
  if (json_is_string(found))
    return find_value(reader, place, json_string_value(found), value);
  if (!json_is_integer(found))
    return wb_json_wrong(reader->name, place, "a whole number or the name of one of 'values'",
                         found, reader->error);
  uint64_t number = 0;
  warpbound_status status = wb_device_read_plain(reader, place, found, INT64_MAX, &number);
  if (status == WARPBOUND_OK && wb_device_value_find(reader->device, place) != SIZE_MAX)
    status = wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                        "%s: expected the name of a value, for one has the name of this place and "
                        "would be hidden; found a whole number",
                        place);
  if (status != WARPBOUND_OK)
    return status;
  *value = (uint32_t)reader->device->value_count;
  return add_value(reader, (struct wb_device_value){.name = wb_copy_text(place, strlen(place)),
                                                    .value = number,
                                                    .kind = WB_VALUE_DECLARED,
                                                    .source = wb_copy_text("", 0)});
}

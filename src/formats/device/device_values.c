/* Texts, lists, values and numbers of device files. */
#include "formats/device/device_reader.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/text/nearest.h"
#include "formats/device/device_file.h"

#include <stdio.h>
#include <string.h>

#define LONGEST_SOURCE 2000

static const struct wb_choice kinds[] = {
    {"documented", WB_VALUE_DOCUMENTED},
    {"measured", WB_VALUE_MEASURED},
    {"declared", WB_VALUE_DECLARED},
    {"assumed", WB_VALUE_ASSUMED},
    {NULL, 0},
};

static const struct wb_choice clocks[] = {
    {"sm", WB_CLOCK_SM},
    {"chip", WB_CLOCK_CHIP},
    {"memory", WB_CLOCK_MEMORY},
    {"picoseconds", WB_CLOCK_PICOSECONDS},
    {NULL, 0},
};

/* ---- texts ---- */

const char *wb_device_copy_text(struct wb_device_reader *reader, const char *text, size_t length)
{
  char *copy = wb_json_allocate(&reader->json, length + 1, 1);
  if (copy == NULL)
    return "";
  memcpy(copy, text, length);
  return copy;
}

const char *wb_device_read_text(struct wb_device_reader *reader, const json_t *found, size_t most)
{
  const char *text = json_string_value(found);
  const size_t length = json_string_length(found);
  if (text == NULL)
    wb_json_expected(&reader->json, "a string", found);
  if (length > most)
    wb_json_fail(&reader->json, "%s: expected at most %zu bytes, found %zu", reader->json.place,
                 most, length);
  for (size_t i = 0; text != NULL && i < length; i++) {
    if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
      wb_json_fail(&reader->json, "%s: expected a text without control characters, found '%.80s'",
                   reader->json.place, text);
  }
  return text != NULL ? wb_device_copy_text(reader, text, length) : "";
}

const char *wb_device_read_optional(struct wb_device_reader *reader, const json_t *object,
                                    const char *key, size_t most, const char *otherwise)
{
  const json_t *found = json_object_get(object, key);
  wb_json_at(&reader->json, "%s", key);
  return found != NULL ? wb_device_read_text(reader, found, most) : otherwise;
}

/* ---- lists and members ---- */

size_t wb_device_expect_list(struct wb_device_reader *reader, const json_t *list, size_t most)
{
  if (!json_is_array(list))
    wb_json_expected(&reader->json, "a list", list);
  if (json_array_size(list) > most)
    wb_json_fail(&reader->json, "%s: expected at most %zu entries, found %zu", reader->json.place,
                 most, json_array_size(list));
  return wb_json_good(&reader->json) ? json_array_size(list) : 0;
}

unsigned wb_device_read_choice(struct wb_device_reader *reader, const json_t *found,
                               const char *const *names, unsigned count)
{
  const char *text = json_string_value(found);
  if (text == NULL) {
    wb_json_expected(&reader->json, "a string", found);
    return 0;
  }
  struct wb_nearest nearest = wb_nearest_start(text);
  char list[120] = "";
  for (unsigned n = 0; n < count; n++) {
    if (strcmp(names[n], text) == 0)
      return n;
    wb_nearest_offer(&nearest, names[n]);
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", n > 0 ? ", " : "", names[n]);
  }
  char hint[WB_HINT_SIZE];
  wb_json_fail(&reader->json, "%s: expected one of %s, found '%.60s'%s", reader->json.place, list,
               text, wb_nearest_hint(&nearest, "", hint));
  return 0;
}

const char *wb_device_read_name(struct wb_device_reader *reader, const json_t *found, size_t most)
{
  const char *name = wb_device_read_text(reader, found, most);
  bool good = name[0] != '\0';
  for (size_t i = 0; name[i] != '\0' && good; i++)
    good = name[i] != '=' && (unsigned char)name[i] > 0x20;
  if (!good)
    wb_json_fail(&reader->json, "%s: expected a name without blanks and '=', found '%.60s'",
                 reader->json.place, name);
  return name;
}

void wb_device_check_keys(struct wb_device_reader *reader, const json_t *object, const char *before,
                          const struct wb_device_member *members, const char *after)
{
  struct wb_text keys = {0};
  wb_text_string(&keys, before);
  for (; members->key != NULL; members++)
    wb_text_format(&keys, "%s ", members->key);
  wb_text_string(&keys, after);
  if (wb_json_good(&reader->json))
    reader->json.status =
        keys.failed ? wb_out_of_memory(reader->json.error)
                    : wb_json_check_keys(reader->json.name, object, keys.data, reader->json.error);
  wb_text_free(&keys);
}

/* ---- values ---- */

/* Appends a value with a name that none has yet; its number. left_out: 0, assumed. */
static uint32_t add_value(struct wb_device_reader *reader, const char *name, uint64_t number,
                          enum wb_value_kind kind, const char *source, bool left_out)
{
  struct wb_device_timing *device = reader->device;
  struct wb_device_value value = {.name = wb_device_copy_text(reader, name, strlen(name)),
                                  .value = number,
                                  .given = number,
                                  .kind = kind,
                                  .source = source,
                                  .left_out = left_out};
  reader->given += !left_out;
  if (reader->given > WB_DEVICE_VALUE_LIMIT)
    wb_json_fail(&reader->json, "expected at most %d numbers, found more", WB_DEVICE_VALUE_LIMIT);
  if (wb_json_good(&reader->json) &&
      !wb_grow(device->values, &device->value_capacity, device->value_count + 1))
    reader->json.status = wb_out_of_memory(reader->json.error);
  if (!wb_json_good(&reader->json))
    return 0;
  device->values[device->value_count] = value;
  return (uint32_t)device->value_count++;
}

/* A value's name is written in options and messages: it is one word of printable characters. */
static void check_value_name(struct wb_device_reader *reader, const char *name)
{
  const size_t length = strlen(name);
  bool good = length > 0 && length <= WB_DEVICE_LONGEST_NAME;
  for (size_t i = 0; i < length && good; i++)
    good = (unsigned char)name[i] > 0x20 && name[i] != 0x7f && name[i] != '=';
  if (!good)
    wb_json_fail(&reader->json,
                 "values: expected a name of 1 to %d characters without blanks and '=', found "
                 "'%.110s'",
                 WB_DEVICE_LONGEST_NAME, name);
}

/* One of the words of a table, `otherwise` where there is none. The place at hand stays. */
static int read_word(struct wb_device_reader *reader, const json_t *said,
                     const struct wb_choice *words, const char *expected, int otherwise)
{
  char prefix[WB_DEVICE_PLACE_SIZE + 8];
  int word = otherwise;
  warpbound_error cause;
  snprintf(prefix, sizeof prefix, "%s: ", reader->json.place);
  if (said != NULL && !json_is_string(said))
    wb_json_expected(&reader->json, expected, said);
  else if (said != NULL &&
           wb_choice_read(words, prefix, json_string_value(said), &word, &cause) != WARPBOUND_OK)
    wb_json_fail(&reader->json, "%s", cause.message);
  return word;
}

enum wb_value_kind wb_device_read_kind(struct wb_device_reader *reader, const json_t *object)
{
  return (enum wb_value_kind)read_word(reader, json_object_get(object, "kind"), kinds,
                                       "\"measured\", \"documented\", \"declared\" or \"assumed\"",
                                       WB_VALUE_DECLARED);
}

const char *wb_device_read_source(struct wb_device_reader *reader, const json_t *object)
{
  const json_t *found = json_object_get(object, "source");
  return found != NULL ? wb_device_read_text(reader, found, LONGEST_SOURCE) : "";
}

static void read_value(struct wb_device_reader *reader, const char *name, const json_t *value)
{
  struct wb_json_reader *json = &reader->json;
  wb_json_at(json, "values, %s", name);
  if (!json_is_object(value))
    wb_json_expected(json, "an object as {\"value\": 4, \"kind\": \"declared\"}", value);
  wb_json_object(json, value, "value clock at_clock at_memory_clock kind source");
  const uint64_t number = wb_json_number(json, json_object_get(value, "value"), 0, INT64_MAX);
  const int clock = read_word(reader, json_object_get(value, "clock"), clocks,
                              "\"sm\", \"chip\", \"memory\" or \"picoseconds\"", WB_CLOCK_UNKNOWN);
  const enum wb_value_kind kind = wb_device_read_kind(reader, value);
  const uint32_t made =
      add_value(reader, name, number, kind, wb_device_read_source(reader, value), false);
  static const char *const at[] = {"at_clock", "at_memory_clock"};
  uint64_t hertz[2] = {0, 0};
  for (size_t c = 0; c < 2; c++) {
    if (json_object_get(value, at[c]) != NULL)
      hertz[c] = wb_json_member(json, value, at[c], 1, INT64_MAX);
  }
  if (wb_json_good(json)) {
    struct wb_device_value *row = &reader->device->values[made];
    row->clock = (enum wb_value_clock)clock;
    row->at_clock = hertz[0];
    row->at_memory_clock = hertz[1];
  }
}

void wb_device_read_values(struct wb_device_reader *reader, const json_t *values)
{
  const char *key;
  json_t *value;
  wb_json_at(&reader->json, "values");
  if (values != NULL && !json_is_object(values))
    wb_json_expected(&reader->json, "an object", values);
  json_object_foreach((json_t *)values, key, value)
  {
    if (!wb_json_good(&reader->json))
      return;
    check_value_name(reader, key);
    read_value(reader, key, value);
  }
}

/* ---- numbers ---- */

uint32_t wb_device_find_value(struct wb_device_reader *reader, const char *place, const char *name)
{
  const struct wb_device_timing *device = reader->device;
  const size_t found = wb_device_value_find(device, name);
  if (found != SIZE_MAX && !device->values[found].left_out)
    return (uint32_t)found;
  struct wb_nearest nearest = wb_nearest_start(name);
  for (size_t v = 0; v < device->value_count; v++) {
    if (!device->values[v].left_out)
      wb_nearest_offer(&nearest, device->values[v].name);
  }
  char hint[WB_HINT_SIZE];
  wb_json_fail(&reader->json, "%s: expected the name of one of 'values', found '%.100s'%s", place,
               name, wb_nearest_hint(&nearest, "", hint));
  return 0;
}

uint32_t wb_device_read_found(struct wb_device_reader *reader, const char *before, const char *key,
                              const json_t *found, bool optional)
{
  char place[WB_DEVICE_PLACE_SIZE];
  char name[WB_DEVICE_PLACE_SIZE + 16];
  snprintf(place, sizeof place, "%.120s%s%s", before, before[0] != '\0' ? "." : "", key);
  wb_json_at(&reader->json, "%s", place);
  const bool taken = wb_device_value_find(reader->device, place) != SIZE_MAX;
  if (!wb_json_good(&reader->json))
    return 0;
  if (found == NULL && optional) {
    snprintf(name, sizeof name, "%s%s", place, taken ? " (left out)" : "");
    return add_value(reader, name, 0, WB_VALUE_ASSUMED,
                     "not given by the device file: 0 is assumed", true);
  }
  if (json_is_string(found))
    return wb_device_find_value(reader, place, json_string_value(found));
  if (!json_is_integer(found))
    wb_json_expected(&reader->json, "a whole number or the name of one of 'values'", found);
  const uint64_t number = wb_json_number(&reader->json, found, 0, INT64_MAX);
  if (taken)
    wb_json_fail(&reader->json,
                 "%s: expected the name of a value, for one has the name of this place and would "
                 "be hidden; found a whole number",
                 place);
  return add_value(reader, place, number, WB_VALUE_DECLARED, "", false);
}

uint32_t wb_device_read_number(struct wb_device_reader *reader, const char *before,
                               const json_t *object, const char *key, bool optional)
{
  return wb_device_read_found(reader, before, key, json_object_get(object, key), optional);
}

/* The reader of device files: names, values, and members that name one. */
#include "formats/device/device_reader.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/text/choice.h"
#include "base/text/nearest.h"
#include "formats/device/device_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_NAME 100
#define LONGEST_CLIENTS 300
#define LONGEST_SOURCE 2000
#define LARGEST_ARCHITECTURE 9999

#define MEMBER(name) offsetof(struct wb_device_timing, name)

const struct wb_device_member wb_device_members[] = {
    {"sms", MEMBER(sms), false},
    {"partitions", MEMBER(partitions), false},
    {"clock", MEMBER(clock), false},
    {"launch_overhead", MEMBER(launch_overhead), true},
    {"block_start", MEMBER(block_start), true},
    {"dispatch", MEMBER(dispatch), true},
    {"yield", MEMBER(yield), true},
    {"drain", MEMBER(drain), true},
    {"constant_operand", MEMBER(constant_operand), true},
    {NULL, 0, false},
};

const struct wb_device_member wb_residency_members[] = {
    {"max_blocks", MEMBER(residency.max_blocks), false},
    {"max_warps", MEMBER(residency.max_warps), false},
    {"max_threads_per_block", MEMBER(residency.max_threads_per_block), false},
    {"registers", MEMBER(residency.registers), false},
    {"registers_per_block", MEMBER(residency.registers_per_block), false},
    {"registers_per_thread", MEMBER(residency.registers_per_thread), false},
    {"register_unit", MEMBER(residency.register_unit), false},
    {"shared_memory", MEMBER(residency.shared_memory), false},
    {"shared_per_block", MEMBER(residency.shared_per_block), false},
    {"shared_unit", MEMBER(residency.shared_unit), false},
    {"shared_reserved", MEMBER(residency.shared_reserved), true},
    {"barriers", MEMBER(residency.barriers), false},
    {NULL, 0, false},
};

static const struct wb_choice kinds[] = {
    {"documented", WB_VALUE_DOCUMENTED},
    {"measured", WB_VALUE_MEASURED},
    {"declared", WB_VALUE_DECLARED},
    {"assumed", WB_VALUE_ASSUMED},
    {NULL, 0},
};

/* ---- texts ---- */

static char *copy_text(struct wb_device_reader *reader, const char *text, size_t length)
{
  char *copy = wb_json_good(&reader->json) ? wb_copy_text(text, length) : NULL;
  if (wb_json_good(&reader->json) && copy == NULL)
    reader->json.status = wb_out_of_memory(reader->json.error);
  return copy;
}

char *wb_device_read_text(struct wb_device_reader *reader, const json_t *found, size_t most)
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
  return copy_text(reader, text, length);
}

/* A text that may be left out: `otherwise` then. */
static char *read_optional(struct wb_device_reader *reader, const json_t *object, const char *key,
                           size_t most, const char *otherwise, size_t length)
{
  const json_t *found = json_object_get(object, key);
  wb_json_at(&reader->json, "%s", key);
  return found != NULL ? wb_device_read_text(reader, found, most)
                       : copy_text(reader, otherwise, length);
}

/* ---- values ---- */

/* Appends a value with a name that none has yet; its number. left_out: 0, assumed. */
static uint32_t add_value(struct wb_device_reader *reader, const char *name, uint64_t number,
                          enum wb_value_kind kind, char *source, bool left_out)
{
  struct wb_device_timing *device = reader->device;
  struct wb_device_value value = {.name = copy_text(reader, name, strlen(name)),
                                  .value = number,
                                  .kind = kind,
                                  .source = source,
                                  .left_out = left_out};
  reader->given += !left_out;
  if (reader->given > WB_DEVICE_VALUE_LIMIT)
    wb_json_fail(&reader->json, "expected at most %d numbers, found more", WB_DEVICE_VALUE_LIMIT);
  if (wb_json_good(&reader->json) &&
      !wb_grow(device->values, &device->value_capacity, device->value_count + 1))
    reader->json.status = wb_out_of_memory(reader->json.error);
  if (!wb_json_good(&reader->json)) {
    free(value.name);
    free(value.source);
    return 0;
  }
  device->values[device->value_count] = value;
  return (uint32_t)device->value_count++;
}

static enum wb_value_kind read_kind(struct wb_device_reader *reader, const json_t *found)
{
  const char *text = json_string_value(found);
  char prefix[WB_DEVICE_PLACE_SIZE + 8];
  int number = WB_VALUE_DECLARED;
  warpbound_error cause;
  if (found == NULL)
    return WB_VALUE_DECLARED;
  snprintf(prefix, sizeof prefix, "%s: ", reader->json.place);
  if (text == NULL)
    wb_json_expected(&reader->json, "\"measured\", \"documented\", \"declared\" or \"assumed\"",
                     found);
  else if (wb_choice_read(kinds, prefix, text, &number, &cause) != WARPBOUND_OK)
    wb_json_fail(&reader->json, "%s", cause.message);
  return (enum wb_value_kind)number;
}

static void read_values(struct wb_device_reader *reader, const json_t *values)
{
  const char *key;
  json_t *value;
  wb_json_at(&reader->json, "values");
  if (values != NULL && !json_is_object(values))
    wb_json_expected(&reader->json, "an object", values);
  json_object_foreach((json_t *)values, key, value)
  {
    if (wb_json_good(&reader->json)) {
      /* A value's name is written in options and messages: it is one word of printable characters.
       */
      struct wb_json_reader *json = &reader->json;
      const size_t length = strlen(key);
      const json_t *found = json_object_get(value, "source");
      bool good = length > 0 && length <= LONGEST_NAME;
      for (size_t i = 0; i < length && good; i++)
        good = (unsigned char)key[i] > 0x20 && key[i] != 0x7f && key[i] != '=';
      if (!good)
        wb_json_fail(json,
                     "values: expected a name of 1 to %d characters without blanks and '=', found "
                     "'%.110s'",
                     LONGEST_NAME, key);
      wb_json_at(json, "values, %s", key);
      if (!json_is_object(value))
        wb_json_expected(json, "an object as {\"value\": 4, \"kind\": \"declared\"}", value);
      wb_json_object(json, value, "value kind source");
      const uint64_t number = wb_json_number(json, json_object_get(value, "value"), 0, INT64_MAX);
      const enum wb_value_kind kind = read_kind(reader, json_object_get(value, "kind"));
      char *source = found != NULL ? wb_device_read_text(reader, found, LONGEST_SOURCE)
                                   : copy_text(reader, "", 0);
      add_value(reader, key, number, kind, source, false);
    }
  }
}

/* ---- numbers ---- */

/* The value that a text names; the message about one that is not there has a near one. */
static uint32_t find_value(struct wb_device_reader *reader, const char *place, const char *name)
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

/* A number that is left out has the place's name, or, where another one has that, the same with a
 * blank in it, which no other one has. */
uint32_t wb_device_read_number(struct wb_device_reader *reader, const char *before, const char *key,
                               const json_t *found, bool optional)
{
  static const char assumed[] = "not given by the device file: 0 is assumed";
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
                     copy_text(reader, assumed, sizeof assumed - 1), true);
  }
  if (json_is_string(found))
    return find_value(reader, place, json_string_value(found));
  if (!json_is_integer(found))
    wb_json_expected(&reader->json, "a whole number or the name of one of 'values'", found);
  const uint64_t number = wb_json_number(&reader->json, found, 0, INT64_MAX);
  if (taken)
    wb_json_fail(&reader->json,
                 "%s: expected the name of a value, for one has the name of this place and would "
                 "be hidden; found a whole number",
                 place);
  return add_value(reader, place, number, WB_VALUE_DECLARED, copy_text(reader, "", 0), false);
}

/* ---- members of the whole device ---- */

/* Refuses keys but those of the members and others, which stand before and after them. */
static void check_keys(struct wb_device_reader *reader, const json_t *object, const char *before,
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

static void read_members(struct wb_device_reader *reader, const json_t *object, const char *before,
                         const struct wb_device_member *members)
{
  for (; members->key != NULL; members++)
    *(uint32_t *)(void *)((char *)reader->device + members->offset) = wb_device_read_number(
        reader, before, members->key, json_object_get(object, members->key), members->optional);
}

/* shared_carveouts: the sizes that shared memory can be set to; a file may leave them out. */
static void read_residency(struct wb_device_reader *reader, const json_t *object)
{
  static const char member[] = "residency.shared_carveouts";
  struct wb_residency_rules *rules = &reader->device->residency;
  const json_t *list = json_object_get(object, "shared_carveouts");
  const size_t count = json_array_size(list);
  wb_json_at(&reader->json, "residency");
  if (!json_is_object(object))
    wb_json_expected(&reader->json, "an object", object);
  check_keys(reader, object, "", wb_residency_members, "shared_carveouts");
  read_members(reader, object, "residency", wb_residency_members);
  if (list == NULL)
    return;
  wb_json_at(&reader->json, "%s", member);
  if (!json_is_array(list))
    wb_json_expected(&reader->json, "a list of sizes", list);
  if (count == 0 || count > WB_CARVEOUT_LIMIT)
    wb_json_fail(&reader->json, "%s: expected from 1 to %d sizes, found %zu", member,
                 WB_CARVEOUT_LIMIT, count);
  for (size_t c = 0; c < count && wb_json_good(&reader->json); c++) {
    char number[24];
    snprintf(number, sizeof number, "%zu", c + 1);
    rules->carveouts[c] =
        wb_device_read_number(reader, member, number, json_array_get(list, c), false);
    rules->carveout_count = c + 1;
  }
}

static warpbound_status read_object(const char *name, const json_t *object, void *into,
                                    warpbound_error *error)
{
  static const char *const formats[] = {WB_DEVICE_FORMAT, NULL};
  struct wb_device_reader reader = {.json = {.name = name, .error = error}, .device = into};
  reader.json.status = wb_json_format(name, object, formats, error);
  check_keys(&reader, object, "format name product memory_clients architecture ", wb_device_members,
             "residency resources classes values");
  struct wb_device_timing *device = reader.device;
  const char *file = reader.json.name;
  const char *slash = strrchr(file, '/');
  const char *start = slash != NULL ? slash + 1 : file;
  const size_t length = strlen(start);
  const bool json = length > 5 && strcmp(start + length - 5, ".json") == 0;
  device->file = copy_text(&reader, file, strlen(file));
  device->name =
      read_optional(&reader, object, "name", LONGEST_NAME, start, json ? length - 5 : length);
  device->product = read_optional(&reader, object, "product", LONGEST_NAME, "", 0);
  device->memory_clients = read_optional(&reader, object, "memory_clients", LONGEST_CLIENTS, "", 0);
  wb_json_at_file(&reader.json);
  device->architecture =
      (uint32_t)wb_json_member(&reader.json, object, "architecture", 0, LARGEST_ARCHITECTURE);
  read_values(&reader, json_object_get(object, "values"));
  read_members(&reader, object, "", wb_device_members);
  read_residency(&reader, json_object_get(object, "residency"));
  wb_device_read_resources(&reader, json_object_get(object, "resources"));
  wb_device_read_classes(&reader, json_object_get(object, "classes"));
  return wb_json_good(&reader.json) ? wb_device_timing_verify(reader.device, error)
                                    : reader.json.status;
}

warpbound_status wb_device_timing_read(const char *name, const char *text, size_t length,
                                       struct wb_device_timing *device, warpbound_error *error)
{
  *device = (struct wb_device_timing){0};
  warpbound_status status = wb_json_parse_as(name, text, length, read_object, device, error);
  if (status != WARPBOUND_OK)
    wb_device_timing_free(device);
  return status;
}

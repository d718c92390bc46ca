/* The reader of SM configuration files. */
#include "formats/sm/sm_file.h"

#include "formats/json/json_input.h"

#include <inttypes.h>
#include <stdio.h>

#define LARGEST_WARP 1024

/* A file being read. */
struct sm_reader {
  /* The file's, for messages. */
  const char *name;
  /* Threads of a warp. */
  uint32_t warp_size;
  warpbound_error *error;
};

static const char *const file_keys[] = {"name",  "warp_size", "partitions", "issue_slots",
                                        "units", "max_warps", NULL};
static const char *const unit_keys[] = {"capacity", "lanes", "hold", "shared", NULL};

/* Reads an optional whole number; messages put `before` before its key. */
static warpbound_status optional(const struct sm_reader *reader, const char *before,
                                 const json_t *object, const char *key, uint32_t least,
                                 uint32_t most, uint32_t *value)
{
  const json_t *member = json_object_get(object, key);
  if (member == NULL)
    return WARPBOUND_OK;
  char place[48];
  snprintf(place, sizeof place, "%s%s", before, key);
  uint64_t number;
  warpbound_status status =
      wb_json_number(reader->name, place, member, least, most, &number, reader->error);
  if (status == WARPBOUND_OK)
    *value = (uint32_t)number;
  return status;
}

warpbound_status wb_sm_file_capacity(const char *name, const char *key, const json_t *value,
                                     struct wb_unit_capacity *capacity, warpbound_error *error)
{
  char place[32];
  snprintf(place, sizeof place, "units, %s", key);
  char number[32];
  const char *text = json_string_value(value);
  if (json_is_integer(value)) {
    snprintf(number, sizeof number, "%" PRId64, (int64_t)json_integer_value(value));
    text = number;
  }
  if (text == NULL)
    return wb_json_wrong(name, place, "a whole number, or a fraction as \"1/8\"", value, error);
  warpbound_error cause;
  if (wb_unit_capacity_parse(capacity, text, place, &cause) != WARPBOUND_OK)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0, "%s", cause.message);
  return WARPBOUND_OK;
}

static warpbound_status read_lanes(const struct sm_reader *reader, const char *before,
                                   const json_t *object, struct wb_unit_capacity *capacity)
{
  uint32_t lanes = 0;
  warpbound_status status = optional(reader, before, object, "lanes", 1, WB_CAPACITY_LIMIT, &lanes);
  if (status == WARPBOUND_OK)
    wb_unit_capacity_set(capacity, lanes, reader->warp_size);
  return status;
}

static warpbound_status read_shared(const struct sm_reader *reader, const char *before,
                                    const json_t *object, struct wb_unit_capacity *capacity)
{
  const json_t *shared = json_object_get(object, "shared");
  char place[48];
  snprintf(place, sizeof place, "%sshared", before);
  if (shared != NULL && !json_is_boolean(shared))
    return wb_json_wrong(reader->name, place, "true or false", shared, reader->error);
  capacity->shared = json_is_true(shared);
  return WARPBOUND_OK;
}

static warpbound_status read_unit_object(const struct sm_reader *reader, const char *key,
                                         const json_t *object, struct wb_unit_capacity *capacity)
{
  warpbound_status status = wb_json_check_keys(reader->name, object, unit_keys, reader->error);
  if (status != WARPBOUND_OK)
    return status;
  const json_t *sigma = json_object_get(object, "capacity");
  const json_t *lanes = json_object_get(object, "lanes");
  if ((sigma == NULL) == (lanes == NULL))
    return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                      "units, %s: expected either 'capacity' or 'lanes', found %s", key,
                      sigma == NULL ? "neither" : "both");
  char before[32];
  snprintf(before, sizeof before, "units, %s, ", key);
  status = sigma != NULL ? wb_sm_file_capacity(reader->name, key, sigma, capacity, reader->error)
                         : read_lanes(reader, before, object, capacity);
  if (status == WARPBOUND_OK)
    status = optional(reader, before, object, "hold", 1, WB_HOLD_LIMIT, &capacity->hold);
  return status == WARPBOUND_OK ? read_shared(reader, before, object, capacity) : status;
}

warpbound_status wb_sm_file_unit(const char *name, const char *key, enum wb_unit *unit,
                                 warpbound_error *error)
{
  char hint[WB_UNIT_HINT_SIZE];
  *unit = key[0] != '\0' && key[1] == '\0' ? wb_unit_from_letter(key[0]) : WB_UNIT_COUNT;
  if (*unit >= WB_UNIT_NONE)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "units: expected L, C, S, D or T, found '%.40s'%s", key,
                      key[0] != '\0' && key[1] == '\0' ? wb_unit_hint(key[0], hint) : "");
  return WARPBOUND_OK;
}

static warpbound_status read_units(const struct sm_reader *reader, json_t *units,
                                   struct wb_sm_configuration *sm)
{
  if (!json_is_object(units))
    return wb_json_wrong(reader->name, "units", "an object as {\"L\": 1, \"C\": 4}", units,
                         reader->error);
  const char *key;
  json_t *value;
  json_object_foreach(units, key, value)
  {
    enum wb_unit unit;
    warpbound_status status = wb_sm_file_unit(reader->name, key, &unit, reader->error);
    if (status == WARPBOUND_OK && json_is_object(value))
      status = read_unit_object(reader, key, value, &sm->unit[unit]);
    else if (status == WARPBOUND_OK)
      status = wb_sm_file_capacity(reader->name, key, value, &sm->unit[unit], reader->error);
    if (status != WARPBOUND_OK)
      return status;
  }
  return WARPBOUND_OK;
}

/* The configuration's name goes to terminals: no control characters. Without one it is
 * the file's. */
static warpbound_status read_name(const struct sm_reader *reader, const json_t *name,
                                  struct wb_sm_configuration *sm)
{
  const char *text = name != NULL ? json_string_value(name) : reader->name;
  if (text == NULL)
    return wb_json_wrong(reader->name, "name", "a string", name, reader->error);
  wb_sm_configuration_start(sm, text);
  snprintf(sm->file, sizeof sm->file, "%s", reader->name);
  for (size_t i = 0; name != NULL && text[i] != '\0'; i++) {
    if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
      return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                        "name: expected a text without control characters, found '%.80s'", text);
  }
  return WARPBOUND_OK;
}

static warpbound_status read_file(struct sm_reader *reader, const json_t *object,
                                  struct wb_sm_configuration *sm)
{
  warpbound_status status = wb_json_check_keys(reader->name, object, file_keys, reader->error);
  if (status == WARPBOUND_OK)
    status = read_name(reader, json_object_get(object, "name"), sm);
  if (status == WARPBOUND_OK)
    status = optional(reader, "", object, "warp_size", 1, LARGEST_WARP, &reader->warp_size);
  if (status == WARPBOUND_OK)
    status = optional(reader, "", object, "partitions", 1, WB_PARTITION_LIMIT, &sm->partitions);
  if (status == WARPBOUND_OK)
    status = optional(reader, "", object, "issue_slots", 0, WB_CAPACITY_LIMIT, &sm->issue_slots);
  if (status == WARPBOUND_OK)
    status = optional(reader, "", object, "max_warps", 0, WB_WARP_LIMIT, &sm->max_warps);
  return status == WARPBOUND_OK ? read_units(reader, json_object_get(object, "units"), sm) : status;
}

static warpbound_status read_object(const char *name, const json_t *object, void *into,
                                    warpbound_error *error)
{
  struct sm_reader reader = {.name = name, .warp_size = 32, .error = error};
  return read_file(&reader, object, into);
}

warpbound_status wb_sm_file_parse(const char *name, const char *text, size_t length,
                                  struct wb_sm_configuration *sm, warpbound_error *error)
{
  return wb_json_parse_as(name, text, length, read_object, sm, error);
}

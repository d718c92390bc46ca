/* The reader of SM configuration files. */
#include "formats/sm/sm_file.h"

#include "formats/json/json_input.h"

#include <inttypes.h>
#include <stdio.h>

#define LARGEST_WARP 1024

static void read_capacity(struct wb_json_reader *reader, const char *key, const json_t *value,
                          struct wb_unit_capacity *capacity)
{
  if (wb_json_good(reader))
    reader->status = wb_sm_file_capacity(reader->name, key, value, capacity, reader->error);
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

static void read_units(struct wb_json_reader *reader, const json_t *units, uint32_t warp_size,
                       struct wb_sm_configuration *sm)
{
  const char *key;
  json_t *value;
  wb_json_at(reader, "units");
  if (!json_is_object(units))
    wb_json_expected(reader, "an object as {\"L\": 1, \"C\": 4}", units);
  json_object_foreach((json_t *)units, key, value)
  {
    enum wb_unit unit;
    if (wb_json_good(reader))
      reader->status = wb_sm_file_unit(reader->name, key, &unit, reader->error);
    if (!wb_json_good(reader))
      return;
    if (json_is_object(value)) {
      /* warp_size: threads of a warp. */
      const json_t *sigma = json_object_get(value, "capacity");
      const json_t *shared = json_object_get(value, "shared");
      const bool has_lanes = json_object_get(value, "lanes") != NULL;
      wb_json_at(reader, "units, %s", key);
      wb_json_object(reader, value, "capacity lanes hold shared");
      if ((sigma == NULL) != has_lanes)
        wb_json_fail(reader, "units, %s: expected either 'capacity' or 'lanes', found %s", key,
                     sigma == NULL ? "neither" : "both");
      if (sigma != NULL)
        read_capacity(reader, key, sigma, &sm->unit[unit]);
      const uint32_t lanes =
          (uint32_t)wb_json_optional(reader, value, "lanes", 1, WB_CAPACITY_LIMIT, 0);
      if (has_lanes && wb_json_good(reader))
        wb_unit_capacity_set(&sm->unit[unit], lanes, warp_size);
      sm->unit[unit].hold =
          (uint32_t)wb_json_optional(reader, value, "hold", 1, WB_HOLD_LIMIT, sm->unit[unit].hold);
      wb_json_at(reader, "units, %s, shared", key);
      if (shared != NULL && !json_is_boolean(shared))
        wb_json_expected(reader, "true or false", shared);
      sm->unit[unit].shared = json_is_true(shared);
    } else
      read_capacity(reader, key, value, &sm->unit[unit]);
  }
}

static warpbound_status read_object(const char *name, const json_t *object, void *into,
                                    warpbound_error *error)
{
  struct wb_sm_configuration *sm = into;
  struct wb_json_reader reader = {.name = name, .error = error};
  wb_json_object(&reader, object, "name warp_size partitions issue_slots units max_warps");
  /* The configuration's name goes to terminals: no control characters. Without one it is the
   * file's. */
  const json_t *own = json_object_get(object, "name");
  const char *text = own != NULL ? json_string_value(own) : name;
  wb_json_at(&reader, "name");
  if (text == NULL)
    wb_json_expected(&reader, "a string", own);
  for (size_t i = 0; own != NULL && text != NULL && text[i] != '\0'; i++) {
    if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
      wb_json_fail(&reader, "name: expected a text without control characters, found '%.80s'",
                   text);
  }
  if (!wb_json_good(&reader))
    return reader.status;
  wb_sm_configuration_start(sm, text);
  snprintf(sm->file, sizeof sm->file, "%s", name);
  wb_json_at_file(&reader);
  const uint32_t warp_size =
      (uint32_t)wb_json_optional(&reader, object, "warp_size", 1, LARGEST_WARP, 32);
  sm->partitions = (uint32_t)wb_json_optional(&reader, object, "partitions", 1, WB_PARTITION_LIMIT,
                                              sm->partitions);
  sm->issue_slots = (uint32_t)wb_json_optional(&reader, object, "issue_slots", 0, WB_CAPACITY_LIMIT,
                                               sm->issue_slots);
  sm->max_warps =
      (uint32_t)wb_json_optional(&reader, object, "max_warps", 0, WB_WARP_LIMIT, sm->max_warps);
  read_units(&reader, json_object_get(object, "units"), warp_size, sm);
  return reader.status;
}

warpbound_status wb_sm_file_parse(const char *name, const char *text, size_t length,
                                  struct wb_sm_configuration *sm, warpbound_error *error)
{
  return wb_json_parse_as(name, text, length, read_object, sm, error);
}

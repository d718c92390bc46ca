#include "frontend/sm_file.h"

#include "frontend/json_input.h"

#include <stdio.h>

#define LARGEST_WARP 1024

/* A file being read: its name for messages and its warp size. */
struct sm_reader {
  const char *name;
  uint32_t warp_size;
  warpbound_error *error;
};

static const char *const file_keys[] = {"name",  "warp_size", "partitions", "issue_slots",
                                        "units", "max_warps", NULL};
static const char *const unit_keys[] = {"capacity", "lanes", "hold", "shared", NULL};

/* An optional whole number. */
static warpbound_status optional(const struct sm_reader *reader, const json_t *object,
                                 const char *key, uint32_t least, uint32_t most, uint32_t *value)
{
  if (json_object_get(object, key) == NULL)
    return WARPBOUND_OK;
  uint64_t number;
  warpbound_status status =
      wb_json_get_number(reader->name, object, key, least, most, &number, reader->error);
  if (status == WARPBOUND_OK)
    *value = (uint32_t)number;
  return status;
}

static warpbound_status read_capacity(const struct sm_reader *reader, const char *key,
                                      const json_t *value, struct wb_unit_capacity *capacity)
{
  char number[32];
  const char *text = json_string_value(value);
  if (json_is_integer(value)) {
    snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
    text = number;
  }
  if (text == NULL)
    return wb_json_wrong(reader->name, key, "a number, or a fraction as \"1/8\"", value,
                         reader->error);
  warpbound_error cause;
  if (wb_unit_capacity_parse(capacity, text, key, &cause) != WARPBOUND_OK)
    return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0, "%s",
                      cause.message);
  return WARPBOUND_OK;
}

static warpbound_status read_lanes(const struct sm_reader *reader, const json_t *object,
                                   struct wb_unit_capacity *capacity)
{
  uint32_t lanes = 0;
  warpbound_status status = optional(reader, object, "lanes", 1, WB_CAPACITY_LIMIT, &lanes);
  if (status == WARPBOUND_OK)
    wb_unit_capacity_set(capacity, lanes, reader->warp_size);
  return status;
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
                      "units, %s: expected either 'capacity' or 'lanes'", key);
  status = sigma != NULL ? read_capacity(reader, key, sigma, capacity)
                         : read_lanes(reader, object, capacity);
  if (status == WARPBOUND_OK)
    status = optional(reader, object, "hold", 1, WB_HOLD_LIMIT, &capacity->hold);
  const json_t *shared = json_object_get(object, "shared");
  if (status == WARPBOUND_OK && shared != NULL && !json_is_boolean(shared))
    status = wb_json_wrong(reader->name, "shared", "true or false", shared, reader->error);
  capacity->shared = json_is_true(shared);
  return status;
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
    enum wb_unit unit =
        key[0] != '\0' && key[1] == '\0' ? wb_unit_from_letter(key[0]) : WB_UNIT_COUNT;
    if (unit >= WB_UNIT_NONE)
      return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                        "units: expected L, C, S or D, found '%.40s'", key);
    warpbound_status status = json_is_object(value)
                                  ? read_unit_object(reader, key, value, &sm->unit[unit])
                                  : read_capacity(reader, key, value, &sm->unit[unit]);
    if (status != WARPBOUND_OK)
      return status;
  }
  return WARPBOUND_OK;
}

static warpbound_status read_file(struct sm_reader *reader, const json_t *object,
                                  struct wb_sm_configuration *sm)
{
  warpbound_status status = wb_json_check_keys(reader->name, object, file_keys, reader->error);
  const json_t *name = json_object_get(object, "name");
  if (status == WARPBOUND_OK && name != NULL && !json_is_string(name))
    status = wb_json_wrong(reader->name, "name", "a string", name, reader->error);
  wb_sm_configuration_start(sm, name != NULL && json_is_string(name) ? json_string_value(name)
                                                                     : reader->name);
  if (status == WARPBOUND_OK)
    status = optional(reader, object, "warp_size", 1, LARGEST_WARP, &reader->warp_size);
  if (status == WARPBOUND_OK)
    status = optional(reader, object, "partitions", 1, WB_PARTITION_LIMIT, &sm->partitions);
  if (status == WARPBOUND_OK)
    status = optional(reader, object, "issue_slots", 0, WB_CAPACITY_LIMIT, &sm->issue_slots);
  if (status == WARPBOUND_OK)
    status = optional(reader, object, "max_warps", 0, WB_WARP_LIMIT, &sm->max_warps);
  return status == WARPBOUND_OK ? read_units(reader, json_object_get(object, "units"), sm) : status;
}

warpbound_status wb_sm_file_parse(const char *name, const char *text, size_t length,
                                  struct wb_sm_configuration *sm, warpbound_error *error)
{
  json_t *object;
  warpbound_status status = wb_json_parse(name, text, length, &object, error);
  if (status != WARPBOUND_OK)
    return status;
  struct sm_reader reader = {.name = name, .warp_size = 32, .error = error};
  status = read_file(&reader, object, sm);
  json_decref(object);
  return status;
}

/* The writer of device files. Where memory is out Jansson's functions fail on the NULL that they
 * are given, and so does the whole. */
#include "formats/device/device_file.h"

#include "formats/device/device_reader.h"

/* The name of a value; its number where no file could name it. */
static json_t *number_json(const struct wb_device_timing *device, uint32_t value)
{
  return json_string(device->values[value].name);
}

/* Sets a member unless the file that was read left it out. */
static bool set_number(json_t *object, const char *key, const struct wb_device_timing *device,
                       uint32_t value)
{
  return device->values[value].left_out ||
         json_object_set_new(object, key, number_json(device, value)) == 0;
}

static bool set_members(json_t *object, const struct wb_device_timing *device,
                        const struct wb_device_member *members)
{
  for (; members->key != NULL; members++) {
    if (!set_number(object, members->key, device,
                    *(const uint32_t *)(const void *)((const char *)device + members->offset)))
      return false;
  }
  return true;
}

/* The object where all was set, else NULL. */
static json_t *finished(json_t *object, bool good)
{
  if (good)
    return object;
  json_decref(object);
  return NULL;
}

static json_t *values_json(const struct wb_device_timing *device)
{
  json_t *values = json_object();
  bool good = values != NULL;
  for (size_t v = 0; v < device->value_count && good; v++) {
    const struct wb_device_value *value = &device->values[v];
    if (!value->left_out)
      good = json_object_set_new(values, value->name,
                                 json_pack("{s:I, s:s, s:s}", "value", (json_int_t)value->value,
                                           "kind", wb_value_kind_name(value->kind), "source",
                                           value->source)) == 0;
  }
  return finished(values, good);
}

static json_t *resources_json(const struct wb_device_timing *device)
{
  json_t *list = json_array();
  bool good = list != NULL;
  for (size_t r = 0; r < device->resource_count && good; r++) {
    const struct wb_device_resource *resource = &device->resources[r];
    good = json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:b}", "name", resource->name,
                                                 "level", wb_resource_level_name(resource->level),
                                                 "servers", number_json(device, resource->servers),
                                                 "at_issue", (int)resource->at_issue)) == 0;
  }
  return finished(list, good);
}

static json_t *takes_json(const struct wb_device_timing *device,
                          const struct wb_timing_class *class)
{
  json_t *list = json_array();
  bool good = list != NULL;
  for (size_t u = 0; u < class->use_count && good; u++) {
    const struct wb_class_use *use = &class->uses[u];
    good = json_array_append_new(list, json_pack("{s:s, s:o}", "resource",
                                                 device->resources[use->resource].name, "service",
                                                 number_json(device, use->service))) == 0;
  }
  return finished(list, good);
}

static json_t *stage_json(const struct wb_device_timing *device, const struct wb_class_stage *stage)
{
  json_t *object =
      json_pack("{s:s, s:s, s:o}", "resource", device->resources[stage->resource].name, "per",
                wb_request_unit_name(stage->per), "service", number_json(device, stage->service));
  return finished(object, object != NULL && set_number(object, "delay", device, stage->delay));
}

static json_t *stages_json(const struct wb_device_timing *device,
                           const struct wb_timing_class *class)
{
  json_t *list = json_array();
  bool good = list != NULL;
  for (size_t s = 0; s < class->stage_count && good; s++)
    good = json_array_append_new(list, stage_json(device, &class->stages[s])) == 0;
  return finished(list, good);
}

static json_t *patterns_json(const struct wb_timing_class *class)
{
  json_t *list = json_array();
  bool good = list != NULL;
  for (size_t p = 0; p < class->pattern_count && good; p++)
    good = json_array_append_new(list, json_string(class->patterns[p])) == 0;
  return finished(list, good);
}

static json_t *units_json(const struct wb_timing_class *class)
{
  json_t *list = json_array();
  bool good = list != NULL;
  for (unsigned u = 0; u < WB_UNIT_COUNT && good; u++) {
    const char letter[2] = {wb_unit_letter((enum wb_unit)u), '\0'};
    good = !class->of_unit[u] || json_array_append_new(list, json_string(letter)) == 0;
  }
  return finished(list, good);
}

/* Sets a list unless it is empty. */
static bool set_list(json_t *object, const char *key, json_t *list)
{
  if (list != NULL && json_array_size(list) == 0) {
    json_decref(list);
    return true;
  }
  return json_object_set_new(object, key, list) == 0;
}

static json_t *class_json(const struct wb_device_timing *device,
                          const struct wb_timing_class *class)
{
  json_t *object = json_pack("{s:s}", "name", class->name);
  bool good = object != NULL && set_list(object, "opcodes", patterns_json(class)) &&
              set_list(object, "units", units_json(class)) &&
              set_list(object, "takes", takes_json(device, class)) &&
              set_number(object, "interval", device, class->interval) &&
              set_list(object, "stages", stages_json(device, class)) &&
              set_number(object, "latency", device, class->latency);
  if (good && class->read_stages > 0)
    good = json_object_set_new(object, "read_stages", json_integer(class->read_stages)) == 0;
  return finished(object, good && set_number(object, "read_latency", device, class->read_latency));
}

static json_t *classes_json(const struct wb_device_timing *device)
{
  json_t *list = json_array();
  bool good = list != NULL;
  for (size_t c = 0; c < device->class_count && good; c++)
    good = json_array_append_new(list, class_json(device, &device->classes[c])) == 0;
  return finished(list, good);
}

static json_t *carveouts_json(const struct wb_device_timing *device)
{
  const struct wb_residency_rules *rules = &device->residency;
  json_t *list = json_array();
  bool good = list != NULL;
  for (size_t c = 0; c < rules->carveout_count && good; c++)
    good = json_array_append_new(list, number_json(device, rules->carveouts[c])) == 0;
  return finished(list, good);
}

static json_t *residency_json(const struct wb_device_timing *device)
{
  json_t *object = json_object();
  return finished(object, object != NULL && set_members(object, device, wb_residency_members) &&
                              set_list(object, "shared_carveouts", carveouts_json(device)));
}

static bool set_clients(json_t *object, const struct wb_device_timing *device)
{
  const char *clients = device->memory_clients;
  return clients == NULL || clients[0] == '\0' ||
         json_object_set_new(object, "memory_clients", json_string(clients)) == 0;
}

json_t *wb_device_timing_json(const struct wb_device_timing *device)
{
  json_t *object =
      json_pack("{s:s, s:s, s:s, s:I}", "format", WB_DEVICE_FORMAT, "name", device->name, "product",
                device->product, "architecture", (json_int_t)device->architecture);
  return finished(object,
                  object != NULL && set_clients(object, device) &&
                      set_members(object, device, wb_device_members) &&
                      json_object_set_new(object, "residency", residency_json(device)) == 0 &&
                      json_object_set_new(object, "resources", resources_json(device)) == 0 &&
                      json_object_set_new(object, "classes", classes_json(device)) == 0 &&
                      json_object_set_new(object, "values", values_json(device)) == 0);
}

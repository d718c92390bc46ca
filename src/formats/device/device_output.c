/* Device files, written. */
#include "formats/device/device_file.h"

#include "formats/device/device_reader.h"
#include "formats/json/json_output.h"

/* The name of a value. */
static json_t *number_json(const struct wb_device_timing *device, uint32_t value)
{
  return json_string(device->values[value].name);
}

/* Puts a member unless the file that was read left it out. */
static void put_number(json_t **object, const char *key, const struct wb_device_timing *device,
                       uint32_t value)
{
  if (!device->values[value].left_out)
    wb_json_put(object, key, number_json(device, value));
}

static void put_members(json_t **object, const struct wb_device_timing *device,
                        const struct wb_device_member *members)
{
  for (; members->key != NULL; members++)
    put_number(object, members->key, device,
               *(const uint32_t *)(const void *)((const char *)device + members->offset));
}

/* Puts a list unless it is empty. */
static void put_list(json_t **object, const char *key, json_t *list)
{
  if (list == NULL || json_array_size(list) > 0)
    wb_json_put(object, key, list);
  else
    json_decref(list);
}

static json_t *stages_json(const struct wb_device_timing *device,
                           const struct wb_timing_class *class)
{
  json_t *stages = json_array();
  for (size_t s = 0; s < class->stage_count; s++) {
    const struct wb_class_stage *stage = &class->stages[s];
    json_t *entry =
        json_pack("{s:s, s:s, s:o}", "resource", device->resources[stage->resource].name, "per",
                  wb_request_unit_name(stage->per), "service", number_json(device, stage->service));
    put_number(&entry, "delay", device, stage->delay);
    wb_json_push(&stages, entry);
  }
  return stages;
}

static json_t *caches_json(const struct wb_device_timing *device)
{
  json_t *object = json_object();
  put_members(&object, device, wb_device_cache_members);
  wb_json_put(&object, "near_fetch", stages_json(device, &device->caches.near_fetch));
  wb_json_put(&object, "fetch", stages_json(device, &device->caches.fetch));
  wb_json_put(&object, "walk", stages_json(device, &device->caches.walk));
  return object;
}

static json_t *class_json(const struct wb_device_timing *device,
                          const struct wb_timing_class *class)
{
  json_t *object = json_pack("{s:s}", "name", class->name);
  json_t *patterns = json_array();
  for (size_t p = 0; p < class->pattern_count; p++)
    wb_json_push(&patterns, json_string(class->patterns[p]));
  json_t *units = json_array();
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    const char letter[2] = {wb_unit_letter((enum wb_unit)u), '\0'};
    if (class->of_unit[u])
      wb_json_push(&units, json_string(letter));
  }
  put_list(&object, "opcodes", patterns);
  put_list(&object, "units", units);
  json_t *list = json_array();
  for (size_t u = 0; u < class->use_count; u++) {
    const struct wb_class_use *use = &class->uses[u];
    wb_json_push(&list, json_pack("{s:s, s:o}", "resource", device->resources[use->resource].name,
                                  "service", number_json(device, use->service)));
  }
  put_list(&object, "takes", list);
  put_number(&object, "interval", device, class->interval);
  put_list(&object, "stages", stages_json(device, class));
  put_number(&object, "latency", device, class->latency);
  if (class->read_stages > 0)
    wb_json_put(&object, "read_stages", json_integer(class->read_stages));
  put_number(&object, "read_latency", device, class->read_latency);
  return object;
}

/* A time of a clock that the file does not name, or does not know, is written for the clocks in
 * effect, which are the file's then. */
static json_t *value_json(const struct wb_device_value *value)
{
  const bool of_the_file = value->clock == WB_CLOCK_UNKNOWN || value->clock == WB_CLOCK_CHIP;
  json_t *object =
      json_pack("{s:I}", "value", (json_int_t)(of_the_file ? value->value : value->given));
  const char *clock = wb_value_clock_name(value->clock);
  if (clock != NULL)
    wb_json_put(&object, "clock", json_string(clock));
  wb_json_put(&object, "kind", json_string(wb_value_kind_name(value->kind)));
  wb_json_put(&object, "source", json_string(value->source));
  return object;
}

/* What first caches keep, where the file says it. */
static void put_l1(json_t **object, const struct wb_device_timing *device)
{
  json_t *l1 = json_object();
  const bool retained = !device->values[device->l1_retained].left_out;
  const bool recent = !device->values[device->l1_recent].left_out;
  if (retained)
    wb_json_put(&l1, "retained", number_json(device, device->l1_retained));
  if (recent)
    wb_json_put(&l1, "recent", number_json(device, device->l1_recent));
  if (retained || recent)
    wb_json_put(object, "l1", l1);
  else
    json_decref(l1);
}

json_t *wb_device_timing_json(const struct wb_device_timing *device)
{
  json_t *object =
      json_pack("{s:s, s:s, s:s, s:I}", "format", WB_DEVICE_FORMAT, "name", device->name, "product",
                device->product, "architecture", (json_int_t)device->architecture);
  if (device->memory_clients != NULL && device->memory_clients[0] != '\0')
    wb_json_put(&object, "memory_clients", json_string(device->memory_clients));
  put_members(&object, device, wb_device_members);
  json_t *residency = json_object();
  json_t *carveouts = json_array();
  for (size_t c = 0; c < device->residency.carveout_count; c++)
    wb_json_push(&carveouts, number_json(device, device->residency.carveouts[c]));
  put_members(&residency, device, wb_device_residency_members);
  put_list(&residency, "shared_carveouts", carveouts);
  wb_json_put(&object, "residency", residency);
  put_l1(&object, device);
  if (device->has_memory)
    wb_json_put(&object, "l2",
                json_pack("{s:s, s:o, s:o, s:o}", "memory", device->resources[device->memory].name,
                          "retained", number_json(device, device->l2_retained), "copies",
                          number_json(device, device->l2_copies), "far",
                          number_json(device, device->l2_far)));
  if (device->has_caches)
    wb_json_put(&object, "caches", caches_json(device));
  json_t *list = json_array();
  for (size_t r = 0; r < device->resource_count; r++) {
    const struct wb_device_resource *resource = &device->resources[r];
    wb_json_push(&list, json_pack("{s:s, s:s, s:o, s:b}", "name", resource->name, "level",
                                  wb_resource_level_name(resource->level), "servers",
                                  number_json(device, resource->servers), "at_issue",
                                  (int)resource->at_issue));
  }
  wb_json_put(&object, "resources", list);
  json_t *classes = json_array();
  for (size_t c = 0; c < device->class_count; c++)
    wb_json_push(&classes, class_json(device, &device->classes[c]));
  wb_json_put(&object, "classes", classes);
  put_list(&object, "modes", wb_device_modes_json(device));
  json_t *values = json_object();
  for (size_t v = 0; v < device->value_count; v++) {
    if (!device->values[v].left_out)
      wb_json_put(&values, device->values[v].name, value_json(&device->values[v]));
  }
  wb_json_put(&object, "values", values);
  return object;
}

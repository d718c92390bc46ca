/* Resources and classes of instructions in a device file. */
#include "formats/device/device_reader.h"

#include "base/memory.h"
#include "base/text/ascii.h"
#include "base/text/nearest.h"
#include "formats/device/device_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_OPCODE 60

static const char *const resource_keys[] = {"name", "level", "servers", "at_issue", NULL};
static const char *const class_keys[] = {"name",         "opcodes", "units",   "interval",
                                         "takes",        "stages",  "latency", "read_stages",
                                         "read_latency", NULL};
static const char *const use_keys[] = {"resource", "service", NULL};
static const char *const stage_keys[] = {"resource", "per", "delay", "service", NULL};

/* A list of objects, none of them yet read. */
static warpbound_status check_list(struct wb_device_reader *reader, const char *place,
                                   const json_t *list, size_t most)
{
  if (!json_is_array(list))
    return wb_json_wrong(reader->name, place, "a list", list, reader->error);
  if (json_array_size(list) <= most)
    return WARPBOUND_OK;
  return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                    "%s: expected at most %zu entries, found %zu", place, most,
                    json_array_size(list));
}

static warpbound_status check_object(struct wb_device_reader *reader, const char *place,
                                     const json_t *object, const char *const *keys)
{
  if (!json_is_object(object))
    return wb_json_wrong(reader->name, place, "an object", object, reader->error);
  return wb_json_check_keys(reader->name, object, keys, reader->error);
}

/* One of a list of names, by its number. */
static warpbound_status read_choice(struct wb_device_reader *reader, const char *place,
                                    const json_t *found, const char *const *names, unsigned count,
                                    unsigned *choice)
{
  const char *text = json_string_value(found);
  if (text == NULL)
    return wb_json_wrong(reader->name, place, "a string", found, reader->error);
  struct wb_nearest nearest = wb_nearest_start(text);
  for (*choice = 0; *choice < count; (*choice)++) {
    if (strcmp(names[*choice], text) == 0)
      return WARPBOUND_OK;
    wb_nearest_offer(&nearest, names[*choice]);
  }
  char list[120] = "";
  for (unsigned n = 0; n < count; n++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", n > 0 ? ", " : "", names[n]);
  char hint[WB_HINT_SIZE];
  return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                    "%s: expected one of %s, found '%.60s'%s", place, list, text,
                    wb_nearest_hint(&nearest, "", hint));
}

/* ---- resources ---- */

/* The name of a resource or a class, which is part of the names of values: as these. */
static warpbound_status check_name(struct wb_device_reader *reader, const char *place,
                                   const char *name)
{
  bool good = name[0] != '\0';
  for (size_t i = 0; name[i] != '\0' && good; i++)
    good = name[i] != '=' && (unsigned char)name[i] > 0x20;
  if (good)
    return WARPBOUND_OK;
  return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                    "%s: expected a name without blanks and '=', found '%.60s'", place, name);
}

static size_t find_resource(const struct wb_device_timing *device, const char *name)
{
  for (size_t r = 0; r < device->resource_count; r++) {
    if (strcmp(device->resources[r].name, name) == 0)
      return r;
  }
  return SIZE_MAX;
}

static warpbound_status read_resource_name(struct wb_device_reader *reader, const char *place,
                                           const json_t *found, struct wb_device_resource *resource)
{
  char *name = NULL;
  warpbound_status status =
      wb_device_read_text(reader, place, found, sizeof resource->name - 1, &name);
  if (status == WARPBOUND_OK)
    status = check_name(reader, place, name);
  if (status == WARPBOUND_OK && find_resource(reader->device, name) != SIZE_MAX)
    status = wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                        "%s: expected a name that no resource before has, found '%s'", place, name);
  if (status == WARPBOUND_OK)
    snprintf(resource->name, sizeof resource->name, "%s", name);
  free(name);
  return status;
}

static warpbound_status read_resource(struct wb_device_reader *reader, size_t index,
                                      const json_t *object)
{
  static const char *const levels[] = {"partition", "sm", "gpu"};
  char place[WB_DEVICE_PLACE_SIZE];
  snprintf(place, sizeof place, "resources, entry %zu", index + 1);
  struct wb_device_resource resource = {.name = ""};
  warpbound_status status = check_object(reader, place, object, resource_keys);
  if (status == WARPBOUND_OK)
    status = read_resource_name(reader, place, json_object_get(object, "name"), &resource);
  if (status != WARPBOUND_OK)
    return status;
  unsigned level = 0;
  snprintf(place, sizeof place, "%s.level", resource.name);
  status =
      read_choice(reader, place, json_object_get(object, "level"), levels, WB_LEVEL_COUNT, &level);
  resource.level = (enum wb_resource_level)level;
  const json_t *at_issue = json_object_get(object, "at_issue");
  snprintf(place, sizeof place, "%s.at_issue", resource.name);
  if (status == WARPBOUND_OK && at_issue != NULL && !json_is_boolean(at_issue))
    status = wb_json_wrong(reader->name, place, "true or false", at_issue, reader->error);
  resource.at_issue = json_is_true(at_issue);
  snprintf(place, sizeof place, "%s.servers", resource.name);
  if (status == WARPBOUND_OK)
    status = wb_device_read_number(reader, place, json_object_get(object, "servers"), false,
                                   &resource.servers);
  if (status == WARPBOUND_OK)
    reader->device->resources[reader->device->resource_count++] = resource;
  return status;
}

warpbound_status wb_device_read_resources(struct wb_device_reader *reader, const json_t *list)
{
  warpbound_status status = check_list(reader, "resources", list, WB_RESOURCE_LIMIT);
  size_t index;
  json_t *object;
  json_array_foreach((json_t *)list, index, object)
  {
    if (status == WARPBOUND_OK)
      status = read_resource(reader, index, object);
  }
  return status;
}

/* ---- classes ---- */

static warpbound_status read_resource_use(struct wb_device_reader *reader, const char *place,
                                          const json_t *found, uint8_t *resource)
{
  const char *name = json_string_value(found);
  if (name == NULL)
    return wb_json_wrong(reader->name, place, "the name of one of 'resources'", found,
                         reader->error);
  const size_t index = find_resource(reader->device, name);
  if (index != SIZE_MAX) {
    *resource = (uint8_t)index;
    return WARPBOUND_OK;
  }
  struct wb_nearest nearest = wb_nearest_start(name);
  for (size_t r = 0; r < reader->device->resource_count; r++)
    wb_nearest_offer(&nearest, reader->device->resources[r].name);
  char hint[WB_HINT_SIZE];
  return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                    "%s: expected the name of one of 'resources', found '%.60s'%s", place, name,
                    wb_nearest_hint(&nearest, "", hint));
}

/* A place in a class, and a member of it: "global_load.stages.2.delay". */
static void join(char place[WB_DEVICE_PLACE_SIZE], const char *before, const char *member)
{
  snprintf(place, WB_DEVICE_PLACE_SIZE, "%.120s.%s", before, member);
}

static warpbound_status read_use(struct wb_device_reader *reader, const char *place,
                                 const json_t *object, struct wb_timing_class *class)
{
  struct wb_class_use *use = &class->uses[class->use_count];
  char member[WB_DEVICE_PLACE_SIZE];
  warpbound_status status = check_object(reader, place, object, use_keys);
  join(member, place, "resource");
  if (status == WARPBOUND_OK)
    status = read_resource_use(reader, member, json_object_get(object, "resource"), &use->resource);
  join(member, place, "service");
  if (status == WARPBOUND_OK)
    status = wb_device_read_number(reader, member, json_object_get(object, "service"), false,
                                   &use->service);
  class->use_count++;
  return status;
}

static warpbound_status read_stage(struct wb_device_reader *reader, const char *place,
                                   const json_t *object, struct wb_timing_class *class)
{
  static const char *const units[] = {"instruction", "sector", "wavefront", "lane"};
  struct wb_class_stage *stage = &class->stages[class->stage_count];
  char member[WB_DEVICE_PLACE_SIZE];
  warpbound_status status = check_object(reader, place, object, stage_keys);
  join(member, place, "resource");
  if (status == WARPBOUND_OK)
    status =
        read_resource_use(reader, member, json_object_get(object, "resource"), &stage->resource);
  const json_t *per = json_object_get(object, "per");
  unsigned unit = WB_PER_INSTRUCTION;
  join(member, place, "per");
  if (status == WARPBOUND_OK && per != NULL)
    status = read_choice(reader, member, per, units, WB_REQUEST_UNIT_COUNT, &unit);
  stage->per = (enum wb_request_unit)unit;
  join(member, place, "delay");
  if (status == WARPBOUND_OK)
    status = wb_device_read_number(reader, member, json_object_get(object, "delay"), true,
                                   &stage->delay);
  join(member, place, "service");
  if (status == WARPBOUND_OK)
    status = wb_device_read_number(reader, member, json_object_get(object, "service"), false,
                                   &stage->service);
  class->stage_count++;
  return status;
}

/* Reads an entry of a class's list into the class. */
typedef warpbound_status read_entry(struct wb_device_reader *reader, const char *place,
                                    const json_t *object, struct wb_timing_class *class);

static warpbound_status read_entries(struct wb_device_reader *reader, const char *key,
                                     const json_t *list, size_t most, read_entry *read,
                                     struct wb_timing_class *class)
{
  char place[WB_DEVICE_PLACE_SIZE];
  join(place, class->name, key);
  if (list == NULL)
    return WARPBOUND_OK;
  warpbound_status status = check_list(reader, place, list, most);
  size_t index;
  json_t *object;
  json_array_foreach((json_t *)list, index, object)
  {
    snprintf(place, sizeof place, "%s.%s.%zu", class->name, key, index + 1);
    if (status == WARPBOUND_OK)
      status = read(reader, place, object, class);
  }
  return status;
}

static warpbound_status read_pattern(struct wb_device_reader *reader, const char *place,
                                     const json_t *found, struct wb_timing_class *class)
{
  char *pattern = NULL;
  warpbound_status status = wb_device_read_text(reader, place, found, LONGEST_OPCODE, &pattern);
  if (status != WARPBOUND_OK)
    return status;
  bool good = pattern[0] != '\0' && pattern[strlen(pattern) - 1] != '.';
  for (size_t i = 0; pattern[i] != '\0' && good; i++)
    good = wb_is_alphanumeric(pattern[i]) || pattern[i] == '_' || pattern[i] == '.';
  if (!good) {
    status = wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                        "%s: expected an opcode as LDG or LDG.E, found '%.60s'", place, pattern);
    free(pattern);
    return status;
  }
  class->patterns[class->pattern_count++] = pattern;
  return WARPBOUND_OK;
}

static warpbound_status read_patterns(struct wb_device_reader *reader, const json_t *list,
                                      struct wb_timing_class *class)
{
  if (list == NULL)
    return WARPBOUND_OK;
  char place[WB_DEVICE_PLACE_SIZE];
  join(place, class->name, "opcodes");
  size_t before = 0;
  for (size_t c = 0; c + 1 < reader->device->class_count; c++)
    before += reader->device->classes[c].pattern_count;
  warpbound_status status = check_list(reader, place, list, WB_DEVICE_PATTERN_LIMIT - before);
  if (status != WARPBOUND_OK)
    return status;
  class->patterns = wb_allocate(json_array_size(list), sizeof *class->patterns);
  if (class->patterns == NULL)
    return wb_out_of_memory(reader->error);
  return read_entries(reader, "opcodes", list, WB_DEVICE_PATTERN_LIMIT, read_pattern, class);
}

static warpbound_status read_unit(struct wb_device_reader *reader, const char *place,
                                  const json_t *found, struct wb_timing_class *class)
{
  const char *letter = json_string_value(found);
  const enum wb_unit unit = letter != NULL && letter[0] != '\0' && letter[1] == '\0'
                                ? wb_unit_from_letter(letter[0])
                                : WB_UNIT_COUNT;
  if (unit == WB_UNIT_COUNT)
    return wb_json_wrong(reader->name, place, "\"L\", \"C\", \"S\", \"D\", \"T\", \"N\" or \"B\"",
                         found, reader->error);
  class->of_unit[unit] = true;
  return WARPBOUND_OK;
}

/* The members of a class that are numbers. */
static warpbound_status read_times(struct wb_device_reader *reader, const json_t *object,
                                   struct wb_timing_class *class)
{
  const struct {
    const char *key;
    uint32_t *value;
  } times[] = {
      {"interval", &class->interval},
      {"latency", &class->latency},
      {"read_latency", &class->read_latency},
  };
  char place[WB_DEVICE_PLACE_SIZE];
  warpbound_status status = WARPBOUND_OK;
  for (size_t t = 0; t < sizeof times / sizeof *times && status == WARPBOUND_OK; t++) {
    join(place, class->name, times[t].key);
    status = wb_device_read_number(reader, place, json_object_get(object, times[t].key), true,
                                   times[t].value);
  }
  const json_t *found = json_object_get(object, "read_stages");
  uint64_t stages = 0;
  join(place, class->name, "read_stages");
  if (status == WARPBOUND_OK && found != NULL)
    status = wb_device_read_plain(reader, place, found, class->stage_count, &stages);
  class->read_stages = (uint8_t)stages;
  return status;
}

static warpbound_status read_class_name(struct wb_device_reader *reader, const char *place,
                                        const json_t *found, struct wb_timing_class *class)
{
  warpbound_status status = wb_device_read_text(reader, place, found, 60, &class->name);
  if (status == WARPBOUND_OK)
    status = check_name(reader, place, class->name);
  for (size_t c = 0; c + 1 < reader->device->class_count && status == WARPBOUND_OK; c++) {
    if (strcmp(reader->device->classes[c].name, class->name) == 0)
      status = wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                          "%s: expected a name that no class before has, found '%s'", place,
                          class->name);
  }
  return status;
}

static warpbound_status read_class(struct wb_device_reader *reader, size_t index,
                                   const json_t *object)
{
  char place[WB_DEVICE_PLACE_SIZE];
  snprintf(place, sizeof place, "classes, entry %zu", index + 1);
  warpbound_status status = check_object(reader, place, object, class_keys);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_timing_class *class = &reader->device->classes[reader->device->class_count++];
  *class = (struct wb_timing_class){0};
  status = read_class_name(reader, place, json_object_get(object, "name"), class);
  if (status == WARPBOUND_OK)
    status = read_patterns(reader, json_object_get(object, "opcodes"), class);
  if (status == WARPBOUND_OK)
    status = read_entries(reader, "units", json_object_get(object, "units"), WB_UNIT_COUNT,
                          read_unit, class);
  if (status == WARPBOUND_OK)
    status = read_entries(reader, "takes", json_object_get(object, "takes"), WB_CLASS_USES,
                          read_use, class);
  if (status == WARPBOUND_OK)
    status = read_entries(reader, "stages", json_object_get(object, "stages"), WB_CLASS_STAGES,
                          read_stage, class);
  return status == WARPBOUND_OK ? read_times(reader, object, class) : status;
}

warpbound_status wb_device_read_classes(struct wb_device_reader *reader, const json_t *list)
{
  warpbound_status status = check_list(reader, "classes", list, WB_DEVICE_CLASS_LIMIT);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_device_timing *device = reader->device;
  if (!wb_grow(device->classes, &device->class_capacity, json_array_size(list)))
    return wb_out_of_memory(reader->error);
  size_t index;
  json_t *object;
  json_array_foreach((json_t *)list, index, object)
  {
    if (status == WARPBOUND_OK)
      status = read_class(reader, index, object);
  }
  return status;
}

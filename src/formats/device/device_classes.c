/* Resources and classes of instructions in a device file. */
#include "formats/device/device_reader.h"

#include "base/memory.h"
#include "base/text/ascii.h"
#include "base/text/nearest.h"
#include "formats/device/device_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_CLASS 60
#define LONGEST_OPCODE 60

/* The value at hand has to be a list of at most `most` entries; how many, 0 after a failure. */
static size_t expect_list(struct wb_device_reader *reader, const json_t *list, size_t most)
{
  if (!json_is_array(list))
    wb_json_expected(&reader->json, "a list", list);
  if (json_array_size(list) > most)
    wb_json_fail(&reader->json, "%s: expected at most %zu entries, found %zu", reader->json.place,
                 most, json_array_size(list));
  return wb_json_good(&reader->json) ? json_array_size(list) : 0;
}

/* One of a list of names, by its number. */
static unsigned read_choice(struct wb_device_reader *reader, const json_t *found,
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

/* The name of a resource or a class at the place, which is part of the names of values: as these.
 * The caller owns it; NULL after a failure. */
static char *read_name(struct wb_device_reader *reader, const json_t *found, size_t most)
{
  char *name = wb_device_read_text(reader, found, most);
  bool good = name == NULL || name[0] != '\0';
  for (size_t i = 0; name != NULL && name[i] != '\0' && good; i++)
    good = name[i] != '=' && (unsigned char)name[i] > 0x20;
  if (!good)
    wb_json_fail(&reader->json, "%s: expected a name without blanks and '=', found '%.60s'",
                 reader->json.place, name);
  return name;
}

/* ---- resources ---- */

static size_t find_resource(const struct wb_device_timing *device, const char *name)
{
  for (size_t r = 0; r < device->resource_count; r++) {
    if (strcmp(device->resources[r].name, name) == 0)
      return r;
  }
  return SIZE_MAX;
}

void wb_device_read_resources(struct wb_device_reader *reader, const json_t *list)
{
  static const char *const levels[] = {"partition", "sm", "gpu"};
  struct wb_device_timing *device = reader->device;
  struct wb_json_reader *json = &reader->json;
  wb_json_at(json, "resources");
  const size_t count = expect_list(reader, list, WB_RESOURCE_LIMIT);
  for (size_t r = 0; r < count && wb_json_good(json); r++) {
    struct wb_device_resource *resource = &device->resources[r];
    wb_json_at(json, "resources, entry %zu", r + 1);
    const json_t *object = json_array_get(list, r);
    const json_t *at_issue = json_object_get(object, "at_issue");
    wb_json_object(json, object, "name level servers at_issue");
    char *name = read_name(reader, json_object_get(object, "name"), sizeof resource->name - 1);
    if (name != NULL && find_resource(reader->device, name) != SIZE_MAX)
      wb_json_fail(json, "%s: expected a name that no resource before has, found '%s'", json->place,
                   name);
    if (wb_json_good(json))
      snprintf(resource->name, sizeof resource->name, "%s", name);
    free(name);
    wb_json_at(json, "%s.level", resource->name);
    resource->level = (enum wb_resource_level)read_choice(reader, json_object_get(object, "level"),
                                                          levels, WB_LEVEL_COUNT);
    wb_json_at(json, "%s.at_issue", resource->name);
    if (at_issue != NULL && !json_is_boolean(at_issue))
      wb_json_expected(json, "true or false", at_issue);
    resource->at_issue = json_is_true(at_issue);
    resource->servers = wb_device_read_number(reader, resource->name, "servers",
                                              json_object_get(object, "servers"), false);
    device->resource_count = wb_json_good(json) ? r + 1 : r;
  }
}

/* ---- classes ---- */

/* Member "resource" of an entry of a class: the number of the resource that it names. */
static uint8_t read_resource_use(struct wb_device_reader *reader, const char *place,
                                 const json_t *object)
{
  const json_t *found = json_object_get(object, "resource");
  const char *name = json_string_value(found);
  const size_t index = name != NULL ? find_resource(reader->device, name) : SIZE_MAX;
  if (index != SIZE_MAX)
    return (uint8_t)index;
  wb_json_at(&reader->json, "%.120s.resource", place);
  if (name == NULL) {
    wb_json_expected(&reader->json, "the name of one of 'resources'", found);
    return 0;
  }
  struct wb_nearest nearest = wb_nearest_start(name);
  for (size_t r = 0; r < reader->device->resource_count; r++)
    wb_nearest_offer(&nearest, reader->device->resources[r].name);
  char hint[WB_HINT_SIZE];
  wb_json_fail(&reader->json, "%s: expected the name of one of 'resources', found '%.60s'%s",
               reader->json.place, name, wb_nearest_hint(&nearest, "", hint));
  return 0;
}

/* Reads an entry of a class's list, which is the value at hand, into the class. */
typedef void read_entry(struct wb_device_reader *reader, const char *place, const json_t *entry,
                        struct wb_timing_class *class);

static void read_use(struct wb_device_reader *reader, const char *place, const json_t *entry,
                     struct wb_timing_class *class)
{
  struct wb_class_use *use = &class->uses[class->use_count++];
  wb_json_object(&reader->json, entry, "resource service");
  use->resource = read_resource_use(reader, place, entry);
  use->service =
      wb_device_read_number(reader, place, "service", json_object_get(entry, "service"), false);
}

static void read_stage(struct wb_device_reader *reader, const char *place, const json_t *entry,
                       struct wb_timing_class *class)
{
  static const char *const units[] = {"instruction", "sector", "wavefront", "lane"};
  struct wb_class_stage *stage = &class->stages[class->stage_count++];
  const json_t *per = json_object_get(entry, "per");
  wb_json_object(&reader->json, entry, "resource per delay service");
  stage->resource = read_resource_use(reader, place, entry);
  wb_json_at(&reader->json, "%.120s.per", place);
  stage->per = per != NULL
                   ? (enum wb_request_unit)read_choice(reader, per, units, WB_REQUEST_UNIT_COUNT)
                   : WB_PER_INSTRUCTION;
  stage->delay =
      wb_device_read_number(reader, place, "delay", json_object_get(entry, "delay"), true);
  stage->service =
      wb_device_read_number(reader, place, "service", json_object_get(entry, "service"), false);
}

static void read_pattern(struct wb_device_reader *reader, const char *place, const json_t *entry,
                         struct wb_timing_class *class)
{
  char *pattern = wb_device_read_text(reader, entry, LONGEST_OPCODE);
  if (pattern == NULL)
    return;
  bool good = pattern[0] != '\0' && pattern[strlen(pattern) - 1] != '.';
  for (size_t i = 0; pattern[i] != '\0' && good; i++)
    good = wb_is_alphanumeric(pattern[i]) || pattern[i] == '_' || pattern[i] == '.';
  if (!good)
    wb_json_fail(&reader->json, "%s: expected an opcode as LDG or LDG.E, found '%.60s'", place,
                 pattern);
  class->patterns[class->pattern_count++] = pattern;
}

static void read_unit(struct wb_device_reader *reader, const char *place, const json_t *entry,
                      struct wb_timing_class *class)
{
  const char *letter = json_string_value(entry);
  const enum wb_unit unit = letter != NULL && letter[0] != '\0' && letter[1] == '\0'
                                ? wb_unit_from_letter(letter[0])
                                : WB_UNIT_COUNT;
  (void)place;
  if (unit == WB_UNIT_COUNT)
    wb_json_expected(&reader->json, "\"L\", \"C\", \"S\", \"D\", \"T\", \"N\" or \"B\"", entry);
  else
    class->of_unit[unit] = true;
}

/* A list of a class, which may be left out. */
static void read_entries(struct wb_device_reader *reader, const json_t *object, const char *key,
                         size_t most, read_entry *read, struct wb_timing_class *class)
{
  const json_t *list = json_object_get(object, key);
  wb_json_at(&reader->json, "%.120s.%s", class->name, key);
  const size_t count = list != NULL ? expect_list(reader, list, most) : 0;
  if (count > 0 && read == read_pattern) {
    class->patterns = wb_allocate(count, sizeof *class->patterns);
    if (class->patterns == NULL)
      reader->json.status = wb_out_of_memory(reader->json.error);
  }
  for (size_t i = 0; i < count && wb_json_good(&reader->json); i++) {
    char place[WB_DEVICE_PLACE_SIZE];
    snprintf(place, sizeof place, "%s.%s.%zu", class->name, key, i + 1);
    wb_json_at(&reader->json, "%s", place);
    read(reader, place, json_array_get(list, i), class);
  }
}

static void read_class(struct wb_device_reader *reader, const json_t *object,
                       struct wb_timing_class *class)
{
  const struct wb_device_timing *device = reader->device;
  const json_t *stages = json_object_get(object, "read_stages");
  size_t patterns = WB_DEVICE_PATTERN_LIMIT;
  wb_json_object(&reader->json, object,
                 "name opcodes units interval takes stages latency read_stages read_latency");
  class->name = read_name(reader, json_object_get(object, "name"), LONGEST_CLASS);
  for (size_t c = 0; c + 1 < device->class_count && wb_json_good(&reader->json); c++) {
    patterns -= device->classes[c].pattern_count;
    if (strcmp(device->classes[c].name, class->name) == 0)
      wb_json_fail(&reader->json, "%s: expected a name that no class before has, found '%s'",
                   reader->json.place, class->name);
  }
  if (!wb_json_good(&reader->json))
    return;
  read_entries(reader, object, "opcodes", patterns, read_pattern, class);
  read_entries(reader, object, "units", WB_UNIT_COUNT, read_unit, class);
  read_entries(reader, object, "takes", WB_CLASS_USES, read_use, class);
  read_entries(reader, object, "stages", WB_CLASS_STAGES, read_stage, class);
  class->interval = wb_device_read_number(reader, class->name, "interval",
                                          json_object_get(object, "interval"), true);
  class->latency = wb_device_read_number(reader, class->name, "latency",
                                         json_object_get(object, "latency"), true);
  class->read_latency = wb_device_read_number(reader, class->name, "read_latency",
                                              json_object_get(object, "read_latency"), true);
  wb_json_at(&reader->json, "%.120s.read_stages", class->name);
  class->read_stages =
      stages != NULL ? (uint8_t)wb_json_number(&reader->json, stages, 0, class->stage_count) : 0;
}

void wb_device_read_classes(struct wb_device_reader *reader, const json_t *list)
{
  struct wb_device_timing *device = reader->device;
  wb_json_at(&reader->json, "classes");
  const size_t count = expect_list(reader, list, WB_DEVICE_CLASS_LIMIT);
  if (wb_json_good(&reader->json) && !wb_grow(device->classes, &device->class_capacity, count))
    reader->json.status = wb_out_of_memory(reader->json.error);
  for (size_t c = 0; c < count && wb_json_good(&reader->json); c++) {
    wb_json_at(&reader->json, "classes, entry %zu", c + 1);
    device->classes[c] = (struct wb_timing_class){0};
    device->class_count = c + 1;
    read_class(reader, json_array_get(list, c), &device->classes[c]);
  }
}

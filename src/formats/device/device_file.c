#include "formats/device/device_file.h"

#include "base/text.h"
#include "base/text/ascii.h"
#include "base/text/nearest.h"
#include "formats/device/device_reader.h"

#include <stdio.h>
#include <string.h>

#define LONGEST_CLIENTS 300
#define LARGEST_ARCHITECTURE 9999
#define LONGEST_CLASS 60
#define LONGEST_OPCODE 60

#define MEMBER(name) offsetof(struct wb_device_timing, name)

const struct wb_device_member wb_device_members[] = {
    {"sms", MEMBER(sms), false},
    {"partitions", MEMBER(partitions), false},
    {"clock", MEMBER(clock), false},
    {"memory_clock", MEMBER(memory_clock), true},
    {"launch_overhead", MEMBER(launch_overhead), true},
    {"block_start", MEMBER(block_start), true},
    {"dispatch", MEMBER(dispatch), true},
    {"yield", MEMBER(yield), true},
    {"drain", MEMBER(drain), true},
    {"constant_operand", MEMBER(constant_operand), true},
    {"register_banks", MEMBER(register_banks), true},
    {"register_read", MEMBER(register_read), true},
    {NULL, 0, false},
};

const struct wb_device_member wb_device_residency_members[] = {
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

const struct wb_device_member wb_device_cache_members[] = {
    {"line", MEMBER(caches.line), false},
    {"near", MEMBER(caches.near), false},
    {"constant_line", MEMBER(caches.constant_line), false},
    {"constant_near", MEMBER(caches.constant_near), false},
    {"kept", MEMBER(caches.kept), false},
    {"page", MEMBER(caches.page), false},
    {"reach", MEMBER(caches.reach), false},
    {NULL, 0, false},
};

/* ---- members of the whole device ---- */

static void read_members(struct wb_device_reader *reader, const json_t *object, const char *before,
                         const struct wb_device_member *members)
{
  for (; members->key != NULL; members++)
    *(uint32_t *)(void *)((char *)reader->device + members->offset) =
        wb_device_read_number(reader, before, object, members->key, members->optional);
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
  wb_device_check_keys(reader, object, "", wb_device_residency_members, "shared_carveouts");
  read_members(reader, object, "residency", wb_device_residency_members);
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
        wb_device_read_found(reader, member, number, json_array_get(list, c), false);
    rules->carveout_count = c + 1;
  }
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

static void read_resources(struct wb_device_reader *reader, const json_t *list)
{
  static const char *const levels[] = {"partition", "sm", "gpu"};
  struct wb_device_timing *device = reader->device;
  struct wb_json_reader *json = &reader->json;
  wb_json_at(json, "resources");
  const size_t count = wb_device_expect_list(reader, list, WB_RESOURCE_LIMIT);
  for (size_t r = 0; r < count && wb_json_good(json); r++) {
    struct wb_device_resource *resource = &device->resources[r];
    wb_json_at(json, "resources, entry %zu", r + 1);
    const json_t *object = json_array_get(list, r);
    const json_t *at_issue = json_object_get(object, "at_issue");
    wb_json_object(json, object, "name level servers at_issue");
    const char *name =
        wb_device_read_name(reader, json_object_get(object, "name"), sizeof resource->name - 1);
    if (find_resource(reader->device, name) != SIZE_MAX)
      wb_json_fail(json, "%s: expected a name that no resource before has, found '%s'", json->place,
                   name);
    snprintf(resource->name, sizeof resource->name, "%s", name);
    wb_json_at(json, "%s.level", resource->name);
    resource->level = (enum wb_resource_level)wb_device_read_choice(
        reader, json_object_get(object, "level"), levels, WB_LEVEL_COUNT);
    wb_json_at(json, "%s.at_issue", resource->name);
    if (at_issue != NULL && !json_is_boolean(at_issue))
      wb_json_expected(json, "true or false", at_issue);
    resource->at_issue = json_is_true(at_issue);
    resource->servers = wb_device_read_number(reader, resource->name, object, "servers", false);
    device->resource_count = wb_json_good(json) ? r + 1 : r;
  }
}

/* ---- classes ---- */

/* A member that names a resource, as "resource" of an entry of a class: its number. */
static uint8_t read_resource_use(struct wb_device_reader *reader, const char *place,
                                 const char *key, const json_t *object)
{
  const json_t *found = json_object_get(object, key);
  const char *name = json_string_value(found);
  const size_t index = name != NULL ? find_resource(reader->device, name) : SIZE_MAX;
  if (index != SIZE_MAX)
    return (uint8_t)index;
  wb_json_at(&reader->json, "%.120s.%s", place, key);
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

/* What L2 keeps; may be left out. */
static void read_l2(struct wb_device_reader *reader, const json_t *object)
{
  struct wb_device_timing *device = reader->device;
  if (object == NULL)
    return;
  wb_json_at(&reader->json, "l2");
  wb_json_object(&reader->json, object, "memory retained copies far");
  device->has_memory = true;
  device->memory = read_resource_use(reader, "l2", "memory", object);
  device->l2_retained = wb_device_read_number(reader, "l2", object, "retained", false);
  device->l2_copies = wb_device_read_number(reader, "l2", object, "copies", false);
  device->l2_far = wb_device_read_number(reader, "l2", object, "far", false);
}

/* Reads an entry of a class's list, which is the value at hand, into the class. */
typedef void read_entry(struct wb_device_reader *reader, const char *place, const json_t *entry,
                        struct wb_timing_class *class);

static void read_use(struct wb_device_reader *reader, const char *place, const json_t *entry,
                     struct wb_timing_class *class)
{
  struct wb_class_use *use = &class->uses[class->use_count++];
  wb_json_object(&reader->json, entry, "resource service");
  use->resource = read_resource_use(reader, place, "resource", entry);
  use->service = wb_device_read_number(reader, place, entry, "service", false);
}

static void read_stage(struct wb_device_reader *reader, const char *place, const json_t *entry,
                       struct wb_timing_class *class)
{
  static const char *const units[] = {"instruction", "sector", "wavefront", "lane", "register"};
  struct wb_class_stage *stage = &class->stages[class->stage_count++];
  const json_t *per = json_object_get(entry, "per");
  wb_json_object(&reader->json, entry, "resource per delay service");
  stage->resource = read_resource_use(reader, place, "resource", entry);
  wb_json_at(&reader->json, "%.120s.per", place);
  stage->per = per != NULL ? (enum wb_request_unit)wb_device_read_choice(reader, per, units,
                                                                         WB_REQUEST_UNIT_COUNT)
                           : WB_PER_INSTRUCTION;
  stage->delay = wb_device_read_number(reader, place, entry, "delay", true);
  stage->service = wb_device_read_number(reader, place, entry, "service", false);
}

static void read_pattern(struct wb_device_reader *reader, const char *place, const json_t *entry,
                         struct wb_timing_class *class)
{
  const char *pattern = wb_device_read_text(reader, entry, LONGEST_OPCODE);
  bool good = pattern[0] != '\0' && pattern[strlen(pattern) - 1] != '.';
  for (size_t i = 0; pattern[i] != '\0' && good; i++)
    good = wb_is_alphanumeric(pattern[i]) || pattern[i] == '_' || pattern[i] == '.';
  if (!good)
    wb_json_fail(&reader->json, "%s: expected an opcode as LDG or LDG.E, found '%.60s'", place,
                 pattern);
  class->patterns[class->pattern_count++] = (char *)pattern;
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
  const size_t count = list != NULL ? wb_device_expect_list(reader, list, most) : 0;
  if (read == read_pattern)
    class->patterns = wb_json_allocate(&reader->json, count, sizeof *class->patterns);
  for (size_t i = 0; i < count && wb_json_good(&reader->json); i++) {
    char place[WB_DEVICE_PLACE_SIZE];
    snprintf(place, sizeof place, "%s.%s.%zu", class->name, key, i + 1);
    wb_json_at(&reader->json, "%s", place);
    read(reader, place, json_array_get(list, i), class);
  }
}

/* Caches that nothing of a launch is in when it begins; may be left out. */
/* What an SM's first cache keeps; may be left out. */
static void read_l1(struct wb_device_reader *reader, const json_t *object)
{
  wb_json_at(&reader->json, "l1");
  if (object != NULL)
    wb_json_object(&reader->json, object, "retained recent");
  reader->device->l1_retained = wb_device_read_number(reader, "l1", object, "retained", true);
  reader->device->l1_recent = wb_device_read_number(reader, "l1", object, "recent", true);
}

static void read_caches(struct wb_device_reader *reader, const json_t *object)
{
  struct wb_device_caches *caches = &reader->device->caches;
  struct {
    const char *key, *name;
    struct wb_timing_class *way;
  } ways[] = {{"near_fetch", "caches.near_fetch", &caches->near_fetch},
              {"fetch", "caches.fetch", &caches->fetch},
              {"walk", "caches.walk", &caches->walk}};
  if (object == NULL)
    return;
  wb_json_at(&reader->json, "caches");
  if (!json_is_object(object))
    wb_json_expected(&reader->json, "an object", object);
  wb_device_check_keys(reader, object, "", wb_device_cache_members, "near_fetch fetch walk");
  read_members(reader, object, "caches", wb_device_cache_members);
  for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
    ways[w].way->name = "caches";
    read_entries(reader, object, ways[w].key, WB_COLD_STAGES / 2, read_stage, ways[w].way);
    ways[w].way->name = ways[w].name;
  }
  reader->device->has_caches = wb_json_good(&reader->json);
}

static void read_classes(struct wb_device_reader *reader, const json_t *list)
{
  struct wb_device_timing *device = reader->device;
  struct wb_json_reader *json = &reader->json;
  size_t patterns = WB_DEVICE_PATTERN_LIMIT;
  wb_json_at(json, "classes");
  const size_t count = wb_device_expect_list(reader, list, WB_DEVICE_CLASS_LIMIT);
  device->classes = wb_json_allocate(json, count, sizeof *device->classes);
  for (size_t c = 0; c < count && wb_json_good(json); c++) {
    const json_t *object = json_array_get(list, c);
    const json_t *stages = json_object_get(object, "read_stages");
    struct wb_timing_class *class = &device->classes[c];
    wb_json_at(json, "classes, entry %zu", c + 1);
    wb_json_object(json, object,
                   "name opcodes units interval takes stages latency read_stages read_latency");
    class->name = wb_device_read_name(reader, json_object_get(object, "name"), LONGEST_CLASS);
    for (size_t b = 0; b < c; b++) {
      if (strcmp(device->classes[b].name, class->name) == 0)
        wb_json_fail(json, "%s: expected a name that no class before has, found '%s'", json->place,
                     class->name);
    }
    read_entries(reader, object, "opcodes", patterns, read_pattern, class);
    read_entries(reader, object, "units", WB_UNIT_COUNT, read_unit, class);
    read_entries(reader, object, "takes", WB_CLASS_USES, read_use, class);
    read_entries(reader, object, "stages", WB_CLASS_STAGES, read_stage, class);
    patterns -= class->pattern_count;
    class->interval = wb_device_read_number(reader, class->name, object, "interval", true);
    class->latency = wb_device_read_number(reader, class->name, object, "latency", true);
    class->read_latency = wb_device_read_number(reader, class->name, object, "read_latency", true);
    wb_json_at(json, "%.120s.read_stages", class->name);
    class->read_stages =
        stages != NULL ? (uint8_t)wb_json_number(json, stages, 0, class->stage_count) : 0;
    device->class_count = c + 1;
  }
}

/* ---- the file ---- */

/* Finds the clocks of the file and what its values are; a clock is said of times alone, and the
 * memory's where the file says which it is. */
static void check_value_clocks(struct wb_device_reader *reader)
{
  struct wb_device_timing *device = reader->device;
  if (!wb_json_good(&reader->json))
    return;
  device->file_clock = device->values[device->clock].given;
  device->file_memory_clock = device->values[device->memory_clock].given;
  wb_device_uses_find(device);
  wb_device_clocks_take_over(device);
  for (size_t v = 0; v < device->value_count; v++) {
    const struct wb_device_value *value = &device->values[v];
    if (value->clock != WB_CLOCK_UNKNOWN && value->is_count)
      wb_json_fail(&reader->json, "values, %s: expected no clock of a count", value->name);
    if (value->clock == WB_CLOCK_MEMORY && device->file_memory_clock == 0)
      wb_json_fail(&reader->json,
                   "values, %s: expected 'memory_clock' in the file, of which it counts cycles",
                   value->name);
  }
  wb_device_clocks_apply(device);
}

/* The name of the file without folders and ".json". */
static const char *own_name(struct wb_device_reader *reader)
{
  const char *slash = strrchr(reader->json.name, '/');
  const char *start = slash != NULL ? slash + 1 : reader->json.name;
  const size_t length = strlen(start);
  const bool json = length > 5 && strcmp(start + length - 5, ".json") == 0;
  return wb_device_copy_text(reader, start, json ? length - 5 : length);
}

/* A file that is like no other. */
static warpbound_status read_whole(const char *name, const json_t *object,
                                   struct wb_device_timing *device, warpbound_error *error)
{
  struct wb_device_reader reader = {.json = {.name = name, .error = error, .arena = &device->arena},
                                    .device = device};
  wb_device_check_keys(&reader, object, "format name product memory_clients architecture ",
                       wb_device_members, "residency l1 l2 caches resources classes modes values");
  device->file = wb_device_copy_text(&reader, name, strlen(name));
  device->name =
      wb_device_read_optional(&reader, object, "name", WB_DEVICE_LONGEST_NAME, own_name(&reader));
  device->product = wb_device_read_optional(&reader, object, "product", WB_DEVICE_LONGEST_NAME, "");
  device->memory_clients =
      wb_device_read_optional(&reader, object, "memory_clients", LONGEST_CLIENTS, "");
  wb_json_at_file(&reader.json);
  device->architecture =
      (uint32_t)wb_json_member(&reader.json, object, "architecture", 0, LARGEST_ARCHITECTURE);
  wb_device_read_values(&reader, json_object_get(object, "values"));
  read_members(&reader, object, "", wb_device_members);
  read_residency(&reader, json_object_get(object, "residency"));
  read_resources(&reader, json_object_get(object, "resources"));
  read_l1(&reader, json_object_get(object, "l1"));
  read_l2(&reader, json_object_get(object, "l2"));
  read_caches(&reader, json_object_get(object, "caches"));
  read_classes(&reader, json_object_get(object, "classes"));
  check_value_clocks(&reader);
  if (wb_json_good(&reader.json))
    reader.json.status = wb_device_timing_verify(device, error);
  wb_device_read_modes(&reader, json_object_get(object, "modes"));
  wb_device_check_modes(&reader);
  return reader.json.status;
}

static warpbound_status read_object(const char *name, const json_t *object, void *into,
                                    warpbound_error *error)
{
  static const char *const formats[] = {WB_DEVICE_FORMAT, NULL};
  json_t *whole = NULL;
  warpbound_status status = wb_json_format(name, object, formats, error);
  if (status == WARPBOUND_OK)
    status = wb_device_like(name, object, &whole, error);
  if (status == WARPBOUND_OK)
    status = read_whole(name, whole, into, error);
  json_decref(whole);
  return status;
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

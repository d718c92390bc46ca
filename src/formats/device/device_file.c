#include "formats/device/device_file.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/text/ascii.h"
#include "base/text/nearest.h"
#include "formats/json/json_input.h"
#include "formats/json/json_output.h"
#include "model/devices/device_timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_NAME 100
#define LONGEST_CLIENTS 300
#define LONGEST_SOURCE 2000
#define LARGEST_ARCHITECTURE 9999
#define LONGEST_CLASS 60
#define LONGEST_OPCODE 60
/* Room for the name of a place in the file, for messages and for values without a name. */
#define PLACE_SIZE 160

/* A member that is a number of the whole device: its key, where its value's number is in struct
 * wb_device_timing, and whether a file may leave it out. */
struct member {
  const char *key;
  size_t offset;
  bool optional;
};

/* A file being read. Nothing is of an arena. */
struct reader {
  struct wb_json_reader json;
  struct wb_device_timing *device;
  size_t given; /* values but those that the file leaves out */
};

#define MEMBER(name) offsetof(struct wb_device_timing, name)

/* Of the file itself, and of its member `residency`; each list ends with a key of NULL. */
static const struct member device_members[] = {
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

static const struct member residency_members[] = {
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

/* A copy of the arena; "" after a failure. */
static const char *copy_text(struct reader *reader, const char *text, size_t length)
{
  char *copy = wb_json_allocate(&reader->json, length + 1, 1);
  if (copy == NULL)
    return "";
  memcpy(copy, text, length);
  return copy;
}

/* A text at the place at hand without control characters, of at most `most` bytes; "" after a
 * failure. */
static const char *read_text(struct reader *reader, const json_t *found, size_t most)
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
  return text != NULL ? copy_text(reader, text, length) : "";
}

/* A text that may be left out: `otherwise` then. */
static const char *read_optional(struct reader *reader, const json_t *object, const char *key,
                                 size_t most, const char *otherwise)
{
  const json_t *found = json_object_get(object, key);
  wb_json_at(&reader->json, "%s", key);
  return found != NULL ? read_text(reader, found, most) : otherwise;
}

/* ---- values ---- */

/* Appends a value with a name that none has yet; its number. left_out: 0, assumed. */
static uint32_t add_value(struct reader *reader, const char *name, uint64_t number,
                          enum wb_value_kind kind, const char *source, bool left_out)
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
  if (!wb_json_good(&reader->json))
    return 0;
  device->values[device->value_count] = value;
  return (uint32_t)device->value_count++;
}

static void read_values(struct reader *reader, const json_t *values)
{
  struct wb_json_reader *json = &reader->json;
  char prefix[PLACE_SIZE + 8];
  const char *key;
  json_t *value;
  wb_json_at(json, "values");
  if (values != NULL && !json_is_object(values))
    wb_json_expected(json, "an object", values);
  json_object_foreach((json_t *)values, key, value)
  {
    /* A value's name is written in options and messages: it is one word of printable characters. */
    const size_t length = strlen(key);
    const json_t *found = json_object_get(value, "source");
    bool good = length > 0 && length <= LONGEST_NAME;
    if (!wb_json_good(json))
      return;
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
    const json_t *said = json_object_get(value, "kind");
    int kind = WB_VALUE_DECLARED;
    warpbound_error cause;
    snprintf(prefix, sizeof prefix, "%s: ", json->place);
    if (said != NULL && !json_is_string(said))
      wb_json_expected(json, "\"measured\", \"documented\", \"declared\" or \"assumed\"", said);
    else if (said != NULL &&
             wb_choice_read(kinds, prefix, json_string_value(said), &kind, &cause) != WARPBOUND_OK)
      wb_json_fail(json, "%s", cause.message);
    const char *source = found != NULL ? read_text(reader, found, LONGEST_SOURCE) : "";
    add_value(reader, key, number, (enum wb_value_kind)kind, source, false);
  }
}

/* ---- numbers ---- */

/* The value that a text names; the message about one that is not there has a near one. */
static uint32_t find_value(struct reader *reader, const char *place, const char *name)
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

/* The number at a place, "BEFORE.KEY", or KEY where there is nothing before it: the name of a
 * value, or a number, which becomes a value with the place's name; where there is none and it is
 * optional a value 0 that is left out. Returns the value's number. A number that is left out has
 * the place's name, or, where another one has that, the same with a blank in it, which no other one
 * has. */
static uint32_t read_found(struct reader *reader, const char *before, const char *key,
                           const json_t *found, bool optional)
{
  char place[PLACE_SIZE];
  char name[PLACE_SIZE + 16];
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
    return find_value(reader, place, json_string_value(found));
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

/* The number of a member. */
static uint32_t read_number(struct reader *reader, const char *before, const json_t *object,
                            const char *key, bool optional)
{
  return read_found(reader, before, key, json_object_get(object, key), optional);
}

/* ---- members of the whole device ---- */

/* Refuses keys but those of the members and others, which stand before and after them. */
static void check_keys(struct reader *reader, const json_t *object, const char *before,
                       const struct member *members, const char *after)
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

static void read_members(struct reader *reader, const json_t *object, const char *before,
                         const struct member *members)
{
  for (; members->key != NULL; members++)
    *(uint32_t *)(void *)((char *)reader->device + members->offset) =
        read_number(reader, before, object, members->key, members->optional);
}

/* shared_carveouts: the sizes that shared memory can be set to; a file may leave them out. */
static void read_residency(struct reader *reader, const json_t *object)
{
  static const char member[] = "residency.shared_carveouts";
  struct wb_residency_rules *rules = &reader->device->residency;
  const json_t *list = json_object_get(object, "shared_carveouts");
  const size_t count = json_array_size(list);
  wb_json_at(&reader->json, "residency");
  if (!json_is_object(object))
    wb_json_expected(&reader->json, "an object", object);
  check_keys(reader, object, "", residency_members, "shared_carveouts");
  read_members(reader, object, "residency", residency_members);
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
    rules->carveouts[c] = read_found(reader, member, number, json_array_get(list, c), false);
    rules->carveout_count = c + 1;
  }
}

/* The value at hand has to be a list of at most `most` entries; how many, 0 after a failure. */
static size_t expect_list(struct reader *reader, const json_t *list, size_t most)
{
  if (!json_is_array(list))
    wb_json_expected(&reader->json, "a list", list);
  if (json_array_size(list) > most)
    wb_json_fail(&reader->json, "%s: expected at most %zu entries, found %zu", reader->json.place,
                 most, json_array_size(list));
  return wb_json_good(&reader->json) ? json_array_size(list) : 0;
}

/* One of a list of names, by its number. */
static unsigned read_choice(struct reader *reader, const json_t *found, const char *const *names,
                            unsigned count)
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
 * "" after a failure. */
static const char *read_name(struct reader *reader, const json_t *found, size_t most)
{
  const char *name = read_text(reader, found, most);
  bool good = name[0] != '\0';
  for (size_t i = 0; name[i] != '\0' && good; i++)
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

static void read_resources(struct reader *reader, const json_t *list)
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
    const char *name =
        read_name(reader, json_object_get(object, "name"), sizeof resource->name - 1);
    if (find_resource(reader->device, name) != SIZE_MAX)
      wb_json_fail(json, "%s: expected a name that no resource before has, found '%s'", json->place,
                   name);
    snprintf(resource->name, sizeof resource->name, "%s", name);
    wb_json_at(json, "%s.level", resource->name);
    resource->level = (enum wb_resource_level)read_choice(reader, json_object_get(object, "level"),
                                                          levels, WB_LEVEL_COUNT);
    wb_json_at(json, "%s.at_issue", resource->name);
    if (at_issue != NULL && !json_is_boolean(at_issue))
      wb_json_expected(json, "true or false", at_issue);
    resource->at_issue = json_is_true(at_issue);
    resource->servers = read_number(reader, resource->name, object, "servers", false);
    device->resource_count = wb_json_good(json) ? r + 1 : r;
  }
}

/* ---- classes ---- */

/* A member that names a resource, as "resource" of an entry of a class: its number. */
static uint8_t read_resource_use(struct reader *reader, const char *place, const char *key,
                                 const json_t *object)
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
static void read_l2(struct reader *reader, const json_t *object)
{
  struct wb_device_timing *device = reader->device;
  if (object == NULL)
    return;
  wb_json_at(&reader->json, "l2");
  wb_json_object(&reader->json, object, "memory retained copies far");
  device->has_memory = true;
  device->memory = read_resource_use(reader, "l2", "memory", object);
  device->l2_retained = read_number(reader, "l2", object, "retained", false);
  device->l2_copies = read_number(reader, "l2", object, "copies", false);
  device->l2_far = read_number(reader, "l2", object, "far", false);
}

/* Reads an entry of a class's list, which is the value at hand, into the class. */
typedef void read_entry(struct reader *reader, const char *place, const json_t *entry,
                        struct wb_timing_class *class);

static void read_use(struct reader *reader, const char *place, const json_t *entry,
                     struct wb_timing_class *class)
{
  struct wb_class_use *use = &class->uses[class->use_count++];
  wb_json_object(&reader->json, entry, "resource service");
  use->resource = read_resource_use(reader, place, "resource", entry);
  use->service = read_number(reader, place, entry, "service", false);
}

static void read_stage(struct reader *reader, const char *place, const json_t *entry,
                       struct wb_timing_class *class)
{
  static const char *const units[] = {"instruction", "sector", "wavefront", "lane", "register"};
  struct wb_class_stage *stage = &class->stages[class->stage_count++];
  const json_t *per = json_object_get(entry, "per");
  wb_json_object(&reader->json, entry, "resource per delay service");
  stage->resource = read_resource_use(reader, place, "resource", entry);
  wb_json_at(&reader->json, "%.120s.per", place);
  stage->per = per != NULL
                   ? (enum wb_request_unit)read_choice(reader, per, units, WB_REQUEST_UNIT_COUNT)
                   : WB_PER_INSTRUCTION;
  stage->delay = read_number(reader, place, entry, "delay", true);
  stage->service = read_number(reader, place, entry, "service", false);
}

static void read_pattern(struct reader *reader, const char *place, const json_t *entry,
                         struct wb_timing_class *class)
{
  const char *pattern = read_text(reader, entry, LONGEST_OPCODE);
  bool good = pattern[0] != '\0' && pattern[strlen(pattern) - 1] != '.';
  for (size_t i = 0; pattern[i] != '\0' && good; i++)
    good = wb_is_alphanumeric(pattern[i]) || pattern[i] == '_' || pattern[i] == '.';
  if (!good)
    wb_json_fail(&reader->json, "%s: expected an opcode as LDG or LDG.E, found '%.60s'", place,
                 pattern);
  class->patterns[class->pattern_count++] = (char *)pattern;
}

static void read_unit(struct reader *reader, const char *place, const json_t *entry,
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
static void read_entries(struct reader *reader, const json_t *object, const char *key, size_t most,
                         read_entry *read, struct wb_timing_class *class)
{
  const json_t *list = json_object_get(object, key);
  wb_json_at(&reader->json, "%.120s.%s", class->name, key);
  const size_t count = list != NULL ? expect_list(reader, list, most) : 0;
  if (read == read_pattern)
    class->patterns = wb_json_allocate(&reader->json, count, sizeof *class->patterns);
  for (size_t i = 0; i < count && wb_json_good(&reader->json); i++) {
    char place[PLACE_SIZE];
    snprintf(place, sizeof place, "%s.%s.%zu", class->name, key, i + 1);
    wb_json_at(&reader->json, "%s", place);
    read(reader, place, json_array_get(list, i), class);
  }
}

static void read_classes(struct reader *reader, const json_t *list)
{
  struct wb_device_timing *device = reader->device;
  struct wb_json_reader *json = &reader->json;
  size_t patterns = WB_DEVICE_PATTERN_LIMIT;
  wb_json_at(json, "classes");
  const size_t count = expect_list(reader, list, WB_DEVICE_CLASS_LIMIT);
  device->classes = wb_json_allocate(json, count, sizeof *device->classes);
  for (size_t c = 0; c < count && wb_json_good(json); c++) {
    const json_t *object = json_array_get(list, c);
    const json_t *stages = json_object_get(object, "read_stages");
    struct wb_timing_class *class = &device->classes[c];
    wb_json_at(json, "classes, entry %zu", c + 1);
    wb_json_object(json, object,
                   "name opcodes units interval takes stages latency read_stages read_latency");
    class->name = read_name(reader, json_object_get(object, "name"), LONGEST_CLASS);
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
    class->interval = read_number(reader, class->name, object, "interval", true);
    class->latency = read_number(reader, class->name, object, "latency", true);
    class->read_latency = read_number(reader, class->name, object, "read_latency", true);
    wb_json_at(json, "%.120s.read_stages", class->name);
    class->read_stages =
        stages != NULL ? (uint8_t)wb_json_number(json, stages, 0, class->stage_count) : 0;
    device->class_count = c + 1;
  }
}

/* ---- the file ---- */

static warpbound_status read_object(const char *name, const json_t *object, void *into,
                                    warpbound_error *error)
{
  static const char *const formats[] = {WB_DEVICE_FORMAT, NULL};
  struct wb_device_timing *device = into;
  struct reader reader = {.json = {.name = name, .error = error, .arena = &device->arena},
                          .device = device};
  reader.json.status = wb_json_format(name, object, formats, error);
  check_keys(&reader, object, "format name product memory_clients architecture ", device_members,
             "residency l2 resources classes values");
  const char *slash = strrchr(name, '/');
  const char *start = slash != NULL ? slash + 1 : name;
  const size_t length = strlen(start);
  const bool json = length > 5 && strcmp(start + length - 5, ".json") == 0;
  device->file = copy_text(&reader, name, strlen(name));
  device->name = read_optional(&reader, object, "name", LONGEST_NAME,
                               copy_text(&reader, start, json ? length - 5 : length));
  device->product = read_optional(&reader, object, "product", LONGEST_NAME, "");
  device->memory_clients = read_optional(&reader, object, "memory_clients", LONGEST_CLIENTS, "");
  wb_json_at_file(&reader.json);
  device->architecture =
      (uint32_t)wb_json_member(&reader.json, object, "architecture", 0, LARGEST_ARCHITECTURE);
  read_values(&reader, json_object_get(object, "values"));
  read_members(&reader, object, "", device_members);
  read_residency(&reader, json_object_get(object, "residency"));
  read_resources(&reader, json_object_get(object, "resources"));
  read_l2(&reader, json_object_get(object, "l2"));
  read_classes(&reader, json_object_get(object, "classes"));
  if (wb_json_good(&reader.json))
    device->file_clock = device->values[device->clock].value;
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

/* ---- writing ---- */

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
                        const struct member *members)
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
  json_t *stages = json_array();
  for (size_t s = 0; s < class->stage_count; s++) {
    const struct wb_class_stage *stage = &class->stages[s];
    json_t *entry =
        json_pack("{s:s, s:s, s:o}", "resource", device->resources[stage->resource].name, "per",
                  wb_request_unit_name(stage->per), "service", number_json(device, stage->service));
    put_number(&entry, "delay", device, stage->delay);
    wb_json_push(&stages, entry);
  }
  put_list(&object, "stages", stages);
  put_number(&object, "latency", device, class->latency);
  if (class->read_stages > 0)
    wb_json_put(&object, "read_stages", json_integer(class->read_stages));
  put_number(&object, "read_latency", device, class->read_latency);
  return object;
}

json_t *wb_device_timing_json(const struct wb_device_timing *device)
{
  json_t *object =
      json_pack("{s:s, s:s, s:s, s:I}", "format", WB_DEVICE_FORMAT, "name", device->name, "product",
                device->product, "architecture", (json_int_t)device->architecture);
  if (device->memory_clients != NULL && device->memory_clients[0] != '\0')
    wb_json_put(&object, "memory_clients", json_string(device->memory_clients));
  put_members(&object, device, device_members);
  json_t *residency = json_object();
  json_t *carveouts = json_array();
  for (size_t c = 0; c < device->residency.carveout_count; c++)
    wb_json_push(&carveouts, number_json(device, device->residency.carveouts[c]));
  put_members(&residency, device, residency_members);
  put_list(&residency, "shared_carveouts", carveouts);
  wb_json_put(&object, "residency", residency);
  if (device->has_memory)
    wb_json_put(&object, "l2",
                json_pack("{s:s, s:o, s:o, s:o}", "memory", device->resources[device->memory].name,
                          "retained", number_json(device, device->l2_retained), "copies",
                          number_json(device, device->l2_copies), "far",
                          number_json(device, device->l2_far)));
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
  json_t *values = json_object();
  for (size_t v = 0; v < device->value_count; v++) {
    const struct wb_device_value *value = &device->values[v];
    if (!value->left_out)
      wb_json_put(&values, value->name,
                  json_pack("{s:I, s:s, s:s}", "value", (json_int_t)value->value, "kind",
                            wb_value_kind_name(value->kind), "source", value->source));
  }
  wb_json_put(&object, "values", values);
  return object;
}

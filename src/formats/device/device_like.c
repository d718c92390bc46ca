/* Device files that say that they are another device with differences. */
#include "formats/device/device_reader.h"

#include "base/status.h"
#include "base/text/nearest.h"
#include "formats/device/device_file.h"

#include <stdbool.h>
#include <string.h>

/* So many bundled devices may be like one another in turn. */
#define DEEPEST 4

/* The entry of a list with a name, SIZE_MAX where there is none. */
static size_t entry_named(const json_t *list, const char *name)
{
  for (size_t i = 0; name != NULL && i < json_array_size(list); i++) {
    const char *other = json_string_value(json_object_get(json_array_get(list, i), "name"));
    if (other != NULL && strcmp(other, name) == 0)
      return i;
  }
  return SIZE_MAX;
}

/* Entries replace those of their names, or come after them. */
static bool merge_entries(json_t *into, const json_t *list)
{
  for (size_t i = 0; i < json_array_size(list); i++) {
    json_t *entry = json_array_get(list, i);
    const size_t found = entry_named(into, json_string_value(json_object_get(entry, "name")));
    if ((found != SIZE_MAX ? json_array_set(into, found, entry) : json_array_append(into, entry)) !=
        0)
      return false;
  }
  return true;
}

/* Puts a member in place of what is there; null takes it away. */
static bool put(json_t *into, const char *key, json_t *value)
{
  if (json_is_null(value)) {
    (void)json_object_del(into, key);
    return true;
  }
  return json_object_set(into, key, value) == 0;
}

/* Members of objects are put one by one, entries of lists by their names, others as they are. */
static bool merge(json_t *into, const json_t *object)
{
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)object, key, value)
  {
    json_t *there = json_object_get(into, key);
    bool done = true;
    if (strcmp(key, "like") == 0)
      continue;
    if (json_is_object(there) && json_is_object(value)) {
      const char *member;
      json_t *part;
      json_object_foreach(value, member, part) done = done && put(there, member, part);
    } else if (json_is_array(there) && json_is_array(value) &&
               (strcmp(key, "resources") == 0 || strcmp(key, "classes") == 0)) {
      done = merge_entries(there, value);
    } else {
      done = put(into, key, value);
    }
    if (!done)
      return false;
  }
  return true;
}

/* The Hz of a clock of the file; NULL: it has none. */
static json_t *clock_of(const json_t *whole, const char *clock)
{
  json_t *member = json_object_get(whole, clock);
  const char *name = json_string_value(member);
  const json_t *value = json_object_get(json_object_get(whole, "values"), name != NULL ? name : "");
  json_t *hertz = json_is_integer(member) ? member : json_object_get(value, "value");
  return json_is_integer(hertz) && json_integer_value(hertz) > 0 ? hertz : NULL;
}

/* Notes at which clocks the cycles of a device's values count: a file that is like it may have
 * other clocks. */
static bool note_clocks(json_t *whole)
{
  json_t *clocks[2] = {clock_of(whole, "clock"), clock_of(whole, "memory_clock")};
  static const char *const keys[2] = {"at_clock", "at_memory_clock"};
  const char *name;
  json_t *value;
  bool done = true;
  json_object_foreach(json_object_get(whole, "values"), name, value)
  {
    const bool noted = json_object_get(value, keys[0]) != NULL;
    for (size_t c = 0; c < 2 && !noted && json_is_object(value); c++)
      done = done && (clocks[c] == NULL || json_object_set(value, keys[c], clocks[c]) == 0);
  }
  return done;
}

/* The object of the bundled device that a file is like. */
static warpbound_status parse_like(const char *name, const json_t *like, json_t **base,
                                   warpbound_error *error)
{
  const char *text = json_string_value(like);
  if (text == NULL)
    return wb_json_wrong(name, "like", "the name of a bundled device", like, error);
  const size_t found = wb_device_timing_bundled_find(text);
  struct wb_nearest nearest = wb_nearest_start(text);
  char hint[WB_HINT_SIZE];
  for (size_t d = 0; d < wb_bundled_device_count; d++)
    wb_nearest_offer(&nearest, wb_bundled_devices[d].name);
  if (found == SIZE_MAX)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "like: expected the name of a bundled device, found '%.60s'%s", text,
                      wb_nearest_hint(&nearest, "", hint));
  const struct wb_bundled_device *bundled = &wb_bundled_devices[found];
  return wb_json_parse(bundled->name, bundled->text, bundled->length, base, error);
}

warpbound_status wb_device_like(const char *name, const json_t *object, json_t **whole,
                                warpbound_error *error)
{
  /* From the file to the one that is like no other. */
  const json_t *levels[DEEPEST + 1] = {object};
  json_t *bases[DEEPEST] = {NULL};
  size_t depth = 0;
  warpbound_status status = WARPBOUND_OK;
  for (const json_t *like = json_object_get(object, "like"); like != NULL && status == WARPBOUND_OK;
       like = json_object_get(levels[depth], "like")) {
    status = depth < DEEPEST ? parse_like(name, like, &bases[depth], error)
                             : wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                                          "like: expected at most %d devices in turn", DEEPEST);
    if (status != WARPBOUND_OK)
      break;
    levels[depth + 1] = bases[depth];
    depth++;
  }
  *whole = NULL;
  if (status == WARPBOUND_OK && depth == 0)
    *whole = json_incref((json_t *)object);
  else if (status == WARPBOUND_OK)
    *whole = json_incref(bases[depth - 1]);
  for (size_t level = depth; level-- > 0 && status == WARPBOUND_OK;) {
    /* What a device is called is its own. */
    (void)json_object_del(*whole, "name");
    (void)json_object_del(*whole, "product");
    if (!note_clocks(*whole) || !merge(*whole, levels[level]))
      status = wb_out_of_memory(error);
  }
  for (size_t level = 0; level < DEEPEST; level++)
    json_decref(bases[level]);
  if (status != WARPBOUND_OK) {
    json_decref(*whole);
    *whole = NULL;
  }
  return status;
}

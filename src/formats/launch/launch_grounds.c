#include "formats/launch/launch_grounds.h"

#include "base/memory.h"
#include "formats/json/json_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACE_SIZE 48

/* ---- reading ---- */

/* A file being read. */
struct reader {
  const char *name; /* the file's, for messages */
  struct wb_launch_grounds *grounds;
  warpbound_error *error;
};

/* A text; the caller owns *copy. */
static warpbound_status read_text(const struct reader *reader, const char *place,
                                  const json_t *found, char **copy)
{
  if (!json_is_string(found))
    return wb_json_wrong(reader->name, place, "a string", found, reader->error);
  *copy = wb_copy_text(json_string_value(found), json_string_length(found));
  return *copy != NULL ? WARPBOUND_OK : wb_out_of_memory(reader->error);
}

/* A member that is a list, or is left out: NULL then. */
static warpbound_status find_list(const struct reader *reader, const json_t *object,
                                  const char *key, const json_t **list)
{
  *list = json_object_get(object, key);
  if (*list == NULL)
    return WARPBOUND_OK;
  if (!json_is_array(*list))
    return wb_json_wrong(reader->name, key, "a list", *list, reader->error);
  if (json_array_size(*list) <= WB_LAUNCH_GROUNDS_LIMIT)
    return WARPBOUND_OK;
  return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0,
                    "%s: expected at most %d entries, found %zu", key, WB_LAUNCH_GROUNDS_LIMIT,
                    json_array_size(*list));
}

static warpbound_status read_kind(const struct reader *reader, const char *place,
                                  const json_t *found, enum wb_value_kind *kind)
{
  const char *text = json_string_value(found);
  for (int k = 0; text != NULL && k < WB_VALUE_KIND_COUNT; k++) {
    if (strcmp(text, wb_value_kind_name((enum wb_value_kind)k)) == 0) {
      *kind = (enum wb_value_kind)k;
      return WARPBOUND_OK;
    }
  }
  return wb_json_wrong(reader->name, place,
                       "\"documented\", \"measured\", \"declared\" or \"assumed\" for kind", found,
                       reader->error);
}

static warpbound_status read_value(const struct reader *reader, size_t index, const json_t *object,
                                   struct wb_device_value *value)
{
  static const char *const keys[] = {"name", "value", "kind", NULL};
  char place[PLACE_SIZE];
  snprintf(place, sizeof place, "values, entry %zu", index + 1);
  if (!json_is_object(object))
    return wb_json_wrong(reader->name, place, "an object", object, reader->error);
  warpbound_status status = wb_json_check_keys(reader->name, object, keys, reader->error);
  if (status == WARPBOUND_OK)
    status = read_text(reader, place, json_object_get(object, "name"), &value->name);
  if (status == WARPBOUND_OK)
    status = wb_json_number(reader->name, place, json_object_get(object, "value"), 0, INT64_MAX,
                            &value->value, reader->error);
  return status == WARPBOUND_OK
             ? read_kind(reader, place, json_object_get(object, "kind"), &value->kind)
             : status;
}

static warpbound_status read_values(const struct reader *reader, const json_t *object)
{
  struct wb_launch_grounds *grounds = reader->grounds;
  const json_t *list;
  warpbound_status status = find_list(reader, object, "values", &list);
  if (status != WARPBOUND_OK || list == NULL)
    return status;
  grounds->value_count = json_array_size(list);
  grounds->values = wb_allocate(grounds->value_count, sizeof *grounds->values);
  if (grounds->values == NULL) {
    grounds->value_count = 0;
    return wb_out_of_memory(reader->error);
  }
  for (size_t v = 0; v < grounds->value_count && status == WARPBOUND_OK; v++)
    status = read_value(reader, v, json_array_get(list, v), &grounds->values[v]);
  return status;
}

static warpbound_status read_assumptions(const struct reader *reader, const json_t *object)
{
  const json_t *list;
  warpbound_status status = find_list(reader, object, "assumptions", &list);
  const size_t count = status == WARPBOUND_OK && list != NULL ? json_array_size(list) : 0;
  for (size_t a = 0; a < count && status == WARPBOUND_OK; a++) {
    const json_t *found = json_array_get(list, a);
    char place[PLACE_SIZE];
    snprintf(place, sizeof place, "assumptions, entry %zu", a + 1);
    if (json_is_string(found))
      wb_list_add(&reader->grounds->assumptions, "%s", json_string_value(found));
    else
      status = wb_json_wrong(reader->name, place, "a string", found, reader->error);
  }
  return status == WARPBOUND_OK && reader->grounds->assumptions.failed
             ? wb_out_of_memory(reader->error)
             : status;
}

warpbound_status wb_launch_grounds_read(const char *name, const json_t *object,
                                        struct wb_launch_grounds *grounds, warpbound_error *error)
{
  const struct reader reader = {name, grounds, error};
  const json_t *device = json_object_get(object, "device");
  *grounds = (struct wb_launch_grounds){0};
  warpbound_status status = WARPBOUND_OK;
  if (device != NULL)
    status = read_text(&reader, "device", device, &grounds->device);
  if (status == WARPBOUND_OK)
    status = read_values(&reader, object);
  return status == WARPBOUND_OK ? read_assumptions(&reader, object) : status;
}

void wb_launch_grounds_free(struct wb_launch_grounds *grounds)
{
  for (size_t v = 0; v < grounds->value_count; v++)
    free(grounds->values[v].name);
  free(grounds->values);
  free(grounds->device);
  wb_list_free(&grounds->assumptions);
  *grounds = (struct wb_launch_grounds){0};
}

/* ---- writing ---- */

json_t *wb_launch_grounds_values(const struct wb_launch_grounds *grounds)
{
  json_t *array = json_array();
  for (size_t v = 0; v < grounds->value_count; v++) {
    const struct wb_device_value *value = &grounds->values[v];
    wb_json_push(&array,
                 json_pack("{s:o, s:I, s:s}", "name", wb_json_clean(value->name), "value",
                           (json_int_t)value->value, "kind", wb_value_kind_name(value->kind)));
  }
  return array;
}

/* A member on a line of its own; takes the reference. */
static void write_member(const char *key, json_t *member, struct wb_text *text)
{
  wb_text_format(text, " \"%s\": ", key);
  wb_json_write(member, JSON_ENCODE_ANY, text);
  wb_text_string(text, ",\n");
  json_decref(member);
}

void wb_launch_grounds_write(const struct wb_launch_grounds *grounds, struct wb_text *text)
{
  if (grounds->device != NULL)
    write_member("device", wb_json_clean(grounds->device), text);
  write_member("values", wb_launch_grounds_values(grounds), text);
  write_member("assumptions", wb_json_list(&grounds->assumptions), text);
}

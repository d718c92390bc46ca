#include "formats/launch/launch_grounds.h"

#include "base/memory.h"
#include "formats/json/json_output.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

/* A text at the place; the caller owns it. */
static char *read_text(struct wb_json_reader *reader, const json_t *found)
{
  if (!json_is_string(found))
    wb_json_expected(reader, "a string", found);
  if (!wb_json_good(reader))
    return NULL;
  char *copy = wb_copy_text(json_string_value(found), json_string_length(found));
  if (copy == NULL)
    reader->status = wb_out_of_memory(reader->error);
  return copy;
}

/* A member that is a list, or is left out; *count: of its entries, 0 after a failure. */
static const json_t *find_list(struct wb_json_reader *reader, const json_t *object, const char *key,
                               size_t *count)
{
  const json_t *list = json_object_get(object, key);
  wb_json_at_file(reader);
  if (list != NULL)
    wb_json_array_member(reader, object, key, "a list");
  if (json_array_size(list) > WB_LAUNCH_GROUNDS_LIMIT)
    wb_json_fail(reader, "%s: expected at most %d entries, found %zu", key, WB_LAUNCH_GROUNDS_LIMIT,
                 json_array_size(list));
  *count = wb_json_good(reader) ? json_array_size(list) : 0;
  return list;
}

static enum wb_value_kind read_kind(struct wb_json_reader *reader, const json_t *found)
{
  const char *text = json_string_value(found);
  for (int k = 0; text != NULL && k < WB_VALUE_KIND_COUNT; k++) {
    if (strcmp(text, wb_value_kind_name((enum wb_value_kind)k)) == 0)
      return (enum wb_value_kind)k;
  }
  wb_json_expected(reader, "\"documented\", \"measured\", \"declared\" or \"assumed\" for kind",
                   found);
  return WB_VALUE_ASSUMED;
}

void wb_launch_grounds_read(struct wb_json_reader *reader, const json_t *object,
                            struct wb_launch_grounds *grounds)
{
  const json_t *device = json_object_get(object, "device");
  size_t count;
  wb_json_at(reader, "device");
  if (device != NULL)
    grounds->device = read_text(reader, device);
  size_t value_count;
  const json_t *values = find_list(reader, object, "values", &value_count);
  if (value_count != 0) {
    grounds->values = wb_allocate(value_count, sizeof *grounds->values);
    if (grounds->values == NULL)
      reader->status = wb_out_of_memory(reader->error);
    for (size_t v = 0; v < value_count && wb_json_good(reader); v++) {
      const json_t *entry = json_array_get(values, v);
      struct wb_device_value *value = &grounds->values[grounds->value_count++];
      wb_json_at(reader, "values, entry %zu", v + 1);
      wb_json_object(reader, entry, "name value kind");
      value->name = read_text(reader, json_object_get(entry, "name"));
      value->value = wb_json_number(reader, json_object_get(entry, "value"), 0, INT64_MAX);
      value->kind = read_kind(reader, json_object_get(entry, "kind"));
    }
  }
  const json_t *list = find_list(reader, object, "assumptions", &count);
  for (size_t a = 0; a < count && wb_json_good(reader); a++) {
    const json_t *found = json_array_get(list, a);
    wb_json_at(reader, "assumptions, entry %zu", a + 1);
    if (json_is_string(found))
      wb_list_add(&grounds->assumptions, "%s", json_string_value(found));
    else
      wb_json_expected(reader, "a string", found);
  }
  if (wb_json_good(reader) && grounds->assumptions.failed)
    reader->status = wb_out_of_memory(reader->error);
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

#include "formats/potential/components_member.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACE 64

warpbound_status wb_type_member_read(const char *name, const char *place, const json_t *value,
                                     char *type, warpbound_error *error)
{
  const char *text = json_string_value(value);
  if (text == NULL)
    return wb_json_wrong(name, place, "a type: one of \"L\", \"C\", \"S\", \"D\", \"T\", \"N\"",
                         value, error);
  if (strlen(text) != 1 || strchr("LCSDTN", text[0]) == NULL)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "%s: expected a type: one of L, C, S, D, T, N, found \"%.40s\"", place, text);
  *type = text[0];
  return WARPBOUND_OK;
}

/* "pieces, entry 2, shares" */
static const char *name_place(char place[PLACE], size_t index, const char *member)
{
  snprintf(place, PLACE, "pieces, entry %zu%s%s", index + 1, *member != '\0' ? ", " : "", member);
  return place;
}

static warpbound_status expect_list(const char *name, const char *place, const json_t *list,
                                    size_t count, warpbound_error *error)
{
  if (!json_is_array(list))
    return wb_json_wrong(name, place, "a list", list, error);
  if (json_array_size(list) != count)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "%s: expected %zu items, found %zu", place, count, json_array_size(list));
  return WARPBOUND_OK;
}

static warpbound_status read_weights(const char *name, const json_t *entry, size_t index,
                                     size_t pool_count,
                                     struct wb_check_potential_component *component,
                                     warpbound_error *error)
{
  char place[PLACE];
  const json_t *list = json_object_get(entry, "shares");
  name_place(place, index, "shares");
  warpbound_status status = expect_list(name, place, list, pool_count, error);
  for (size_t i = 0; status == WARPBOUND_OK && i < pool_count; i++)
    status = wb_json_number(name, place, json_array_get(list, i), 0, WB_CHECK_POTENTIAL_COUNT_LIMIT,
                            &component->weights[i], error);
  return status;
}

static warpbound_status read_values(const char *name, const json_t *entry, size_t index,
                                    size_t length, int64_t *values, warpbound_error *error)
{
  char place[PLACE];
  const json_t *list = json_object_get(entry, "values");
  name_place(place, index, "values");
  warpbound_status status = expect_list(name, place, list, length, error);
  for (size_t p = 0; status == WARPBOUND_OK && p < length; p++)
    status = wb_json_signed(name, place, json_array_get(list, p), &values[p], error);
  return status;
}

static warpbound_status read_component(const char *name, const json_t *entry, size_t index,
                                       size_t pool_count, size_t length,
                                       struct wb_check_potential_component *component,
                                       int64_t *values, warpbound_error *error)
{
  static const char *const keys[] = {"type", "least", "shares", "values", NULL};
  char place[PLACE];
  uint64_t least = 0;
  if (!json_is_object(entry))
    return wb_json_wrong(name, name_place(place, index, ""), "an object", entry, error);
  warpbound_status status = wb_json_check_keys(name, entry, keys, error);
  if (status == WARPBOUND_OK)
    status = wb_type_member_read(name, name_place(place, index, "type"),
                                 json_object_get(entry, "type"), &component->type, error);
  if (status == WARPBOUND_OK)
    status =
        wb_json_number(name, name_place(place, index, "least"), json_object_get(entry, "least"), 1,
                       WB_CHECK_POTENTIAL_COUNT_LIMIT, &least, error);
  if (status == WARPBOUND_OK)
    status = read_weights(name, entry, index, pool_count, component, error);
  component->least = (uint32_t)least;
  component->values = values;
  return status == WARPBOUND_OK ? read_values(name, entry, index, length, values, error) : status;
}

warpbound_status wb_components_member_read(const char *name, const json_t *list, size_t pool_count,
                                           size_t length, struct wb_components_member *components,
                                           warpbound_error *error)
{
  *components = (struct wb_components_member){0};
  warpbound_status status = expect_list(name, "pieces", list, pool_count, error);
  if (status != WARPBOUND_OK)
    return status;
  for (size_t j = 0; j < pool_count; j++) { /* before memory for as many values is asked for */
    const json_t *values = json_object_get(json_array_get(list, j), "values");
    char place[PLACE];
    status = expect_list(name, name_place(place, j, "values"), values, length, error);
    if (status != WARPBOUND_OK)
      return status;
  }
  components->list = wb_allocate(pool_count, sizeof *components->list);
  components->values = wb_allocate(pool_count * length, sizeof *components->values);
  if (components->list == NULL || components->values == NULL)
    return wb_out_of_memory(error);
  components->count = pool_count;
  for (size_t j = 0; status == WARPBOUND_OK && j < pool_count; j++)
    status = read_component(name, json_array_get(list, j), j, pool_count, length,
                            &components->list[j], components->values + j * length, error);
  return status;
}

void wb_components_member_free(struct wb_components_member *components)
{
  free(components->list);
  free(components->values);
  *components = (struct wb_components_member){0};
}

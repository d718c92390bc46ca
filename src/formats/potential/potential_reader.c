/* The reader of potential files. */
#include "formats/potential/potential_file.h"

#include "base/memory.h"
#include "formats/machine/problem_members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACE 64

static const char *const formats[] = {WB_POTENTIAL_FORMAT, NULL};
static const char *const file_keys[] = {"format", "string",   "units",      "issue_slots", "warps",
                                        "cycles", "gain",     "from_warps", "pools",       "stay",
                                        "leave",  "own_stay", "own_leave",  "heights",     "pieces",
                                        "rear",   NULL};

/* The form of the entries of a list of values. */
struct list_form {
  const char *key;
  /* Steps that leave a run; otherwise steps inside one. */
  bool leaves;
  bool has_length;
  /* Steps of the own warp. */
  bool own;
};

static const struct list_form forms[WB_POTENTIAL_LISTS] = {{"stay", false, false, false},
                                                           {"leave", true, true, false},
                                                           {"own_stay", false, false, true},
                                                           {"own_leave", true, false, true}};

/* ---- members ---- */

/* "leave, entry 3, value" */
static void name_place(char place[PLACE], const char *key, size_t index, const char *member)
{
  snprintf(place, PLACE, "%s, entry %zu%s%s", key, index + 1, *member != '\0' ? ", " : "", member);
}

/* A list among the file's members, of objects or of lists. */
static warpbound_status read_list(const char *name, const json_t *object, const char *key,
                                  const json_t **list, size_t *count, warpbound_error *error)
{
  *list = json_object_get(object, key);
  if (!json_is_array(*list))
    return wb_json_wrong(name, key, "a list", *list, error);
  *count = json_array_size(*list);
  return WARPBOUND_OK;
}

/* An object in a list, with the keys given and no others. */
static warpbound_status expect_object(const char *name, const char *key, size_t index,
                                      const json_t *entry, const char *const *keys,
                                      warpbound_error *error)
{
  char place[PLACE];
  name_place(place, key, index, "");
  if (!json_is_object(entry))
    return wb_json_wrong(name, place, "an object", entry, error);
  return wb_json_check_keys(name, entry, keys, error);
}

/* ---- pools ---- */

static warpbound_status read_pool(const char *name, const json_t *entry, size_t index,
                                  struct wb_check_potential_pool *pool, warpbound_error *error)
{
  static const char *const keys[] = {"type", "warps", "work", NULL};
  char place[PLACE];
  uint64_t warps = 0;
  uint64_t work = 0;
  warpbound_status status = expect_object(name, "pools", index, entry, keys, error);
  name_place(place, "pools", index, "type");
  if (status == WARPBOUND_OK)
    status = wb_type_member_read(name, place, json_object_get(entry, "type"), &pool->type, error);
  name_place(place, "pools", index, "warps");
  if (status == WARPBOUND_OK)
    status = wb_json_number(name, place, json_object_get(entry, "warps"), 1,
                            WB_CHECK_POTENTIAL_COUNT_LIMIT, &warps, error);
  name_place(place, "pools", index, "work");
  if (status == WARPBOUND_OK)
    status = wb_json_number(name, place, json_object_get(entry, "work"), 0,
                            WB_CHECK_POTENTIAL_COUNT_LIMIT, &work, error);
  pool->warps = (uint32_t)warps;
  pool->work = (uint32_t)work;
  return status;
}

static warpbound_status read_pools(const char *name, const json_t *object,
                                   struct wb_potential_file *file, warpbound_error *error)
{
  const json_t *list;
  size_t count = 0;
  warpbound_status status = read_list(name, object, "pools", &list, &count, error);
  if (status != WARPBOUND_OK)
    return status;
  if (count > WB_CHECK_POTENTIAL_POOLS)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "pools: expected one for each type, at most %d, found %zu",
                      WB_CHECK_POTENTIAL_POOLS, count);
  file->pools = wb_allocate(count, sizeof *file->pools);
  if (file->pools == NULL)
    return wb_out_of_memory(error);
  for (size_t i = 0; status == WARPBOUND_OK && i < count; i++)
    status = read_pool(name, json_array_get(list, i), i, &file->pools[i], error);
  file->claim.pools = file->pools;
  file->claim.pool_count = count;
  return status;
}

/* ---- values ---- */

/* The target of a step: a type, or "end". */
static warpbound_status read_target(const char *name, const char *place, const json_t *value,
                                    char *to, warpbound_error *error)
{
  const char *text = json_string_value(value);
  if (text != NULL && strcmp(text, "end") == 0) {
    *to = WB_CHECK_POTENTIAL_END;
    return WARPBOUND_OK;
  }
  if (text == NULL || strlen(text) != 1)
    return wb_json_wrong(name, place, "a type, or \"end\"", value, error);
  return wb_type_member_read(name, place, value, to, error);
}

static warpbound_status read_leave(const char *name, const struct list_form *form,
                                   const json_t *entry, size_t index,
                                   struct wb_check_potential_value *value, warpbound_error *error)
{
  char place[PLACE];
  name_place(place, form->key, index, "from");
  warpbound_status status =
      wb_type_member_read(name, place, json_object_get(entry, "from"), &value->from, error);
  name_place(place, form->key, index, "to");
  if (status == WARPBOUND_OK)
    status = read_target(name, place, json_object_get(entry, "to"), &value->to, error);
  name_place(place, form->key, index, "length");
  if (status == WARPBOUND_OK && form->has_length)
    status = wb_json_number(name, place, json_object_get(entry, "length"), 0, INT64_MAX,
                            &value->length, error);
  return status;
}

static warpbound_status read_value(const char *name, const struct list_form *form,
                                   const json_t *entry, size_t index,
                                   struct wb_check_potential_value *value, warpbound_error *error)
{
  static const char *const stay_keys[] = {"type", "value", NULL};
  static const char *const leave_keys[] = {"from", "to", "length", "value", NULL};
  static const char *const own_keys[] = {"from", "to", "value", NULL};
  const char *const *keys = form->has_length ? leave_keys : form->leaves ? own_keys : stay_keys;
  char place[PLACE];
  warpbound_status status = expect_object(name, form->key, index, entry, keys, error);
  if (status == WARPBOUND_OK && form->leaves) {
    status = read_leave(name, form, entry, index, value, error);
  } else if (status == WARPBOUND_OK) {
    name_place(place, form->key, index, "type");
    status = wb_type_member_read(name, place, json_object_get(entry, "type"), &value->from, error);
    value->to = value->from;
  }
  name_place(place, form->key, index, "value");
  return status == WARPBOUND_OK
             ? wb_json_signed(name, place, json_object_get(entry, "value"), &value->value, error)
             : status;
}

static warpbound_status read_values(const char *name, const json_t *object,
                                    const struct list_form *form,
                                    struct wb_check_potential_value **list,
                                    struct wb_check_potential_values *values,
                                    warpbound_error *error)
{
  const json_t *entries;
  size_t count = 0;
  warpbound_status status = read_list(name, object, form->key, &entries, &count, error);
  if (status != WARPBOUND_OK)
    return status;
  *list = wb_allocate(count, sizeof **list);
  if (*list == NULL)
    return wb_out_of_memory(error);
  for (size_t i = 0; status == WARPBOUND_OK && i < count; i++)
    status = read_value(name, form, json_array_get(entries, i), i, &(*list)[i], error);
  values->list = *list;
  values->count = count;
  return status;
}

static warpbound_status read_all_values(const char *name, const json_t *object,
                                        struct wb_potential_file *file, warpbound_error *error)
{
  struct wb_check_potential_values *values[WB_POTENTIAL_LISTS] = {
      &file->claim.stay, &file->claim.leave, &file->claim.own_stay, &file->claim.own_leave};
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; status == WARPBOUND_OK && i < WB_POTENTIAL_LISTS; i++)
    if (forms[i].own || file->claim.component_count == 0)
      status = read_values(name, object, &forms[i], &file->values[i], values[i], error);
  return status;
}

/* ---- components ---- */

/* Components have values of the other warps' steps: then the lists of these may not be there. */
static warpbound_status read_components(const char *name, const json_t *object,
                                        struct wb_potential_file *file, warpbound_error *error)
{
  struct wb_check_potential_claim *claim = &file->claim;
  const json_t *list = json_object_get(object, "pieces");
  if (list == NULL)
    return WARPBOUND_OK;
  for (size_t i = 0; i < WB_POTENTIAL_LISTS; i++)
    if (!forms[i].own && json_object_get(object, forms[i].key) != NULL)
      return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                        "%s: the pieces have the values of these steps", forms[i].key);
  warpbound_status status = wb_components_member_read(
      name, list, claim->pool_count, claim->problem.length, &file->components, error);
  claim->components = file->components.list;
  claim->component_count = file->components.count;
  return status;
}

/* ---- states ---- */

static warpbound_status read_count(const char *name, size_t index, size_t entry,
                                   const json_t *value, uint32_t *count, warpbound_error *error)
{
  char place[PLACE];
  char number[24];
  uint64_t found = 0;
  snprintf(number, sizeof number, "number %zu", entry + 1);
  name_place(place, "heights", index, number);
  warpbound_status status =
      wb_json_number(name, place, value, 0, WB_CHECK_POTENTIAL_COUNT_LIMIT, &found, error);
  *count = (uint32_t)found;
  return status;
}

/* ["L", n, b, n, b, ..., offset, ...], with an offset for each component */
static warpbound_status read_state(const char *name, const json_t *entry, size_t index,
                                   const struct wb_check_potential_claim *claim,
                                   struct wb_check_potential_state *state, warpbound_error *error)
{
  char place[PLACE];
  name_place(place, "heights", index, "");
  size_t pool_count = claim->pool_count;
  size_t offsets = claim->component_count > 0 ? claim->component_count : 1;
  size_t expected = 2 * pool_count + 1 + offsets;
  if (!json_is_array(entry))
    return wb_json_wrong(name, place, "a list as [\"L\", 1, 0, 2]", entry, error);
  if (json_array_size(entry) != expected)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "%s: expected a type, two numbers for each of %zu pools, and %s: %zu items, "
                      "found %zu",
                      place, pool_count, offsets > 1 ? "a height for each piece" : "a height",
                      expected, json_array_size(entry));
  warpbound_status status =
      wb_type_member_read(name, place, json_array_get(entry, 0), &state->own, error);
  for (size_t p = 0; status == WARPBOUND_OK && p < pool_count; p++) {
    status =
        read_count(name, index, 2 * p, json_array_get(entry, 2 * p + 1), &state->warps[p], error);
    if (status == WARPBOUND_OK)
      status = read_count(name, index, 2 * p + 1, json_array_get(entry, 2 * p + 2), &state->work[p],
                          error);
  }
  name_place(place, "heights", index, "the height");
  for (size_t j = 0; status == WARPBOUND_OK && j < offsets; j++)
    status = wb_json_signed(name, place, json_array_get(entry, 2 * pool_count + 1 + j),
                            &state->offset[j], error);
  return status;
}

static warpbound_status read_states(const char *name, const json_t *object,
                                    struct wb_potential_file *file, warpbound_error *error)
{
  const json_t *list;
  size_t count = 0;
  warpbound_status status = read_list(name, object, "heights", &list, &count, error);
  if (status != WARPBOUND_OK)
    return status;
  file->states = wb_allocate(count, sizeof *file->states);
  if (file->states == NULL)
    return wb_out_of_memory(error);
  for (size_t i = 0; status == WARPBOUND_OK && i < count; i++)
    status = read_state(name, json_array_get(list, i), i, &file->claim, &file->states[i], error);
  file->claim.states = file->states;
  file->claim.state_count = count;
  return status;
}

/* ---- the file ---- */

static warpbound_status read_numbers(const char *name, const json_t *object,
                                     struct wb_check_potential_claim *claim, warpbound_error *error)
{
  uint64_t gain = 0;
  const json_t *from = json_object_get(object, "from_warps");
  const json_t *trailing = json_object_get(object, "rear");
  warpbound_status status = wb_json_number(name, "cycles", json_object_get(object, "cycles"), 0,
                                           INT64_MAX, &claim->cycles, error);
  if (status == WARPBOUND_OK && from != NULL)
    status = wb_json_number(name, "from_warps", from, 1, INT64_MAX, &claim->from_warps, error);
  if (status == WARPBOUND_OK && trailing != NULL)
    status = wb_json_number(name, "rear", trailing, 1, INT64_MAX, &claim->trailing, error);
  if (status == WARPBOUND_OK)
    status =
        wb_json_number(name, "gain", json_object_get(object, "gain"), 1, INT64_MAX, &gain, error);
  claim->gain = (int64_t)gain;
  return status;
}

static warpbound_status read_file(const char *name, const json_t *object,
                                  struct wb_potential_file *file, warpbound_error *error)
{
  warpbound_status status = wb_json_format(name, object, formats, error);
  if (status == WARPBOUND_OK)
    status = wb_json_check_keys(name, object, file_keys, error);
  if (status == WARPBOUND_OK)
    status = wb_problem_members_read(name, object, INT64_MAX, &file->letters, &file->claim.problem,
                                     &file->claim.warps, error);
  if (status == WARPBOUND_OK)
    status = read_numbers(name, object, &file->claim, error);
  if (status == WARPBOUND_OK)
    status = read_pools(name, object, file, error);
  if (status == WARPBOUND_OK)
    status = read_components(name, object, file, error);
  if (status == WARPBOUND_OK)
    status = read_all_values(name, object, file, error);
  return status == WARPBOUND_OK ? read_states(name, object, file, error) : status;
}

static warpbound_status read_object(const char *name, const json_t *object, void *into,
                                    warpbound_error *error)
{
  struct wb_potential_file *file = into;
  *file = (struct wb_potential_file){0};
  warpbound_status status = read_file(name, object, file, error);
  if (status != WARPBOUND_OK)
    wb_potential_file_free(file);
  return status;
}

warpbound_status wb_potential_file_read(const char *name, const json_t *object,
                                        struct wb_potential_file *file, warpbound_error *error)
{
  return read_object(name, object, file, error);
}

warpbound_status wb_potential_file_parse(const char *name, const char *text, size_t length,
                                         struct wb_potential_file *file, warpbound_error *error)
{
  *file = (struct wb_potential_file){0};
  return wb_json_parse_as(name, text, length, read_object, file, error);
}

void wb_potential_file_free(struct wb_potential_file *file)
{
  free(file->letters);
  free(file->pools);
  for (size_t i = 0; i < WB_POTENTIAL_LISTS; i++)
    free(file->values[i]);
  wb_components_member_free(&file->components);
  free(file->states);
  *file = (struct wb_potential_file){0};
}

/* The reader of potential files. */
#include "formats/potential/potential_file.h"

#include "formats/machine/problem_members.h"

#include <stdio.h>
#include <string.h>

/* The forms of the lists of values: steps inside runs have a type; steps out of them go from a type
 * to another. */
static const struct list_form {
  const char *key;
  const char *keys; /* of an entry */
  bool leaves;      /* steps that leave a run */
  bool own;         /* steps of the own warp */
} forms[] = {{"stay", "type value", false, false},
             {"leave", "from to length value", true, false},
             {"own_stay", "type value", false, true},
             {"own_leave", "from to value", true, true}};

#define LISTS (sizeof forms / sizeof *forms)

/* A type's letter, of a member or an element at the place; "end" where that may be. */
static char read_type(struct wb_json_reader *reader, const json_t *value, bool end)
{
  const char *text = json_string_value(value);
  if (text != NULL && end && strcmp(text, "end") == 0)
    return WB_CHECK_POTENTIAL_END;
  if (text == NULL || (end && strlen(text) != 1))
    wb_json_expected(reader,
                     end ? "a type, or \"end\""
                         : "a type: one of \"L\", \"C\", \"S\", \"D\", \"T\", \"N\"",
                     value);
  else if (strlen(text) != 1 || strchr("LCSDTN", text[0]) == NULL)
    wb_json_fail(reader, "%s: expected a type: one of L, C, S, D, T, N, found \"%.40s\"",
                 reader->place, text);
  return text != NULL ? text[0] : '\0';
}

/* The value at hand is entry `index` of a list, or a member of it. */
static void at_entry(struct wb_json_reader *reader, const char *list, size_t index,
                     const char *member)
{
  wb_json_at(reader, "%s, entry %zu%s%s", list, index + 1, member[0] != '\0' ? ", " : "", member);
}

/* A list of values in its form. */
static struct wb_check_potential_values
read_values(struct wb_json_reader *reader, const json_t *object, const struct list_form *form)
{
  const json_t *list = wb_json_array_member(reader, object, form->key, "a list");
  const size_t count = json_array_size(list);
  struct wb_check_potential_value *values = wb_json_allocate(reader, count, sizeof *values);
  for (size_t i = 0; i < count && wb_json_good(reader); i++) {
    const json_t *entry = json_array_get(list, i);
    const char *from = form->leaves ? "from" : "type";
    at_entry(reader, form->key, i, "");
    wb_json_object(reader, entry, form->keys);
    at_entry(reader, form->key, i, from);
    values[i].from = values[i].to = read_type(reader, json_object_get(entry, from), false);
    if (form->leaves) {
      at_entry(reader, form->key, i, "to");
      values[i].to = read_type(reader, json_object_get(entry, "to"), true);
    }
    at_entry(reader, form->key, i, "");
    if (form->leaves && !form->own)
      values[i].length = wb_json_member(reader, entry, "length", 0, INT64_MAX);
    at_entry(reader, form->key, i, "value");
    values[i].value = wb_json_signed(reader, json_object_get(entry, "value"));
  }
  wb_json_at_file(reader);
  return (struct wb_check_potential_values){values, count};
}

/* ---- components ---- */

static void expect_count(struct wb_json_reader *reader, const json_t *list, size_t count)
{
  if (!json_is_array(list))
    wb_json_expected(reader, "a list", list);
  else if (json_array_size(list) != count)
    wb_json_fail(reader, "%s: expected %zu items, found %zu", reader->place, count,
                 json_array_size(list));
}

/* values: room for one for each instruction. */
static void read_component(struct wb_json_reader *reader, const json_t *entry, size_t index,
                           const struct wb_check_potential_claim *claim,
                           struct wb_check_potential_component *component, int64_t *values)
{
  const json_t *shares = json_object_get(entry, "shares");
  const json_t *list = json_object_get(entry, "values");
  at_entry(reader, "pieces", index, "");
  wb_json_object(reader, entry, "type least shares values");
  at_entry(reader, "pieces", index, "type");
  component->type = read_type(reader, json_object_get(entry, "type"), false);
  at_entry(reader, "pieces", index, "");
  component->least =
      (uint32_t)wb_json_member(reader, entry, "least", 1, WB_CHECK_POTENTIAL_COUNT_LIMIT);
  at_entry(reader, "pieces", index, "shares");
  expect_count(reader, shares, claim->pool_count);
  for (size_t i = 0; i < claim->pool_count; i++)
    component->weights[i] =
        wb_json_number(reader, json_array_get(shares, i), 0, WB_CHECK_POTENTIAL_COUNT_LIMIT);
  at_entry(reader, "pieces", index, "values");
  for (size_t p = 0; p < claim->problem.length && wb_json_good(reader); p++)
    values[p] = wb_json_signed(reader, json_array_get(list, p));
  component->values = values;
}

/* Components have values of the other warps' steps: then the lists of these may not be there. */
static void read_components(struct wb_json_reader *reader, const json_t *object,
                            struct wb_check_potential_claim *claim)
{
  const json_t *list = json_object_get(object, "pieces");
  const size_t count = claim->pool_count;
  const size_t length = claim->problem.length;
  if (list == NULL)
    return;
  for (size_t i = 0; i < LISTS; i++) {
    if (!forms[i].own && json_object_get(object, forms[i].key) != NULL)
      wb_json_fail(reader, "%s: the pieces have the values of these steps", forms[i].key);
  }
  wb_json_at(reader, "pieces");
  expect_count(reader, list, count);
  for (size_t j = 0; j < count; j++) { /* before memory for as many values is asked for */
    at_entry(reader, "pieces", j, "values");
    expect_count(reader, json_object_get(json_array_get(list, j), "values"), length);
  }
  struct wb_check_potential_component *components =
      wb_json_allocate(reader, count, sizeof *components);
  int64_t *values = wb_json_allocate(reader, count * length, sizeof *values);
  for (size_t j = 0; j < count && wb_json_good(reader); j++)
    read_component(reader, json_array_get(list, j), j, claim, &components[j], values + j * length);
  claim->components = components;
  claim->component_count = count;
  wb_json_at_file(reader);
}

/* ---- states ---- */

static void read_states(struct wb_json_reader *reader, const json_t *object,
                        struct wb_check_potential_claim *claim)
{
  const json_t *list = wb_json_array_member(reader, object, "heights", "a list");
  const size_t count = json_array_size(list);
  struct wb_check_potential_state *states = wb_json_allocate(reader, count, sizeof *states);
  for (size_t i = 0; i < count && wb_json_good(reader); i++) {
    /* ["L", n, b, n, b, ..., offset, ...], with an offset for each component */
    const json_t *entry = json_array_get(list, i);
    const size_t pool_count = claim->pool_count;
    const size_t offsets = claim->component_count > 0 ? claim->component_count : 1;
    const size_t expected = 2 * pool_count + 1 + offsets;
    at_entry(reader, "heights", i, "");
    if (!json_is_array(entry))
      wb_json_expected(reader, "a list as [\"L\", 1, 0, 2]", entry);
    else if (json_array_size(entry) != expected)
      wb_json_fail(reader,
                   "%s: expected a type, two numbers for each of %zu pools, and %s: %zu items, "
                   "found %zu",
                   reader->place, pool_count, offsets > 1 ? "a height for each piece" : "a height",
                   expected, json_array_size(entry));
    states[i].own = read_type(reader, json_array_get(entry, 0), false);
    for (size_t n = 0; n < 2 * pool_count; n++) {
      char number[32];
      snprintf(number, sizeof number, "number %zu", n + 1);
      at_entry(reader, "heights", i, number);
      uint32_t *counts = n % 2 == 0 ? states[i].warps : states[i].work;
      counts[n / 2] = (uint32_t)wb_json_number(reader, json_array_get(entry, n + 1), 0,
                                               WB_CHECK_POTENTIAL_COUNT_LIMIT);
    }
    at_entry(reader, "heights", i, "the height");
    for (size_t j = 0; j < offsets; j++)
      states[i].offset[j] = wb_json_signed(reader, json_array_get(entry, 2 * pool_count + 1 + j));
  }
  claim->states = states;
  claim->state_count = count;
}

/* ---- the file ---- */

warpbound_status wb_potential_file_read(const char *name, const json_t *object, void *into,
                                        warpbound_error *error)
{
  struct wb_potential_file *file = into;
  struct wb_check_potential_claim *claim = &file->claim;
  struct wb_check_potential_values *const values[LISTS] = {&claim->stay, &claim->leave,
                                                           &claim->own_stay, &claim->own_leave};
  struct wb_json_reader reader = {.name = name, .error = error, .arena = &file->arena};
  *file = (struct wb_potential_file){0};
  wb_json_file(&reader, object, WB_POTENTIAL_FORMAT,
               "format string units issue_slots warps cycles gain from_warps pools stay leave "
               "own_stay own_leave heights pieces rear");
  wb_problem_members_read(&reader, object, INT64_MAX, &claim->problem, &claim->warps);
  claim->cycles = wb_json_member(&reader, object, "cycles", 0, INT64_MAX);
  claim->from_warps = wb_json_optional(&reader, object, "from_warps", 1, INT64_MAX, 0);
  claim->trailing = wb_json_optional(&reader, object, "rear", 1, INT64_MAX, 0);
  claim->gain = (int64_t)wb_json_member(&reader, object, "gain", 1, INT64_MAX);
  const json_t *list = wb_json_array_member(&reader, object, "pools", "a list");
  const size_t count = json_array_size(list);
  if (count > WB_CHECK_POTENTIAL_POOLS)
    wb_json_fail(&reader, "pools: expected one for each type, at most %d, found %zu",
                 WB_CHECK_POTENTIAL_POOLS, count);
  struct wb_check_potential_pool *pools = wb_json_allocate(&reader, count, sizeof *pools);
  for (size_t i = 0; i < count && wb_json_good(&reader); i++) {
    const json_t *entry = json_array_get(list, i);
    at_entry(&reader, "pools", i, "");
    wb_json_object(&reader, entry, "type warps work");
    at_entry(&reader, "pools", i, "type");
    pools[i].type = read_type(&reader, json_object_get(entry, "type"), false);
    at_entry(&reader, "pools", i, "");
    pools[i].warps =
        (uint32_t)wb_json_member(&reader, entry, "warps", 1, WB_CHECK_POTENTIAL_COUNT_LIMIT);
    pools[i].work =
        (uint32_t)wb_json_member(&reader, entry, "work", 0, WB_CHECK_POTENTIAL_COUNT_LIMIT);
  }
  claim->pools = pools;
  claim->pool_count = count;
  wb_json_at_file(&reader);
  read_components(&reader, object, claim);
  for (size_t i = 0; i < LISTS; i++) {
    if (forms[i].own || claim->component_count == 0)
      *values[i] = read_values(&reader, object, &forms[i]);
  }
  read_states(&reader, object, claim);
  if (!wb_json_good(&reader))
    wb_arena_free(&file->arena);
  return reader.status;
}

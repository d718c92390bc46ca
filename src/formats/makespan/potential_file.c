/* Potentials in files: the values of steps, and the states with their offsets. */
#include "formats/makespan/makespan_files.h"

#include "base/memory.h"
#include "makespan/potential/potential_proof.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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
  for (size_t j = 0; j < count && wb_json_good(reader); j++) {
    const json_t *entry = json_array_get(list, j);
    const json_t *shares = json_object_get(entry, "shares");
    const json_t *own = json_object_get(entry, "values");
    struct wb_check_potential_component *component = &components[j];
    at_entry(reader, "pieces", j, "");
    wb_json_object(reader, entry, "type least shares values");
    at_entry(reader, "pieces", j, "type");
    component->type = read_type(reader, json_object_get(entry, "type"), false);
    at_entry(reader, "pieces", j, "");
    component->least =
        (uint32_t)wb_json_member(reader, entry, "least", 1, WB_CHECK_POTENTIAL_COUNT_LIMIT);
    at_entry(reader, "pieces", j, "shares");
    expect_count(reader, shares, count);
    for (size_t i = 0; i < count; i++)
      component->weights[i] =
          wb_json_number(reader, json_array_get(shares, i), 0, WB_CHECK_POTENTIAL_COUNT_LIMIT);
    at_entry(reader, "pieces", j, "values");
    component->values = values + j * length;
    for (size_t p = 0; p < length && wb_json_good(reader); p++)
      values[j * length + p] = wb_json_signed(reader, json_array_get(own, p));
  }
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

static void write_stays(const struct wb_potential_proof *proof, const char *name,
                        const int64_t *values, struct wb_text *text)
{
  const char *separator = "";
  wb_text_format(text, " \"%s\": [", name);
  for (unsigned p = 0; p < proof->pools.count; p++) {
    if (proof->pools.pool[p].stays == 0)
      continue;
    wb_text_format(text, "%s{\"type\": \"%c\", \"value\": %" PRId64 "}", separator,
                   wb_unit_letter(proof->pools.pool[p].unit), values[p]);
    separator = ", ";
  }
  wb_text_string(text, "],\n");
}

static unsigned pool_of(const struct wb_potential_proof *proof, enum wb_unit unit)
{
  unsigned p = 0;
  while (proof->pools.pool[p].unit != unit)
    p++;
  return p;
}

/* The kind of exit, as an index into `exits`, by which a warp leaves run r; all exits of the own
 * warp have length 0. */
static size_t kind_of(const struct wb_potential_proof *proof, const struct wb_pool_exit *exits,
                      size_t r, bool own)
{
  const struct wb_kernel_string *string = &proof->problem->string;
  bool ends = r + 1 == string->run_count;
  unsigned from = pool_of(proof, string->runs[r].unit);
  unsigned to = ends ? WB_POOL_END : pool_of(proof, string->runs[r + 1].unit);
  uint32_t length = 0;
  if (!ends && !own)
    length = wb_pool_entry(&proof->pools.pool[to], string->runs[r + 1].length);
  size_t k = 0;
  while (exits[k].from != from || exits[k].to != to || exits[k].length != length)
    k++;
  return k;
}

/* An exit as it is written. */
struct written_exit {
  char from, to; /* letters; `to` is 0 for the end */
  size_t length; /* the next run's; 0 for the end and the own warp */
  size_t run;    /* a run that is left so */
};

static int in_order(const void *left, const void *right)
{
  const struct written_exit *a = left, *b = right;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  if (a->to != b->to)
    return a->to < b->to ? -1 : 1;
  return (a->length > b->length) - (a->length < b->length);
}

static void write_leaves(const struct wb_potential_proof *proof, bool own, struct wb_text *text)
{
  const struct wb_kernel_string *string = &proof->problem->string;
  const struct wb_pool_exit *kinds = own ? proof->pools.own_exits : proof->pools.exits;
  const int64_t *values = own ? proof->potential.own_leave : proof->potential.leave[0];
  struct written_exit *exits = wb_allocate(string->run_count, sizeof *exits);
  for (size_t r = 0; exits != NULL && r < string->run_count; r++) {
    exits[r] = (struct written_exit){.from = wb_unit_letter(string->runs[r].unit), .run = r};
    if (r + 1 == string->run_count)
      continue;
    exits[r].to = wb_unit_letter(string->runs[r + 1].unit);
    exits[r].length = own ? 0 : string->runs[r + 1].length;
  }
  if (exits == NULL) {
    text->failed = true;
    return;
  }
  qsort(exits, string->run_count, sizeof *exits, in_order);
  wb_text_format(text, " \"%s\": [", own ? "own_leave" : "leave");
  for (size_t i = 0; i < string->run_count; i++) {
    if (i > 0 && in_order(&exits[i - 1], &exits[i]) == 0)
      continue;
    char to[2] = {exits[i].to, '\0'};
    wb_text_format(text, "%s\n  {\"from\": \"%c\", \"to\": \"%s\", ", i > 0 ? "," : "",
                   exits[i].from, exits[i].to != '\0' ? to : "end");
    if (!own)
      wb_text_format(text, "\"length\": %zu, ", exits[i].length);
    wb_text_format(text, "\"value\": %" PRId64 "}",
                   values[kind_of(proof, kinds, exits[i].run, own)]);
  }
  wb_text_string(text, "],\n");
  free(exits);
}

void wb_potential_file_write(const struct wb_potential_proof *proof, struct wb_text *text)
{
  wb_problem_members_write(WB_POTENTIAL_FORMAT, proof->problem, text);
  wb_text_format(text, " \"cycles\": %" PRIu64 ",\n", proof->cycles);
  if (proof->has_line)
    wb_text_format(text, " \"from_warps\": %" PRIu32 ",\n", proof->steady_from);
  wb_text_format(text, " \"gain\": %" PRId64 ",\n", proof->gain);
  if (proof->trailing > 0)
    wb_text_format(text, " \"rear\": %" PRIu32 ",\n", proof->trailing);
  wb_text_string(text, " \"pools\": [");
  for (unsigned p = 0; p < proof->pools.count; p++) {
    const struct wb_pool *pool = &proof->pools.pool[p];
    wb_text_format(text, "%s{\"type\": \"%c\", \"warps\": %" PRIu32 ", \"work\": %" PRIu32 "}",
                   p > 0 ? ", " : "", wb_unit_letter(proof->pools.pool[p].unit), pool->warps,
                   pool->work);
  }
  wb_text_string(text, "],\n");
  if (proof->potential.shape.count > 1) {
    wb_text_string(text, " \"pieces\": [");
    for (unsigned j = 0; j < proof->potential.shape.count; j++) {
      wb_text_string(text, j > 0 ? "," : "");
      const struct wb_potential *potential = &proof->potential;
      wb_text_format(text, "\n  {\"type\": \"%c\", \"least\": %" PRIu32 ", \"shares\": [",
                     wb_unit_letter(proof->pools.pool[j].unit), potential->shape.least[j]);
      for (unsigned i = 0; i < potential->shape.count; i++)
        wb_text_format(text, "%s%" PRIu32, i > 0 ? ", " : "", potential->shape.weight[j][i]);
      wb_text_string(text, "],\n   \"values\": [");
      for (size_t p = 0; p < potential->length; p++)
        wb_text_format(text, "%s%" PRId64, p > 0 ? ", " : "", potential->position[j][p]);
      wb_text_string(text, "]}");
    }
    wb_text_string(text, "],\n");
  } else {
    write_stays(proof, "stay", proof->potential.values[0].stay, text);
    write_leaves(proof, false, text);
  }
  write_stays(proof, "own_stay", proof->potential.own_stay, text);
  write_leaves(proof, true, text);
  const struct wb_pools *pools = &proof->pools;
  wb_text_string(text, " \"heights\": [");
  for (size_t i = 0; i < proof->state_count; i++) {
    uint64_t state = proof->state[i];
    const uint64_t own = state / pools->stride[pools->count];
    wb_text_format(text, "%s\n  [\"%c\"", i > 0 ? "," : "", wb_unit_letter(pools->pool[own].unit));
    for (unsigned p = 0; p < pools->count; p++) {
      uint32_t local = wb_pools_local(pools, state, p);
      wb_text_format(text, ", %" PRIu32 ", %" PRIu32, pools->pool[p].warps_in[local],
                     pools->pool[p].work_in[local]);
    }
    for (unsigned j = 0; j < proof->potential.shape.count; j++)
      wb_text_format(text, ", %" PRId64, proof->potential.state_offset[j][state]);
    wb_text_string(text, "]");
  }
  wb_text_string(text, "\n ]}\n");
}

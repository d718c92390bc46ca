/* Measured times from JSON. An array of numbers is read here, as it may have millions; anything
 * else is Jansson's. */
#include "formats/samples/samples_readers.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/text/ascii.h"
#include "formats/json/json_input.h"
#include "formats/samples/sample_value.h"
#include "formats/samples/time_units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- an array of numbers ---- */

struct scanner {
  struct wb_samples_reading *reading;
  const char *at, *end;
  const char *line_start;
  size_t line;
  size_t series;
  warpbound_error *error;
};

static void skip_space(struct scanner *scanner)
{
  for (; scanner->at < scanner->end; scanner->at++) {
    const char c = *scanner->at;
    if (c == '\n') {
      scanner->line++;
      scanner->line_start = scanner->at + 1;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      return;
    }
  }
}

static bool next_is(const struct scanner *scanner, char c)
{
  return scanner->at < scanner->end && *scanner->at == c;
}

/* Whether the character is one of a set, which the zero is not. */
static bool is_one_of(char c, const char *set)
{
  return c != '\0' && strchr(set, c) != NULL;
}

static warpbound_status fail_here(const struct scanner *scanner, const char *expected)
{
  size_t length = 0;
  const char *at = scanner->at;
  while (at + length < scanner->end && length < 60 && !is_one_of(at[length], ",]\n\r\t "))
    length++;
  if (length == 0 && at < scanner->end)
    length = 1;
  return wb_fail_at(scanner->error, WARPBOUND_INVALID_INPUT, scanner->reading->name, scanner->line,
                    (size_t)(at - scanner->line_start) + 1, "expected %s, found %s%.*s%s", expected,
                    length > 0 ? "'" : "the end", (int)length, at, length > 0 ? "'" : "");
}

/* Characters of a number, of which wb_sample_read judges. */
static bool is_of_number(char c)
{
  return wb_is_alphanumeric(c) || c == '.' || c == '-' || c == '+' || c == '_';
}

static warpbound_status scan_value(struct scanner *scanner)
{
  const char *unit;
  double value;
  size_t length = 0;
  while (scanner->at + length < scanner->end && is_of_number(scanner->at[length]))
    length++;
  const enum wb_sample_form form = wb_sample_read(scanner->at, length, false, &value, &unit);
  if (form != WB_SAMPLE_NUMBER || unit != NULL)
    return fail_here(scanner, wb_sample_expected(form));
  const warpbound_status status =
      wb_series_add(&scanner->reading->builder, scanner->series, value, scanner->error);
  if (status != WARPBOUND_OK)
    return wb_samples_place(scanner->reading, scanner->line,
                            (size_t)(scanner->at - scanner->line_start) + 1, scanner->error);
  scanner->at += length;
  skip_space(scanner);
  return WARPBOUND_OK;
}

/* The values up to the bracket that closes the array. */
static warpbound_status scan_values(struct scanner *scanner)
{
  warpbound_status status =
      wb_series_find(&scanner->reading->builder, "", 0, &scanner->series, scanner->error);
  while (status == WARPBOUND_OK) {
    status = scan_value(scanner);
    if (status != WARPBOUND_OK || next_is(scanner, ']'))
      break;
    if (!next_is(scanner, ','))
      return fail_here(scanner, "',' or ']'");
    scanner->at++;
    skip_space(scanner);
  }
  if (status != WARPBOUND_OK)
    return status;
  scanner->at++;
  skip_space(scanner);
  return scanner->at == scanner->end ? status : fail_here(scanner, "the end of the text");
}

/* Whether the text is an array whose first element is neither an object nor another array nor a
 * string; the scanner then stands there. */
static bool is_array_of_numbers(struct scanner *scanner)
{
  skip_space(scanner);
  if (!next_is(scanner, '['))
    return false;
  scanner->at++;
  skip_space(scanner);
  return scanner->at < scanner->end && !is_one_of(*scanner->at, "{[\"]");
}

/* ---- objects ---- */

/* Jansson keeps no places of values: messages name them as "[3].time". */
struct tree {
  struct wb_samples_reading *reading;
  const char *member; /* of the values */
  warpbound_error *error;
};

static warpbound_status refuse(const struct tree *tree, const char *place, const char *expected,
                               const json_t *found)
{
  if (json_is_number(found))
    return wb_fail_at(tree->error, WARPBOUND_INVALID_INPUT, tree->reading->name, 0, 0,
                      "%s: expected %s, found %.17g", place, expected, json_number_value(found));
  return wb_json_wrong(tree->reading->name, place, expected, found, tree->error);
}

static warpbound_status add_value(const struct tree *tree, const char *place, const json_t *value,
                                  size_t series)
{
  const double number = json_number_value(value);
  if (!json_is_number(value))
    return refuse(tree, place, wb_sample_expected(WB_SAMPLE_OTHER), value);
  if (number < 0)
    return refuse(tree, place, wb_sample_expected(WB_SAMPLE_NEGATIVE), value);
  const warpbound_status status =
      wb_series_add(&tree->reading->builder, series, number == 0 ? 0 : number, tree->error);
  return status == WARPBOUND_OK ? status : wb_samples_place(tree->reading, 0, 0, tree->error);
}

/* "FILE: MESSAGE; its members are 'a', 'b'", of an object. */
static warpbound_status refuse_members(const struct tree *tree, const json_t *object,
                                       const char *message)
{
  const char *key;
  json_t *value;
  struct wb_text list = {0};
  json_object_foreach((json_t *)object, key, value)
  {
    if (list.length < 300)
      wb_text_format(&list, "%s'%.40s'", list.length > 0 ? ", " : "", key);
  }
  const warpbound_status status =
      list.failed ? wb_out_of_memory(tree->error)
                  : wb_fail(tree->error, WARPBOUND_USAGE, "%.120s: %.120s; the members are %.300s",
                            tree->reading->name, message, list.data != NULL ? list.data : "none");
  wb_text_free(&list);
  return status;
}

static warpbound_status refuse_member(const struct tree *tree, const char *option,
                                      const char *member, const json_t *object)
{
  char message[120];
  snprintf(message, sizeof message, "--%s: there is no member '%.60s'", option, member);
  return refuse_members(tree, object, message);
}

/* Takes a copy of the member's name, and the unit that it says. */
static warpbound_status take_member(struct tree *tree, const char *member, warpbound_error *error)
{
  char what[160];
  const char *unit = wb_time_unit_of_name(member);
  tree->reading->column = wb_copy_text(member, strlen(member));
  tree->member = tree->reading->column;
  if (tree->member == NULL)
    return wb_out_of_memory(error);
  snprintf(what, sizeof what, "the member '%.100s'", member);
  if (unit != NULL && wb_samples_note_unit(tree->reading, what, unit, error) != WARPBOUND_OK)
    return wb_samples_place(tree->reading, 0, 0, error);
  return WARPBOUND_OK;
}

/* ---- an array of objects ---- */

/* The only member of numbers of the first object. */
static warpbound_status guess_member(struct tree *tree, const json_t *first)
{
  const char *key;
  const char *found = NULL;
  json_t *value;
  const char *group = tree->reading->choice->group;
  size_t count = 0;
  json_object_foreach((json_t *)first, key, value)
  {
    if (json_is_number(value) && (group == NULL || strcmp(key, group) != 0)) {
      found = key;
      count++;
    }
  }
  if (count == 1)
    return take_member(tree, found, tree->error);
  return refuse_members(tree, first,
                        count == 0
                            ? "there is no member that is a number"
                            : "several members are numbers: --column says which the times are");
}

/* The name of the series that an object belongs to: the text of its member, or its number. */
static warpbound_status find_series(const struct tree *tree, const char *place,
                                    const json_t *object, size_t *series)
{
  char number[32];
  const char *key = tree->reading->choice->group;
  const json_t *value = key != NULL ? json_object_get(object, key) : NULL;
  const char *name = key == NULL ? "" : json_string_value(value);
  if (name == NULL && json_is_integer(value)) {
    snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
    name = number;
  }
  if (name == NULL)
    return refuse(tree, place, "a member with the group's name, a string or a whole number", value);
  const warpbound_status status =
      wb_series_find(&tree->reading->builder, name, strlen(name), series, tree->error);
  return status == WARPBOUND_OK ? status : wb_samples_place(tree->reading, 0, 0, tree->error);
}

static warpbound_status read_object(const struct tree *tree, size_t index, const json_t *object)
{
  char place[160];
  size_t series = 0;
  snprintf(place, sizeof place, "[%zu]", index);
  if (!json_is_object(object))
    return refuse(tree, place, "an object, as the first is", object);
  snprintf(place, sizeof place, "[%zu].%.100s", index,
           tree->reading->choice->group != NULL ? tree->reading->choice->group : "");
  const warpbound_status status = find_series(tree, place, object, &series);
  if (status != WARPBOUND_OK)
    return status;
  snprintf(place, sizeof place, "[%zu].%.100s", index, tree->member);
  return add_value(tree, place, json_object_get(object, tree->member), series);
}

static warpbound_status choose_members(struct tree *tree, const json_t *first)
{
  const struct wb_samples_choice *choice = tree->reading->choice;
  if (choice->group != NULL && json_object_get(first, choice->group) == NULL)
    return refuse_member(tree, "group", choice->group, first);
  if (choice->column == NULL)
    return guess_member(tree, first);
  return json_object_get(first, choice->column) != NULL
             ? take_member(tree, choice->column, tree->error)
             : refuse_member(tree, "column", choice->column, first);
}

static warpbound_status read_objects(struct tree *tree, const json_t *array)
{
  const json_t *first = json_array_get(array, 0);
  if (first == NULL)
    return WARPBOUND_OK;
  if (!json_is_object(first))
    return refuse(tree, "[0]", "a number or an object", first);
  warpbound_status status = choose_members(tree, first);
  for (size_t i = 0; i < json_array_size(array) && status == WARPBOUND_OK; i++)
    status = read_object(tree, i, json_array_get(array, i));
  return status;
}

/* ---- an object of arrays ---- */

/* The array of one member: a series by its name. */
static warpbound_status read_array(const struct tree *tree, const char *key,
                                   const char *series_name, const json_t *array)
{
  char place[160];
  size_t series = 0;
  warpbound_status status = wb_series_find(&tree->reading->builder, series_name,
                                           strlen(series_name), &series, tree->error);
  if (status != WARPBOUND_OK)
    return wb_samples_place(tree->reading, 0, 0, tree->error);
  for (size_t i = 0; i < json_array_size(array) && status == WARPBOUND_OK; i++) {
    snprintf(place, sizeof place, "%.100s[%zu]", key, i);
    status = add_value(tree, place, json_array_get(array, i), series);
  }
  return status;
}

/* A member "unit" that is a string. */
static warpbound_status take_unit(const struct tree *tree, const json_t *object)
{
  const char *word = json_string_value(json_object_get(object, "unit"));
  const char *unit = word != NULL ? wb_time_unit(word, strlen(word)) : NULL;
  if (word == NULL)
    return WARPBOUND_OK;
  if (unit == NULL)
    return wb_fail_at(tree->error, WARPBOUND_INVALID_INPUT, tree->reading->name, 0, 0,
                      "unit: expected cycles, ns, us, ms or s, found '%.40s'", word);
  const warpbound_status status =
      wb_samples_note_unit(tree->reading, "the member 'unit'", unit, tree->error);
  return status == WARPBOUND_OK ? status : wb_samples_place(tree->reading, 0, 0, tree->error);
}

static warpbound_status read_member(struct tree *tree, const json_t *object)
{
  const char *member = tree->reading->choice->column;
  const json_t *array = json_object_get(object, member);
  if (!json_is_array(array))
    return refuse_member(tree, "column", member, object);
  const warpbound_status status = take_member(tree, member, tree->error);
  return status == WARPBOUND_OK ? read_array(tree, member, "", array) : status;
}

static warpbound_status read_arrays(struct tree *tree, const json_t *object)
{
  const char *key;
  json_t *value;
  size_t arrays = 0;
  const struct wb_samples_choice *choice = tree->reading->choice;
  if (choice->group != NULL)
    return wb_fail(tree->error, WARPBOUND_USAGE,
                   "--group: expected an array of objects, found an object: its arrays are groups");
  warpbound_status status = take_unit(tree, object);
  if (status != WARPBOUND_OK)
    return status;
  if (choice->column != NULL)
    return read_member(tree, object);
  json_object_foreach((json_t *)object, key, value)
  {
    arrays += json_is_array(value);
  }
  json_object_foreach((json_t *)object, key, value)
  {
    if (json_is_array(value) && status == WARPBOUND_OK && arrays == 1)
      status = take_member(tree, key, tree->error);
    if (json_is_array(value) && status == WARPBOUND_OK)
      status = read_array(tree, key, arrays == 1 ? "" : key, value);
  }
  return status;
}

/* ---- a text ---- */

static warpbound_status load(const struct wb_samples_reading *reading, json_t **value,
                             warpbound_error *error)
{
  json_error_t parse;
  const char *text = reading->text;
  size_t length = reading->length;
  if (length > WB_JSON_LIMIT)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, reading->name, 0, 0,
                      "expected JSON with objects of at most %zu bytes, found %zu: an array of "
                      "numbers, or CSV, may be longer",
                      WB_JSON_LIMIT, length);
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
    text += 3;
    length -= 3;
  }
  *value = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &parse);
  if (*value != NULL)
    return WARPBOUND_OK;
  if (json_error_code(&parse) == json_error_out_of_memory)
    return wb_out_of_memory(error);
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, reading->name,
                    parse.line > 0 ? (size_t)parse.line : 1,
                    parse.column > 0 ? (size_t)parse.column : 1, "not valid JSON: %s", parse.text);
}

warpbound_status wb_samples_read_json(struct wb_samples_reading *reading, warpbound_error *error)
{
  json_t *value = NULL;
  const bool marked = reading->length >= 3 && memcmp(reading->text, "\xef\xbb\xbf", 3) == 0;
  const char *text = reading->text + (marked ? 3 : 0);
  struct scanner scanner = {.reading = reading,
                            .at = text,
                            .end = reading->text + reading->length,
                            .line_start = text,
                            .line = 1,
                            .error = error};
  if (is_array_of_numbers(&scanner)) {
    if (reading->choice->column != NULL || reading->choice->group != NULL)
      return wb_fail(error, WARPBOUND_USAGE,
                     "--%s: expected objects with members, found an array of numbers",
                     reading->choice->column != NULL ? "column" : "group");
    return scan_values(&scanner);
  }
  warpbound_status status = load(reading, &value, error);
  if (status != WARPBOUND_OK)
    return status;
  struct tree tree = {.reading = reading, .error = error};
  status = json_is_array(value) ? read_objects(&tree, value) : read_arrays(&tree, value);
  json_decref(value);
  return status;
}

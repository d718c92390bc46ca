/* Measured times from JSON. An array of numbers is read here, as it may have millions; anything
 * else is Jansson's. */
#include "formats/samples/samples_readers.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/text/ascii.h"
#include "formats/json/json_input.h"
#include "formats/samples/sample_value.h"

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

static warpbound_status scan_value(struct scanner *scanner)
{
  const char *unit;
  double value;
  size_t length = 0;
  while (scanner->at + length < scanner->end &&
         (wb_is_alphanumeric(scanner->at[length]) || is_one_of(scanner->at[length], ".-+_")))
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

/* Notes that `what` has a unit. */
static warpbound_status note_unit(const struct tree *tree, const char *what, const char *unit)
{
  const warpbound_status status = wb_samples_note_unit(tree->reading, what, unit, tree->error);
  return status == WARPBOUND_OK ? status : wb_samples_place(tree->reading, 0, 0, tree->error);
}

/* Takes a copy of the member's name, and the unit that it says. */
static warpbound_status take_member(struct tree *tree, const char *member)
{
  char what[160];
  const char *unit = wb_time_unit_of_name(member);
  tree->reading->column = wb_copy_text(member, strlen(member));
  tree->member = tree->reading->column;
  if (tree->member == NULL)
    return wb_out_of_memory(tree->error);
  snprintf(what, sizeof what, "the member '%.100s'", member);
  return unit != NULL ? note_unit(tree, what, unit) : WARPBOUND_OK;
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
    return take_member(tree, found);
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

static warpbound_status read_objects(struct tree *tree, const json_t *array)
{
  const struct wb_samples_choice *choice = tree->reading->choice;
  const json_t *first = json_array_get(array, 0);
  if (first == NULL)
    return WARPBOUND_OK;
  if (!json_is_object(first))
    return refuse(tree, "[0]", "a number or an object", first);
  if (choice->group != NULL && json_object_get(first, choice->group) == NULL)
    return refuse_member(tree, "group", choice->group, first);
  if (choice->column != NULL && json_object_get(first, choice->column) == NULL)
    return refuse_member(tree, "column", choice->column, first);
  warpbound_status status =
      choice->column != NULL ? take_member(tree, choice->column) : guess_member(tree, first);
  for (size_t i = 0; i < json_array_size(array) && status == WARPBOUND_OK; i++) {
    const json_t *object = json_array_get(array, i);
    char place[160];
    size_t series = 0;
    snprintf(place, sizeof place, "[%zu]", i);
    if (!json_is_object(object))
      return refuse(tree, place, "an object, as the first is", object);
    snprintf(place, sizeof place, "[%zu].%.100s", i, choice->group != NULL ? choice->group : "");
    status = find_series(tree, place, object, &series);
    snprintf(place, sizeof place, "[%zu].%.100s", i, tree->member);
    if (status == WARPBOUND_OK)
      status = add_value(tree, place, json_object_get(object, tree->member), series);
  }
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

static warpbound_status read_arrays(struct tree *tree, const json_t *object)
{
  const char *key;
  json_t *value;
  size_t arrays = 0;
  const struct wb_samples_choice *choice = tree->reading->choice;
  if (choice->group != NULL)
    return wb_fail(tree->error, WARPBOUND_USAGE,
                   "--group: expected an array of objects, found an object: its arrays are groups");
  const char *word = json_string_value(json_object_get(object, "unit"));
  const char *unit = word != NULL ? wb_time_unit(word, strlen(word)) : NULL;
  if (word != NULL && unit == NULL)
    return wb_fail_at(tree->error, WARPBOUND_INVALID_INPUT, tree->reading->name, 0, 0,
                      "unit: expected cycles, ns, us, ms or s, found '%.40s'", word);
  warpbound_status status =
      unit != NULL ? note_unit(tree, "the member 'unit'", unit) : WARPBOUND_OK;
  if (status == WARPBOUND_OK && choice->column != NULL) {
    const json_t *array = json_object_get(object, choice->column);
    if (!json_is_array(array))
      return refuse_member(tree, "column", choice->column, object);
    status = take_member(tree, choice->column);
    if (status == WARPBOUND_OK)
      status = read_array(tree, choice->column, "", array);
  }
  if (status != WARPBOUND_OK || choice->column != NULL)
    return status;
  json_object_foreach((json_t *)object, key, value)
  {
    arrays += json_is_array(value);
  }
  json_object_foreach((json_t *)object, key, value)
  {
    if (json_is_array(value) && status == WARPBOUND_OK && arrays == 1)
      status = take_member(tree, key);
    if (json_is_array(value) && status == WARPBOUND_OK)
      status = read_array(tree, key, arrays == 1 ? "" : key, value);
  }
  return status;
}

/* ---- a text ---- */

warpbound_status wb_samples_read_json(struct wb_samples_reading *reading, warpbound_error *error)
{
  json_error_t parse;
  const bool marked = reading->length >= 3 && memcmp(reading->text, "\xef\xbb\xbf", 3) == 0;
  const char *text = reading->text + (marked ? 3 : 0);
  struct scanner scanner = {.reading = reading,
                            .at = text,
                            .end = reading->text + reading->length,
                            .line_start = text,
                            .line = 1,
                            .error = error};
  /* An array of numbers: its first element is no object, array or string. */
  skip_space(&scanner);
  bool is_plain = next_is(&scanner, '[');
  if (is_plain) {
    scanner.at++;
    skip_space(&scanner);
    is_plain = scanner.at < scanner.end && !is_one_of(*scanner.at, "{[\"]");
  }
  if (is_plain) {
    if (reading->choice->column != NULL || reading->choice->group != NULL)
      return wb_fail(error, WARPBOUND_USAGE,
                     "--%s: expected objects with members, found an array of numbers",
                     reading->choice->column != NULL ? "column" : "group");
    /* The values up to the bracket that closes the array. */
    warpbound_status status =
        wb_series_find(&scanner.reading->builder, "", 0, &scanner.series, scanner.error);
    while (status == WARPBOUND_OK) {
      status = scan_value(&scanner);
      if (status != WARPBOUND_OK || next_is(&scanner, ']'))
        break;
      if (!next_is(&scanner, ','))
        return fail_here(&scanner, "',' or ']'");
      scanner.at++;
      skip_space(&scanner);
    }
    if (status != WARPBOUND_OK)
      return status;
    scanner.at++;
    skip_space(&scanner);
    return scanner.at == scanner.end ? status : fail_here(&scanner, "the end of the text");
  }
  if (reading->length > WB_JSON_LIMIT)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, reading->name, 0, 0,
                      "expected JSON with objects of at most %zu bytes, found %zu: an array of "
                      "numbers, or CSV, may be longer",
                      WB_JSON_LIMIT, reading->length);
  json_t *value = json_loadb(text, (size_t)(scanner.end - text),
                             JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &parse);
  if (value == NULL && json_error_code(&parse) == json_error_out_of_memory)
    return wb_out_of_memory(error);
  if (value == NULL)
    return wb_fail_at(
        error, WARPBOUND_INVALID_INPUT, reading->name, parse.line > 0 ? (size_t)parse.line : 1,
        parse.column > 0 ? (size_t)parse.column : 1, "not valid JSON: %s", parse.text);
  struct tree tree = {.reading = reading, .error = error};
  const warpbound_status status =
      json_is_array(value) ? read_objects(&tree, value) : read_arrays(&tree, value);
  json_decref(value);
  return status;
}

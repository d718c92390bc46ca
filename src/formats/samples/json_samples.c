/* Measured times from JSON. An array of numbers is read here, as it may have millions; anything
 * else is Jansson's. */
#include "formats/samples/samples_file.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/text/ascii.h"
#include "formats/json/json_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- an array of numbers ---- */

/* An array that is read. */
struct scanner {
  struct wb_samples_reading *reading;
  const char *at, *end;
  const char *line_start;
  size_t line;
  size_t series;
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

/* The next character; a zero at the end. */
static char next(const struct scanner *scanner)
{
  return scanner->at < scanner->end ? *scanner->at : '\0';
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
  return wb_fail_at(scanner->reading->error, WARPBOUND_INVALID_INPUT, scanner->reading->name,
                    scanner->line, (size_t)(at - scanner->line_start) + 1,
                    "expected %s, found %s%.*s%s", expected, length > 0 ? "'" : "the end",
                    (int)length, at, length > 0 ? "'" : "");
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
      wb_series_add(scanner->reading, scanner->series, value, scanner->line,
                    (size_t)(scanner->at - scanner->line_start) + 1);
  scanner->at += length;
  skip_space(scanner);
  return status;
}

/* ---- objects ---- */

/* Jansson keeps no places of values: messages name them as "[3].time". The member of the values is
 * reading->column. */
static warpbound_status refuse(struct wb_samples_reading *reading, const char *place,
                               const char *expected, const json_t *found)
{
  if (json_is_number(found))
    return wb_fail_at(reading->error, WARPBOUND_INVALID_INPUT, reading->name, 0, 0,
                      "%s: expected %s, found %.17g", place, expected, json_number_value(found));
  return wb_json_wrong(reading->name, place, expected, found, reading->error);
}

static warpbound_status add_value(struct wb_samples_reading *reading, const char *place,
                                  const json_t *value, size_t series)
{
  const double number = json_number_value(value);
  if (!json_is_number(value))
    return refuse(reading, place, wb_sample_expected(WB_SAMPLE_OTHER), value);
  if (number < 0)
    return refuse(reading, place, wb_sample_expected(WB_SAMPLE_NEGATIVE), value);
  return wb_series_add(reading, series, number == 0 ? 0 : number, 0, 0);
}

/* "FILE: MESSAGE; its members are 'a', 'b'", of an object. option: the message is that it has no
 * `member`; NULL: the message is `member`. */
static warpbound_status refuse_members(struct wb_samples_reading *reading, const json_t *object,
                                       const char *option, const char *member)
{
  const char *key;
  json_t *value;
  char message[120];
  struct wb_text list = {0};
  json_object_foreach((json_t *)object, key, value)
  {
    if (list.length < 300)
      wb_text_format(&list, "%s'%.40s'", list.length > 0 ? ", " : "", key);
  }
  if (option != NULL)
    snprintf(message, sizeof message, "--%s: there is no member '%.60s'", option, member);
  else
    snprintf(message, sizeof message, "%s", member);
  const warpbound_status status =
      list.failed
          ? wb_out_of_memory(reading->error)
          : wb_fail(reading->error, WARPBOUND_USAGE, "%.120s: %.120s; the members are %.300s",
                    reading->name, message, list.data != NULL ? list.data : "none");
  wb_text_free(&list);
  return status;
}

/* Takes a copy of the member's name, and the unit that it says. */
static warpbound_status take_member(struct wb_samples_reading *reading, const char *member)
{
  char what[160];
  const char *unit = wb_time_unit_of_name(member);
  reading->column = wb_copy_text(member, strlen(member));
  if (reading->column == NULL)
    return wb_out_of_memory(reading->error);
  snprintf(what, sizeof what, "the member '%.100s'", member);
  return unit != NULL ? wb_samples_note_unit(reading, what, unit, 0, 0) : WARPBOUND_OK;
}

/* ---- an array of objects ---- */

/* The only member of numbers of the first object. */
static warpbound_status guess_member(struct wb_samples_reading *reading, const json_t *first)
{
  const char *key;
  const char *found = NULL;
  json_t *value;
  const char *group = reading->choice->group;
  size_t count = 0;
  json_object_foreach((json_t *)first, key, value)
  {
    if (json_is_number(value) && (group == NULL || strcmp(key, group) != 0)) {
      found = key;
      count++;
    }
  }
  if (count == 1)
    return take_member(reading, found);
  return refuse_members(reading, first, NULL,
                        count == 0
                            ? "there is no member that is a number"
                            : "several members are numbers: --column says which the times are");
}

static warpbound_status read_objects(struct wb_samples_reading *reading, const json_t *array)
{
  const struct wb_samples_choice *choice = reading->choice;
  const json_t *first = json_array_get(array, 0);
  const char *key = choice->group;
  if (first == NULL)
    return WARPBOUND_OK;
  if (!json_is_object(first))
    return refuse(reading, "[0]", "a number or an object", first);
  if (key != NULL && json_object_get(first, key) == NULL)
    return refuse_members(reading, first, "group", key);
  if (choice->column != NULL && json_object_get(first, choice->column) == NULL)
    return refuse_members(reading, first, "column", choice->column);
  warpbound_status status =
      choice->column != NULL ? take_member(reading, choice->column) : guess_member(reading, first);
  for (size_t i = 0; i < json_array_size(array) && status == WARPBOUND_OK; i++) {
    const json_t *object = json_array_get(array, i);
    char place[160];
    char number[32];
    size_t series = 0;
    snprintf(place, sizeof place, "[%zu]", i);
    if (!json_is_object(object))
      return refuse(reading, place, "an object, as the first is", object);
    /* The name of its series: the text of the group's member, or its number. */
    snprintf(place, sizeof place, "[%zu].%.100s", i, key != NULL ? key : "");
    const json_t *value = key != NULL ? json_object_get(object, key) : NULL;
    const char *name = key == NULL ? "" : json_string_value(value);
    if (name == NULL && json_is_integer(value)) {
      snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
      name = number;
    }
    if (name == NULL)
      return refuse(reading, place, "a member with the group's name, a string or a whole number",
                    value);
    status = wb_series_find(reading, name, strlen(name), 0, 0, &series);
    snprintf(place, sizeof place, "[%zu].%.100s", i, reading->column);
    if (status == WARPBOUND_OK)
      status = add_value(reading, place, json_object_get(object, reading->column), series);
  }
  return status;
}

/* ---- an object of arrays ---- */

/* The array of one member: a series by its name. */
static warpbound_status read_array(struct wb_samples_reading *reading, const char *key,
                                   const char *series_name, const json_t *array)
{
  char place[160];
  size_t series = 0;
  warpbound_status status =
      wb_series_find(reading, series_name, strlen(series_name), 0, 0, &series);
  for (size_t i = 0; i < json_array_size(array) && status == WARPBOUND_OK; i++) {
    snprintf(place, sizeof place, "%.100s[%zu]", key, i);
    status = add_value(reading, place, json_array_get(array, i), series);
  }
  return status;
}

static warpbound_status read_arrays(struct wb_samples_reading *reading, const json_t *object)
{
  const char *key;
  json_t *value;
  size_t arrays = 0;
  const struct wb_samples_choice *choice = reading->choice;
  if (choice->group != NULL)
    return wb_fail(reading->error, WARPBOUND_USAGE,
                   "--group: expected an array of objects, found an object: its arrays are groups");
  const char *word = json_string_value(json_object_get(object, "unit"));
  const char *unit = word != NULL ? wb_time_unit(word, strlen(word)) : NULL;
  if (word != NULL && unit == NULL)
    return wb_fail_at(reading->error, WARPBOUND_INVALID_INPUT, reading->name, 0, 0,
                      "unit: expected cycles, ns, us, ms or s, found '%.40s'", word);
  warpbound_status status =
      unit != NULL ? wb_samples_note_unit(reading, "the member 'unit'", unit, 0, 0) : WARPBOUND_OK;
  if (status == WARPBOUND_OK && choice->column != NULL) {
    const json_t *array = json_object_get(object, choice->column);
    if (!json_is_array(array))
      return refuse_members(reading, object, "column", choice->column);
    status = take_member(reading, choice->column);
    if (status == WARPBOUND_OK)
      status = read_array(reading, choice->column, "", array);
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
      status = take_member(reading, key);
    if (json_is_array(value) && status == WARPBOUND_OK)
      status = read_array(reading, key, arrays == 1 ? "" : key, value);
  }
  return status;
}

/* ---- what benchmarks export ---- */

/* {"results": [{"command": NAME, "times": [..]}, ..]} of hyperfine, in seconds. */
static warpbound_status read_hyperfine(struct wb_samples_reading *reading, const json_t *results)
{
  warpbound_status status = wb_samples_note_unit(reading, "hyperfine", "s", 0, 0);
  for (size_t r = 0; r < json_array_size(results) && status == WARPBOUND_OK; r++) {
    const json_t *result = json_array_get(results, r);
    const char *command = json_string_value(json_object_get(result, "command"));
    const json_t *times = json_object_get(result, "times");
    char place[60];
    snprintf(place, sizeof place, "results[%zu].times", r);
    if (!json_is_array(times))
      return refuse(reading, place, "an array of times (hyperfine --export-json)", times);
    status = read_array(reading, place, command != NULL ? command : "", times);
  }
  return status;
}

/* {"benchmarks": [{"name": NAME, "real_time": T, "time_unit": UNIT, "run_type": "iteration"}, ..]}
 * of Google Benchmark: each repetition is a value, of the member that is chosen. Means and the like
 * ("aggregate") are no times of runs. */
static warpbound_status read_google(struct wb_samples_reading *reading, const json_t *benchmarks)
{
  const char *member = reading->choice->column != NULL ? reading->choice->column : "real_time";
  warpbound_status status = take_member(reading, member);
  for (size_t b = 0; b < json_array_size(benchmarks) && status == WARPBOUND_OK; b++) {
    const json_t *benchmark = json_array_get(benchmarks, b);
    const char *type = json_string_value(json_object_get(benchmark, "run_type"));
    const char *name = json_string_value(json_object_get(benchmark, "name"));
    const char *word = json_string_value(json_object_get(benchmark, "time_unit"));
    const char *unit = wb_time_unit(word != NULL ? word : "ns", strlen(word != NULL ? word : "ns"));
    char place[160];
    size_t series = 0;
    if (type != NULL && strcmp(type, "aggregate") == 0)
      continue;
    snprintf(place, sizeof place, "benchmarks[%zu].time_unit", b);
    if (unit == NULL)
      return refuse(reading, place, "cycles, ns, us, ms or s",
                    json_object_get(benchmark, "time_unit"));
    status = wb_samples_note_unit(reading, place, unit, 0, 0);
    snprintf(place, sizeof place, "benchmarks[%zu].%.100s", b, member);
    if (status == WARPBOUND_OK)
      status = wb_series_find(reading, name != NULL ? name : "", name != NULL ? strlen(name) : 0, 0,
                              0, &series);
    if (status == WARPBOUND_OK)
      status = add_value(reading, place, json_object_get(benchmark, member), series);
  }
  return status;
}

/* Whether the first element of an array is an object with a member. */
static bool has_member(const json_t *array, const char *member)
{
  return json_object_get(json_array_get(array, 0), member) != NULL;
}

static warpbound_status read_object(struct wb_samples_reading *reading, const json_t *object)
{
  const json_t *results = json_object_get(object, "results");
  const json_t *benchmarks = json_object_get(object, "benchmarks");
  const bool hyperfine = has_member(results, "times"), google = has_member(benchmarks, "real_time");
  if ((hyperfine || google) && reading->choice->group != NULL)
    return wb_fail(reading->error, WARPBOUND_USAGE, "--group: each %s is a group already",
                   hyperfine ? "command" : "benchmark");
  if (hyperfine && reading->choice->column != NULL)
    return wb_fail(reading->error, WARPBOUND_USAGE, "--column: hyperfine's times have one column");
  return hyperfine ? read_hyperfine(reading, results)
         : google  ? read_google(reading, benchmarks)
                   : read_arrays(reading, object);
}

/* ---- a text ---- */

warpbound_status wb_samples_read_json(struct wb_samples_reading *reading)
{
  warpbound_error *const error = reading->error;
  json_error_t parse;
  const bool marked = reading->length >= 3 && memcmp(reading->text, "\xef\xbb\xbf", 3) == 0;
  const char *text = reading->text + (marked ? 3 : 0);
  struct scanner scanner = {.reading = reading,
                            .at = text,
                            .end = reading->text + reading->length,
                            .line_start = text,
                            .line = 1};
  /* An array of numbers: its first element is no object, array or string. */
  skip_space(&scanner);
  bool is_plain = next(&scanner) == '[';
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
    warpbound_status status = wb_series_find(reading, "", 0, 0, 0, &scanner.series);
    while (status == WARPBOUND_OK) {
      status = scan_value(&scanner);
      if (status != WARPBOUND_OK || next(&scanner) == ']')
        break;
      if (next(&scanner) != ',')
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
  const warpbound_status status =
      json_is_array(value) ? read_objects(reading, value) : read_object(reading, value);
  json_decref(value);
  return status;
}

#include "formats/json/json_input.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of UTF-8; some editors put it before a text. */
static const char byte_order_mark[] = "\xef\xbb\xbf";

/* The name of a value's type in messages: "a string", "true", "nothing" for NULL, ... */
static const char *type_name(const json_t *value)
{
  if (value == NULL)
    return "nothing";
  switch (json_typeof(value)) {
  case JSON_OBJECT:
    return "an object";
  case JSON_ARRAY:
    return "an array";
  case JSON_STRING:
    return "a string";
  case JSON_INTEGER:
    return "a whole number";
  case JSON_REAL:
    return "a number with a fraction";
  case JSON_TRUE:
    return "true";
  case JSON_FALSE:
    return "false";
  default:
    return "null";
  }
}

warpbound_status wb_json_parse(const char *name, const char *text, size_t length, json_t **object,
                               warpbound_error *error)
{
  *object = NULL;
  if (length > WB_JSON_LIMIT)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "expected a JSON text of at most %zu bytes, found %zu", WB_JSON_LIMIT,
                      length);
  if (length >= sizeof byte_order_mark - 1 &&
      memcmp(text, byte_order_mark, sizeof byte_order_mark - 1) == 0) {
    text += sizeof byte_order_mark - 1;
    length -= sizeof byte_order_mark - 1;
  }
  json_error_t parse;
  json_t *value = json_loadb(text, length, JSON_REJECT_DUPLICATES, &parse);
  if (value == NULL && json_error_code(&parse) == json_error_out_of_memory)
    return wb_out_of_memory(error);
  if (value == NULL)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, parse.line > 0 ? (size_t)parse.line : 1,
                      parse.column > 0 ? (size_t)parse.column : 1, "not valid JSON: %s",
                      parse.text);
  if (!json_is_object(value)) {
    warpbound_status status = wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 1, 1,
                                         "expected a JSON object, found %s", type_name(value));
    json_decref(value);
    return status;
  }
  *object = value;
  return WARPBOUND_OK;
}

warpbound_status wb_json_parse_as(const char *name, const char *text, size_t length,
                                  wb_json_read *read, void *into, warpbound_error *error)
{
  json_t *object;
  warpbound_status status = wb_json_parse(name, text, length, &object, error);
  if (status == WARPBOUND_OK)
    status = read(name, object, into, error);
  json_decref(object);
  return status;
}

/* Whether one of the words is the key. */
static bool is_among(const char *key, const char *words)
{
  const size_t length = strlen(key);
  for (const char *at = words; *at != '\0'; at += strspn(at, " ")) {
    const size_t word = strcspn(at, " ");
    if (word == length && memcmp(at, key, length) == 0)
      return true;
    at += word;
  }
  return false;
}

warpbound_status wb_json_check_keys(const char *name, const json_t *object, const char *keys,
                                    warpbound_error *error)
{
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)object, key, value)
  {
    if (is_among(key, keys) || strncmp(key, "x-", 2) == 0)
      continue;
    struct wb_text known = {0};
    for (const char *at = keys; *at != '\0'; at++)
      wb_text_append(&known, *at == ' ' ? ", " : at, *at == ' ' ? 2 : 1);
    warpbound_status status =
        known.failed ? wb_out_of_memory(error)
                     : wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                                  "unknown key '%.60s'; expected one of: %s", key, known.data);
    wb_text_free(&known);
    return status;
  }
  return WARPBOUND_OK;
}

warpbound_status wb_json_wrong(const char *name, const char *place, const char *expected,
                               const json_t *found, warpbound_error *error)
{
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0, "%s: expected %s, found %s", place,
                    expected, type_name(found));
}

warpbound_status wb_json_format(const char *name, const json_t *object, const char *const *formats,
                                warpbound_error *error)
{
  const json_t *value = json_object_get(object, "format");
  const char *found = json_string_value(value);
  struct wb_text expected = {0};
  for (size_t f = 0; formats[f] != NULL; f++) {
    if (found != NULL && strcmp(found, formats[f]) == 0) {
      wb_text_free(&expected);
      return WARPBOUND_OK;
    }
    wb_text_format(&expected, "%s\"%s\"", f > 0 ? " or " : "", formats[f]);
  }
  char *list = wb_text_take(&expected);
  warpbound_status status = WARPBOUND_INVALID_INPUT;
  if (list == NULL)
    status = wb_out_of_memory(error);
  else if (found == NULL)
    wb_json_wrong(name, "format", list, value, error);
  else
    wb_fail_at(error, status, name, 0, 0, "format: expected %s, found \"%.40s\"", list, found);
  free(list);
  return status;
}

/* ---- reading with a sticky failure ---- */

void wb_json_at(struct wb_json_reader *reader, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reader->place, sizeof reader->place, format, arguments);
  va_end(arguments);
}

void wb_json_fail(struct wb_json_reader *reader, const char *format, ...)
{
  char message[sizeof reader->error->message];
  va_list arguments;
  if (!wb_json_good(reader))
    return;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  reader->status =
      wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, 0, 0, "%s", message);
}

void wb_json_expected(struct wb_json_reader *reader, const char *expected, const json_t *found)
{
  if (wb_json_good(reader))
    reader->status = wb_json_wrong(reader->name, reader->place, expected, found, reader->error);
}

void *wb_json_allocate(struct wb_json_reader *reader, size_t count, size_t size)
{
  void *allocated = wb_json_good(reader) ? wb_arena_allocate(reader->arena, count, size) : NULL;
  if (wb_json_good(reader) && allocated == NULL)
    reader->status = wb_out_of_memory(reader->error);
  return allocated;
}

void wb_json_file(struct wb_json_reader *reader, const json_t *object, const char *format,
                  const char *keys)
{
  const char *const formats[] = {format, NULL};
  if (wb_json_good(reader))
    reader->status = wb_json_format(reader->name, object, formats, reader->error);
  if (wb_json_good(reader))
    reader->status = wb_json_check_keys(reader->name, object, keys, reader->error);
}

void wb_json_object(struct wb_json_reader *reader, const json_t *value, const char *keys)
{
  if (!json_is_object(value))
    wb_json_expected(reader, "an object", value);
  if (wb_json_good(reader))
    reader->status = wb_json_check_keys(reader->name, value, keys, reader->error);
}

uint64_t wb_json_number(struct wb_json_reader *reader, const json_t *value, uint64_t least,
                        uint64_t most)
{
  const json_int_t found = json_integer_value(value);
  if (!json_is_integer(value))
    wb_json_expected(reader, "a whole number", value);
  else if (found < 0 || (uint64_t)found < least || (uint64_t)found > most)
    wb_json_fail(reader, "%s: expected %" PRIu64 " to %" PRIu64 ", found %" PRId64, reader->place,
                 least, most, (int64_t)found);
  return wb_json_good(reader) ? (uint64_t)found : 0;
}

/* Appends ", KEY" to the place; where it ended before. */
static size_t enter(struct wb_json_reader *reader, const char *key)
{
  const size_t length = strlen(reader->place);
  snprintf(reader->place + length, sizeof reader->place - length, "%s%s", length > 0 ? ", " : "",
           key);
  return length;
}

uint64_t wb_json_member(struct wb_json_reader *reader, const json_t *object, const char *key,
                        uint64_t least, uint64_t most)
{
  const size_t length = enter(reader, key);
  const uint64_t number = wb_json_number(reader, json_object_get(object, key), least, most);
  reader->place[length] = '\0';
  return number;
}

uint64_t wb_json_optional(struct wb_json_reader *reader, const json_t *object, const char *key,
                          uint64_t least, uint64_t most, uint64_t otherwise)
{
  return json_object_get(object, key) != NULL ? wb_json_member(reader, object, key, least, most)
                                              : otherwise;
}

int64_t wb_json_signed(struct wb_json_reader *reader, const json_t *value)
{
  if (!json_is_integer(value))
    wb_json_expected(reader, "a whole number", value);
  return wb_json_good(reader) ? json_integer_value(value) : 0;
}

bool wb_json_mark(struct wb_json_reader *reader, const json_t *object, const char *key,
                  const char *expected)
{
  const json_t *value = json_object_get(object, key);
  if (value != NULL && !json_is_boolean(value))
    wb_json_expected(reader, expected, value);
  return json_is_true(value);
}

const json_t *wb_json_array_member(struct wb_json_reader *reader, const json_t *object,
                                   const char *key, const char *expected)
{
  const json_t *list = json_object_get(object, key);
  const size_t length = enter(reader, key);
  if (!json_is_array(list))
    wb_json_expected(reader, expected, list);
  reader->place[length] = '\0';
  return wb_json_good(reader) ? list : NULL;
}

bool wb_json_row(struct wb_json_reader *reader, const json_t *value, size_t count,
                 const char *expected)
{
  if (!json_is_array(value) || json_array_size(value) != count)
    wb_json_expected(reader, expected, value);
  return wb_json_good(reader);
}

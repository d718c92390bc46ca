#include "formats/json/json_input.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of UTF-8; some editors put it before a text. */
static const char byte_order_mark[] = "\xef\xbb\xbf";

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
    warpbound_status status =
        wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 1, 1, "expected a JSON object, found %s",
                   wb_json_type_name(value));
    json_decref(value);
    return status;
  }
  *object = value;
  return WARPBOUND_OK;
}

warpbound_status wb_json_parse_as(const char *name, const char *text, size_t length,
                                  wb_json_reader *read, void *into, warpbound_error *error)
{
  json_t *object;
  warpbound_status status = wb_json_parse(name, text, length, &object, error);
  if (status == WARPBOUND_OK)
    status = read(name, object, into, error);
  json_decref(object);
  return status;
}

static bool is_among(const char *key, const char *const *keys)
{
  for (; *keys != NULL; keys++) {
    if (strcmp(key, *keys) == 0)
      return true;
  }
  return strncmp(key, "x-", 2) == 0;
}

warpbound_status wb_json_check_keys(const char *name, const json_t *object, const char *const *keys,
                                    warpbound_error *error)
{
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)object, key, value)
  {
    if (is_among(key, keys))
      continue;
    struct wb_text known = {0};
    for (size_t k = 0; keys[k] != NULL; k++)
      wb_text_format(&known, "%s%s", k > 0 ? ", " : "", keys[k]);
    char *list = wb_text_take(&known);
    warpbound_status status =
        list == NULL ? wb_out_of_memory(error)
                     : wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                                  "unknown key '%.60s'; expected one of: %s", key, list);
    free(list);
    return status;
  }
  return WARPBOUND_OK;
}

const char *wb_json_type_name(const json_t *value)
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

warpbound_status wb_json_wrong(const char *name, const char *place, const char *expected,
                               const json_t *found, warpbound_error *error)
{
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0, "%s: expected %s, found %s", place,
                    expected, wb_json_type_name(found));
}

warpbound_status wb_json_number(const char *name, const char *place, const json_t *value,
                                uint64_t least, uint64_t most, uint64_t *number,
                                warpbound_error *error)
{
  if (!json_is_integer(value))
    return wb_json_wrong(name, place, "a whole number", value, error);
  json_int_t found = json_integer_value(value);
  if (found < 0 || (uint64_t)found < least || (uint64_t)found > most)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "%s: expected %" PRIu64 " to %" PRIu64 ", found %" PRId64, place, least, most,
                      (int64_t)found);
  *number = (uint64_t)found;
  return WARPBOUND_OK;
}

warpbound_status wb_json_signed(const char *name, const char *place, const json_t *value,
                                int64_t *number, warpbound_error *error)
{
  if (!json_is_integer(value))
    return wb_json_wrong(name, place, "a whole number", value, error);
  *number = json_integer_value(value);
  return WARPBOUND_OK;
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

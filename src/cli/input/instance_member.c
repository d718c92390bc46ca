#include "cli/input/instance_member.h"

#include "base/text.h"
#include "base/text/nearest.h"
#include "formats/json/json_input.h"
#include "formats/sm/sm_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A member being read. */
struct member {
  struct arguments *arguments;
  unsigned command;
  enum option option;
  const char *key;
  warpbound_error *error;
};

static warpbound_status wrong(const struct member *member, const char *expected,
                              const json_t *found)
{
  return wb_json_wrong(member->arguments->instance, member->key, expected, found, member->error);
}

static warpbound_status give(const struct member *member, const char *text)
{
  return arguments_set_default(member->arguments, member->command, member->option, member->key,
                               text, member->error);
}

static warpbound_status take_flag(const struct member *member, const json_t *value)
{
  if (!json_is_boolean(value))
    return wrong(member, "true or false", value);
  return json_is_true(value) ? give(member, "") : WARPBOUND_OK;
}

/* A number in the fewest digits that mean the same. */
static void write_real(double number, char *text, size_t size)
{
  snprintf(text, size, "%.15g", number);
  if (strtod(text, NULL) != number)
    snprintf(text, size, "%.17g", number);
}

static warpbound_status take_scalar(const struct member *member, const json_t *value)
{
  char number[48];
  if (json_is_string(value))
    return give(member, json_string_value(value));
  if (json_is_integer(value))
    snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
  else if (json_is_real(value))
    write_real(json_real_value(value), number, sizeof number);
  else
    return wrong(member, json_is_array(value) ? "one value" : "a value", value);
  return give(member, number);
}

/* One value of a repeatable option: a text; how often loops are done may be a number. */
static warpbound_status take_text(const struct member *member, const json_t *value)
{
  if (member->option == OPTION_LOOP_ITERATIONS && json_is_integer(value))
    return take_scalar(member, value);
  if (member->option == OPTION_LOOP_ITERATIONS && !json_is_string(value))
    return wrong(member, "a whole number, a text or a list of these", value);
  if (!json_is_string(value))
    return wrong(member, "a text or a list of texts", value);
  return give(member, json_string_value(value));
}

static warpbound_status take_list(const struct member *member, const json_t *value)
{
  if (!json_is_array(value))
    return take_text(member, value);
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; status == WARPBOUND_OK && i < json_array_size(value); i++)
    status = take_text(member, json_array_get(value, i));
  return status;
}

/* [1, 2, 4], as "1,2,4". */
static warpbound_status take_numbers(const struct member *member, const json_t *list)
{
  struct wb_text text = {0};
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *value = json_array_get(list, i);
    if (!json_is_integer(value)) {
      wb_text_free(&text);
      return wrong(member, "a list of whole numbers", value);
    }
    wb_text_format(&text, "%s%lld", i > 0 ? "," : "", (long long)json_integer_value(value));
  }
  wb_text_string(&text, "");
  warpbound_status status = text.failed ? wb_out_of_memory(member->error) : give(member, text.data);
  wb_text_free(&text);
  return status;
}

/* {"L": 1, "S": "1/8"}, as "L=1,S=1/8". */
static warpbound_status take_units(const struct member *member, json_t *units)
{
  struct wb_text text = {0};
  warpbound_status status = WARPBOUND_OK;
  const char *file = member->arguments->instance;
  const char *key;
  json_t *value;
  json_object_foreach(units, key, value)
  {
    enum wb_unit unit;
    struct wb_unit_capacity capacity;
    status = wb_sm_file_unit(file, key, &unit, member->error);
    if (status == WARPBOUND_OK)
      status = wb_sm_file_capacity(file, key, value, &capacity, member->error);
    if (status != WARPBOUND_OK)
      break;
    wb_text_format(&text, "%s%s=", text.length > 0 ? "," : "", key);
    wb_unit_capacity_write(&capacity, &text);
  }
  if (json_object_size(units) == 0)
    status = wb_fail_at(member->error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                        "units: expected a capacity of L, C, S, D or T, found none");
  if (status == WARPBOUND_OK && text.failed)
    status = wb_out_of_memory(member->error);
  if (status == WARPBOUND_OK)
    status = give(member, text.data);
  wb_text_free(&text);
  return status;
}

/* Two spellings of one key are two keys to JSON. */
static warpbound_status check_spelling(const struct member *member)
{
  const char *other = member->arguments->key[member->option];
  if (other == NULL || strcmp(other, member->key) == 0)
    return WARPBOUND_OK;
  return wb_fail_at(member->error, WARPBOUND_INVALID_INPUT, member->arguments->instance, 0, 0,
                    "%s: expected one value, found another as %s", member->key, other);
}

static warpbound_status unknown_key(const struct arguments *arguments, const char *key,
                                    warpbound_error *error)
{
  char hint[WB_HINT_SIZE];
  struct wb_nearest nearest = wb_nearest_start(key);
  wb_nearest_offer(&nearest, "string");
  wb_nearest_offer(&nearest, "file");
  for (int o = 0; o < OPTION_HELP; o++)
    wb_nearest_offer(&nearest, option_row((enum option)o)->name);
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, arguments->instance, 0, 0,
                    "unknown key '%.60s'%s; expected string, kernel, file or a long option's name",
                    key, wb_nearest_hint(&nearest, "", hint));
}

warpbound_status instance_member_take(struct arguments *arguments, unsigned command,
                                      const char *key, const json_t *value, warpbound_error *error)
{
  struct member member = {arguments, command, option_of_key(key), key, error};
  if (member.option == OPTION_COUNT)
    return unknown_key(arguments, key, error);
  warpbound_status status = check_spelling(&member);
  if (status != WARPBOUND_OK)
    return status;
  const struct option_row *row = option_row(member.option);
  if (json_is_null(value))
    return wrong(&member, "a value", value);
  if (row->argument == NULL)
    return take_flag(&member, value);
  if (row->repeatable)
    return take_list(&member, value);
  if (member.option == OPTION_UNITS && json_is_object(value))
    return take_units(&member, (json_t *)value);
  if (member.option == OPTION_FAIR_BLOCKS && json_is_array(value))
    return take_numbers(&member, value);
  return take_scalar(&member, value);
}

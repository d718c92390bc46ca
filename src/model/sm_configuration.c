#include "model/sm_configuration.h"

#include "base/checked.h"
#include "base/text/ascii.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void wb_sm_configuration_start(struct wb_sm_configuration *sm, const char *name)
{
  *sm = (struct wb_sm_configuration){.partitions = 1, .origin = "units"};
  /* Copies a name for a terminal and for JSON: no control characters, and where it is cut,
   * no half of a UTF-8 character. */
  size_t length = strlen(name);
  if (length >= sizeof sm->name) {
    length = sizeof sm->name - 1;
    while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80)
      length--;
  }
  for (size_t i = 0; i < length; i++)
    sm->name[i] = (unsigned char)name[i] < 0x20 || name[i] == 0x7f ? '?' : name[i];
  sm->name[length] = '\0';
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++)
    sm->unit[u] = (struct wb_unit_capacity){.numerator = 0, .denominator = 1, .hold = 1};
}

warpbound_status wb_sm_configuration_fail(const struct wb_sm_configuration *sm, const char *part,
                                          warpbound_error *error, const char *format, ...)
{
  char reason[sizeof error->message];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  bool from_file = sm->file[0] != '\0';
  return wb_fail_at(error, from_file ? WARPBOUND_INVALID_INPUT : WARPBOUND_USAGE, sm->file, 0, 0,
                    "%s%s%s: %s", from_file ? "units" : sm->origin, part != NULL ? ", " : "",
                    part != NULL ? part : "", reason);
}

void wb_unit_capacity_set(struct wb_unit_capacity *capacity, uint32_t units, uint32_t warp_size)
{
  uint32_t divisor = (uint32_t)wb_greatest_common_divisor(units, warp_size);
  capacity->numerator = units / divisor;
  capacity->denominator = warp_size / divisor;
}

/* Digits at *text up to the limit; 0 where there are none or they are too many. */
static uint32_t read_number(const char **text, uint32_t limit)
{
  uint64_t value = 0;
  for (; wb_is_digit(**text); (*text)++) {
    if (value <= limit)
      value = value * 10 + (uint64_t)(**text - '0');
  }
  return value <= limit ? (uint32_t)value : 0;
}

warpbound_status wb_unit_capacity_parse(struct wb_unit_capacity *capacity, const char *text,
                                        const char *where, warpbound_error *error)
{
  const char *at = text;
  uint32_t numerator = read_number(&at, WB_CAPACITY_LIMIT);
  uint32_t denominator = 1;
  bool valid = numerator > 0;
  if (valid && *at == '/') {
    at++;
    denominator = read_number(&at, WB_CAPACITY_LIMIT);
    valid = denominator > 0;
  }
  if (!valid || *at != '\0')
    return wb_fail(error, WARPBOUND_USAGE,
                   "%s: expected a capacity from 1 to %u or a fraction as 1/8, found '%.40s'",
                   where, WB_CAPACITY_LIMIT, text);
  wb_unit_capacity_set(capacity, numerator, denominator);
  return WARPBOUND_OK;
}

void wb_unit_capacity_write(const struct wb_unit_capacity *capacity, struct wb_text *text)
{
  wb_text_format(text, "%u", capacity->numerator);
  if (capacity->denominator != 1)
    wb_text_format(text, "/%u", capacity->denominator);
}

warpbound_status wb_sm_configuration_parse_units(struct wb_sm_configuration *sm, const char *text,
                                                 warpbound_error *error)
{
  for (const char *item = text;; item++) {
    const size_t length = strcspn(item, ",");
    const bool named = length > 1 && item[1] == '=';
    const enum wb_unit unit = named ? wb_unit_from_letter(item[0]) : WB_UNIT_COUNT;
    char where[48];
    char hint[WB_UNIT_HINT_SIZE];
    char value[48];
    snprintf(where, sizeof where, "%s, column %zu", sm->origin, (size_t)(item - text) + 1);
    if (unit >= WB_UNIT_NONE)
      return wb_fail(error, WARPBOUND_USAGE,
                     "%s: expected L=, C=, S=, D= or T= and a capacity, found '%.*s'%s", where,
                     length < 40 ? (int)length : 40, item,
                     named ? wb_unit_hint(item[0], hint) : "");
    if (sm->unit[unit].numerator != 0)
      return wb_fail(error, WARPBOUND_USAGE, "%s: a second capacity for %c", where, item[0]);
    if (length - 2 >= sizeof value)
      return wb_fail(error, WARPBOUND_USAGE, "%s: the capacity of %c is too long", where, item[0]);
    memcpy(value, item + 2, length - 2);
    value[length - 2] = '\0';
    const warpbound_status status = wb_unit_capacity_parse(&sm->unit[unit], value, where, error);
    item += length;
    if (status != WARPBOUND_OK || *item == '\0')
      return status;
  }
}

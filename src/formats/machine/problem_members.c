#include "formats/machine/problem_members.h"

#include "model/kernel_string.h"
#include "model/sm_configuration.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- reading ---- */

const char *wb_string_member_read(struct wb_json_reader *reader, const json_t *value,
                                  size_t *length)
{
  struct wb_kernel_string string;
  warpbound_error cause;
  if (!json_is_string(value))
    wb_json_expected(reader, "a kernel instruction string", value);
  if (!wb_json_good(reader))
    return NULL;
  const warpbound_status status =
      wb_kernel_string_parse(json_string_value(value), reader->place, &string, &cause);
  if (status != WARPBOUND_OK) {
    reader->status = wb_fail_at(reader->error, status, reader->name, 0, 0, "%s", cause.message);
    return NULL;
  }
  uint8_t *types = wb_kernel_string_expand(&string);
  char *letters = types != NULL ? wb_json_allocate(reader, string.length, 1) : NULL;
  if (types == NULL)
    reader->status = wb_out_of_memory(reader->error);
  for (size_t i = 0; letters != NULL && i < string.length; i++)
    letters[i] = wb_unit_letter((enum wb_unit)types[i]);
  *length = string.length;
  free(types);
  wb_kernel_string_free(&string);
  return letters;
}

void wb_units_member_read(struct wb_json_reader *reader, const json_t *object,
                          uint64_t capacity[WB_CHECK_UNIT_TYPES])
{
  static const char *const keys[WB_CHECK_UNIT_TYPES] = {"L", "C", "S", "D", "T"};
  const json_t *units = json_object_get(object, "units");
  wb_json_at(reader, "units");
  if (!json_is_object(units))
    wb_json_expected(reader, "an object as {\"L\": 1, \"C\": 4}", units);
  wb_json_object(reader, units, "L C S D T");
  for (size_t u = 0; u < WB_CHECK_UNIT_TYPES; u++)
    capacity[u] = wb_json_optional(reader, units, keys[u], 1, WB_CAPACITY_LIMIT, 0);
  wb_json_at_file(reader);
}

uint64_t wb_issue_slots_member_read(struct wb_json_reader *reader, const json_t *object)
{
  return wb_json_optional(reader, object, "issue_slots", 0, WB_CAPACITY_LIMIT, 0);
}

void wb_problem_members_read(struct wb_json_reader *reader, const json_t *object,
                             uint64_t most_warps, struct wb_check_problem *problem, uint64_t *warps)
{
  *problem = (struct wb_check_problem){0};
  wb_json_at(reader, "string");
  problem->letters =
      wb_string_member_read(reader, json_object_get(object, "string"), &problem->length);
  wb_units_member_read(reader, object, problem->capacity);
  problem->issue_slots = wb_issue_slots_member_read(reader, object);
  *warps = wb_json_member(reader, object, "warps", 1, most_warps);
}

/* ---- writing ---- */

void wb_units_member_write(const uint32_t capacity[WB_REAL_UNIT_COUNT], struct wb_text *text)
{
  const char *separator = "";
  wb_text_string(text, "\"units\": {");
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    if (capacity[u] == 0)
      continue;
    wb_text_format(text, "%s\"%c\": %" PRIu32, separator, wb_unit_letter((enum wb_unit)u),
                   capacity[u]);
    separator = ", ";
  }
  wb_text_string(text, "}");
}

void wb_issue_slots_member_write(uint32_t issue_slots, struct wb_text *text)
{
  wb_text_format(text, "\"issue_slots\": %" PRIu32, issue_slots == WB_UNLIMITED ? 0 : issue_slots);
}

void wb_problem_members_write(const char *format, const struct wb_problem *problem,
                              struct wb_text *text)
{
  uint32_t capacity[WB_REAL_UNIT_COUNT] = {0};
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    if (problem->string.count[u] > 0)
      capacity[u] = problem->capacity[u];
  }
  wb_text_format(text, "{\"format\": \"%s\",\n \"string\": \"", format);
  wb_kernel_string_write(&problem->string, text);
  wb_text_string(text, "\",\n ");
  wb_units_member_write(capacity, text);
  wb_text_string(text, ",\n ");
  wb_issue_slots_member_write(problem->issue_slots, text);
  wb_text_format(text, ",\n \"warps\": %" PRIu32 ",\n", problem->warps);
}

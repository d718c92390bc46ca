#include "formats/machine/problem_members.h"

#include "model/kernel_string.h"
#include "model/sm_configuration.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- reading ---- */

warpbound_status wb_string_member_read(const char *name, const char *place, const json_t *value,
                                       char **letters, size_t *length, warpbound_error *error)
{
  if (!json_is_string(value))
    return wb_json_wrong(name, place, "a kernel instruction string", value, error);
  struct wb_kernel_string string;
  warpbound_error cause;
  warpbound_status status =
      wb_kernel_string_parse(json_string_value(value), place, &string, &cause);
  if (status != WARPBOUND_OK)
    return wb_fail_at(error, status, name, 0, 0, "%s", cause.message);
  uint8_t *types = wb_kernel_string_expand(&string);
  for (size_t i = 0; types != NULL && i < string.length; i++)
    types[i] = (uint8_t)wb_unit_letter((enum wb_unit)types[i]);
  *letters = (char *)types;
  *length = string.length;
  wb_kernel_string_free(&string);
  return types != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

warpbound_status wb_units_member_read(const char *name, const json_t *object,
                                      uint64_t capacity[WB_CHECK_UNIT_TYPES],
                                      warpbound_error *error)
{
  static const char *const keys[WB_CHECK_UNIT_TYPES + 1] = {"L", "C", "S", "D", "T", NULL};
  const json_t *units = json_object_get(object, "units");
  if (!json_is_object(units))
    return wb_json_wrong(name, "units", "an object as {\"L\": 1, \"C\": 4}", units, error);
  warpbound_status status = wb_json_check_keys(name, units, keys, error);
  for (size_t u = 0; status == WARPBOUND_OK && keys[u] != NULL; u++) {
    const json_t *value = json_object_get(units, keys[u]);
    char place[16];
    snprintf(place, sizeof place, "units, %s", keys[u]);
    capacity[u] = 0;
    if (value != NULL)
      status = wb_json_number(name, place, value, 1, WB_CAPACITY_LIMIT, &capacity[u], error);
  }
  return status;
}

warpbound_status wb_issue_slots_member_read(const char *name, const json_t *object,
                                            uint64_t *issue_slots, warpbound_error *error)
{
  const json_t *slots = json_object_get(object, "issue_slots");
  *issue_slots = 0;
  return slots == NULL
             ? WARPBOUND_OK
             : wb_json_number(name, "issue_slots", slots, 0, WB_CAPACITY_LIMIT, issue_slots, error);
}

warpbound_status wb_problem_members_read(const char *name, const json_t *object,
                                         uint64_t most_warps, char **letters,
                                         struct wb_check_problem *problem, uint64_t *warps,
                                         warpbound_error *error)
{
  *problem = (struct wb_check_problem){0};
  *letters = NULL;
  warpbound_status status = wb_string_member_read(name, "string", json_object_get(object, "string"),
                                                  letters, &problem->length, error);
  if (status == WARPBOUND_OK)
    status = wb_units_member_read(name, object, problem->capacity, error);
  if (status == WARPBOUND_OK)
    status = wb_issue_slots_member_read(name, object, &problem->issue_slots, error);
  if (status == WARPBOUND_OK)
    status = wb_json_number(name, "warps", json_object_get(object, "warps"), 1, most_warps, warps,
                            error);
  if (status != WARPBOUND_OK) {
    free(*letters);
    *letters = NULL;
  }
  problem->letters = *letters;
  return status;
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

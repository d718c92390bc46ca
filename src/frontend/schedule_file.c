#include "frontend/schedule_file.h"

#include "base/memory.h"
#include "frontend/json_input.h"
#include "model/kernel_string.h"
#include "model/sm_configuration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "warpbound-schedule-1"

static const char *const file_keys[] = {"format", "string",       "units", "issue_slots",
                                        "warps",  "issue_cycles", NULL};

static warpbound_status read_string(const char *name, const json_t *object,
                                    struct wb_schedule_file *file, warpbound_error *error)
{
  const json_t *value = json_object_get(object, "string");
  if (!json_is_string(value))
    return wb_json_wrong(name, "string", "a kernel instruction string", value, error);
  struct wb_kernel_string string;
  warpbound_error cause;
  warpbound_status status = wb_kernel_string_parse(json_string_value(value), NULL, &string, &cause);
  if (status != WARPBOUND_OK)
    return wb_fail_at(error, status, name, 0, 0, "%s", cause.message);
  uint8_t *types = wb_kernel_string_expand(&string);
  for (size_t i = 0; types != NULL && i < string.length; i++)
    types[i] = (uint8_t)wb_unit_letter((enum wb_unit)types[i]);
  file->letters = (char *)types;
  file->claim.letters = file->letters;
  file->claim.length = string.length;
  wb_kernel_string_free(&string);
  return types != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

static warpbound_status read_units(const char *name, const json_t *object,
                                   struct wb_schedule_claim *claim, warpbound_error *error)
{
  static const char *const keys[] = {"L", "C", "S", "D", NULL};
  const json_t *units = json_object_get(object, "units");
  if (!json_is_object(units))
    return wb_json_wrong(name, "units", "an object as {\"L\": 1, \"C\": 4}", units, error);
  warpbound_status status = wb_json_check_keys(name, units, keys, error);
  for (size_t u = 0; status == WARPBOUND_OK && keys[u] != NULL; u++) {
    const json_t *value = json_object_get(units, keys[u]);
    char place[16];
    snprintf(place, sizeof place, "units, %s", keys[u]);
    if (value != NULL)
      status = wb_json_number(name, place, value, 1, WB_CAPACITY_LIMIT, &claim->capacity[u], error);
  }
  return status;
}

static warpbound_status bad_entry(const char *name, size_t warp, size_t entry, const json_t *found,
                                  warpbound_error *error)
{
  char number[24];
  snprintf(number, sizeof number, "%lld", (long long)json_integer_value(found));
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                    "issue_cycles, warp %zu, entry %zu: expected a cycle from 0 to %u, found %s",
                    warp + 1, entry + 1, UINT32_MAX,
                    json_is_integer(found) ? number : wb_json_type_name(found));
}

static warpbound_status read_warp(const char *name, const json_t *list, size_t warp,
                                  struct wb_schedule_file *file, warpbound_error *error)
{
  if (!json_is_array(list))
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "issue_cycles, warp %zu: expected a list of cycles, found %s", warp + 1,
                      wb_json_type_name(list));
  size_t count = json_array_size(list);
  file->counts[warp] = count;
  file->cycles[warp] = wb_allocate(count, sizeof **file->cycles);
  if (file->cycles[warp] == NULL)
    return wb_out_of_memory(error);
  for (size_t i = 0; i < count; i++) {
    const json_t *value = json_array_get(list, i);
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        json_integer_value(value) > UINT32_MAX)
      return bad_entry(name, warp, i, value, error);
    file->cycles[warp][i] = (uint32_t)json_integer_value(value);
  }
  return WARPBOUND_OK;
}

static warpbound_status read_cycles(const char *name, const json_t *object,
                                    struct wb_schedule_file *file, warpbound_error *error)
{
  const json_t *lists = json_object_get(object, "issue_cycles");
  if (!json_is_array(lists))
    return wb_json_wrong(name, "issue_cycles", "a list of lists of cycles", lists, error);
  if (json_array_size(lists) != file->claim.warps)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "issue_cycles: expected a list for each of the %zu warps, found %zu",
                      file->claim.warps, json_array_size(lists));
  file->cycles = wb_allocate(file->claim.warps, sizeof *file->cycles);
  file->counts = wb_allocate(file->claim.warps, sizeof *file->counts);
  if (file->cycles == NULL || file->counts == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t w = 0; status == WARPBOUND_OK && w < file->claim.warps; w++)
    status = read_warp(name, json_array_get(lists, w), w, file, error);
  file->claim.cycles = (const uint32_t *const *)file->cycles;
  file->claim.counts = file->counts;
  return status;
}

static warpbound_status check_format(const char *name, const json_t *value, warpbound_error *error)
{
  const char *format = json_string_value(value);
  if (format == NULL)
    return wb_json_wrong(name, "format", "\"" FORMAT "\"", value, error);
  if (strcmp(format, FORMAT) != 0)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "format: expected \"" FORMAT "\", found \"%.40s\"", format);
  return WARPBOUND_OK;
}

static warpbound_status read_file(const char *name, const json_t *object,
                                  struct wb_schedule_file *file, warpbound_error *error)
{
  uint64_t warps = 0;
  const json_t *slots = json_object_get(object, "issue_slots");
  warpbound_status status = check_format(name, json_object_get(object, "format"), error);
  if (status == WARPBOUND_OK)
    status = wb_json_check_keys(name, object, file_keys, error);
  if (status == WARPBOUND_OK)
    status = read_string(name, object, file, error);
  if (status == WARPBOUND_OK)
    status = read_units(name, object, &file->claim, error);
  if (status == WARPBOUND_OK && slots != NULL)
    status = wb_json_number(name, "issue_slots", slots, 0, WB_CAPACITY_LIMIT,
                            &file->claim.issue_slots, error);
  if (status == WARPBOUND_OK)
    status = wb_json_number(name, "warps", json_object_get(object, "warps"), 1, WB_WARP_LIMIT,
                            &warps, error);
  file->claim.warps = (size_t)warps;
  return status == WARPBOUND_OK ? read_cycles(name, object, file, error) : status;
}

warpbound_status wb_schedule_file_parse(const char *name, const char *text, size_t length,
                                        struct wb_schedule_file *file, warpbound_error *error)
{
  *file = (struct wb_schedule_file){0};
  json_t *object;
  warpbound_status status = wb_json_parse(name, text, length, &object, error);
  if (status != WARPBOUND_OK)
    return status;
  status = read_file(name, object, file, error);
  json_decref(object);
  if (status != WARPBOUND_OK)
    wb_schedule_file_free(file);
  return status;
}

void wb_schedule_file_free(struct wb_schedule_file *file)
{
  for (size_t w = 0; file->cycles != NULL && w < file->claim.warps; w++)
    free(file->cycles[w]);
  free(file->cycles);
  free(file->counts);
  free(file->letters);
  *file = (struct wb_schedule_file){0};
}

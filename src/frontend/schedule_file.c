#include "frontend/schedule_file.h"

#include "base/memory.h"
#include "frontend/machine_members.h"
#include "model/sm_configuration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const formats[] = {WB_SCHEDULE_FORMAT, NULL};
static const char *const file_keys[] = {"format", "string",      "units",        "issue_slots",
                                        "warps",  "fair_blocks", "issue_cycles", NULL};

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

/* [FIRST, LENGTH, COUNT]; whether the string has such blocks is for the checker to say. */
static warpbound_status read_blocks(const char *name, const json_t *object,
                                    struct wb_schedule_claim *claim, warpbound_error *error)
{
  const json_t *list = json_object_get(object, "fair_blocks");
  uint64_t *const numbers[] = {&claim->fair_first, &claim->fair_length, &claim->fair_count};
  size_t count = sizeof numbers / sizeof *numbers;
  if (list == NULL)
    return WARPBOUND_OK;
  if (!json_is_array(list) || json_array_size(list) != count)
    return wb_json_wrong(name, "fair_blocks", "a list [first, length, count]", list, error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; status == WARPBOUND_OK && i < count; i++) {
    char place[40];
    snprintf(place, sizeof place, "fair_blocks, entry %zu", i + 1);
    status =
        wb_json_number(name, place, json_array_get(list, i), 1, claim->length, numbers[i], error);
  }
  return status;
}

static warpbound_status read_file(const char *name, const json_t *object,
                                  struct wb_schedule_file *file, warpbound_error *error)
{
  uint64_t warps = 0;
  struct wb_machine_members machine;
  warpbound_status status = wb_json_format(name, object, formats, error);
  if (status == WARPBOUND_OK)
    status = wb_json_check_keys(name, object, file_keys, error);
  if (status == WARPBOUND_OK)
    status = wb_machine_members_read(name, object, &machine, error);
  if (status == WARPBOUND_OK) {
    file->letters = machine.letters;
    file->claim.letters = machine.letters;
    file->claim.length = machine.length;
    file->claim.issue_slots = machine.issue_slots;
    memcpy(file->claim.capacity, machine.capacity, sizeof machine.capacity);
    status = wb_json_number(name, "warps", json_object_get(object, "warps"), 1, WB_WARP_LIMIT,
                            &warps, error);
  }
  file->claim.warps = (size_t)warps;
  if (status == WARPBOUND_OK)
    status = read_blocks(name, object, &file->claim, error);
  return status == WARPBOUND_OK ? read_cycles(name, object, file, error) : status;
}

static warpbound_status read_object(const char *name, const json_t *object, void *into,
                                    warpbound_error *error)
{
  struct wb_schedule_file *file = into;
  *file = (struct wb_schedule_file){0};
  warpbound_status status = read_file(name, object, file, error);
  if (status != WARPBOUND_OK)
    wb_schedule_file_free(file);
  return status;
}

warpbound_status wb_schedule_file_read(const char *name, const json_t *object,
                                       struct wb_schedule_file *file, warpbound_error *error)
{
  return read_object(name, object, file, error);
}

warpbound_status wb_schedule_file_parse(const char *name, const char *text, size_t length,
                                        struct wb_schedule_file *file, warpbound_error *error)
{
  *file = (struct wb_schedule_file){0};
  return wb_json_parse_as(name, text, length, read_object, file, error);
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

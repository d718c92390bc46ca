/* The reader of schedule files. */
#include "formats/schedule/schedule_file.h"

#include "base/memory.h"
#include "formats/machine/problem_members.h"
#include "model/kernel_string.h"
#include "model/sm_configuration.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const formats[] = {WB_SCHEDULE_FORMAT, NULL};
static const char *const file_keys[] = {
    "format", "string", "strings",    "string_of_warp", "units",        "issue_slots", "shared",
    "warps",  "blocks", "partitions", "fair_blocks",    "issue_cycles", NULL};

/* Most instructions that the strings of a file may have together; any one has WB_STRING_LIMIT at
 * most. */
#define MOST_LETTERS (16 * WB_STRING_LIMIT)

static warpbound_status bad_entry(const char *name, size_t warp, size_t entry, const json_t *found,
                                  warpbound_error *error)
{
  char number[24];
  snprintf(number, sizeof number, "%" PRId64, (int64_t)json_integer_value(found));
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
static warpbound_status read_fair_blocks(const char *name, const json_t *object,
                                         struct wb_check_schedule_claim *claim,
                                         warpbound_error *error)
{
  const json_t *list = json_object_get(object, "fair_blocks");
  uint64_t *const numbers[] = {&claim->fair_first, &claim->fair_length, &claim->fair_count};
  size_t count = sizeof numbers / sizeof *numbers;
  size_t length = claim->string_count > 0 ? claim->strings->length : 0;
  if (list == NULL)
    return WARPBOUND_OK;
  if (!json_is_array(list) || json_array_size(list) != count)
    return wb_json_wrong(name, "fair_blocks", "a list [first, length, count]", list, error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; status == WARPBOUND_OK && i < count; i++) {
    char place[40];
    snprintf(place, sizeof place, "fair_blocks, entry %zu", i + 1);
    status = wb_json_number(name, place, json_array_get(list, i), 1, length, numbers[i], error);
  }
  return status;
}

static warpbound_status read_string(const char *name, const char *place, const json_t *value,
                                    struct wb_schedule_file *file, warpbound_error *error)
{
  char *letters = NULL;
  size_t length = 0;
  warpbound_status status = wb_string_member_read(name, place, value, &letters, &length, error);
  if (status == WARPBOUND_OK)
    file->strings[file->claim.string_count++] = (struct wb_check_schedule_string){letters, length};
  return status;
}

static warpbound_status read_list_of_strings(const char *name, const json_t *list,
                                             struct wb_schedule_file *file, warpbound_error *error)
{
  size_t letters = 0;
  warpbound_status status = WARPBOUND_OK;
  for (size_t s = 0; status == WARPBOUND_OK && s < json_array_size(list); s++) {
    char place[40];
    snprintf(place, sizeof place, "strings, entry %zu", s + 1);
    status = read_string(name, place, json_array_get(list, s), file, error);
    if (status == WARPBOUND_OK)
      letters += file->strings[s].length;
    if (letters > MOST_LETTERS)
      return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                        "strings: expected at most %zu instructions in all", MOST_LETTERS);
  }
  return status;
}

/* `string`, or `strings`. */
static warpbound_status read_strings(const char *name, const json_t *object,
                                     struct wb_schedule_file *file, warpbound_error *error)
{
  const json_t *one = json_object_get(object, "string");
  const json_t *list = json_object_get(object, "strings");
  if (list != NULL && one != NULL)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "expected one of string and strings, found both");
  if (list != NULL && !json_is_array(list))
    return wb_json_wrong(name, "strings", "a list of kernel instruction strings", list, error);
  size_t count = list != NULL ? json_array_size(list) : 1;
  if (count < 1 || count > WB_WARP_LIMIT)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "strings: expected 1 to %u kernel instruction strings, found %zu",
                      WB_WARP_LIMIT, count);
  file->strings = wb_allocate(count, sizeof *file->strings);
  if (file->strings == NULL)
    return wb_out_of_memory(error);
  file->claim.strings = file->strings;
  return list != NULL ? read_list_of_strings(name, list, file, error)
                      : read_string(name, "string", one, file, error);
}

/* The number of each warp's string; needed where there is a list of strings. */
static warpbound_status read_string_of_warp(const char *name, const json_t *object,
                                            struct wb_schedule_file *file, warpbound_error *error)
{
  const json_t *list = json_object_get(object, "string_of_warp");
  if (json_object_get(object, "strings") == NULL) {
    if (list == NULL)
      return WARPBOUND_OK;
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "string_of_warp: expected strings to choose from, found one string");
  }
  if (!json_is_array(list))
    return wb_json_wrong(name, "string_of_warp", "a list of numbers of strings", list, error);
  if (json_array_size(list) != file->claim.warps)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "string_of_warp: expected a number for each of the %zu warps, found %zu",
                      file->claim.warps, json_array_size(list));
  file->string_of = wb_allocate(file->claim.warps, sizeof *file->string_of);
  if (file->string_of == NULL)
    return wb_out_of_memory(error);
  file->claim.string_of = file->string_of;
  warpbound_status status = WARPBOUND_OK;
  for (size_t w = 0; status == WARPBOUND_OK && w < file->claim.warps; w++) {
    uint64_t number = 1;
    char place[48];
    snprintf(place, sizeof place, "string_of_warp, entry %zu", w + 1);
    status = wb_json_number(name, place, json_array_get(list, w), 1, file->claim.string_count,
                            &number, error);
    file->string_of[w] = (uint32_t)(number - 1);
  }
  return status;
}

/* The letters of the types that all partitions share. */
static warpbound_status read_shared(const char *name, const json_t *object,
                                    struct wb_check_schedule_claim *claim, warpbound_error *error)
{
  static const char unit_letters[] = "LCSDT";
  const json_t *value = json_object_get(object, "shared");
  if (value == NULL)
    return WARPBOUND_OK;
  if (!json_is_string(value))
    return wb_json_wrong(name, "shared", "letters of unit types as \"LD\"", value, error);
  for (const char *letter = json_string_value(value); *letter != '\0'; letter++) {
    const char *found = strchr(unit_letters, *letter);
    if (found == NULL || claim->shared[found - unit_letters])
      return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                        "shared: expected letters of L, C, S, D, T, each once, found '%.80s'",
                        json_string_value(value));
    claim->shared[found - unit_letters] = true;
  }
  return WARPBOUND_OK;
}

/* A number that may be left out. */
static warpbound_status read_optional(const char *name, const json_t *object, const char *key,
                                      uint64_t most, size_t *number, warpbound_error *error)
{
  uint64_t value = *number;
  const json_t *found = json_object_get(object, key);
  warpbound_status status =
      found != NULL ? wb_json_number(name, key, found, 1, most, &value, error) : WARPBOUND_OK;
  *number = (size_t)value;
  return status;
}

/* Units, issue slots, warps, blocks, partitions. */
static warpbound_status read_machine(const char *name, const json_t *object,
                                     struct wb_check_schedule_claim *claim, warpbound_error *error)
{
  warpbound_status status = wb_units_member_read(name, object, claim->capacity, error);
  if (status == WARPBOUND_OK)
    status = wb_issue_slots_member_read(name, object, &claim->issue_slots, error);
  claim->blocks = claim->partitions = 1;
  uint64_t warps = 0;
  if (status == WARPBOUND_OK)
    status = wb_json_number(name, "warps", json_object_get(object, "warps"), 1, WB_WARP_LIMIT,
                            &warps, error);
  claim->warps = (size_t)warps;
  if (status == WARPBOUND_OK)
    status = read_optional(name, object, "blocks", WB_WARP_LIMIT, &claim->blocks, error);
  if (status == WARPBOUND_OK)
    status =
        read_optional(name, object, "partitions", WB_PARTITION_LIMIT, &claim->partitions, error);
  return status == WARPBOUND_OK ? read_shared(name, object, claim, error) : status;
}

static warpbound_status read_file(const char *name, const json_t *object,
                                  struct wb_schedule_file *file, warpbound_error *error)
{
  warpbound_status status = wb_json_format(name, object, formats, error);
  if (status == WARPBOUND_OK)
    status = wb_json_check_keys(name, object, file_keys, error);
  if (status == WARPBOUND_OK)
    status = read_strings(name, object, file, error);
  if (status == WARPBOUND_OK)
    status = read_machine(name, object, &file->claim, error);
  if (status == WARPBOUND_OK)
    status = read_string_of_warp(name, object, file, error);
  if (status == WARPBOUND_OK)
    status = read_fair_blocks(name, object, &file->claim, error);
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
  for (size_t s = 0; s < file->claim.string_count; s++)
    free((char *)file->strings[s].letters);
  free(file->strings);
  free(file->string_of);
  *file = (struct wb_schedule_file){0};
}

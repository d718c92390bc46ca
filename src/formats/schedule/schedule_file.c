#include "formats/schedule/schedule_file.h"

#include "formats/machine/problem_members.h"
#include "makespan/machine/schedule.h"
#include "model/sm_configuration.h"

#include <inttypes.h>
#include <string.h>

/* Most instructions that the strings of a file may have together; any one has WB_STRING_LIMIT at
 * most. */
#define MOST_LETTERS (16 * WB_STRING_LIMIT)

static void read_cycles(struct wb_json_reader *reader, const json_t *object,
                        struct wb_check_schedule_claim *claim)
{
  const json_t *lists =
      wb_json_array_member(reader, object, "issue_cycles", "a list of lists of cycles");
  if (json_array_size(lists) != claim->warps)
    wb_json_fail(reader, "issue_cycles: expected a list for each of the %zu warps, found %zu",
                 claim->warps, json_array_size(lists));
  uint32_t **cycles = wb_json_allocate(reader, claim->warps, sizeof *cycles);
  size_t *counts = wb_json_allocate(reader, claim->warps, sizeof *counts);
  for (size_t w = 0; w < claim->warps && wb_json_good(reader); w++) {
    const json_t *list = json_array_get(lists, w);
    wb_json_at(reader, "issue_cycles, warp %zu", w + 1);
    if (!json_is_array(list))
      wb_json_expected(reader, "a list of cycles", list);
    counts[w] = json_array_size(list);
    cycles[w] = wb_json_allocate(reader, counts[w], sizeof **cycles);
    for (size_t i = 0; i < counts[w] && wb_json_good(reader); i++) {
      const json_t *value = json_array_get(list, i);
      const json_int_t cycle = json_integer_value(value);
      cycles[w][i] = (uint32_t)cycle;
      if (json_is_integer(value) && cycle >= 0 && cycle <= UINT32_MAX)
        continue;
      wb_json_at(reader, "issue_cycles, warp %zu, entry %zu", w + 1, i + 1);
      if (!json_is_integer(value))
        wb_json_expected(reader, "a cycle from 0 to 4294967295", value);
      wb_json_fail(reader, "%s: expected a cycle from 0 to %u, found %" JSON_INTEGER_FORMAT,
                   reader->place, UINT32_MAX, cycle);
    }
  }
  claim->cycles = (const uint32_t *const *)cycles;
  claim->counts = counts;
}

/* `string`, or `strings`. */
static void read_strings(struct wb_json_reader *reader, const json_t *object,
                         struct wb_check_schedule_claim *claim)
{
  const json_t *one = json_object_get(object, "string");
  const json_t *list = json_object_get(object, "strings");
  size_t count = 1;
  size_t letters = 0;
  if (list != NULL && one != NULL)
    wb_json_fail(reader, "expected one of string and strings, found both");
  if (list != NULL)
    count = json_array_size(
        wb_json_array_member(reader, object, "strings", "a list of kernel instruction strings"));
  if (count < 1 || count > WB_WARP_LIMIT)
    wb_json_fail(reader, "strings: expected 1 to %u kernel instruction strings, found %zu",
                 WB_WARP_LIMIT, count);
  struct wb_check_schedule_string *strings = wb_json_allocate(reader, count, sizeof *strings);
  wb_json_at(reader, "string");
  for (size_t s = 0; s < count && wb_json_good(reader); s++) {
    if (list != NULL)
      wb_json_at(reader, "strings, entry %zu", s + 1);
    strings[s].letters = wb_string_member_read(reader, list != NULL ? json_array_get(list, s) : one,
                                               &strings[s].length);
    letters += strings[s].length;
    if (letters > MOST_LETTERS)
      wb_json_fail(reader, "strings: expected at most %zu instructions in all", MOST_LETTERS);
  }
  claim->strings = strings;
  claim->string_count = wb_json_good(reader) ? count : 0;
  wb_json_at_file(reader);
}

/* The number of each warp's string; needed where there is a list of strings. */
static void read_string_of_warp(struct wb_json_reader *reader, const json_t *object,
                                struct wb_check_schedule_claim *claim)
{
  const json_t *list = json_object_get(object, "string_of_warp");
  if (json_object_get(object, "strings") == NULL) {
    if (list != NULL)
      wb_json_fail(reader, "string_of_warp: expected strings to choose from, found one string");
    return;
  }
  wb_json_array_member(reader, object, "string_of_warp", "a list of numbers of strings");
  if (json_array_size(list) != claim->warps)
    wb_json_fail(reader, "string_of_warp: expected a number for each of the %zu warps, found %zu",
                 claim->warps, json_array_size(list));
  uint32_t *string_of = wb_json_allocate(reader, claim->warps, sizeof *string_of);
  for (size_t w = 0; w < claim->warps && wb_json_good(reader); w++) {
    wb_json_at(reader, "string_of_warp, entry %zu", w + 1);
    string_of[w] =
        (uint32_t)(wb_json_number(reader, json_array_get(list, w), 1, claim->string_count) - 1);
  }
  claim->string_of = string_of;
  wb_json_at_file(reader);
}

warpbound_status wb_schedule_file_read(const char *name, const json_t *object, void *into,
                                       warpbound_error *error)
{
  struct wb_schedule_file *file = into;
  struct wb_check_schedule_claim *claim = &file->claim;
  struct wb_json_reader reader = {.name = name, .error = error, .arena = &file->arena};
  *file = (struct wb_schedule_file){0};
  wb_json_file(&reader, object, WB_SCHEDULE_FORMAT,
               "format string strings string_of_warp units issue_slots shared warps blocks "
               "partitions fair_blocks issue_cycles");
  read_strings(&reader, object, claim);
  wb_units_member_read(&reader, object, claim->capacity);
  claim->issue_slots = wb_issue_slots_member_read(&reader, object);
  claim->warps = (size_t)wb_json_member(&reader, object, "warps", 1, WB_WARP_LIMIT);
  claim->blocks = (size_t)wb_json_optional(&reader, object, "blocks", 1, WB_WARP_LIMIT, 1);
  claim->partitions =
      (size_t)wb_json_optional(&reader, object, "partitions", 1, WB_PARTITION_LIMIT, 1);
  /* The letters of the types that all partitions share. */
  static const char unit_letters[] = "LCSDT";
  const json_t *value = json_object_get(object, "shared");
  const char *shared = json_string_value(value);
  wb_json_at(&reader, "shared");
  if (value != NULL && shared == NULL)
    wb_json_expected(&reader, "letters of unit types as \"LD\"", value);
  for (const char *letter = shared; wb_json_good(&reader) && letter != NULL && *letter != '\0';
       letter++) {
    const char *found = strchr(unit_letters, *letter);
    if (found == NULL || claim->shared[found - unit_letters])
      wb_json_fail(&reader, "shared: expected letters of L, C, S, D, T, each once, found '%.80s'",
                   shared);
    else
      claim->shared[found - unit_letters] = true;
  }
  wb_json_at_file(&reader);
  read_string_of_warp(&reader, object, claim);
  /* [FIRST, LENGTH, COUNT]; whether the string has such blocks is for the checker to say. */
  const json_t *list = json_object_get(object, "fair_blocks");
  uint64_t *const numbers[] = {&claim->fair_first, &claim->fair_length, &claim->fair_count};
  const size_t length = claim->string_count > 0 ? claim->strings->length : 0;
  if (list != NULL) {
    wb_json_at(&reader, "fair_blocks");
    wb_json_row(&reader, list, 3, "a list [first, length, count]");
    for (size_t i = 0; i < 3; i++) {
      wb_json_at(&reader, "fair_blocks, entry %zu", i + 1);
      *numbers[i] = wb_json_number(&reader, json_array_get(list, i), 1, length);
    }
    wb_json_at_file(&reader);
  }
  read_cycles(&reader, object, claim);
  if (!wb_json_good(&reader))
    wb_arena_free(&file->arena);
  return reader.status;
}

static void write_issue_cycles(const uint32_t *cycles, size_t count, bool first,
                               struct wb_text *text)
{
  wb_text_string(text, first ? "\n  [" : ",\n  [");
  for (size_t i = 0; i < count; i++)
    wb_text_format(text, "%s%" PRIu32, i > 0 ? ", " : "", cycles[i]);
  wb_text_string(text, "]");
}

/* The text is written without a tree of values: a schedule may have tens of millions of cycles, and
 * holds nothing that needs escaping. */
void wb_schedule_file_write(const struct wb_problem *problem, const struct wb_schedule *schedule,
                            struct wb_text *text)
{
  wb_problem_members_write(WB_SCHEDULE_FORMAT, problem, text);
  if (wb_problem_fair(problem))
    wb_text_format(text, " \"fair_blocks\": [%zu, %zu, %zu],\n", problem->fair.first,
                   problem->fair.length, problem->fair.count);
  wb_text_string(text, " \"issue_cycles\": [");
  for (uint32_t w = 0; w < schedule->warps; w++)
    write_issue_cycles(schedule->issue_cycle + w * schedule->length, schedule->length, w == 0,
                       text);
  wb_text_string(text, "\n ]}\n");
}

void wb_sm_schedule_file_write(const struct wb_sm_problem *problem,
                               const struct wb_schedule *schedule, struct wb_text *text)
{
  wb_text_string(text, "{\"format\": \"" WB_SCHEDULE_FORMAT "\",\n");
  wb_text_string(text, problem->string_count > 1 ? " \"strings\": [" : " \"string\": ");
  for (size_t s = 0; s < problem->string_count; s++) {
    wb_text_string(text, s > 0 ? ", \"" : "\"");
    wb_kernel_string_write(&problem->strings[s], text);
    wb_text_string(text, "\"");
  }
  if (problem->string_count > 1) {
    wb_text_string(text, "],\n \"string_of_warp\": [");
    for (uint32_t w = 0; w < schedule->warps; w++)
      wb_text_format(text, "%s%" PRIu32, w > 0 ? ", " : "", schedule->string_of[w] + 1);
    wb_text_string(text, "]");
  }
  wb_text_string(text, ",\n");
  /* The units of the types used, and which of them the partitions share, if any. */
  uint32_t capacity[WB_REAL_UNIT_COUNT] = {0};
  char shared[WB_REAL_UNIT_COUNT + 1] = "";
  size_t shared_count = 0;
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    bool used = false;
    for (size_t s = 0; s < problem->string_count; s++)
      used = used || problem->strings[s].count[u] > 0;
    if (!used)
      continue;
    capacity[u] = problem->capacity[u];
    if (problem->shared[u])
      shared[shared_count++] = wb_unit_letter((enum wb_unit)u);
  }
  wb_text_string(text, " ");
  wb_units_member_write(capacity, text);
  wb_text_string(text, ",\n");
  if (shared_count > 0)
    wb_text_format(text, " \"shared\": \"%s\",\n", shared);
  wb_text_string(text, " ");
  wb_issue_slots_member_write(problem->issue_slots, text);
  wb_text_format(text, ",\n \"warps\": %" PRIu32 ",\n", schedule->warps);
  wb_text_format(text, " \"blocks\": %" PRIu32 ",\n \"partitions\": %" PRIu32 ",\n",
                 problem->blocks, problem->partitions);
  wb_text_string(text, " \"issue_cycles\": [");
  for (uint32_t w = 0; w < schedule->warps; w++)
    write_issue_cycles(schedule->issue_cycle + schedule->first[w],
                       schedule->first[w + 1] - schedule->first[w], w == 0, text);
  wb_text_string(text, "\n ]}\n");
}

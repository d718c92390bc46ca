/* Files of schedules, run abstractions and phases, and the members that these share with
 * potentials. */
#include "formats/makespan/makespan_files.h"

#include "makespan/machine/schedule.h"
#include "model/kernel_string.h"
#include "model/sm_configuration.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- shared members: reading ---- */

/* ---- reading ---- */

/* Reads a kernel instruction string at the place into its *length letters of "LCSDTNB", without
 * counts, which are the arena's. NULL after a failure. */
static const char *read_string(struct wb_json_reader *reader, const json_t *value, size_t *length)
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

void wb_problem_members_read(struct wb_json_reader *reader, const json_t *object,
                             uint64_t most_warps, struct wb_check_problem *problem, uint64_t *warps)
{
  *problem = (struct wb_check_problem){0};
  wb_json_at(reader, "string");
  problem->letters = read_string(reader, json_object_get(object, "string"), &problem->length);
  wb_units_member_read(reader, object, problem->capacity);
  problem->issue_slots = wb_json_optional(reader, object, "issue_slots", 0, WB_CAPACITY_LIMIT, 0);
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

/* ---- schedules ---- */

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
    strings[s].letters =
        read_string(reader, list != NULL ? json_array_get(list, s) : one, &strings[s].length);
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
  claim->issue_slots = wb_json_optional(&reader, object, "issue_slots", 0, WB_CAPACITY_LIMIT, 0);
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

/* ---- run abstractions ---- */

warpbound_status wb_run_file_read(const char *name, const json_t *object, void *into,
                                  warpbound_error *error)
{
  struct wb_run_file *file = into;
  struct wb_json_reader reader = {.name = name, .error = error, .arena = &file->arena};
  uint64_t warps;
  *file = (struct wb_run_file){0};
  wb_json_file(&reader, object, WB_RUN_FORMAT, "format string units issue_slots warps cycles runs");
  wb_problem_members_read(&reader, object, WB_WARP_LIMIT, &file->claim.problem, &warps);
  file->claim.warps = (uint32_t)warps;
  file->claim.cycles = wb_json_member(&reader, object, "cycles", 0, INT64_MAX);
  const json_t *list =
      wb_json_array_member(&reader, object, "runs", "a list of lengths as [5, 9, 2, 9]");
  const size_t most = file->claim.problem.length;
  const size_t count = json_array_size(list);
  if (count == 0 || count > most)
    wb_json_fail(&reader,
                 "runs: expected 1 to %zu lengths, which together are the string, found %zu", most,
                 count);
  uint32_t *lengths = wb_json_allocate(&reader, count, sizeof *lengths);
  for (size_t r = 0; r < count && wb_json_good(&reader); r++) {
    wb_json_at(&reader, "runs, entry %zu", r + 1);
    lengths[r] = (uint32_t)wb_json_number(&reader, json_array_get(list, r), 1, most);
  }
  file->claim.lengths = lengths;
  file->claim.count = count;
  if (!wb_json_good(&reader))
    wb_arena_free(&file->arena);
  return reader.status;
}

void wb_run_file_write(const struct wb_problem *problem, const uint32_t *lengths, size_t count,
                       uint64_t cycles, struct wb_text *text)
{
  wb_problem_members_write(WB_RUN_FORMAT, problem, text);
  wb_text_format(text, " \"cycles\": %" PRIu64 ",\n \"runs\": [", cycles);
  for (size_t r = 0; r < count; r++)
    wb_text_format(text, "%s%" PRIu32, r > 0 ? ", " : "", lengths[r]);
  wb_text_string(text, "]}\n");
}

/* ---- phases between barriers ---- */

warpbound_status wb_phases_file_read(const char *name, const json_t *object,
                                     struct wb_phases_file *file, warpbound_error *error)
{
  struct wb_json_reader reader = {.name = name, .error = error, .arena = &file->arena};
  *file = (struct wb_phases_file){.proofs = json_object_get(object, "proofs")};
  wb_json_file(&reader, object, WB_PHASES_FORMAT,
               "format string units issue_slots warps cycles proofs");
  wb_problem_members_read(&reader, object, WB_WARP_LIMIT, &file->claim.problem, &file->claim.warps);
  file->claim.cycles = wb_json_member(&reader, object, "cycles", 0, INT64_MAX);
  const json_t *list = wb_json_array_member(&reader, object, "proofs", "a list of certificates");
  const size_t count = json_array_size(list);
  if (count == 0 || count > WB_PHASES_PROOF_LIMIT)
    wb_json_fail(&reader, "proofs: expected 1 to %zu certificates, found %zu",
                 WB_PHASES_PROOF_LIMIT, count);
  for (size_t p = 0; p < count; p++) {
    wb_json_at(&reader, "proofs, entry %zu", p + 1);
    if (!json_is_object(json_array_get(list, p)))
      wb_json_expected(&reader, "a certificate", json_array_get(list, p));
  }
  if (!wb_json_good(&reader))
    wb_arena_free(&file->arena);
  return reader.status;
}

void wb_phases_file_begin(const struct wb_problem *problem, uint64_t cycles, struct wb_text *text)
{
  wb_problem_members_write(WB_PHASES_FORMAT, problem, text);
  wb_text_format(text, " \"cycles\": %" PRIu64 ",\n \"proofs\": [\n", cycles);
}

void wb_phases_file_separate(size_t index, struct wb_text *text)
{
  wb_text_string(text, index > 0 ? "," : "");
}

void wb_phases_file_end(struct wb_text *text)
{
  wb_text_string(text, "]}\n");
}

#include "formats/launch/launch_file.h"

#include "base/memory.h"
#include "formats/paths/paths_file.h"

#include <stdlib.h>
#include <string.h>

/* A list in the value at hand that may be left out, of at most `most` entries; messages expect
 * `expected` and name the value alone. *count: 0 after a failure. */
static const json_t *find_list(struct wb_json_reader *reader, const json_t *object, const char *key,
                               const char *expected, size_t most, size_t *count)
{
  const json_t *list = json_object_get(object, key);
  if (list != NULL && (!json_is_array(list) || json_array_size(list) > most))
    wb_json_expected(reader, expected, list);
  *count = wb_json_good(reader) ? json_array_size(list) : 0;
  return list;
}

/* ---- instructions ---- */

/* An element of a row at the place. */
static uint64_t read_element(struct wb_json_reader *reader, const json_t *row, size_t index,
                             uint64_t most)
{
  return wb_json_number(reader, json_array_get(row, index), 0, most);
}

#define STAGES                                                                                     \
  "at most 255 stages as [RESOURCE, REQUESTS, DELAY, SERVICE], those of kept data with "           \
  "[..., BUFFER, HIT]"

static void read_stage(struct wb_json_reader *reader, const json_t *row,
                       const struct wb_timed_code *code, struct wb_request_stage *stage)
{
  *stage = (struct wb_request_stage){0};
  const bool fetch = json_array_size(row) == 6;
  wb_json_row(reader, row, fetch ? 6 : 4, STAGES);
  stage->resource = (uint8_t)read_element(reader, row, 0, WB_RESOURCE_LIMIT - 1);
  stage->requests = (uint16_t)read_element(reader, row, 1, 4096);
  stage->delay = (uint32_t)read_element(reader, row, 2, WB_TIME_LIMIT);
  stage->service = (uint32_t)read_element(reader, row, 3, WB_TIME_LIMIT);
  if (!fetch || !wb_json_good(reader))
    return;
  stage->buffer = (uint8_t)wb_json_number(reader, json_array_get(row, 4), 1, code->kept.count);
  stage->hit = (uint32_t)read_element(reader, row, 5, WB_TIME_LIMIT);
}

static void read_stages(struct wb_json_reader *reader, const json_t *object,
                        struct wb_timed_code *code, struct wb_timed_instruction *instruction)
{
  size_t count;
  const json_t *list = find_list(reader, object, "stages", STAGES, UINT8_MAX, &count);
  instruction->first_stage = (uint32_t)code->stage_count;
  instruction->stage_count = (uint8_t)count;
  if (wb_json_good(reader) &&
      (code->stage_count > UINT32_MAX - count ||
       !wb_grow(code->stages, &code->stage_capacity, code->stage_count + count)))
    reader->status = wb_out_of_memory(reader->error);
  for (size_t s = 0; s < count && wb_json_good(reader); s++)
    read_stage(reader, json_array_get(list, s), code, &code->stages[code->stage_count++]);
}

static void read_instruction(struct wb_json_reader *reader, const json_t *object,
                             struct wb_timed_code *code, struct wb_timed_instruction *instruction)
{
  wb_json_object(reader, object,
                 "stall before uses stages latency read_latency read_stages write read wait count "
                 "barrier fence posted");
  instruction->barrier = wb_json_mark(reader, object, "barrier", "true or false for barrier");
  instruction->fence = wb_json_mark(reader, object, "fence", "true or false for fence");
  instruction->posted = wb_json_mark(reader, object, "posted", "true or false for posted");
  instruction->stall = (uint32_t)wb_json_optional(reader, object, "stall", 0, WB_TIME_LIMIT, 0);
  instruction->before = (uint32_t)wb_json_optional(reader, object, "before", 0, WB_TIME_LIMIT, 0);
  instruction->latency = (uint32_t)wb_json_optional(reader, object, "latency", 0, WB_TIME_LIMIT, 0);
  instruction->read_latency =
      (uint32_t)wb_json_optional(reader, object, "read_latency", 0, WB_TIME_LIMIT, 0);
  instruction->read_stages =
      (uint8_t)wb_json_optional(reader, object, "read_stages", 0, UINT8_MAX, 0);
  instruction->write_scoreboard = (uint8_t)wb_json_optional(
      reader, object, "write", 0, WB_SCOREBOARD_COUNT - 1, WB_NO_SCOREBOARD);
  instruction->read_scoreboard = (uint8_t)wb_json_optional(
      reader, object, "read", 0, WB_SCOREBOARD_COUNT - 1, WB_NO_SCOREBOARD);
  static const char expected[] = "at most 32 uses as [RESOURCE, SERVICE]";
  size_t count;
  const json_t *list = find_list(reader, object, "uses", expected, WB_RESOURCE_LIMIT, &count);
  instruction->first_use = (uint32_t)code->use_count;
  instruction->use_count = (uint8_t)count;
  if (wb_json_good(reader) && (code->use_count > UINT32_MAX - count ||
                               !wb_grow(code->uses, &code->use_capacity, code->use_count + count)))
    reader->status = wb_out_of_memory(reader->error);
  for (size_t u = 0; u < count && wb_json_good(reader); u++) {
    const json_t *row = json_array_get(list, u);
    wb_json_row(reader, row, 2, expected);
    code->uses[code->use_count++] =
        (struct wb_issue_use){(uint8_t)read_element(reader, row, 0, WB_RESOURCE_LIMIT - 1),
                              (uint32_t)read_element(reader, row, 1, WB_TIME_LIMIT)};
  }
  read_stages(reader, object, code, instruction);
  const json_t *counted = json_object_get(object, "count");
  size_t wait_count;
  const json_t *waits = find_list(reader, object, "wait", "at most 6 scoreboards for wait",
                                  WB_SCOREBOARD_COUNT, &wait_count);
  for (size_t i = 0; i < wait_count; i++)
    instruction->wait_mask |=
        (uint8_t)(1U << read_element(reader, waits, i, WB_SCOREBOARD_COUNT - 1));
  instruction->counted_scoreboard = WB_NO_SCOREBOARD;
  if (counted == NULL)
    return;
  wb_json_row(reader, counted, 2, "a scoreboard and a number for count");
  instruction->counted_scoreboard =
      (uint8_t)read_element(reader, counted, 0, WB_SCOREBOARD_COUNT - 1);
  instruction->counted_left = (uint8_t)read_element(reader, counted, 1, UINT8_MAX);
}

/* The data that L2 keeps; may be left out. */
static void read_kept(struct wb_json_reader *reader, const json_t *object,
                      struct wb_kept_data *kept)
{
  const json_t *member = json_object_get(object, "kept");
  static const char expected[] = "a list of 1 to 255 kept buffers";
  if (member == NULL)
    return;
  wb_json_at(reader, "kept");
  wb_json_object(reader, member, "retained copies warm buffers");
  kept->retained = wb_json_member(reader, member, "retained", 0, INT64_MAX);
  kept->copies = (uint32_t)wb_json_optional(reader, member, "copies", 1, WB_KEPT_COPIES_LIMIT, 1);
  kept->warm = wb_json_mark(reader, member, "warm", "true or false for warm");
  const json_t *list = json_object_get(member, "buffers");
  const size_t count = json_array_size(list);
  if (!json_is_array(list) || count < 1 || count > UINT8_MAX)
    wb_json_expected(reader, expected, list);
  if (wb_json_good(reader)) {
    kept->buffers = wb_allocate(count, sizeof *kept->buffers);
    if (kept->buffers == NULL)
      reader->status = wb_out_of_memory(reader->error);
  }
  for (size_t b = 0; b < count && wb_json_good(reader); b++) {
    const json_t *entry = json_array_get(list, b);
    wb_json_at(reader, "kept, buffers, entry %zu", b + 1);
    wb_json_object(reader, entry, "bytes lines by_sector");
    kept->buffers[b].bytes = wb_json_member(reader, entry, "bytes", 1, WB_KEPT_BYTES_LIMIT);
    const uint64_t lines = wb_lines_of(kept->buffers[b].bytes);
    kept->buffers[b].lines = wb_json_optional(reader, entry, "lines", 1, lines, lines);
    kept->buffers[b].by_sector =
        wb_json_mark(reader, entry, "by_sector", "true or false for by_sector");
    kept->count = b + 1;
  }
  wb_json_at_file(reader);
}

static const char *const paid_names[] = {NULL, "sector", "access"};

/* How chains pay for fetches into first caches; left out: as if nothing were kept. */
static enum wb_first_paid read_paid(struct wb_json_reader *reader, const json_t *object,
                                    const char *key)
{
  const json_t *member = json_object_get(object, key);
  const char *text = json_is_string(member) ? json_string_value(member) : "";
  enum wb_first_paid paid = WB_FIRST_BY_SECTOR;
  if (member == NULL)
    return WB_FIRST_AS_BEFORE;
  while (paid <= WB_FIRST_BY_ACCESS && strcmp(text, paid_names[paid]) != 0)
    paid++;
  if (paid <= WB_FIRST_BY_ACCESS)
    return paid;
  char expected[64];
  snprintf(expected, sizeof expected, "\"sector\" or \"access\" for %s", key);
  wb_json_expected(reader, expected, member);
  return WB_FIRST_AS_BEFORE;
}

/* The data that first caches keep; may be left out. */
static void read_first(struct wb_json_reader *reader, const json_t *object,
                       struct wb_first_data *first)
{
  const json_t *member = json_object_get(object, "first_cache");
  static const char expected[] = "a list of 1 to 255 buffers";
  if (member == NULL)
    return;
  wb_json_at(reader, "first_cache");
  wb_json_object(reader, member, "retained of_block recent buffers");
  first->retained = wb_json_member(reader, member, "retained", 0, INT64_MAX);
  first->of_block = wb_json_mark(reader, member, "of_block", "true or false for of_block");
  first->recent = wb_json_mark(reader, member, "recent", "true or false for recent");
  const json_t *list = json_object_get(member, "buffers");
  const size_t count = json_array_size(list);
  if (!json_is_array(list) || count < 1 || count > UINT8_MAX)
    wb_json_expected(reader, expected, list);
  if (wb_json_good(reader)) {
    first->buffers = wb_allocate(count, sizeof *first->buffers);
    if (first->buffers == NULL)
      reader->status = wb_out_of_memory(reader->error);
  }
  for (size_t b = 0; b < count && wb_json_good(reader); b++) {
    const json_t *entry = json_array_get(list, b);
    wb_json_at(reader, "first_cache, buffers, entry %zu", b + 1);
    wb_json_object(reader, entry, "bytes block_lines paid_by");
    first->buffers[b].bytes = wb_json_member(reader, entry, "bytes", 1, WB_KEPT_BYTES_LIMIT);
    if (first->of_block)
      first->buffers[b].block_lines =
          wb_json_member(reader, entry, "block_lines", 1, WB_KEPT_BYTES_LIMIT);
    first->buffers[b].paid = read_paid(reader, entry, "paid_by");
    first->count = b + 1;
  }
  wb_json_at_file(reader);
}

static enum wb_resource_level read_level(struct wb_json_reader *reader, const json_t *object,
                                         const char *key)
{
  const json_t *of = json_object_get(object, key);
  const char *text = json_is_string(of) ? json_string_value(of) : "";
  enum wb_resource_level level = 0;
  while (level < WB_LEVEL_COUNT && strcmp(text, wb_resource_level_name(level)) != 0)
    level++;
  if (level < WB_LEVEL_COUNT)
    return level;
  char expected[64];
  snprintf(expected, sizeof expected, "\"partition\", \"sm\" or \"gpu\" for %s", key);
  wb_json_expected(reader, expected, of);
  return 0;
}

/* What the launch fetches once; may be left out. */
static void read_fetches(struct wb_json_reader *reader, const json_t *object,
                         struct wb_timed_code *code)
{
  static const char expected[] = "a list of at most 8 kinds of fetches";
  size_t count;
  wb_json_at(reader, "fetches");
  const json_t *list = find_list(reader, object, "fetches", expected, WB_COLD_FETCHES, &count);
  for (size_t c = 0; c < count && wb_json_good(reader); c++) {
    struct wb_cold_fetch *fetch = &code->cold[c];
    const json_t *entry = json_array_get(list, c);
    const json_t *name = json_object_get(entry, "of");
    size_t stages;
    wb_json_at(reader, "fetches, entry %zu", c + 1);
    wb_json_object(reader, entry, "of count by_all_warps caches data_paid_by stages");
    if (!json_is_string(name) || json_string_length(name) == 0 ||
        json_string_length(name) >= sizeof fetch->name)
      wb_json_expected(reader, "a name of 1 to 23 bytes", name);
    fetch->count = wb_json_member(reader, entry, "count", 1, WB_COLD_LIMIT);
    if (wb_json_good(reader) && json_object_get(entry, "by_all_warps") != NULL)
      fetch->by_all_warps = wb_json_member(reader, entry, "by_all_warps", 0, fetch->count);
    fetch->level = read_level(reader, entry, "caches");
    fetch->data = read_paid(reader, entry, "data_paid_by");
    const json_t *rows = find_list(reader, entry, "stages", STAGES, WB_COLD_STAGES, &stages);
    for (size_t s = 0; s < stages && wb_json_good(reader); s++)
      read_stage(reader, json_array_get(rows, s), code, &fetch->stages[fetch->stage_count++]);
    if (wb_json_good(reader))
      snprintf(fetch->name, sizeof fetch->name, "%s", json_string_value(name));
    code->cold_count = c + 1;
  }
  wb_json_at_file(reader);
}

void wb_launch_code_read(struct wb_json_reader *reader, const json_t *object,
                         struct wb_timed_code *code)
{
  *code = (struct wb_timed_code){0};
  read_kept(reader, object, &code->kept);
  read_first(reader, object, &code->first);
  read_fetches(reader, object, code);
  static const char expected[] = "a list of at most 32 resources";
  wb_json_at(reader, "resources");
  const json_t *resources =
      find_list(reader, object, "resources", expected, WB_RESOURCE_LIMIT, &code->resource_count);
  if (resources == NULL)
    wb_json_expected(reader, expected, resources);
  for (size_t r = 0; r < code->resource_count && wb_json_good(reader); r++) {
    const json_t *entry = json_array_get(resources, r);
    const json_t *name = json_object_get(entry, "name");
    const json_t *at_issue = json_object_get(entry, "at_issue");
    struct wb_resource *resource = &code->resources[r];
    wb_json_at(reader, "resources, entry %zu", r + 1);
    wb_json_object(reader, entry, "name of servers at_issue place");
    if (!json_is_string(name) || json_string_length(name) == 0 ||
        json_string_length(name) >= sizeof resource->name)
      wb_json_expected(reader, "a name of 1 to 31 bytes", name);
    resource->level = read_level(reader, entry, "of");
    resource->servers = (uint32_t)wb_json_optional(reader, entry, "servers", 0, WB_SERVER_LIMIT, 0);
    if (!json_is_boolean(at_issue))
      wb_json_expected(reader, "true or false for at_issue", at_issue);
    resource->at_issue = json_is_true(at_issue);
    resource->place = (uint8_t)wb_json_optional(reader, entry, "place", 0, WB_RESOURCE_LIMIT, 0);
    if (wb_json_good(reader))
      snprintf(resource->name, sizeof resource->name, "%s", json_string_value(name));
  }
  wb_json_at_file(reader);
  const json_t *list =
      wb_json_array_member(reader, object, "instructions", "a list of instructions");
  const size_t count = json_array_size(list);
  if (wb_json_good(reader)) {
    code->instructions = wb_allocate(count, sizeof *code->instructions);
    if (code->instructions == NULL)
      reader->status = wb_out_of_memory(reader->error);
  }
  for (size_t i = 0; i < count && wb_json_good(reader); i++) {
    wb_json_at(reader, "instructions, entry %zu", i + 1);
    read_instruction(reader, json_array_get(list, i), code, &code->instructions[i]);
    code->instruction_count = i + 1;
  }
  const char *broken = wb_json_good(reader) ? wb_timed_code_check(code) : NULL;
  if (broken != NULL)
    wb_json_fail(reader, "instructions: %s", broken);
  wb_json_at_file(reader);
}

/* ---- nodes ---- */

/* How often one path for all warps of the launch counts each sum; left out: nothing is said. */
static void read_launch_path(struct wb_json_reader *reader, const json_t *object,
                             struct wb_check_launch_claim *claim)
{
  static const enum wb_check_launch_sum sums[] = {
      WB_CHECK_LAUNCH_ALONE_OWN, WB_CHECK_LAUNCH_ALONE_PARTITION, WB_CHECK_LAUNCH_ALONE_OTHERS,
      WB_CHECK_LAUNCH_OWN,       WB_CHECK_LAUNCH_PARTITION,       WB_CHECK_LAUNCH_OTHERS,
      WB_CHECK_LAUNCH_GPU,       WB_CHECK_LAUNCH_PHASE_UNITS,
  };
  const json_t *times = json_object_get(object, "launch_path");
  claim->launch_path = times != NULL;
  if (times == NULL)
    return;
  wb_json_at(reader, "launch_path");
  wb_json_object(reader, times,
                 "alone-own alone-partition alone-others own partition others gpu phase-units");
  for (size_t s = 0; s < sizeof sums / sizeof *sums; s++)
    claim->launch_times[sums[s]] =
        wb_json_optional(reader, times, wb_check_launch_sum_name(sums[s]), 0, INT64_MAX, 0);
  wb_json_at_file(reader);
}

/* A list of nodes, which may be left out: NULL then. */
static const bool *read_marked(struct wb_json_reader *reader, const json_t *object, const char *key,
                               size_t nodes)
{
  const json_t *list = json_object_get(object, key);
  if (list == NULL)
    return NULL;
  wb_json_at(reader, "%s", key);
  if (!json_is_array(list))
    wb_json_expected(reader, "a list of nodes", list);
  bool *marked = wb_json_allocate(reader, nodes, sizeof *marked);
  for (size_t i = 0; i < json_array_size(list) && wb_json_good(reader); i++)
    marked[wb_json_number(reader, json_array_get(list, i), 0, nodes - 1)] = true;
  return marked;
}

static void read_system(struct wb_json_reader *reader, const json_t *object,
                        struct wb_launch_file *file)
{
  struct wb_check_launch_claim *claim = &file->claim;
  struct wb_limit_marks marks = {0};
  const json_t *nodes = wb_json_array_member(reader, object, "nodes", "a list of nodes");
  const size_t count = json_array_size(nodes);
  const size_t instructions = claim->code.instruction_count;
  if (count > WB_LAUNCH_NODE_LIMIT)
    wb_json_fail(reader, "nodes: expected at most %d, found %zu", WB_LAUNCH_NODE_LIMIT, count);
  wb_system_members_read(reader, object, count, &claim->system, &marks);
  file->first = wb_json_allocate(reader, count, sizeof *file->first);
  file->last = wb_json_allocate(reader, count, sizeof *file->last);
  for (size_t v = 0; v < count && wb_json_good(reader); v++) {
    const json_t *row = json_array_get(nodes, v);
    const size_t length = json_array_size(row);
    wb_json_at(reader, "nodes, entry %zu", v + 1);
    if (!json_is_array(row) || (length != 0 && length != 2) || (length == 2 && instructions == 0))
      wb_json_expected(reader, "its first and last instruction, or an empty list", row);
    file->first[v] = 1;
    if (length != 2 || !wb_json_good(reader))
      continue;
    file->first[v] = (uint32_t)read_element(reader, row, 0, instructions - 1);
    file->last[v] =
        (uint32_t)wb_json_number(reader, json_array_get(row, 1), file->first[v], instructions - 1);
  }
  claim->first = file->first;
  claim->last = file->last;
  claim->local = marks.local;
  claim->common = marks.common;
  wb_json_at_file(reader);
  claim->early_ends = wb_json_mark(reader, object, "early_ends", "true or false for early_ends");
  claim->as_many = wb_json_mark(reader, object, "as_many", "true or false for as_many");
  claim->groups = wb_json_mark(reader, object, "groups", "true or false for groups");
  claim->same_path = wb_json_mark(reader, object, "same_path", "true or false for same_path");
  read_launch_path(reader, object, claim);
  claim->interleaved = read_marked(reader, object, "interleaved", count);
  claim->ends = read_marked(reader, object, "exits", count);
  wb_json_at_file(reader);
}

/* ---- pending ---- */

/* A list of [INDEX, NUMBER] at the place, which may be left out. */
static void read_sparse(struct wb_json_reader *reader, const json_t *list, size_t count,
                        uint64_t *numbers)
{
  static const char expected[] = "lists of [INDEX, TIME]";
  if (list != NULL && !json_is_array(list))
    wb_json_expected(reader, expected, list);
  for (size_t i = 0; i < json_array_size(list) && wb_json_good(reader); i++) {
    const json_t *row = json_array_get(list, i);
    if (count == 0)
      wb_json_expected(reader, expected, row);
    if (wb_json_row(reader, row, 2, expected)) {
      const uint64_t index = wb_json_number(reader, json_array_get(row, 0), 0, count - 1);
      numbers[index] = wb_json_number(reader, json_array_get(row, 1), 0, INT64_MAX);
    }
  }
}

static void read_pending(struct wb_json_reader *reader, const json_t *object,
                         struct wb_launch_file *file)
{
  static const char expected[] = "a list with an entry for each node";
  const size_t nodes = file->claim.system.node_count;
  const json_t *list = json_object_get(object, "pending");
  wb_json_at(reader, "pending");
  wb_json_row(reader, list, nodes, expected);
  file->pending = wb_json_allocate(reader, nodes, sizeof *file->pending);
  for (size_t v = 0; v < nodes && wb_json_good(reader); v++) {
    struct wb_check_launch_pending *pending = &file->pending[v];
    const json_t *entry = json_array_get(list, v);
    const json_t *end = json_object_get(entry, "end");
    wb_json_at(reader, "pending, entry %zu", v + 1);
    wb_json_object(reader, entry, "scoreboards services end stay");
    read_sparse(reader, json_object_get(entry, "scoreboards"), WB_SCOREBOARD_COUNT,
                pending->scoreboard);
    read_sparse(reader, json_object_get(entry, "services"), file->claim.code.resource_count,
                pending->service);
    pending->end = end != NULL ? wb_json_number(reader, end, 0, INT64_MAX) : 0;
    pending->stay = wb_json_optional(reader, entry, "stay", 0, INT64_MAX, pending->end);
  }
  file->claim.pending = file->pending;
  const size_t edges = file->claim.system.edge_count;
  file->advance = wb_json_allocate(reader, edges, sizeof *file->advance);
  wb_json_at(reader, "advance");
  read_sparse(reader, json_object_get(object, "advance"), edges, file->advance);
  file->claim.advance = file->advance;
  wb_json_at_file(reader);
}

/* ---- maxima ---- */

static uint32_t read_phase(struct wb_json_reader *reader, const json_t *value)
{
  const char *text = json_string_value(value);
  if (value == NULL)
    return WB_CHECK_LAUNCH_ALL_PHASES;
  if (text != NULL && strcmp(text, "composite") == 0)
    return WB_CHECK_LAUNCH_COMPOSITE;
  if (text != NULL && strcmp(text, "stretch") == 0)
    return WB_CHECK_LAUNCH_STRETCH;
  if (text != NULL)
    wb_json_expected(reader, "a number, \"composite\" or \"stretch\" for phase", value);
  return (uint32_t)wb_json_number(reader, value, 0, WB_CHECK_LAUNCH_STRETCH - 1);
}

static void read_maxima(struct wb_json_reader *reader, const json_t *object,
                        struct wb_launch_file *file)
{
  const struct wb_flow_system *system = &file->claim.system;
  const json_t *list = wb_json_array_member(reader, object, "maxima", "a list of maxima");
  const size_t count = json_array_size(list);
  file->maxima = wb_json_allocate(reader, count, sizeof *file->maxima);
  for (size_t m = 0; m < count && wb_json_good(reader); m++) {
    struct wb_check_launch_maximum *maximum = &file->maxima[m];
    const json_t *entry = json_array_get(list, m);
    wb_json_at(reader, "maxima, entry %zu", m + 1);
    wb_json_object(reader, entry, "of phase scale prices potentials");
    const json_t *of = json_object_get(entry, "of");
    const char *text = json_is_string(of) ? json_string_value(of) : "";
    while (maximum->sum < WB_CHECK_LAUNCH_SUM_COUNT &&
           strcmp(text, wb_check_launch_sum_name(maximum->sum)) != 0)
      maximum->sum++;
    if (maximum->sum == WB_CHECK_LAUNCH_SUM_COUNT)
      wb_json_expected(reader, "the name of a sum for of (doc/formats.md)", of);
    maximum->phase = read_phase(reader, json_object_get(entry, "phase"));
    maximum->scale = wb_json_signed(reader, json_object_get(entry, "scale"));
    maximum->price = wb_numbers_member_read(reader, entry, "prices", system->limit_count);
    maximum->potential = wb_numbers_member_read(
        reader, entry, "potentials",
        system->port_count + (maximum->phase == WB_CHECK_LAUNCH_STRETCH ? 1 : 0));
  }
  file->claim.maxima = file->maxima;
  file->claim.maximum_count = count;
}

/* ---- grounds ---- */

/* A text at the place; of the arena. */
static const char *read_text(struct wb_json_reader *reader, const json_t *found)
{
  if (!json_is_string(found))
    wb_json_expected(reader, "a string", found);
  const size_t length = json_string_length(found);
  char *copy = wb_json_allocate(reader, length + 1, 1);
  if (copy != NULL)
    memcpy(copy, json_string_value(found), length);
  return copy;
}

/* A member that is a list, or is left out; *count: of its entries, 0 after a failure. */
static const json_t *find_ground(struct wb_json_reader *reader, const json_t *object,
                                 const char *key, size_t *count)
{
  const json_t *list = json_object_get(object, key);
  wb_json_at_file(reader);
  if (list != NULL)
    wb_json_array_member(reader, object, key, "a list");
  if (json_array_size(list) > WB_LAUNCH_GROUNDS_LIMIT)
    wb_json_fail(reader, "%s: expected at most %d entries, found %zu", key, WB_LAUNCH_GROUNDS_LIMIT,
                 json_array_size(list));
  *count = wb_json_good(reader) ? json_array_size(list) : 0;
  return list;
}

void wb_launch_grounds_read(struct wb_json_reader *reader, const json_t *object,
                            struct wb_launch_grounds *grounds)
{
  const json_t *device = json_object_get(object, "device");
  size_t count;
  reader->arena = &grounds->arena;
  wb_json_at(reader, "device");
  if (device != NULL)
    grounds->device = read_text(reader, device);
  const json_t *values = find_ground(reader, object, "values", &count);
  grounds->values = wb_json_allocate(reader, count, sizeof *grounds->values);
  for (size_t v = 0; v < count && wb_json_good(reader); v++) {
    const json_t *entry = json_array_get(values, v);
    struct wb_device_value *value = &grounds->values[grounds->value_count++];
    wb_json_at(reader, "values, entry %zu", v + 1);
    wb_json_object(reader, entry, "name value kind");
    value->name = read_text(reader, json_object_get(entry, "name"));
    value->value = wb_json_number(reader, json_object_get(entry, "value"), 0, INT64_MAX);
    const json_t *kind = json_object_get(entry, "kind");
    const char *text = json_is_string(kind) ? json_string_value(kind) : "";
    while (value->kind < WB_VALUE_KIND_COUNT && strcmp(text, wb_value_kind_name(value->kind)) != 0)
      value->kind++;
    if (value->kind == WB_VALUE_KIND_COUNT)
      wb_json_expected(reader, "\"documented\", \"measured\", \"declared\" or \"assumed\" for kind",
                       kind);
  }
  const json_t *list = find_ground(reader, object, "assumptions", &count);
  for (size_t a = 0; a < count && wb_json_good(reader); a++) {
    const json_t *found = json_array_get(list, a);
    wb_json_at(reader, "assumptions, entry %zu", a + 1);
    if (json_is_string(found))
      wb_list_add(&grounds->assumptions, "%s", json_string_value(found));
    else
      wb_json_expected(reader, "a string", found);
  }
  if (wb_json_good(reader) && grounds->assumptions.failed)
    reader->status = wb_out_of_memory(reader->error);
}

void wb_launch_grounds_free(struct wb_launch_grounds *grounds)
{
  wb_list_free(&grounds->assumptions);
  wb_arena_free(&grounds->arena);
  *grounds = (struct wb_launch_grounds){0};
}

/* ---- the file ---- */

warpbound_status wb_launch_file_read(const char *name, const json_t *object, void *into,
                                     warpbound_error *error)
{
  struct wb_launch_file *file = into;
  struct wb_json_reader reader = {.name = name, .error = error, .arena = &file->arena};
  *file = (struct wb_launch_file){0};
  wb_json_file(
      &reader, object, WB_LAUNCH_FORMAT,
      "format cycles device values assumptions launch kept first_cache fetches resources "
      "instructions nodes "
      "start "
      "starts ports ends edges limits interleaved exits early_ends as_many groups same_path "
      "launch_path pending "
      "advance maxima");
  file->claim.cycles = wb_json_member(&reader, object, "cycles", 0, INT64_MAX);
  struct wb_launch_shape *shape = &file->claim.shape;
  const json_t *launch = json_object_get(object, "launch");
  const json_t *list = json_object_get(launch, "other_resident_blocks");
  const size_t count = json_array_size(list);
  wb_json_at(&reader, "launch");
  wb_json_object(&reader, launch,
                 "blocks block_warps sms partitions resident_blocks overhead block_start dispatch "
                 "partition_warps "
                 "foreign_share foreign_burst other_resident_blocks");
  shape->blocks = wb_json_member(&reader, launch, "blocks", 1, INT64_MAX);
  shape->block_warps = (uint32_t)wb_json_member(&reader, launch, "block_warps", 1, UINT32_MAX);
  shape->sms = (uint32_t)wb_json_member(&reader, launch, "sms", 1, UINT32_MAX);
  shape->partitions = (uint32_t)wb_json_member(&reader, launch, "partitions", 1, UINT32_MAX);
  shape->resident_blocks =
      (uint32_t)wb_json_member(&reader, launch, "resident_blocks", 1, UINT32_MAX);
  shape->overhead = wb_json_optional(&reader, launch, "overhead", 0, INT64_MAX, 0);
  shape->block_start = (uint32_t)wb_json_optional(&reader, launch, "block_start", 0, UINT32_MAX, 0);
  shape->dispatch = (uint32_t)wb_json_optional(&reader, launch, "dispatch", 0, UINT32_MAX, 0);
  file->claim.partition_warps =
      (uint32_t)wb_json_optional(&reader, launch, "partition_warps", 0, UINT32_MAX, 0);
  shape->foreign_share =
      (uint32_t)wb_json_optional(&reader, launch, "foreign_share", 0, WB_FOREIGN_WHOLE - 1, 0);
  shape->foreign_burst =
      (uint32_t)wb_json_optional(&reader, launch, "foreign_burst", 0, UINT32_MAX, 0);
  wb_json_at(&reader, "launch, other_resident_blocks");
  if (list != NULL && !json_is_array(list))
    wb_json_expected(&reader, "a list of numbers of blocks", list);
  uint32_t *residents = wb_json_allocate(&reader, count, sizeof *residents);
  for (size_t r = 0; r < count && wb_json_good(&reader); r++)
    residents[r] = (uint32_t)wb_json_number(&reader, json_array_get(list, r), 1, UINT32_MAX);
  file->claim.other_residents = residents;
  file->claim.other_resident_count = count;
  wb_json_at_file(&reader);
  wb_launch_code_read(&reader, object, &file->claim.code);
  read_system(&reader, object, file);
  read_pending(&reader, object, file);
  read_maxima(&reader, object, file);
  wb_launch_grounds_read(&reader, object, &file->grounds);
  if (!wb_json_good(&reader))
    wb_launch_file_free(file);
  return reader.status;
}

void wb_launch_file_free(struct wb_launch_file *file)
{
  wb_timed_code_free(&file->claim.code);
  wb_flow_system_free(&file->claim.system);
  wb_launch_grounds_free(&file->grounds);
  wb_arena_free(&file->arena);
}

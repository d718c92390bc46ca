#include "formats/launch/launch_code.h"

#include "base/memory.h"
#include "formats/json/json_output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const levels[WB_LEVEL_COUNT] = {"partition", "sm", "gpu"};

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

/* ---- resources ---- */

static enum wb_resource_level read_level(struct wb_json_reader *reader, const json_t *value)
{
  const char *text = json_string_value(value);
  for (unsigned l = 0; text != NULL && l < WB_LEVEL_COUNT; l++) {
    if (strcmp(text, levels[l]) == 0)
      return (enum wb_resource_level)l;
  }
  wb_json_expected(reader, "\"partition\", \"sm\" or \"gpu\" for of", value);
  return WB_LEVEL_PARTITION;
}

static void read_resources(struct wb_json_reader *reader, const json_t *object,
                           struct wb_timed_code *code)
{
  static const char expected[] = "a list of at most 32 resources";
  wb_json_at(reader, "resources");
  const json_t *list =
      find_list(reader, object, "resources", expected, WB_RESOURCE_LIMIT, &code->resource_count);
  if (list == NULL)
    wb_json_expected(reader, expected, list);
  for (size_t r = 0; r < code->resource_count && wb_json_good(reader); r++) {
    const json_t *entry = json_array_get(list, r);
    const json_t *name = json_object_get(entry, "name");
    const json_t *at_issue = json_object_get(entry, "at_issue");
    struct wb_resource *resource = &code->resources[r];
    wb_json_at(reader, "resources, entry %zu", r + 1);
    wb_json_object(reader, entry, "name of servers at_issue");
    if (!json_is_string(name) || json_string_length(name) == 0 ||
        json_string_length(name) >= sizeof resource->name)
      wb_json_expected(reader, "a name of 1 to 31 bytes", name);
    resource->level = read_level(reader, json_object_get(entry, "of"));
    resource->servers = (uint32_t)wb_json_optional(reader, entry, "servers", 0, WB_SERVER_LIMIT, 0);
    if (!json_is_boolean(at_issue))
      wb_json_expected(reader, "true or false for at_issue", at_issue);
    resource->at_issue = json_is_true(at_issue);
    if (wb_json_good(reader))
      snprintf(resource->name, sizeof resource->name, "%s", json_string_value(name));
  }
}

/* ---- instructions ---- */

/* An element of a row at the place. */
static uint64_t read_element(struct wb_json_reader *reader, const json_t *row, size_t index,
                             uint64_t most)
{
  return wb_json_number(reader, json_array_get(row, index), 0, most);
}

static void read_stages(struct wb_json_reader *reader, const json_t *object,
                        struct wb_timed_code *code, struct wb_timed_instruction *instruction)
{
  static const char expected[] = "at most 255 stages as [RESOURCE, REQUESTS, DELAY, SERVICE]";
  size_t count;
  const json_t *list = find_list(reader, object, "stages", expected, UINT8_MAX, &count);
  instruction->first_stage = (uint32_t)code->stage_count;
  instruction->stage_count = (uint8_t)count;
  if (wb_json_good(reader) &&
      (code->stage_count > UINT32_MAX - count ||
       !wb_grow(code->stages, &code->stage_capacity, code->stage_count + count)))
    reader->status = wb_out_of_memory(reader->error);
  for (size_t s = 0; s < count && wb_json_good(reader); s++) {
    const json_t *row = json_array_get(list, s);
    struct wb_request_stage *stage = &code->stages[code->stage_count++];
    *stage = (struct wb_request_stage){0};
    wb_json_row(reader, row, 4, expected);
    stage->resource = (uint8_t)read_element(reader, row, 0, WB_RESOURCE_LIMIT - 1);
    stage->requests = (uint16_t)read_element(reader, row, 1, 4096);
    stage->delay = (uint32_t)read_element(reader, row, 2, WB_TIME_LIMIT);
    stage->service = (uint32_t)read_element(reader, row, 3, WB_TIME_LIMIT);
  }
}

static void read_waits(struct wb_json_reader *reader, const json_t *object,
                       struct wb_timed_instruction *instruction)
{
  const json_t *counted = json_object_get(object, "count");
  size_t count;
  const json_t *list = find_list(reader, object, "wait", "at most 6 scoreboards for wait",
                                 WB_SCOREBOARD_COUNT, &count);
  for (size_t i = 0; i < count; i++)
    instruction->wait_mask |=
        (uint8_t)(1U << read_element(reader, list, i, WB_SCOREBOARD_COUNT - 1));
  instruction->counted_scoreboard = WB_NO_SCOREBOARD;
  if (counted == NULL)
    return;
  wb_json_row(reader, counted, 2, "a scoreboard and a number for count");
  instruction->counted_scoreboard =
      (uint8_t)read_element(reader, counted, 0, WB_SCOREBOARD_COUNT - 1);
  instruction->counted_left = (uint8_t)read_element(reader, counted, 1, UINT8_MAX);
}

static void read_instruction(struct wb_json_reader *reader, const json_t *object,
                             struct wb_timed_code *code, struct wb_timed_instruction *instruction)
{
  wb_json_object(reader, object,
                 "stall uses stages latency read_latency read_stages write read wait count barrier "
                 "fence");
  instruction->barrier = wb_json_mark(reader, object, "barrier", "true or false for barrier");
  instruction->fence = wb_json_mark(reader, object, "fence", "true or false for fence");
  instruction->stall = (uint32_t)wb_json_optional(reader, object, "stall", 0, WB_TIME_LIMIT, 0);
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
  read_waits(reader, object, instruction);
}

void wb_launch_code_read(struct wb_json_reader *reader, const json_t *object,
                         struct wb_timed_code *code)
{
  *code = (struct wb_timed_code){0};
  read_resources(reader, object, code);
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

/* ---- writing ---- */

/* A number that stands for itself where it is left out is not written. */
static void write_number(const char *key, uint32_t number, uint32_t left_out, struct wb_text *text)
{
  if (number != left_out)
    wb_text_format(text, ", \"%s\": %" PRIu32, key, number);
}

void wb_launch_code_write(const struct wb_timed_code *code, struct wb_text *text)
{
  wb_text_string(text, " \"resources\": [");
  for (size_t r = 0; r < code->resource_count; r++) {
    const struct wb_resource *resource = &code->resources[r];
    wb_text_format(text, "%s\n  {\"name\": \"", r > 0 ? "," : "");
    /* The name as a JSON string. */
    for (const char *c = resource->name; *c != '\0'; c++) {
      if (*c == '"' || *c == '\\')
        wb_text_format(text, "\\%c", *c);
      else if ((unsigned char)*c < 0x20)
        wb_text_format(text, "\\u%04x", (unsigned)(unsigned char)*c);
      else
        wb_text_format(text, "%c", *c);
    }
    wb_text_format(text, "\", \"of\": \"%s\", \"servers\": %" PRIu32 ", \"at_issue\": %s}",
                   levels[resource->level], resource->servers,
                   resource->at_issue ? "true" : "false");
  }
  wb_text_string(text, "],\n");
  wb_text_string(text, " \"instructions\": [");
  for (size_t i = 0; i < code->instruction_count; i++) {
    const struct wb_timed_instruction *instruction = &code->instructions[i];
    wb_text_format(text, "%s\n  {\"stall\": %" PRIu32, i > 0 ? "," : "", instruction->stall);
    wb_text_string(text, ", \"uses\": [");
    for (size_t u = 0; u < instruction->use_count; u++) {
      const struct wb_issue_use *use = &code->uses[instruction->first_use + u];
      wb_text_format(text, "%s[%u, %" PRIu32 "]", wb_json_comma(u), (unsigned)use->resource,
                     use->service);
    }
    wb_text_string(text, "]");
    for (size_t s = 0; s < instruction->stage_count; s++) {
      const struct wb_request_stage *stage = &code->stages[instruction->first_stage + s];
      wb_text_format(text, "%s[%u, %u, %" PRIu32 ", %" PRIu32 "]", s > 0 ? ", " : ", \"stages\": [",
                     (unsigned)stage->resource, (unsigned)stage->requests, stage->delay,
                     stage->service);
    }
    if (instruction->stage_count > 0)
      wb_text_string(text, "]");
    write_number("latency", instruction->latency, 0, text);
    write_number("read_latency", instruction->read_latency, 0, text);
    write_number("read_stages", instruction->read_stages, 0, text);
    write_number("write", instruction->write_scoreboard, WB_NO_SCOREBOARD, text);
    write_number("read", instruction->read_scoreboard, WB_NO_SCOREBOARD, text);
    size_t waits = 0;
    for (unsigned b = 0; b < WB_SCOREBOARD_COUNT; b++) {
      if ((instruction->wait_mask >> b & 1) != 0)
        wb_text_format(text, "%s%u", waits++ > 0 ? ", " : ", \"wait\": [", b);
    }
    if (waits > 0)
      wb_text_string(text, "]");
    if (instruction->counted_scoreboard != WB_NO_SCOREBOARD)
      wb_text_format(text, ", \"count\": [%u, %u]", (unsigned)instruction->counted_scoreboard,
                     (unsigned)instruction->counted_left);
    if (instruction->barrier)
      wb_text_string(text, ", \"barrier\": true");
    if (instruction->fence)
      wb_text_string(text, ", \"fence\": true");
    wb_text_string(text, "}");
  }
  wb_text_string(text, "],\n");
}

#include "formats/launch/launch_code.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const levels[WB_LEVEL_COUNT] = {"partition", "sm", "gpu"};

/* Members being read. */
struct reader {
  const char *name; /* the file's, for messages */
  struct wb_timed_code *code;
  char place[48]; /* the entry under way, for messages */
  warpbound_error *error;
};

static warpbound_status wrong(const struct reader *reader, const char *expected,
                              const json_t *found)
{
  return wb_json_wrong(reader->name, reader->place, expected, found, reader->error);
}

/* A number that may be left out: then *number stays. */
static warpbound_status read_number(const struct reader *reader, const json_t *object,
                                    const char *key, uint64_t most, uint64_t *number)
{
  char place[80];
  const json_t *value = json_object_get(object, key);
  snprintf(place, sizeof place, "%s, %s", reader->place, key);
  return value == NULL ? WARPBOUND_OK
                       : wb_json_number(reader->name, place, value, 0, most, number, reader->error);
}

/* A list of exactly `count` numbers, each up to its `most`. */
static warpbound_status read_row(const struct reader *reader, const json_t *row,
                                 const char *expected, size_t count, const uint64_t *most,
                                 uint64_t *numbers)
{
  if (!json_is_array(row) || json_array_size(row) != count)
    return wrong(reader, expected, row);
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; i < count && status == WARPBOUND_OK; i++)
    status = wb_json_number(reader->name, reader->place, json_array_get(row, i), 0, most[i],
                            &numbers[i], reader->error);
  return status;
}

/* A list that may be left out; *count: of its entries, at most `most`. */
static warpbound_status find_list(const struct reader *reader, const json_t *object,
                                  const char *key, const char *expected, size_t most,
                                  const json_t **list, size_t *count)
{
  *list = json_object_get(object, key);
  *count = json_array_size(*list);
  return *list == NULL || (json_is_array(*list) && *count <= most) ? WARPBOUND_OK
                                                                   : wrong(reader, expected, *list);
}

/* ---- resources ---- */

static warpbound_status read_level(const struct reader *reader, const json_t *value,
                                   struct wb_resource *resource)
{
  const char *text = json_string_value(value);
  for (unsigned l = 0; text != NULL && l < WB_LEVEL_COUNT; l++) {
    if (strcmp(text, levels[l]) == 0) {
      resource->level = (enum wb_resource_level)l;
      return WARPBOUND_OK;
    }
  }
  return wrong(reader, "\"partition\", \"sm\" or \"gpu\" for of", value);
}

static warpbound_status read_resource(const struct reader *reader, const json_t *object,
                                      struct wb_resource *resource)
{
  static const char *const keys[] = {"name", "of", "servers", "at_issue", NULL};
  uint64_t servers = 0;
  if (!json_is_object(object))
    return wrong(reader, "an object", object);
  warpbound_status status = wb_json_check_keys(reader->name, object, keys, reader->error);
  const json_t *name = json_object_get(object, "name");
  const json_t *at_issue = json_object_get(object, "at_issue");
  if (status == WARPBOUND_OK && (!json_is_string(name) || json_string_length(name) == 0 ||
                                 json_string_length(name) >= sizeof resource->name))
    status = wrong(reader, "a name of 1 to 31 bytes", name);
  if (status == WARPBOUND_OK)
    status = read_level(reader, json_object_get(object, "of"), resource);
  if (status == WARPBOUND_OK)
    status = read_number(reader, object, "servers", WB_SERVER_LIMIT, &servers);
  if (status == WARPBOUND_OK && !json_is_boolean(at_issue))
    status = wrong(reader, "true or false for at_issue", at_issue);
  if (status != WARPBOUND_OK)
    return status;
  snprintf(resource->name, sizeof resource->name, "%s", json_string_value(name));
  resource->servers = (uint32_t)servers;
  resource->at_issue = json_is_true(at_issue);
  return WARPBOUND_OK;
}

static warpbound_status read_resources(struct reader *reader, const json_t *object)
{
  const json_t *list;
  snprintf(reader->place, sizeof reader->place, "resources");
  warpbound_status status = find_list(reader, object, "resources", "a list of at most 32 resources",
                                      WB_RESOURCE_LIMIT, &list, &reader->code->resource_count);
  if (status == WARPBOUND_OK && list == NULL)
    return wrong(reader, "a list of at most 32 resources", list);
  for (size_t r = 0; r < reader->code->resource_count && status == WARPBOUND_OK; r++) {
    snprintf(reader->place, sizeof reader->place, "resources, entry %zu", r + 1);
    status = read_resource(reader, json_array_get(list, r), &reader->code->resources[r]);
  }
  return status;
}

/* ---- instructions ---- */

static warpbound_status read_uses(const struct reader *reader, const json_t *object,
                                  struct wb_timed_instruction *instruction)
{
  static const char *const expected = "at most 32 uses as [RESOURCE, SERVICE]";
  static const uint64_t most[] = {WB_RESOURCE_LIMIT - 1, WB_TIME_LIMIT};
  struct wb_timed_code *code = reader->code;
  const json_t *list;
  size_t count;
  warpbound_status status =
      find_list(reader, object, "uses", expected, WB_RESOURCE_LIMIT, &list, &count);
  instruction->first_use = (uint32_t)code->use_count;
  instruction->use_count = (uint8_t)count;
  if (status == WARPBOUND_OK &&
      (code->use_count > UINT32_MAX - count ||
       !wb_grow(code->uses, &code->use_capacity, code->use_count + count)))
    return wb_out_of_memory(reader->error);
  for (size_t u = 0; u < count && status == WARPBOUND_OK; u++) {
    uint64_t numbers[2] = {0};
    status = read_row(reader, json_array_get(list, u), expected, 2, most, numbers);
    code->uses[code->use_count++] =
        (struct wb_issue_use){(uint8_t)numbers[0], (uint32_t)numbers[1]};
  }
  return status;
}

static warpbound_status read_stages(const struct reader *reader, const json_t *object,
                                    struct wb_timed_instruction *instruction)
{
  static const char *const expected = "at most 255 stages as [RESOURCE, REQUESTS, DELAY, SERVICE]";
  static const uint64_t most[] = {WB_RESOURCE_LIMIT - 1, 4096, WB_TIME_LIMIT, WB_TIME_LIMIT};
  struct wb_timed_code *code = reader->code;
  const json_t *list;
  size_t count;
  warpbound_status status = find_list(reader, object, "stages", expected, UINT8_MAX, &list, &count);
  instruction->first_stage = (uint32_t)code->stage_count;
  instruction->stage_count = (uint8_t)count;
  if (status == WARPBOUND_OK &&
      (code->stage_count > UINT32_MAX - count ||
       !wb_grow(code->stages, &code->stage_capacity, code->stage_count + count)))
    return wb_out_of_memory(reader->error);
  for (size_t s = 0; s < count && status == WARPBOUND_OK; s++) {
    uint64_t numbers[4] = {0};
    status = read_row(reader, json_array_get(list, s), expected, 4, most, numbers);
    code->stages[code->stage_count++] = (struct wb_request_stage){.resource = (uint8_t)numbers[0],
                                                                  .requests = (uint16_t)numbers[1],
                                                                  .delay = (uint32_t)numbers[2],
                                                                  .service = (uint32_t)numbers[3]};
  }
  return status;
}

static warpbound_status read_waits(const struct reader *reader, const json_t *object,
                                   struct wb_timed_instruction *instruction)
{
  static const uint64_t most[] = {WB_SCOREBOARD_COUNT - 1, UINT8_MAX};
  const json_t *list;
  const json_t *counted = json_object_get(object, "count");
  size_t count;
  uint64_t numbers[2] = {WB_NO_SCOREBOARD, 0};
  warpbound_status status = find_list(reader, object, "wait", "at most 6 scoreboards for wait",
                                      WB_SCOREBOARD_COUNT, &list, &count);
  for (size_t i = 0; i < count && status == WARPBOUND_OK; i++) {
    uint64_t scoreboard = 0;
    status = wb_json_number(reader->name, reader->place, json_array_get(list, i), 0,
                            WB_SCOREBOARD_COUNT - 1, &scoreboard, reader->error);
    instruction->wait_mask |= (uint8_t)(1U << scoreboard);
  }
  if (status == WARPBOUND_OK && counted != NULL)
    status = read_row(reader, counted, "a scoreboard and a number for count", 2, most, numbers);
  instruction->counted_scoreboard = (uint8_t)numbers[0];
  instruction->counted_left = (uint8_t)numbers[1];
  return status;
}

/* The members that are one number. */
static warpbound_status read_times(const struct reader *reader, const json_t *object,
                                   struct wb_timed_instruction *instruction)
{
  uint64_t stall = 0;
  uint64_t latency = 0;
  uint64_t read_latency = 0;
  uint64_t stages = 0;
  uint64_t write = WB_NO_SCOREBOARD;
  uint64_t read = WB_NO_SCOREBOARD;
  const struct {
    const char *key;
    uint64_t most;
    uint64_t *number;
  } rows[] = {{"stall", WB_TIME_LIMIT, &stall},
              {"latency", WB_TIME_LIMIT, &latency},
              {"read_latency", WB_TIME_LIMIT, &read_latency},
              {"read_stages", UINT8_MAX, &stages},
              {"write", WB_SCOREBOARD_COUNT - 1, &write},
              {"read", WB_SCOREBOARD_COUNT - 1, &read}};
  warpbound_status status = WARPBOUND_OK;
  for (size_t r = 0; r < sizeof rows / sizeof *rows && status == WARPBOUND_OK; r++)
    status = read_number(reader, object, rows[r].key, rows[r].most, rows[r].number);
  instruction->stall = (uint32_t)stall;
  instruction->latency = (uint32_t)latency;
  instruction->read_latency = (uint32_t)read_latency;
  instruction->read_stages = (uint8_t)stages;
  instruction->write_scoreboard = (uint8_t)write;
  instruction->read_scoreboard = (uint8_t)read;
  return status;
}

static warpbound_status read_instruction(const struct reader *reader, const json_t *object,
                                         struct wb_timed_instruction *instruction)
{
  static const char *const keys[] = {"stall",       "uses",  "stages", "latency", "read_latency",
                                     "read_stages", "write", "read",   "wait",    "count",
                                     "barrier",     "fence", NULL};
  if (!json_is_object(object))
    return wrong(reader, "an object", object);
  warpbound_status status = wb_json_check_keys(reader->name, object, keys, reader->error);
  const json_t *barrier = json_object_get(object, "barrier");
  if (status == WARPBOUND_OK && barrier != NULL && !json_is_boolean(barrier))
    status = wrong(reader, "true or false for barrier", barrier);
  const json_t *fence = json_object_get(object, "fence");
  if (status == WARPBOUND_OK && fence != NULL && !json_is_boolean(fence))
    status = wrong(reader, "true or false for fence", fence);
  instruction->barrier = json_is_true(barrier);
  instruction->fence = json_is_true(fence);
  if (status == WARPBOUND_OK)
    status = read_times(reader, object, instruction);
  if (status == WARPBOUND_OK)
    status = read_uses(reader, object, instruction);
  if (status == WARPBOUND_OK)
    status = read_stages(reader, object, instruction);
  return status == WARPBOUND_OK ? read_waits(reader, object, instruction) : status;
}

static warpbound_status read_instructions(struct reader *reader, const json_t *object)
{
  struct wb_timed_code *code = reader->code;
  const json_t *list;
  size_t count;
  snprintf(reader->place, sizeof reader->place, "instructions");
  warpbound_status status = find_list(reader, object, "instructions", "a list of instructions",
                                      UINT32_MAX, &list, &count);
  if (status == WARPBOUND_OK && list == NULL)
    status = wrong(reader, "a list of instructions", list);
  if (status != WARPBOUND_OK)
    return status;
  code->instructions = wb_allocate(count, sizeof *code->instructions);
  if (code->instructions == NULL)
    return wb_out_of_memory(reader->error);
  code->instruction_count = count;
  for (size_t i = 0; i < count && status == WARPBOUND_OK; i++) {
    snprintf(reader->place, sizeof reader->place, "instructions, entry %zu", i + 1);
    status = read_instruction(reader, json_array_get(list, i), &code->instructions[i]);
  }
  return status;
}

warpbound_status wb_launch_code_read(const char *name, const json_t *object,
                                     struct wb_timed_code *code, warpbound_error *error)
{
  *code = (struct wb_timed_code){0};
  struct reader reader = {.name = name, .code = code, .error = error};
  warpbound_status status = read_resources(&reader, object);
  if (status == WARPBOUND_OK)
    status = read_instructions(&reader, object);
  const char *broken = status == WARPBOUND_OK ? wb_timed_code_check(code) : NULL;
  return broken == NULL
             ? status
             : wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0, "instructions: %s", broken);
}

/* ---- writing ---- */

static const char *comma(size_t index)
{
  return index > 0 ? ", " : "";
}

/* The name as a JSON string. */
static void write_name(const char *name, struct wb_text *text)
{
  for (const char *c = name; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\')
      wb_text_format(text, "\\%c", *c);
    else if ((unsigned char)*c < 0x20)
      wb_text_format(text, "\\u%04x", (unsigned)(unsigned char)*c);
    else
      wb_text_format(text, "%c", *c);
  }
}

static void write_resources(const struct wb_timed_code *code, struct wb_text *text)
{
  wb_text_string(text, " \"resources\": [");
  for (size_t r = 0; r < code->resource_count; r++) {
    const struct wb_resource *resource = &code->resources[r];
    wb_text_format(text, "%s\n  {\"name\": \"", r > 0 ? "," : "");
    write_name(resource->name, text);
    wb_text_format(text, "\", \"of\": \"%s\", \"servers\": %" PRIu32 ", \"at_issue\": %s}",
                   levels[resource->level], resource->servers,
                   resource->at_issue ? "true" : "false");
  }
  wb_text_string(text, "],\n");
}

static void write_uses(const struct wb_timed_code *code,
                       const struct wb_timed_instruction *instruction, struct wb_text *text)
{
  wb_text_string(text, ", \"uses\": [");
  for (size_t u = 0; u < instruction->use_count; u++) {
    const struct wb_issue_use *use = &code->uses[instruction->first_use + u];
    wb_text_format(text, "%s[%u, %" PRIu32 "]", comma(u), (unsigned)use->resource, use->service);
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
}

static void write_waits(const struct wb_timed_instruction *instruction, struct wb_text *text)
{
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
}

/* A number that stands for itself where it is left out is not written. */
static void write_number(const char *key, uint32_t number, uint32_t left_out, struct wb_text *text)
{
  if (number != left_out)
    wb_text_format(text, ", \"%s\": %" PRIu32, key, number);
}

static void write_instructions(const struct wb_timed_code *code, struct wb_text *text)
{
  wb_text_string(text, " \"instructions\": [");
  for (size_t i = 0; i < code->instruction_count; i++) {
    const struct wb_timed_instruction *instruction = &code->instructions[i];
    wb_text_format(text, "%s\n  {\"stall\": %" PRIu32, i > 0 ? "," : "", instruction->stall);
    write_uses(code, instruction, text);
    write_number("latency", instruction->latency, 0, text);
    write_number("read_latency", instruction->read_latency, 0, text);
    write_number("read_stages", instruction->read_stages, 0, text);
    write_number("write", instruction->write_scoreboard, WB_NO_SCOREBOARD, text);
    write_number("read", instruction->read_scoreboard, WB_NO_SCOREBOARD, text);
    write_waits(instruction, text);
    wb_text_string(text, "}");
  }
  wb_text_string(text, "],\n");
}

void wb_launch_code_write(const struct wb_timed_code *code, struct wb_text *text)
{
  write_resources(code, text);
  write_instructions(code, text);
}

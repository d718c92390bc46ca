#include "cli/input/launch/launch_list.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "cli/options/input_paths.h"
#include "cli/options/word_options.h"
#include "formats/json/json_input.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct launch_row *add_row(const struct arguments *arguments, struct launch_list *list,
                                  warpbound_error *error)
{
  if (!wb_grow(list->rows, &list->capacity, list->count + 1)) {
    wb_out_of_memory(error);
    return NULL;
  }
  struct launch_row *row = &list->rows[list->count++];
  *row = (struct launch_row){.arguments = *arguments, .name = ""};
  return row;
}

/* ---- --launches FILE ---- */

/* The option of a member of a launch; the names are those of the command line. */
struct launch_member {
  const char *key;
  enum option option;
};

static const struct launch_member members[] = {
    {"kernel", OPTION_KERNEL},
    {"grid", OPTION_GRID},
    {"block", OPTION_BLOCK},
    {"dynamic_shared", OPTION_DYNAMIC_SHARED},
    {"static_shared", OPTION_STATIC_SHARED},
    {"carveout", OPTION_CARVEOUT},
    {"cluster", OPTION_CLUSTER},
    {"registers", OPTION_REGISTERS},
    {"barriers", OPTION_BARRIERS},
    {"flow_facts", OPTION_FLOW_FACTS},
    {"default_loop_bound", OPTION_DEFAULT_LOOP_BOUND},
    {"deadline", OPTION_DEADLINE},
    {"budget", OPTION_BUDGET},
};

/* The file under way. */
struct reader {
  const char *file;
  struct arguments *arguments;
  struct launch_list *list;
  warpbound_error *error;
};

/* A text, a number, or a list of numbers as X,Y,Z; a NULL in *text is no memory. */
static warpbound_status text_of(const struct reader *reader, const char *place, const json_t *value,
                                const char **text)
{
  char written[128] = "";
  size_t length = 0;
  if (json_is_string(value)) {
    *text = arguments_keep(reader->arguments, json_string_value(value));
    return *text != NULL ? WARPBOUND_OK : wb_out_of_memory(reader->error);
  }
  const size_t count = json_is_array(value) ? json_array_size(value) : 1;
  if (count == 0 || count > 3)
    return wb_json_wrong(reader->file, place, "a text, a number or a list of at most 3 numbers",
                         value, reader->error);
  for (size_t i = 0; i < count; i++) {
    const json_t *item = json_is_array(value) ? json_array_get(value, i) : value;
    if (!json_is_integer(item) || json_integer_value(item) < 0)
      return wb_json_wrong(reader->file, place, "a text, a number or a list of at most 3 numbers",
                           item, reader->error);
    length += (size_t)snprintf(written + length, sizeof written - length, "%s%" JSON_INTEGER_FORMAT,
                               i > 0 ? "," : "", json_integer_value(item));
  }
  *text = arguments_keep(reader->arguments, written);
  return *text != NULL ? WARPBOUND_OK : wb_out_of_memory(reader->error);
}

/* "param": {"param_0": 5}, beside those of the command line, which hold where both speak of the
 * same bytes. */
static warpbound_status read_parameters(const struct reader *reader, const char *place,
                                        const json_t *value, struct launch_row *row)
{
  const char *key;
  json_t *number;
  if (!json_is_object(value))
    return wb_json_wrong(reader->file, place, "an object of parameters", value, reader->error);
  wb_list_add_all(&row->parameters, &reader->arguments->repeated[OPTION_PARAM]);
  json_object_foreach((json_t *)value, key, number)
  {
    if (!json_is_integer(number))
      return wb_json_wrong(reader->file, place, "whole numbers", number, reader->error);
    wb_list_add(&row->parameters, "%s=%" JSON_INTEGER_FORMAT, key, json_integer_value(number));
  }
  row->arguments.from_file[OPTION_PARAM] = reader->arguments->repeated[OPTION_PARAM].count;
  row->arguments.key[OPTION_PARAM] = "param";
  row->arguments.repeated[OPTION_PARAM] = row->parameters;
  return row->parameters.failed ? wb_out_of_memory(reader->error) : WARPBOUND_OK;
}

/* "require_proof": true or false, which takes nothing back that the command line asks for. */
static warpbound_status read_proof(const struct reader *reader, const char *launch,
                                   const json_t *object, struct launch_row *row)
{
  char place[128];
  const json_t *value = json_object_get(object, "require_proof");
  snprintf(place, sizeof place, "%s, require_proof", launch);
  if (value == NULL)
    return WARPBOUND_OK;
  if (!json_is_boolean(value))
    return wb_json_wrong(reader->file, place, "true or false", value, reader->error);
  if (json_is_true(value))
    row->arguments.value[OPTION_REQUIRE_PROOF] = "";
  return WARPBOUND_OK;
}

static warpbound_status read_members(const struct reader *reader, const char *launch,
                                     const json_t *object, struct launch_row *row)
{
  for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
    char place[128];
    const json_t *value = json_object_get(object, members[m].key);
    snprintf(place, sizeof place, "%s, %s", launch, members[m].key);
    if (value == NULL)
      continue;
    const enum option option = members[m].option;
    const char *text = NULL;
    const warpbound_status status = text_of(reader, place, value, &text);
    if (status != WARPBOUND_OK)
      return status;
    if (row->arguments.value[option] == NULL && option == OPTION_FLOW_FACTS)
      text = input_path_kept(reader->arguments, reader->file, text);
    if (text == NULL)
      return wb_out_of_memory(reader->error);
    if (row->arguments.value[option] == NULL)
      row->arguments.value[option] = text;
    else
      arguments_note_kept(&row->arguments, option, row->arguments.value[option], text,
                          row->arguments.instance);
  }
  return WARPBOUND_OK;
}

/* "FILE, PLACE", as notes and messages on a launch's values call where these are from; NULL: no
 * memory. */
static const char *keep_place(const struct reader *reader, const char *place)
{
  struct wb_text text = {0};
  wb_text_format(&text, "%s, %s", reader->file, place);
  const char *kept = text.failed ? NULL : arguments_keep(reader->arguments, text.data);
  wb_text_free(&text);
  return kept;
}

static warpbound_status read_launch(const struct reader *reader, size_t index, const json_t *object)
{
  static const char keys[] =
      "name param kernel grid block dynamic_shared carveout cluster registers static_shared "
      "barriers flow_facts default_loop_bound deadline budget require_proof";
  char place[64];
  snprintf(place, sizeof place, "launches, %zu", index + 1);
  if (!json_is_object(object))
    return wb_json_wrong(reader->file, place, "an object", object, reader->error);
  warpbound_status status = wb_json_check_keys(reader->file, object, keys, reader->error);
  if (status != WARPBOUND_OK)
    return status;
  struct launch_row *row = add_row(reader->arguments, reader->list, reader->error);
  if (row == NULL)
    return WARPBOUND_INTERNAL;
  const json_t *name = json_object_get(object, "name");
  char number[32];
  snprintf(number, sizeof number, "%zu", index + 1);
  if (name != NULL && !json_is_string(name))
    return wb_json_wrong(reader->file, place, "a text as name", name, reader->error);
  row->name = arguments_keep(reader->arguments, name != NULL ? json_string_value(name) : number);
  row->arguments.instance = keep_place(reader, place);
  if (row->name == NULL || row->arguments.instance == NULL)
    return wb_out_of_memory(reader->error);
  status = read_members(reader, place, object, row);
  if (status == WARPBOUND_OK)
    status = read_proof(reader, place, object, row);
  const json_t *parameters = json_object_get(object, "param");
  if (status == WARPBOUND_OK && parameters != NULL)
    status = read_parameters(reader, place, parameters, row);
  return status;
}

static warpbound_status read_launches(const struct reader *reader, const json_t *object)
{
  static const char keys[] = "format launches";
  static const char *const formats[] = {"warpbound-launches-1", NULL};
  warpbound_status status = wb_json_check_keys(reader->file, object, keys, reader->error);
  if (status == WARPBOUND_OK)
    status = wb_json_format(reader->file, object, formats, reader->error);
  const json_t *launches = json_object_get(object, "launches");
  const size_t count = json_array_size(launches);
  if (status == WARPBOUND_OK && !json_is_array(launches))
    status = wb_json_wrong(reader->file, "launches", "a list of launches", launches, reader->error);
  if (status == WARPBOUND_OK && (count == 0 || count > LAUNCH_LIMIT))
    status = wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->file, 0, 0,
                        "launches: expected 1 to %d launches, found %zu", LAUNCH_LIMIT, count);
  for (size_t i = 0; status == WARPBOUND_OK && i < count; i++)
    status = read_launch(reader, i, json_array_get(launches, i));
  return status;
}

static warpbound_status read_file(struct arguments *arguments, struct launch_list *list,
                                  warpbound_error *error)
{
  struct wb_source source;
  json_t *object = NULL;
  warpbound_status status = wb_source_read(arguments->value[OPTION_LAUNCHES], &source, error);
  if (status != WARPBOUND_OK)
    return status;
  const struct reader reader = {source.name, arguments, list, error};
  status = wb_json_parse(source.name, source.bytes, source.length, &object, error);
  if (status == WARPBOUND_OK)
    status = read_launches(&reader, object);
  json_decref(object);
  wb_source_free(&source);
  return status;
}

/* ---- --sweep WHAT=A..B[:STEP] ---- */

struct sweep {
  enum sweep_subject subject;
  uint64_t from, to, step;
};

static const char *const subject_names[] = {
    [SWEEP_BLOCK] = "block", [SWEEP_REGISTERS] = "registers", [SWEEP_SMS] = "sms"};

const char *sweep_subject_name(enum sweep_subject subject)
{
  return subject_names[subject];
}

static bool read_range(const char *at, struct sweep *sweep)
{
  at = number_read(at, UINT32_MAX, &sweep->from);
  at = at != NULL && strncmp(at, "..", 2) == 0 ? number_read(at + 2, UINT32_MAX, &sweep->to) : NULL;
  if (at != NULL && *at == ':')
    at = number_read(at + 1, UINT32_MAX, &sweep->step);
  return at != NULL && *at == '\0' && sweep->from > 0 && sweep->from <= sweep->to &&
         sweep->step > 0 && (sweep->to - sweep->from) / sweep->step < LAUNCH_LIMIT;
}

static warpbound_status parse_sweep(const char *text, struct sweep *sweep, warpbound_error *error)
{
  static const uint64_t steps[] = {[SWEEP_BLOCK] = 32, [SWEEP_REGISTERS] = 8, [SWEEP_SMS] = 1};
  const char *equals = strchr(text, '=');
  for (int s = SWEEP_BLOCK; equals != NULL && s <= SWEEP_SMS; s++) {
    const size_t length = strlen(subject_names[s]);
    if ((size_t)(equals - text) == length && strncmp(text, subject_names[s], length) == 0)
      *sweep = (struct sweep){.subject = (enum sweep_subject)s, .step = steps[s]};
  }
  if (sweep->subject != SWEEP_NONE && read_range(equals + 1, sweep))
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_USAGE,
                 "--sweep: expected WHAT=A..B or WHAT=A..B:STEP with WHAT one of block, registers, "
                 "sms and A above 0, found '%.60s'",
                 text);
}

/* The first number of X,Y,Z and what follows it; 0 where it is none. */
static uint64_t first_size(const char *text, const char **rest)
{
  uint64_t number = 0;
  const char *end = text != NULL ? number_read(text, UINT32_MAX, &number) : NULL;
  *rest = end != NULL ? end : "";
  return end != NULL ? number : 0;
}

/* Blocks of another size, as many as the same threads need. */
static warpbound_status sweep_block(struct arguments *arguments, uint64_t size,
                                    struct launch_row *row, warpbound_error *error)
{
  const char *block_rest;
  const char *grid_rest;
  char text[128];
  const uint64_t block = first_size(arguments->value[OPTION_BLOCK], &block_rest);
  const uint64_t grid = first_size(arguments->value[OPTION_GRID], &grid_rest);
  if (block == 0 || grid == 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--sweep: expected --grid and --block, whose threads it keeps");
  const uint64_t blocks = (block * grid + size - 1) / size; /* each is below 2^32 */
  snprintf(text, sizeof text, "%" PRIu64 "%.60s", size, block_rest);
  row->arguments.value[OPTION_BLOCK] = arguments_keep(arguments, text);
  snprintf(text, sizeof text, "%" PRIu64 "%.60s", blocks, grid_rest);
  row->arguments.value[OPTION_GRID] = arguments_keep(arguments, text);
  return row->arguments.value[OPTION_BLOCK] != NULL && row->arguments.value[OPTION_GRID] != NULL
             ? WARPBOUND_OK
             : wb_out_of_memory(error);
}

/* What a sweep changes has no other value. */
static warpbound_status check_swept(const struct arguments *arguments, enum sweep_subject subject,
                                    warpbound_error *error)
{
  const struct wb_list *settings = &arguments->repeated[OPTION_SET];
  if (subject == SWEEP_REGISTERS && arguments->value[OPTION_REGISTERS] != NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected one of --registers and --sweep registers, found both");
  for (size_t s = 0; s < settings->count && subject == SWEEP_SMS; s++) {
    if (values_compare(PLACES_NAMED, settings->items[s], "sms=0") != VALUES_APART)
      return wb_fail(error, WARPBOUND_USAGE,
                     "expected one of --set %.60s and --sweep sms, found both", settings->items[s]);
  }
  return WARPBOUND_OK;
}

static warpbound_status fill_row(struct arguments *arguments, enum sweep_subject subject,
                                 uint64_t number, struct launch_row *row, warpbound_error *error)
{
  char text[64];
  row->swept = number;
  snprintf(text, sizeof text, "%s %" PRIu64, subject_names[subject], number);
  row->name = arguments_keep(arguments, text);
  if (row->name == NULL)
    return wb_out_of_memory(error);
  if (subject == SWEEP_BLOCK)
    return sweep_block(arguments, number, row, error);
  if (subject == SWEEP_REGISTERS) {
    row->arguments.value[OPTION_REGISTERS] = row->name + strlen("registers ");
    return WARPBOUND_OK;
  }
  wb_list_add_all(&row->settings, &arguments->repeated[OPTION_SET]);
  wb_list_add(&row->settings, "sms=%" PRIu64, number);
  row->arguments.repeated[OPTION_SET] = row->settings;
  return row->settings.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

static warpbound_status make_sweep(struct arguments *arguments, struct launch_list *list,
                                   warpbound_error *error)
{
  struct sweep sweep = {.subject = SWEEP_NONE};
  warpbound_status status = parse_sweep(arguments->value[OPTION_SWEEP], &sweep, error);
  if (status == WARPBOUND_OK)
    status = check_swept(arguments, sweep.subject, error);
  list->subject = sweep.subject;
  for (uint64_t n = sweep.from; status == WARPBOUND_OK && n <= sweep.to; n += sweep.step) {
    struct launch_row *row = add_row(arguments, list, error);
    status = row != NULL ? fill_row(arguments, sweep.subject, n, row, error) : WARPBOUND_INTERNAL;
  }
  return status;
}

/* ---- all of them ---- */

warpbound_status launch_list_read(struct arguments *arguments, struct launch_list *list,
                                  warpbound_error *error)
{
  const bool several = arguments->value[OPTION_LAUNCHES] != NULL;
  const bool sweep = arguments->value[OPTION_SWEEP] != NULL;
  if (several && sweep)
    return wb_fail(error, WARPBOUND_USAGE, "expected one of --launches and --sweep, found both");
  if (several)
    return read_file(arguments, list, error);
  if (sweep)
    return make_sweep(arguments, list, error);
  return add_row(arguments, list, error) != NULL ? WARPBOUND_OK : WARPBOUND_INTERNAL;
}

void launch_list_free(struct launch_list *list)
{
  for (size_t r = 0; r < list->count; r++) {
    wb_list_free(&list->rows[r].parameters);
    wb_list_free(&list->rows[r].settings);
  }
  free(list->rows);
  *list = (struct launch_list){0};
}

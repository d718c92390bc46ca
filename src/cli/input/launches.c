#include "cli/input/launches.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "cli/input/device_input.h"
#include "cli/options/options.h"
#include "formats/json/json_input.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Warp instructions that are simulated unless --simulate says otherwise. */
#define DEFAULT_SIMULATION UINT64_C(5000000)

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

/* A launch of the file under way. */
struct reader {
  const char *file;
  char place[128]; /* in the file, as messages name it: "launches, 1" or "launches, 1, grid" */
  struct arguments *arguments;
  struct launch_list *list;
  struct launch_row *row;
  warpbound_error *error;
};

static warpbound_status wrong(const struct reader *reader, const char *expected,
                              const json_t *found)
{
  return wb_json_wrong(reader->file, reader->place, expected, found, reader->error);
}

/* A text, a number, or a list of numbers as X,Y,Z: the value of an option, unless the command line
 * has one. */
static warpbound_status read_option(const struct reader *reader, enum option option,
                                    const json_t *value)
{
  static const char expected[] = "a text, a number or a list of at most 3 numbers";
  char written[128] = "";
  size_t length = 0;
  struct arguments *own = &reader->row->arguments;
  const char *text = json_is_string(value) ? json_string_value(value) : written;
  const size_t count = json_is_array(value) ? json_array_size(value) : 1;
  if (count == 0 || count > 3)
    return wrong(reader, expected, value);
  for (size_t i = 0; text == written && i < count; i++) {
    const json_t *item = json_is_array(value) ? json_array_get(value, i) : value;
    if (!json_is_integer(item) || json_integer_value(item) < 0)
      return wrong(reader, expected, item);
    length += (size_t)snprintf(written + length, sizeof written - length, "%s%" JSON_INTEGER_FORMAT,
                               i > 0 ? "," : "", json_integer_value(item));
  }
  if (own->value[option] != NULL) {
    arguments_note_kept(own, option, own->value[option], text, own->instance);
    return WARPBOUND_OK;
  }
  own->value[option] = option == OPTION_FLOW_FACTS
                           ? arguments_keep_path(reader->arguments, reader->file, text)
                           : arguments_keep(reader->arguments, text);
  return own->value[option] != NULL ? WARPBOUND_OK : wb_out_of_memory(reader->error);
}

/* {"param_0": 5}, beside those of the command line, which hold where both speak of the same
 * bytes. */
static warpbound_status read_parameters(const struct reader *reader, enum option option,
                                        const json_t *value)
{
  const char *key;
  json_t *number;
  struct launch_row *row = reader->row;
  if (!json_is_object(value))
    return wrong(reader, "an object of parameters", value);
  wb_list_add_all(&row->parameters, &reader->arguments->repeated[option]);
  json_object_foreach((json_t *)value, key, number)
  {
    if (!json_is_integer(number))
      return wrong(reader, "whole numbers", number);
    wb_list_add(&row->parameters, "%s=%" JSON_INTEGER_FORMAT, key, json_integer_value(number));
  }
  row->arguments.from_file[option] = reader->arguments->repeated[option].count;
  row->arguments.key[option] = "param";
  row->arguments.repeated[option] = row->parameters;
  return row->parameters.failed ? wb_out_of_memory(reader->error) : WARPBOUND_OK;
}

/* A text or a list of texts, beside those of the command line. */
static warpbound_status read_texts(const struct reader *reader, enum option option,
                                   const json_t *value)
{
  struct launch_row *row = reader->row;
  const size_t count = json_is_array(value) ? json_array_size(value) : 1;
  struct wb_list *texts = option == OPTION_ASSUME_CALL    ? &row->calls
                          : option == OPTION_ASSUME_LOAD  ? &row->loads
                          : option == OPTION_ASSUME_VALUE ? &row->values
                                                          : &row->buffers;
  wb_list_add_all(texts, &reader->arguments->repeated[option]);
  for (size_t i = 0; i < count; i++) {
    const json_t *text = json_is_array(value) ? json_array_get(value, i) : value;
    if (!json_is_string(text))
      return wrong(reader, "a text or a list of texts", text);
    wb_list_add(texts, "%s", json_string_value(text));
  }
  row->arguments.from_file[option] = reader->arguments->repeated[option].count;
  row->arguments.key[option] = option == OPTION_ASSUME_CALL    ? "assume_call"
                               : option == OPTION_ASSUME_LOAD  ? "assume_load"
                               : option == OPTION_ASSUME_VALUE ? "assume_value"
                                                               : "buffer";
  row->arguments.repeated[option] = *texts;
  return texts->failed ? wb_out_of_memory(reader->error) : WARPBOUND_OK;
}

/* true or false, which takes nothing back that the command line asks for. */
static warpbound_status read_flag(const struct reader *reader, enum option option,
                                  const json_t *value)
{
  if (!json_is_boolean(value))
    return wrong(reader, "true or false", value);
  if (json_is_true(value))
    reader->row->arguments.value[option] = "";
  return WARPBOUND_OK;
}

/* SMs of its own: a value of its device. */
static warpbound_status read_sms(const struct reader *reader, enum option option,
                                 const json_t *value)
{
  struct launch_row *row = reader->row;
  if (!json_is_integer(value) || json_integer_value(value) < 1 ||
      json_integer_value(value) > UINT32_MAX)
    return wrong(reader, "a number of SMs", value);
  row->sms = (uint32_t)json_integer_value(value);
  wb_list_add_all(&row->settings, &reader->arguments->repeated[option]);
  wb_list_add(&row->settings, "sms=%" PRIu32, row->sms);
  row->arguments.repeated[option] = row->settings;
  return row->settings.failed ? wb_out_of_memory(reader->error) : WARPBOUND_OK;
}

/* Of --together and --beside; no option. */
static warpbound_status read_period(const struct reader *reader, enum option option,
                                    const json_t *value)
{
  static const struct unit_scale units[] = {
      {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}, {NULL, 0}};
  double time = 0;
  (void)option;
  if (!json_is_string(value) || !measured_number(json_string_value(value), units, &time) ||
      time < 1 || time >= 9e18)
    return wrong(reader, "a time of a nanosecond or more as 5us, 2ms or 0.1s", value);
  reader->row->period_ns = (uint64_t)time;
  return WARPBOUND_OK;
}

/* The members of a launch but its name; most are called as the options. */
static const struct launch_member {
  const char *key;
  enum option option;
  warpbound_status (*read)(const struct reader *reader, enum option option, const json_t *value);
} launch_members[] = {
    {"param", OPTION_PARAM, read_parameters},
    {"sms", OPTION_SET, read_sms},
    {"period", OPTION_COUNT, read_period},
    {"kernel", OPTION_KERNEL, read_option},
    {"grid", OPTION_GRID, read_option},
    {"block", OPTION_BLOCK, read_option},
    {"dynamic_shared", OPTION_DYNAMIC_SHARED, read_option},
    {"carveout", OPTION_CARVEOUT, read_option},
    {"cluster", OPTION_CLUSTER, read_option},
    {"registers", OPTION_REGISTERS, read_option},
    {"static_shared", OPTION_STATIC_SHARED, read_option},
    {"barriers", OPTION_BARRIERS, read_option},
    {"assume_barriers", OPTION_ASSUME_BARRIERS, read_option},
    {"flow_facts", OPTION_FLOW_FACTS, read_option},
    {"default_loop_bound", OPTION_DEFAULT_LOOP_BOUND, read_option},
    {"spin_bound", OPTION_SPIN_BOUND, read_option},
    {"assume_load", OPTION_ASSUME_LOAD, read_texts},
    {"assume_value", OPTION_ASSUME_VALUE, read_texts},
    {"assume_call", OPTION_ASSUME_CALL, read_texts},
    {"buffer", OPTION_BUFFER, read_texts},
    {"warm_l2", OPTION_WARM_L2, read_flag},
    {"deadline", OPTION_DEADLINE, read_option},
    {"budget", OPTION_BUDGET, read_option},
    {"require_proof", OPTION_REQUIRE_PROOF, read_flag},
};

enum { MEMBERS = sizeof launch_members / sizeof *launch_members };

static warpbound_status read_launch(struct reader *reader, size_t number, const json_t *object)
{
  char keys[512] = "name";
  for (size_t m = 0; m < MEMBERS; m++) {
    const size_t length = strlen(keys);
    snprintf(keys + length, sizeof keys - length, " %s", launch_members[m].key);
  }
  snprintf(reader->place, sizeof reader->place, "launches, %zu", number);
  if (!json_is_object(object))
    return wrong(reader, "an object", object);
  warpbound_status status = wb_json_check_keys(reader->file, object, keys, reader->error);
  if (status != WARPBOUND_OK)
    return status;
  reader->row = add_row(reader->arguments, reader->list, reader->error);
  if (reader->row == NULL)
    return WARPBOUND_INTERNAL;
  /* Messages on its values call where these are from "FILE, launches, 1". */
  struct launch_row *row = reader->row;
  const json_t *name = json_object_get(object, "name");
  char text[32];
  char place[640];
  if (name != NULL && !json_is_string(name))
    return wrong(reader, "a text as name", name);
  snprintf(text, sizeof text, "%zu", number);
  snprintf(place, sizeof place, "%.400s, %s", reader->file, reader->place);
  row->name = arguments_keep(reader->arguments, name != NULL ? json_string_value(name) : text);
  row->arguments.instance = arguments_keep(reader->arguments, place);
  if (row->name == NULL || row->arguments.instance == NULL)
    return wb_out_of_memory(reader->error);
  for (size_t m = 0; m < MEMBERS && status == WARPBOUND_OK; m++) {
    const json_t *value = json_object_get(object, launch_members[m].key);
    snprintf(reader->place, sizeof reader->place, "launches, %zu, %s", number,
             launch_members[m].key);
    if (value != NULL)
      status = launch_members[m].read(reader, launch_members[m].option, value);
  }
  return status;
}

/* The launches of --launches FILE. */
static warpbound_status read_launches(struct arguments *arguments, struct launch_list *list,
                                      warpbound_error *error)
{
  static const char *const formats[] = {"warpbound-launches-1", NULL};
  struct wb_input source;
  json_t *object = NULL;
  warpbound_status status = wb_input_read(arguments->value[OPTION_LAUNCHES], &source, error);
  if (status != WARPBOUND_OK)
    return status;
  struct reader reader = {
      .file = source.name, .arguments = arguments, .list = list, .error = error};
  status = wb_json_parse(source.name, source.bytes, source.length, &object, error);
  if (status == WARPBOUND_OK)
    status = wb_json_check_keys(source.name, object, "format launches frame", error);
  if (status == WARPBOUND_OK)
    status = wb_json_format(source.name, object, formats, error);
  const json_t *launches = json_object_get(object, "launches");
  const size_t count = json_array_size(launches);
  if (status == WARPBOUND_OK && !json_is_array(launches))
    status = wb_json_wrong(source.name, "launches", "a list of launches", launches, error);
  if (status == WARPBOUND_OK && (count == 0 || count > LAUNCH_LIMIT))
    status = wb_fail_at(error, WARPBOUND_INVALID_INPUT, source.name, 0, 0,
                        "launches: expected 1 to %d launches, found %zu", LAUNCH_LIMIT, count);
  for (size_t i = 0; status == WARPBOUND_OK && i < count; i++)
    status = read_launch(&reader, i + 1, json_array_get(launches, i));
  json_decref(object);
  wb_input_free(&source);
  return status;
}

/* ---- --sweep WHAT=A..B[:STEP] ---- */

static const char *const subject_names[] = {[SWEEP_NONE] = NULL,
                                            [SWEEP_BLOCK] = "block",
                                            [SWEEP_REGISTERS] = "registers",
                                            [SWEEP_SMS] = "sms"};

const char *sweep_subject_name(enum sweep_subject subject)
{
  return subject_names[subject];
}

/* The first number of X,Y,Z and the text after it; 0 where the text begins otherwise. */
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
  static const uint64_t steps[] = {[SWEEP_BLOCK] = 32, [SWEEP_REGISTERS] = 8, [SWEEP_SMS] = 1};
  const struct wb_list *settings = &arguments->repeated[OPTION_SET];
  const char *text = arguments->value[OPTION_SWEEP];
  const char *equals = strchr(text, '=');
  enum sweep_subject subject = SWEEP_NONE;
  for (int s = SWEEP_BLOCK; equals != NULL && s <= SWEEP_SMS; s++) {
    const size_t length = strlen(subject_names[s]);
    if ((size_t)(equals - text) == length && strncmp(text, subject_names[s], length) == 0)
      subject = (enum sweep_subject)s;
  }
  uint64_t from = 0, to = 0, step = subject != SWEEP_NONE ? steps[subject] : 0;
  const char *at = subject != SWEEP_NONE ? number_read(equals + 1, UINT32_MAX, &from) : NULL;
  at = at != NULL && strncmp(at, "..", 2) == 0 ? number_read(at + 2, UINT32_MAX, &to) : NULL;
  if (at != NULL && *at == ':')
    at = number_read(at + 1, UINT32_MAX, &step);
  if (at == NULL || *at != '\0' || from == 0 || from > to || step == 0 ||
      (to - from) / step >= LAUNCH_LIMIT)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--sweep: expected WHAT=A..B or WHAT=A..B:STEP with WHAT one of block, "
                   "registers, sms and A above 0, found '%.60s'",
                   text);
  /* What a sweep changes has no other value. */
  if (subject == SWEEP_REGISTERS && arguments->value[OPTION_REGISTERS] != NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected one of --registers and --sweep registers, found both");
  for (size_t s = 0; s < settings->count && subject == SWEEP_SMS; s++) {
    if (values_compare(PLACES_NAMED, settings->items[s], "sms=0") != VALUES_APART)
      return wb_fail(error, WARPBOUND_USAGE,
                     "expected one of --set %.60s and --sweep sms, found both", settings->items[s]);
  }
  warpbound_status status = WARPBOUND_OK;
  list->subject = subject;
  for (uint64_t n = from; status == WARPBOUND_OK && n <= to; n += step) {
    struct launch_row *row = add_row(arguments, list, error);
    status = row != NULL ? fill_row(arguments, subject, n, row, error) : WARPBOUND_INTERNAL;
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
    return read_launches(arguments, list, error);
  if (sweep)
    return make_sweep(arguments, list, error);
  return add_row(arguments, list, error) != NULL ? WARPBOUND_OK : WARPBOUND_INTERNAL;
}

void launch_list_free(struct launch_list *list)
{
  for (size_t r = 0; r < list->count; r++) {
    wb_list_free(&list->rows[r].parameters);
    wb_list_free(&list->rows[r].buffers);
    wb_list_free(&list->rows[r].settings);
    wb_list_free(&list->rows[r].loads);
    wb_list_free(&list->rows[r].values);
    wb_list_free(&list->rows[r].calls);
  }
  free(list->rows);
  *list = (struct launch_list){0};
}

/* ---- the options of a launch ---- */

/* A share of the memory's time, in millionths, or bytes a second; both rounded up but for what
 * their binary fraction adds. */
static warpbound_status foreign_bandwidth_read(const struct arguments *arguments,
                                               struct analyze_options *options,
                                               warpbound_error *error)
{
  static const struct unit_scale shares[] = {{"%", 1e4}, {NULL, 0}};
  static const struct unit_scale rates[] = {{"GB/s", 1e9}, {"MB/s", 1e6}, {"kB/s", 1e3}, {NULL, 0}};
  const char *text = arguments->value[OPTION_FOREIGN_BANDWIDTH];
  double share = 0;
  double rate = 0;
  if (text != NULL && !(measured_number(text, shares, &share) && share < 1e6) &&
      !(measured_number(text, rates, &rate) && rate < 1e18))
    return wb_fail(error, WARPBOUND_USAGE,
                   "--foreign-bandwidth: expected a share above 0 and below 100 as 25%%, or a "
                   "rate as 40GB/s or 800MB/s, found '%.60s'",
                   text);
  options->launch.foreign_share = rate > 0 ? 0 : (uint32_t)ceil(share - 1e-6);
  options->launch.foreign_rate = (uint64_t)ceil(rate * (1 - 1e-15));
  return WARPBOUND_OK;
}

static warpbound_status deadline_read(const struct arguments *arguments,
                                      struct analyze_options *options, warpbound_error *error)
{
  static const struct unit_scale units[] = {
      {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {NULL, 0}};
  const char *deadline = arguments->value[OPTION_DEADLINE];
  if (deadline == NULL || measured_number(deadline, units, &options->deadline))
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_USAGE,
                 "--deadline: expected a time above 0 as 2ms, 800us or 0.1s, found '%.60s'",
                 deadline);
}

warpbound_status analyze_options_read(const struct arguments *arguments,
                                      struct analyze_options *options, warpbound_error *error)
{
#define LAUNCH(member) OPTION_MEMBER(struct analyze_options, launch.member)
#define BYTES .most = UINT32_MAX - 1, .expected = "bytes as 49152 or 48K, below 4G"
  static const struct wb_choice dispatch[] = {{"any", false}, {"balanced", true}, {NULL, 0}};
  static const struct wb_choice queues[] = {
      {"any", false}, {"unlimited", true}, {"memory", false}, {"all", true}, {NULL, 0}};
  static const struct wb_choice memory_queue[] = {
      {"any", false}, {"unlimited", false}, {"memory", true}, {"all", true}, {NULL, 0}};
  static const struct wb_choice start[] = {{"cold", false}, {"warm", true}, {NULL, 0}};
  static const struct wb_choice barriers[] = {{"shown", WARPBOUND_BARRIERS_SHOWN},
                                              {"same", WARPBOUND_BARRIERS_SAME},
                                              {"end", WARPBOUND_BARRIERS_END},
                                              {NULL, 0}};
  static const struct option_member members[] = {
      {OPTION_ASSUME_BARRIERS, VALUE_WORD, LAUNCH(barriers_known), barriers},
      {OPTION_BUDGET, VALUE_WHOLE, OPTION_MEMBER(struct analyze_options, budget), .least = 1,
       .most = INT64_MAX},
      {OPTION_SIMULATE, VALUE_WHOLE, LAUNCH(simulate), .most = INT64_MAX},
      {OPTION_SEED, VALUE_WHOLE, LAUNCH(seed), .most = UINT64_MAX},
      {OPTION_DISPATCH, VALUE_WORD, LAUNCH(balanced_dispatch), dispatch},
      {OPTION_QUEUES, VALUE_WORD, LAUNCH(unlimited_queues), queues},
      {OPTION_QUEUES, VALUE_WORD, LAUNCH(unlimited_memory_queue), memory_queue},
      {OPTION_START, VALUE_WORD, LAUNCH(warm_start), start},
      {OPTION_CLUSTER, VALUE_SIZES, LAUNCH(cluster)},
      {OPTION_DYNAMIC_SHARED, VALUE_BYTES, LAUNCH(dynamic_shared), BYTES},
      {OPTION_DYNAMIC_SHARED, VALUE_GIVEN, LAUNCH(has_dynamic_shared)},
      {OPTION_REGISTERS, VALUE_WHOLE, LAUNCH(registers), .least = 1, .most = UINT32_MAX - 1},
      {OPTION_STATIC_SHARED, VALUE_BYTES, LAUNCH(static_shared), BYTES},
      {OPTION_STATIC_SHARED, VALUE_GIVEN, LAUNCH(has_static_shared)},
      {OPTION_BARRIERS, VALUE_WHOLE, LAUNCH(barriers), .most = UINT32_MAX - 1},
      {OPTION_FOREIGN_BURST, VALUE_BYTES, LAUNCH(foreign_burst), BYTES},
      {OPTION_BARRIERS, VALUE_GIVEN, LAUNCH(has_barriers)},
      {OPTION_ALLOW_OTHER_SM, VALUE_GIVEN, LAUNCH(allow_other_device)},
      {OPTION_WARM_L2, VALUE_GIVEN, LAUNCH(warm_l2)},
  };
  const char *sweep = arguments->value[OPTION_SWEEP];
  options->launch.simulate = DEFAULT_SIMULATION;
  options->launch.buffers = (const char *const *)arguments->repeated[OPTION_BUFFER].items;
  options->launch.buffer_count = arguments->repeated[OPTION_BUFFER].count;
  options->launch.as_if_compiled =
      sweep != NULL && strncmp(sweep, "registers=", strlen("registers=")) == 0;
  static const struct option_member bytes_of_carveout = {
      OPTION_CARVEOUT, VALUE_BYTES, LAUNCH(carveout), .most = UINT32_MAX - 1,
      .expected = "'max', or bytes of shared memory as 65536 or 64K"};
  const char *carveout = arguments->value[OPTION_CARVEOUT];
  warpbound_status status = wcet_options_read(arguments, &options->wcet, error);
  if (status == WARPBOUND_OK)
    status = deadline_read(arguments, options, error);
  if (status == WARPBOUND_OK)
    status = foreign_bandwidth_read(arguments, options, error);
  if (status == WARPBOUND_OK)
    status =
        option_members_read(arguments, members, sizeof members / sizeof *members, options, error);
  if (carveout != NULL && strcmp(carveout, "max") == 0)
    options->launch.carveout = WARPBOUND_LARGEST_CARVEOUT;
  else if (status == WARPBOUND_OK)
    status = option_members_read(arguments, &bytes_of_carveout, 1, options, error);
  return status;
}

warpbound_status analyze_options_complete(const struct arguments *arguments,
                                          const warpbound_module *module,
                                          struct analyze_options *options, warpbound_error *error)
{
  const warpbound_status status = wcet_options_complete(arguments, module, &options->wcet, error);
  options->launch.wcet = options->wcet.wcet;
  return status;
}

#include "cli/input/input.h"

#include "base/file.h"
#include "base/status.h"
#include "base/text.h"
#include "base/text/nearest.h"
#include "cli/input/device_input.h"
#include "cli/input/module_input.h"
#include "formats/json/json_input.h"
#include "formats/sm/sm_file.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLANKS " \t\r\n"
#define DIGITS "0123456789"
#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define SMALL_LETTERS "abcdefghijklmnopqrstuvwxyz"

/* Refuses options that would say nothing of this kind of listing. */
static warpbound_status refuse_options(const struct arguments *arguments, warpbound_input_form form,
                                       warpbound_error *error)
{
  static const enum option ptx[] = {
      OPTION_LOOP_ITERATIONS, OPTION_THROUGH,     OPTION_TAKE,      OPTION_PATH,
      OPTION_ASSUME_UNIT,     OPTION_ASSUME_CALL, OPTION_ITERATIONS};
  static const enum option sass[] = {
      OPTION_FLOW_FACTS,    OPTION_SOURCES,  OPTION_DEFAULT_LOOP_BOUND,
      OPTION_COST,          OPTION_BLOCK,    OPTION_GRID,
      OPTION_PARAM,         OPTION_CONSTANT, OPTION_TARGETS,
      OPTION_RECONVERGENCE, OPTION_MASKS};
  const char *method = arguments->value[OPTION_METHOD];
  /* --iterations may be the annealing's. */
  const size_t anneals = method != NULL && strcmp(method, "anneal") == 0;
  const bool machine = form == WARPBOUND_INPUT_SASS;
  const enum option found =
      machine ? arguments_first_given(arguments, ptx, sizeof ptx / sizeof *ptx - anneals)
              : arguments_first_given(arguments, sass, sizeof sass / sizeof *sass);
  if (form == WARPBOUND_INPUT_STRING || found == OPTION_COUNT)
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_USAGE, "--%s: expected with %s only, found with %s",
                 option_rows[found].name, machine ? "PTX" : "machine code",
                 machine ? "machine code" : "PTX");
}

/* The one kernel that is asked for, and the options of its form. */
static warpbound_status choose_kernel(struct arguments *arguments, struct kernel_input *input,
                                      warpbound_error *error)
{
  const warpbound_input_form form = warpbound_module_form(input->module);
  warpbound_status status = refuse_options(arguments, form, error);
  if (status != WARPBOUND_OK)
    return status;
  const char *name = form != WARPBOUND_INPUT_STRING ? arguments->value[OPTION_KERNEL] : NULL;
  status = warpbound_kernel_choose(input->module, name, &input->kernel, error);
  if (status != WARPBOUND_OK && form == WARPBOUND_INPUT_PTX) {
    arguments_blame(arguments, OPTION_KERNEL, 0, error);
    return error->status;
  }
  if (status == WARPBOUND_OK && form == WARPBOUND_INPUT_PTX)
    status = path_input_read(arguments, &input->path, &input->options, error);
  if (status == WARPBOUND_OK && form == WARPBOUND_INPUT_SASS)
    status = simt_options_check(arguments, input->module, error);
  if (status == WARPBOUND_OK && form == WARPBOUND_INPUT_SASS)
    status = wcet_options_read(arguments, &input->wcet, error);
  if (status == WARPBOUND_OK && form == WARPBOUND_INPUT_SASS)
    status = wcet_options_complete(arguments, input->module, &input->wcet, error);
  input->options.wcet = input->wcet.wcet;
  return status;
}

/* ---- instance files: members as the texts that options take ---- */

/* A member being read. */
struct member {
  struct arguments *arguments;
  unsigned command;
  enum option option;
  const char *key;
  warpbound_error *error;
};

static warpbound_status wrong(const struct member *member, const char *expected,
                              const json_t *found)
{
  return wb_json_wrong(member->arguments->instance, member->key, expected, found, member->error);
}

static warpbound_status set_default(const struct member *member, const char *text)
{
  return arguments_set_default(member->arguments, member->command, member->option, member->key,
                               text, member->error);
}

static warpbound_status read_flag(const struct member *member, const json_t *value)
{
  if (!json_is_boolean(value))
    return wrong(member, "true or false", value);
  return json_is_true(value) ? set_default(member, "") : WARPBOUND_OK;
}

/* A number in the fewest digits that mean the same. */
static void write_real(double number, char *text, size_t size)
{
  snprintf(text, size, "%.15g", number);
  if (strtod(text, NULL) != number)
    snprintf(text, size, "%.17g", number);
}

static warpbound_status read_scalar(const struct member *member, const json_t *value)
{
  char number[48];
  if (json_is_string(value))
    return set_default(member, json_string_value(value));
  if (json_is_integer(value))
    snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
  else if (json_is_real(value))
    write_real(json_real_value(value), number, sizeof number);
  else
    return wrong(member, json_is_array(value) ? "one value" : "a value", value);
  return set_default(member, number);
}

/* One value of a repeatable option: a text; how often loops are done may be a number. */
static warpbound_status read_text(const struct member *member, const json_t *value)
{
  if (member->option == OPTION_LOOP_ITERATIONS && json_is_integer(value))
    return read_scalar(member, value);
  if (member->option == OPTION_LOOP_ITERATIONS && !json_is_string(value))
    return wrong(member, "a whole number, a text or a list of these", value);
  if (!json_is_string(value))
    return wrong(member, "a text or a list of texts", value);
  return set_default(member, json_string_value(value));
}

static warpbound_status read_list(const struct member *member, const json_t *value)
{
  if (!json_is_array(value))
    return read_text(member, value);
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; status == WARPBOUND_OK && i < json_array_size(value); i++)
    status = read_text(member, json_array_get(value, i));
  return status;
}

/* [1, 2, 4], as "1,2,4". */
static warpbound_status read_numbers(const struct member *member, const json_t *list)
{
  struct wb_text text = {0};
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *value = json_array_get(list, i);
    if (!json_is_integer(value)) {
      wb_text_free(&text);
      return wrong(member, "a list of whole numbers", value);
    }
    wb_text_format(&text, "%s%lld", i > 0 ? "," : "", (long long)json_integer_value(value));
  }
  wb_text_string(&text, "");
  warpbound_status status =
      text.failed ? wb_out_of_memory(member->error) : set_default(member, text.data);
  wb_text_free(&text);
  return status;
}

/* {"L": 1, "S": "1/8"}, as "L=1,S=1/8". */
static warpbound_status read_units(const struct member *member, json_t *units)
{
  struct wb_text text = {0};
  warpbound_status status = WARPBOUND_OK;
  const char *file = member->arguments->instance;
  const char *key;
  json_t *value;
  json_object_foreach(units, key, value)
  {
    enum wb_unit unit;
    struct wb_unit_capacity capacity;
    status = wb_sm_file_unit(file, key, &unit, member->error);
    if (status == WARPBOUND_OK)
      status = wb_sm_file_capacity(file, key, value, &capacity, member->error);
    if (status != WARPBOUND_OK)
      break;
    wb_text_format(&text, "%s%s=", text.length > 0 ? "," : "", key);
    wb_unit_capacity_write(&capacity, &text);
  }
  if (json_object_size(units) == 0)
    status = wb_fail_at(member->error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                        "units: expected a capacity of L, C, S, D or T, found none");
  if (status == WARPBOUND_OK && text.failed)
    status = wb_out_of_memory(member->error);
  if (status == WARPBOUND_OK)
    status = set_default(member, text.data);
  wb_text_free(&text);
  return status;
}

/* Two spellings of one key are two keys to JSON. */
static warpbound_status check_spelling(const struct member *member)
{
  const char *other = member->arguments->key[member->option];
  if (other == NULL || strcmp(other, member->key) == 0)
    return WARPBOUND_OK;
  return wb_fail_at(member->error, WARPBOUND_INVALID_INPUT, member->arguments->instance, 0, 0,
                    "%s: expected one value, found another as %s", member->key, other);
}

static warpbound_status unknown_key(const struct arguments *arguments, const char *key,
                                    warpbound_error *error)
{
  char hint[WB_HINT_SIZE];
  struct wb_nearest nearest = wb_nearest_start(key);
  wb_nearest_offer(&nearest, "string");
  wb_nearest_offer(&nearest, "file");
  for (int o = 0; o < OPTION_HELP; o++)
    wb_nearest_offer(&nearest, option_rows[o].name);
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, arguments->instance, 0, 0,
                    "unknown key '%.60s'%s; expected string, kernel, file or a long option's name",
                    key, wb_nearest_hint(&nearest, "", hint));
}

/* Gives the option that `key` names its default from the instance file. The value must be of the
 * option's type even if the command line or another command makes it of no use. */
static warpbound_status read_member(struct arguments *arguments, unsigned command, const char *key,
                                    const json_t *value, warpbound_error *error)
{
  struct member member = {arguments, command, option_of_key(key), key, error};
  if (member.option == OPTION_COUNT)
    return unknown_key(arguments, key, error);
  warpbound_status status = check_spelling(&member);
  if (status != WARPBOUND_OK)
    return status;
  const struct option_row *row = &option_rows[member.option];
  if (json_is_null(value))
    return wrong(&member, "a value", value);
  if (row->argument == NULL)
    return read_flag(&member, value);
  if (row->repeatable)
    return read_list(&member, value);
  if (member.option == OPTION_UNITS && json_is_object(value))
    return read_units(&member, (json_t *)value);
  if (member.option == OPTION_FAIR_BLOCKS && json_is_array(value))
    return read_numbers(&member, value);
  return read_scalar(&member, value);
}

/* Inputs that the instance file names stand beside it: an --sm and a --cost where they are files.
 */
static warpbound_status resolve_inputs(struct arguments *arguments, warpbound_error *error)
{
  static const char *const costs[] = {"unit", "stalls"};
  const char *cost = arguments->value[OPTION_COST];
  warpbound_status status = WARPBOUND_OK;
  bool is_file = cost != NULL;
  for (size_t c = 0; is_file && c < sizeof costs / sizeof *costs; c++)
    is_file = strcmp(cost, costs[c]) != 0;
  if (arguments->value[OPTION_SM] != NULL && !configuration_is_named(arguments))
    status = arguments_resolve_path(arguments, OPTION_SM, error);
  if (status == WARPBOUND_OK && is_file)
    status = arguments_resolve_path(arguments, OPTION_COST, error);
  if (status == WARPBOUND_OK)
    status = arguments_resolve_path(arguments, OPTION_FLOW_FACTS, error);
  if (status == WARPBOUND_OK)
    status = arguments_resolve_path(arguments, OPTION_SOURCES, error);
  return status;
}

static bool describes_machine(const char *key)
{
  enum option option = option_of_key(key);
  return option == OPTION_SM || option == OPTION_UNITS || option == OPTION_ISSUE_SLOTS ||
         option == OPTION_PARTITIONS;
}

/* A member on the machine that stands aside because the command line describes another one. */
static void report_machine(const struct arguments *arguments, const char *key, const json_t *value)
{
  const bool sm = arguments->value[OPTION_SM] != NULL;
  const enum option typed = sm ? OPTION_SM : OPTION_UNITS;
  const bool same = option_of_key(key) == typed && json_is_string(value) &&
                    strcmp(json_string_value(value), arguments->value[typed]) == 0;
  if (!same)
    arguments_note_kept(arguments, typed, arguments->value[typed], key, arguments->instance);
}

static warpbound_status read_members(struct arguments *arguments, unsigned command, json_t *object,
                                     warpbound_error *error)
{
  /* Options of the machine on the command line replace all of the file. */
  bool keep_machine = arguments->value[OPTION_SM] == NULL && arguments->value[OPTION_UNITS] == NULL;
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value)
  {
    bool is_input = strcmp(key, "string") == 0 || strcmp(key, "file") == 0;
    if (!keep_machine && describes_machine(key))
      report_machine(arguments, key, value);
    if (strncmp(key, "x-", 2) == 0 || (!keep_machine && describes_machine(key)))
      continue;
    warpbound_status status = WARPBOUND_OK;
    if (!is_input)
      status = read_member(arguments, command, key, value, error);
    else if (!json_is_string(value))
      status = wb_json_wrong(arguments->instance, key, "a string", value, error);
    if (status != WARPBOUND_OK)
      return status;
  }
  return resolve_inputs(arguments, error);
}

static warpbound_status read_instance_object(struct arguments *arguments, unsigned command,
                                             json_t *object, struct kernel_input *input,
                                             warpbound_error *error)
{
  warpbound_status status = read_members(arguments, command, object, error);
  if (status != WARPBOUND_OK)
    return status;
  const char *string = json_string_value(json_object_get(object, "string"));
  const char *file = json_string_value(json_object_get(object, "file"));
  if ((string == NULL) == (file == NULL))
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, arguments->instance, 0, 0,
                      "expected either 'string', or 'file' (and 'kernel'), found %s",
                      string == NULL ? "neither" : "both");
  if (string != NULL)
    return warpbound_module_of_string(arguments->instance, string, &input->module, error);
  struct wb_source source;
  const char *path = arguments_keep_path(arguments, arguments->instance, file);
  status = path != NULL ? wb_source_read(path, &source, error) : wb_out_of_memory(error);
  if (status != WARPBOUND_OK)
    return status;
  status = module_input_parse(arguments, &source, false, &input->module, error);
  wb_source_free(&source);
  return status;
}

static warpbound_status read_instance(struct arguments *arguments, unsigned command,
                                      const struct wb_source *source, struct kernel_input *input,
                                      warpbound_error *error)
{
  arguments->instance = arguments_keep(arguments, source->name);
  if (arguments->instance == NULL)
    return wb_out_of_memory(error);
  json_t *object;
  warpbound_status status =
      wb_json_parse(source->name, source->bytes, source->length, &object, error);
  if (status == WARPBOUND_OK)
    status = read_instance_object(arguments, command, object, input, error);
  json_decref(object);
  return status;
}

/* Whether a text is an object of JSON: its first character after a byte order mark. */
static bool is_object(const struct wb_source *source)
{
  const char *text = source->bytes + (strncmp(source->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
  return text[strspn(text, BLANKS)] == '{';
}

static warpbound_status read_file(struct arguments *arguments, unsigned command, const char *path,
                                  struct kernel_input *input, warpbound_error *error)
{
  struct wb_source source;
  warpbound_status status = wb_source_read(path, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  if (is_object(&source))
    status = read_instance(arguments, command, &source, input, error);
  else
    status = module_input_parse(arguments, &source, false, &input->module, error);
  wb_source_free(&source);
  return status;
}

/* A word that is no file's name: a string was meant, or a file. */
static warpbound_status read_word(const char *word, struct kernel_input *input,
                                  warpbound_error *error)
{
  static const char before[] = "string, ";
  warpbound_error cause;
  if (word[strspn(word, "LCSDTNB" DIGITS BLANKS)] == '\0')
    return warpbound_module_of_string(NULL, word, &input->module, error);
  warpbound_status status = warpbound_module_of_string(NULL, word, &input->module, &cause);
  if (status != WARPBOUND_INVALID_INPUT)
    return status == WARPBOUND_OK ? status : wb_out_of_memory(error);
  const bool prefixed = strncmp(cause.message, before, sizeof before - 1) == 0;
  return wb_fail(error, status, "'%.60s' is neither a file nor a kernel instruction string (%s)",
                 word, cause.message + (prefixed ? sizeof before - 1 : 0));
}

/* Letters and digits, as a string has; names of files mostly have a dot or a slash. */
static bool looks_like_string(const char *word)
{
  return word[strspn(word, CAPITALS SMALL_LETTERS DIGITS BLANKS)] == '\0';
}

warpbound_status kernel_input_read(struct arguments *arguments, unsigned command,
                                   struct kernel_input *input, warpbound_error *error)
{
  const char *name = arguments->input;
  if (name == NULL)
    return wb_fail(
        error, WARPBOUND_USAGE,
        command == COMMAND_STRING
            ? "expected a PTX file, machine code or an instance file"
            : "expected a kernel instruction string, a PTX file, machine code or an instance file");
  bool is_file = strcmp(name, "-") == 0 || access(name, F_OK) == 0;
  warpbound_status status;
  if (!is_file && looks_like_string(name))
    status = read_word(name, input, error);
  else
    status = read_file(arguments, command, name, input, error);
  return status == WARPBOUND_OK ? choose_kernel(arguments, input, error) : status;
}

warpbound_status kernel_input_find_paths(const struct arguments *arguments,
                                         struct kernel_input *input,
                                         const warpbound_options *limits, warpbound_error *error)
{
  input->options.device = configuration_architecture(arguments);
  input->options.allow_other_device = arguments->value[OPTION_ALLOW_OTHER_SM] != NULL;
  warpbound_status status =
      warpbound_paths_find(input->kernel, &input->options, limits, &input->paths, error);
  if (status != WARPBOUND_USAGE)
    return status;
  path_input_blame(arguments, &input->path, error);
  return error->status;
}

void kernel_input_free(struct kernel_input *input)
{
  warpbound_paths_free(input->paths);
  warpbound_kernel_free(input->kernel);
  wcet_options_free(&input->wcet);
  wb_arena_free(&input->path.arena);
  warpbound_module_free(input->module);
}

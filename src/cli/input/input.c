#include "cli/input/input.h"

#include "base/file.h"
#include "base/status.h"
#include "base/text.h"
#include "base/text/nearest.h"
#include "cli/input/device_input.h"
#include "cli/input/module_input.h"
#include "cli/options/options.h"
#include "formats/json/json_input.h"
#include "formats/sm/sm_file.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Most iterations of a loop: as many as a string may have instructions. */
#define ITERATION_LIMIT 1000000

#define BLANKS " \t\r\n"
#define DIGITS "0123456789"
#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define SMALL_LETTERS "abcdefghijklmnopqrstuvwxyz"

/* ---- the path of a PTX kernel ---- */

/* Splits each "LOOP=N" or "N" in place. The command line's values win over the file's, later ones
 * over earlier ones: rows stand in that order, the file's first. */
static warpbound_status read_loops(const struct arguments *arguments, struct kernel_input *input,
                                   warpbound_error *error)
{
  const struct wb_list *given = &arguments->repeated[OPTION_LOOP_ITERATIONS];
  const bool in_file = arguments->key[OPTION_LOOP_ITERATIONS] != NULL;
  const size_t typed = in_file ? arguments->from_file[OPTION_LOOP_ITERATIONS] : given->count;
  warpbound_paths_options *options = &input->options;
  for (size_t i = 0; i < given->count; i++) {
    const size_t index = (typed + i) % given->count;
    char *text = given->items[index];
    char *equals = strrchr(text, '=');
    uint64_t value = 0;
    if (equals == text ||
        !whole_read(equals != NULL ? equals + 1 : text, 1, ITERATION_LIMIT, &value)) {
      (void)wb_fail(error, WARPBOUND_USAGE,
                    "--loop-iterations: expected LOOP=N or N, a whole number from 1 to %d, found "
                    "'%.60s'",
                    ITERATION_LIMIT, text);
      arguments_blame(arguments, OPTION_LOOP_ITERATIONS, index, error);
      return error->status;
    }
    if (equals == NULL) {
      options->iterations = (uint32_t)value;
      continue;
    }
    *equals = '\0';
    input->loops[options->loop_count++] = (warpbound_loop_iterations){text, (uint32_t)value};
  }
  options->loops = input->loops;
  return WARPBOUND_OK;
}

/* Whether --iterations is the annealing's, and not the loops'. */
static bool anneals(const struct arguments *arguments)
{
  const char *method = arguments->value[OPTION_METHOD];
  return method != NULL && strcmp(method, "anneal") == 0;
}

static warpbound_status read_path(struct arguments *arguments, struct kernel_input *input,
                                  warpbound_error *error)
{
  static const struct wb_choice orders[] = {{"longest", WARPBOUND_PATH_LONGEST},
                                            {"fall-through", WARPBOUND_PATH_FALL_THROUGH},
                                            {NULL, 0}};
  static const struct option_member members[] = {
      {OPTION_THROUGH, VALUE_TEXT, OPTION_MEMBER(warpbound_paths_options, through)},
      {OPTION_PATH, VALUE_WORD, OPTION_MEMBER(warpbound_paths_options, order), orders},
      {OPTION_ITERATIONS, VALUE_WHOLE, OPTION_MEMBER(warpbound_paths_options, iterations),
       .least = 1, .most = ITERATION_LIMIT},
  };
  const size_t count = sizeof members / sizeof *members - (anneals(arguments) ? 1 : 0);
  const struct wb_list *takes = &arguments->repeated[OPTION_TAKE];
  input->calls = wb_arena_array(&input->arena, warpbound_call_assumption,
                                arguments->repeated[OPTION_ASSUME_CALL].count);
  input->loops = wb_arena_array(&input->arena, warpbound_loop_iterations,
                                arguments->repeated[OPTION_LOOP_ITERATIONS].count);
  if (input->arena.failed)
    return wb_out_of_memory(error);
  input->options.takes = (const char *const *)takes->items;
  input->options.take_count = takes->count;
  warpbound_status status = read_loops(arguments, input, error);
  if (status == WARPBOUND_OK && input->options.iterations > 0 && !anneals(arguments) &&
      arguments->value[OPTION_ITERATIONS] != NULL)
    status = wb_fail(error, WARPBOUND_USAGE,
                     "expected one of --iterations and --loop-iterations, found both");
  if (status == WARPBOUND_OK)
    status = option_members_read(arguments, members, count, &input->options, error);
  if (status != WARPBOUND_OK)
    return status;
  /* Splits each NAME=STRING of --assume-call in place. */
  const struct wb_list *given = &arguments->repeated[OPTION_ASSUME_CALL];
  for (size_t i = 0; i < given->count; i++) {
    char *text = given->items[i];
    char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
      (void)wb_fail(error, WARPBOUND_USAGE, "--assume-call: expected NAME=STRING, found '%.60s'",
                    text);
      arguments_blame(arguments, OPTION_ASSUME_CALL, i, error);
      return error->status;
    }
    *equals = '\0';
    input->calls[i] = (warpbound_call_assumption){text, equals + 1};
  }
  input->options.calls = input->calls;
  input->options.call_count = given->count;
  return WARPBOUND_OK;
}

/* ---- the kernel ---- */

/* The one kernel that is asked for, and the options of its form. */
static warpbound_status choose_kernel(struct arguments *arguments, struct kernel_input *input,
                                      warpbound_error *error)
{
  const warpbound_input_form form = warpbound_module_form(input->module);
  /* Options that would say nothing of this kind of listing are refused. */
  static const enum option ptx[] = {
      OPTION_LOOP_ITERATIONS, OPTION_THROUGH,     OPTION_TAKE,      OPTION_PATH,
      OPTION_ASSUME_UNIT,     OPTION_ASSUME_CALL, OPTION_ITERATIONS};
  static const enum option sass[] = {
      OPTION_FLOW_FACTS,    OPTION_SOURCES,     OPTION_DEFAULT_LOOP_BOUND,
      OPTION_COST,          OPTION_BLOCK,       OPTION_GRID,
      OPTION_PARAM,         OPTION_CONSTANT,    OPTION_TARGETS,
      OPTION_RECONVERGENCE, OPTION_MASKS,       OPTION_SPIN_BOUND,
      OPTION_ASSUME_LOAD,   OPTION_ASSUME_VALUE};
  const bool machine = form == WARPBOUND_INPUT_SASS;
  const enum option found =
      machine ? arguments_first_given(arguments, ptx, sizeof ptx / sizeof *ptx - anneals(arguments))
              : arguments_first_given(arguments, sass, sizeof sass / sizeof *sass);
  if (form != WARPBOUND_INPUT_STRING && found != OPTION_COUNT)
    return wb_fail(error, WARPBOUND_USAGE, "--%s: expected with %s only, found with %s%s",
                   option_rows[found].name, machine ? "PTX" : "machine code",
                   machine ? "machine code" : "PTX",
                   machine && found == OPTION_ASSUME_CALL
                       ? ": cycles of code outside do not say which units it occupies, so that no "
                         "string has them; wcet and analyze take NAME=CYCLES"
                       : "");
  const char *name = form != WARPBOUND_INPUT_STRING ? arguments->value[OPTION_KERNEL] : NULL;
  warpbound_status status = warpbound_kernel_choose(input->module, name, &input->kernel, error);
  if (status != WARPBOUND_OK && form == WARPBOUND_INPUT_PTX) {
    arguments_blame(arguments, OPTION_KERNEL, 0, error);
    return error->status;
  }
  if (status == WARPBOUND_OK && form == WARPBOUND_INPUT_PTX)
    status = read_path(arguments, input, error);
  if (status == WARPBOUND_OK && form == WARPBOUND_INPUT_SASS)
    status = simt_options_check(arguments, input->module, error);
  if (status == WARPBOUND_OK && form == WARPBOUND_INPUT_SASS)
    status = wcet_options_read(arguments, &input->wcet, error);
  if (status == WARPBOUND_OK && form == WARPBOUND_INPUT_SASS)
    status = wcet_options_complete(arguments, input->module, &input->wcet, error);
  input->options.wcet = input->wcet.wcet;
  return status;
}

/* ---- instance files ---- */

/* An instance file being read, and the member under way. */
struct instance {
  struct arguments *arguments;
  unsigned command;
  struct kernel_input *input;
  warpbound_error *error;
  const char *key;
  enum option option;
};

static warpbound_status wrong(const struct instance *instance, const char *expected,
                              const json_t *found)
{
  return wb_json_wrong(instance->arguments->instance, instance->key, expected, found,
                       instance->error);
}

/* Gives the option its value. */
static warpbound_status set_default(const struct instance *instance, const char *text)
{
  return arguments_set_default(instance->arguments, instance->command, instance->option,
                               instance->key, text, instance->error);
}

/* The same of a text that was made, which is freed. */
static warpbound_status set_made(const struct instance *instance, struct wb_text *text)
{
  const warpbound_status status =
      text->failed ? wb_out_of_memory(instance->error) : set_default(instance, text->data);
  wb_text_free(text);
  return status;
}

/* A text, or a number in the fewest digits that mean the same. */
static warpbound_status read_scalar(const struct instance *instance, const json_t *value)
{
  char number[48];
  if (json_is_string(value))
    return set_default(instance, json_string_value(value));
  if (!json_is_number(value))
    return wrong(instance, json_is_array(value) ? "one value" : "a value", value);
  const double real = json_number_value(value);
  if (json_is_integer(value))
    snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
  else
    snprintf(number, sizeof number, "%.15g", real);
  if (json_is_real(value) && strtod(number, NULL) != real)
    snprintf(number, sizeof number, "%.17g", real);
  return set_default(instance, number);
}

/* [1, 2, 4], as "1,2,4". */
static warpbound_status read_numbers(const struct instance *instance, const json_t *list)
{
  struct wb_text text = {0};
  wb_text_string(&text, "");
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *value = json_array_get(list, i);
    if (!json_is_integer(value)) {
      wb_text_free(&text);
      return wrong(instance, "a list of whole numbers", value);
    }
    wb_text_format(&text, "%s%lld", i > 0 ? "," : "", (long long)json_integer_value(value));
  }
  return set_made(instance, &text);
}

/* {"L": 1, "S": "1/8"}, as "L=1,S=1/8". */
static warpbound_status read_units(const struct instance *instance, json_t *units)
{
  struct wb_text text = {0};
  const char *file = instance->arguments->instance;
  const char *key;
  json_t *value;
  json_object_foreach(units, key, value)
  {
    enum wb_unit unit;
    struct wb_unit_capacity capacity;
    warpbound_status status = wb_sm_file_unit(file, key, &unit, instance->error);
    if (status == WARPBOUND_OK)
      status = wb_sm_file_capacity(file, key, value, &capacity, instance->error);
    if (status != WARPBOUND_OK) {
      wb_text_free(&text);
      return status;
    }
    wb_text_format(&text, "%s%s=", text.length > 0 ? "," : "", key);
    wb_unit_capacity_write(&capacity, &text);
  }
  return text.length > 0 || text.failed
             ? set_made(instance, &text)
             : wb_fail_at(instance->error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                          "units: expected a capacity of L, C, S, D or T, found none");
}

/* Gives the option of the key its default. The value must be of the option's type even if the
 * command line or another command makes it of no use. Two spellings of one key are two keys to
 * JSON. */
static warpbound_status read_member(const struct instance *instance, json_t *value)
{
  if (instance->option == OPTION_COUNT) {
    char hint[WB_HINT_SIZE];
    struct wb_nearest nearest = wb_nearest_start(instance->key);
    wb_nearest_offer(&nearest, "string");
    wb_nearest_offer(&nearest, "file");
    for (int o = 0; o < OPTION_HELP; o++)
      wb_nearest_offer(&nearest, option_rows[o].name);
    return wb_fail_at(
        instance->error, WARPBOUND_INVALID_INPUT, instance->arguments->instance, 0, 0,
        "unknown key '%.60s'%s; expected string, kernel, file or a long option's name",
        instance->key, wb_nearest_hint(&nearest, "", hint));
  }
  const struct option_row *row = &option_rows[instance->option];
  const char *other = instance->arguments->key[instance->option];
  if (other != NULL && strcmp(other, instance->key) != 0)
    return wb_fail_at(instance->error, WARPBOUND_INVALID_INPUT, instance->arguments->instance, 0, 0,
                      "%s: expected one value, found another as %s", instance->key, other);
  if (json_is_null(value))
    return wrong(instance, "a value", value);
  if (row->argument == NULL && !json_is_boolean(value))
    return wrong(instance, "true or false", value);
  if (row->argument == NULL)
    return json_is_true(value) ? set_default(instance, "") : WARPBOUND_OK;
  if (row->repeatable) {
    /* A value of a repeatable option, or a list of them: texts; how often loops are done may be a
     * number. */
    const bool loops = instance->option == OPTION_LOOP_ITERATIONS;
    const size_t count = json_is_array(value) ? json_array_size(value) : 1;
    warpbound_status status = WARPBOUND_OK;
    for (size_t i = 0; status == WARPBOUND_OK && i < count; i++) {
      const json_t *item = json_is_array(value) ? json_array_get(value, i) : value;
      if (json_is_string(item) || (loops && json_is_integer(item)))
        status = read_scalar(instance, item);
      else
        status =
            wrong(instance,
                  loops ? "a whole number, a text or a list of these" : "a text or a list of texts",
                  item);
    }
    return status;
  }
  if (instance->option == OPTION_UNITS && json_is_object(value))
    return read_units(instance, value);
  if (instance->option == OPTION_FAIR_BLOCKS && json_is_array(value))
    return read_numbers(instance, value);
  return read_scalar(instance, value);
}

static warpbound_status read_members(struct instance *instance, json_t *object)
{
  struct arguments *arguments = instance->arguments;
  const char *const *typed = arguments->value;
  /* Options of the machine on the command line replace all of the file; a member that so has no
   * effect is reported. */
  const bool typed_machine = typed[OPTION_SM] != NULL || typed[OPTION_UNITS] != NULL;
  const enum option machine = typed[OPTION_SM] != NULL ? OPTION_SM : OPTION_UNITS;
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value)
  {
    const enum option option = option_of_key(key);
    warpbound_status status = WARPBOUND_OK;
    instance->key = key;
    instance->option = option;
    if (typed_machine && (option == OPTION_SM || option == OPTION_UNITS ||
                          option == OPTION_ISSUE_SLOTS || option == OPTION_PARTITIONS)) {
      if (option != machine || !json_is_string(value) ||
          strcmp(json_string_value(value), typed[machine]) != 0)
        arguments_note_kept(arguments, machine, typed[machine], key, arguments->instance);
    } else if (strcmp(key, "string") == 0 || strcmp(key, "file") == 0)
      status = json_is_string(value) ? status : wrong(instance, "a string", value);
    else if (strncmp(key, "x-", 2) != 0)
      status = read_member(instance, value);
    if (status != WARPBOUND_OK)
      return status;
  }
  /* Inputs that the instance file names stand beside it: an --sm and a --cost where they are files.
   */
  static const enum option inputs[] = {OPTION_SM, OPTION_COST, OPTION_FLOW_FACTS, OPTION_SOURCES};
  const char *cost = arguments->value[OPTION_COST];
  const bool named_cost =
      cost != NULL && (strcmp(cost, "unit") == 0 || strcmp(cost, "stalls") == 0);
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; i < sizeof inputs / sizeof *inputs && status == WARPBOUND_OK; i++) {
    if (!(inputs[i] == OPTION_SM && configuration_is_named(arguments)) &&
        !(inputs[i] == OPTION_COST && named_cost))
      status = arguments_resolve_path(arguments, inputs[i], instance->error);
  }
  return status;
}

static warpbound_status read_instance(struct instance *instance, json_t *object)
{
  struct arguments *arguments = instance->arguments;
  warpbound_module **module = &instance->input->module;
  warpbound_status status = read_members(instance, object);
  if (status != WARPBOUND_OK)
    return status;
  const char *string = json_string_value(json_object_get(object, "string"));
  const char *file = json_string_value(json_object_get(object, "file"));
  if ((string == NULL) == (file == NULL))
    return wb_fail_at(instance->error, WARPBOUND_INVALID_INPUT, arguments->instance, 0, 0,
                      "expected either 'string', or 'file' (and 'kernel'), found %s",
                      string == NULL ? "neither" : "both");
  if (string != NULL)
    return warpbound_module_of_string(arguments->instance, string, module, instance->error);
  struct wb_input source;
  const char *path = arguments_keep_path(arguments, arguments->instance, file);
  if (path == NULL)
    return wb_out_of_memory(instance->error);
  status = wb_input_read(path, &source, instance->error);
  if (status != WARPBOUND_OK)
    return status;
  status = module_input_parse(arguments, &source, false, module, instance->error);
  wb_input_free(&source);
  return status;
}

/* ---- the input ---- */

/* A file that is an object of JSON, perhaps after a byte order mark, is an instance file. */
static warpbound_status read_file(struct instance *instance)
{
  struct arguments *arguments = instance->arguments;
  struct wb_input source;
  json_t *object = NULL;
  warpbound_status status =
      source_input_read(arguments, "a file", WB_INPUT_LIMIT, &source, instance->error);
  if (status != WARPBOUND_OK)
    return status;
  const char *text = source.bytes + (strncmp(source.bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
  if (text[strspn(text, BLANKS)] != '{') {
    status =
        module_input_parse(arguments, &source, false, &instance->input->module, instance->error);
  } else {
    arguments->instance = arguments_keep(arguments, source.name);
    status = arguments->instance != NULL
                 ? wb_json_parse(source.name, source.bytes, source.length, &object, instance->error)
                 : wb_out_of_memory(instance->error);
    if (status == WARPBOUND_OK)
      status = read_instance(instance, object);
    json_decref(object);
  }
  wb_input_free(&source);
  return status;
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
  /* A string has letters and digits; names of files mostly have a dot or a slash. */
  const bool is_file = strcmp(name, "-") == 0 || access(name, F_OK) == 0 ||
                       name[strspn(name, CAPITALS SMALL_LETTERS DIGITS BLANKS)] != '\0';
  struct instance instance = {arguments, command, input, error, NULL, OPTION_COUNT};
  warpbound_error cause = {0};
  warpbound_status status;
  if (is_file) {
    status = read_file(&instance);
  } else if (name[strspn(name, "LCSDTNB" DIGITS BLANKS)] == '\0') {
    status = warpbound_module_of_string(NULL, name, &input->module, error);
  } else {
    /* A string was meant, or a file. */
    static const char before[] = "string, ";
    status = warpbound_module_of_string(NULL, name, &input->module, &cause);
    const bool prefixed = strncmp(cause.message, before, sizeof before - 1) == 0;
    if (status == WARPBOUND_INVALID_INPUT)
      wb_fail(error, status, "'%.60s' is neither a file nor a kernel instruction string (%s)", name,
              cause.message + (prefixed ? sizeof before - 1 : 0));
    else if (status != WARPBOUND_OK)
      status = wb_out_of_memory(error);
  }
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
  /* The instance file is named in an error about an --assume-call that stands there. */
  static const char before[] = "--assume-call ";
  const size_t length = sizeof before - 1;
  if (status != WARPBOUND_USAGE || strncmp(error->message, before, length) != 0)
    return status;
  for (size_t i = 0; i < input->options.call_count; i++) {
    const char *name = input->calls[i].name;
    if (strncmp(error->message + length, name, strlen(name)) == 0 &&
        error->message[length + strlen(name)] == ',') {
      arguments_blame(arguments, OPTION_ASSUME_CALL, i, error);
      break;
    }
  }
  return error->status;
}

void kernel_input_free(struct kernel_input *input)
{
  warpbound_paths_free(input->paths);
  warpbound_kernel_free(input->kernel);
  wcet_options_free(&input->wcet);
  wb_arena_free(&input->arena);
  warpbound_module_free(input->module);
}

#include "cli/input/input.h"

#include "base/file.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/input/configuration.h"
#include "cli/input/instance_member.h"
#include "cli/input/module_input.h"
#include "cli/input/simt_options.h"
#include "cli/options/input_paths.h"
#include "formats/json/json_input.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLANKS " \t\r\n"
#define DIGITS "0123456789"
#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define SMALL_LETTERS "abcdefghijklmnopqrstuvwxyz"

/* Options that would say nothing of this kind of listing. */
static warpbound_status refuse_options(const struct arguments *arguments,
                                       const enum option *options, size_t count, const char *of,
                                       const char *found, warpbound_error *error)
{
  for (size_t i = 0; i < count; i++) {
    const enum option option = options[i];
    if (arguments->value[option] != NULL || arguments->repeated[option].count > 0)
      return wb_fail(error, WARPBOUND_USAGE, "--%s: expected with %s only, found with %s",
                     option_row(option)->name, of, found);
  }
  return WARPBOUND_OK;
}

static warpbound_status refuse_path_options(const struct arguments *arguments,
                                            warpbound_error *error)
{
  static const enum option options[] = {
      OPTION_LOOP_ITERATIONS, OPTION_THROUGH,     OPTION_TAKE,      OPTION_PATH,
      OPTION_ASSUME_UNIT,     OPTION_ASSUME_CALL, OPTION_ITERATIONS};
  const char *method = arguments->value[OPTION_METHOD];
  bool anneals = method != NULL && strcmp(method, "anneal") == 0;
  size_t count = sizeof options / sizeof *options;
  return refuse_options(arguments, options, anneals ? count - 1 : count, "PTX", "machine code",
                        error);
}

static warpbound_status refuse_worst_path_options(const struct arguments *arguments,
                                                  warpbound_error *error)
{
  static const enum option options[] = {
      OPTION_FLOW_FACTS,    OPTION_SOURCES,  OPTION_DEFAULT_LOOP_BOUND,
      OPTION_COST,          OPTION_BLOCK,    OPTION_GRID,
      OPTION_PARAM,         OPTION_CONSTANT, OPTION_TARGETS,
      OPTION_RECONVERGENCE, OPTION_MASKS};
  return refuse_options(arguments, options, sizeof options / sizeof *options, "machine code", "PTX",
                        error);
}

/* The one kernel that is asked for, and the options of its form. */
static warpbound_status choose_kernel(struct arguments *arguments, struct kernel_input *input,
                                      warpbound_error *error)
{
  const warpbound_input_form form = warpbound_module_form(input->module);
  warpbound_status status = WARPBOUND_OK;
  if (form == WARPBOUND_INPUT_SASS)
    status = refuse_path_options(arguments, error);
  else if (form == WARPBOUND_INPUT_PTX)
    status = refuse_worst_path_options(arguments, error);
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

/* Reads a file that is not an instance file. */
static warpbound_status read_module(const struct arguments *arguments, const char *path,
                                    struct kernel_input *input, warpbound_error *error)
{
  struct wb_source source;
  warpbound_status status = wb_source_read(path, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  status = module_input_parse(arguments, &source, false, &input->module, error);
  wb_source_free(&source);
  return status;
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
    status = input_path_resolve(arguments, OPTION_SM, error);
  if (status == WARPBOUND_OK && is_file)
    status = input_path_resolve(arguments, OPTION_COST, error);
  if (status == WARPBOUND_OK)
    status = input_path_resolve(arguments, OPTION_FLOW_FACTS, error);
  if (status == WARPBOUND_OK)
    status = input_path_resolve(arguments, OPTION_SOURCES, error);
  return status;
}

static bool describes_machine(const char *key)
{
  enum option option = option_of_key(key);
  return option == OPTION_SM || option == OPTION_UNITS || option == OPTION_ISSUE_SLOTS ||
         option == OPTION_PARTITIONS;
}

/* A member on the machine that stands aside because the command line describes another one. */
static void note_machine(const struct arguments *arguments, const char *key, const json_t *value)
{
  const bool sm = arguments->value[OPTION_SM] != NULL;
  const enum option typed = sm ? OPTION_SM : OPTION_UNITS;
  const bool same = option_of_key(key) == typed && json_is_string(value) &&
                    strcmp(json_string_value(value), arguments->value[typed]) == 0;
  if (!same)
    arguments_note_kept(arguments, typed, arguments->value[typed], key, arguments->instance);
}

static warpbound_status take_members(struct arguments *arguments, unsigned command, json_t *object,
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
      note_machine(arguments, key, value);
    if (strncmp(key, "x-", 2) == 0 || (!keep_machine && describes_machine(key)))
      continue;
    warpbound_status status = WARPBOUND_OK;
    if (!is_input)
      status = instance_member_take(arguments, command, key, value, error);
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
  warpbound_status status = take_members(arguments, command, object, error);
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
  char *path = input_path(arguments->instance, file);
  if (path == NULL)
    return wb_out_of_memory(error);
  status = read_module(arguments, path, input, error);
  free(path);
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
  path_input_free(&input->path);
  warpbound_module_free(input->module);
}

#include "cli/input/input.h"

#include "base/file.h"
#include "base/memory.h"
#include "cli/input/file_kind.h"
#include "cli/input/instance_member.h"
#include "cli/input/path_input.h"
#include "formats/json/json_input.h"
#include "formats/sm/sm_file.h"
#include "frontend/ptx/ptx_front_end.h"
#include "frontend/sass/sass_front_end.h"
#include "model/device_table.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLANKS " \t\r\n"
#define DIGITS "0123456789"
#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define SMALL_LETTERS "abcdefghijklmnopqrstuvwxyz"

static warpbound_status parse_unit_assumption(const char *text, struct wb_unit_assumption *row,
                                              warpbound_error *error)
{
  const char *equals = strchr(text, '=');
  char hint[WB_UNIT_HINT_SIZE];
  enum wb_unit unit = equals != NULL ? wb_unit_from_letter(equals[1]) : WB_UNIT_COUNT;
  if (equals == NULL || equals == text || unit == WB_UNIT_COUNT || equals[2] != '\0' ||
      text + strspn(text, CAPITALS SMALL_LETTERS DIGITS "_.:") != equals)
    return wb_fail(
        error, WARPBOUND_USAGE,
        "--assume-unit: expected OPCODE=U with U one of L, C, S, D, N, found '%.60s'%s", text,
        equals != NULL && equals[1] != '\0' && equals[2] == '\0' ? wb_unit_hint(equals[1], hint)
                                                                 : "");
  *row = (struct wb_unit_assumption){text, (size_t)(equals - text), unit};
  return WARPBOUND_OK;
}

/* PTX as NVRTC hands it out counts the zero at its end: that one is not text. */
static size_t text_length(const struct wb_source *source)
{
  size_t length = source->length;
  return length > 0 && source->bytes[length - 1] == '\0' ? length - 1 : length;
}

static warpbound_status parse_program(const struct arguments *arguments,
                                      const struct wb_source *source, struct kernel_input *input,
                                      warpbound_error *error)
{
  const struct wb_list *given = &arguments->repeated[OPTION_ASSUME_UNIT];
  struct wb_unit_assumption *rows = wb_allocate(given->count, sizeof *rows);
  if (rows == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; status == WARPBOUND_OK && i < given->count; i++) {
    status = parse_unit_assumption(given->items[i], &rows[i], error);
    if (status != WARPBOUND_OK) {
      arguments_blame(arguments, OPTION_ASSUME_UNIT, i, error);
      status = error->status;
    }
    wb_list_add(&input->assumptions, "--assume-unit %s", given->items[i]);
  }
  struct wb_ptx_options options = {rows, given->count};
  if (status == WARPBOUND_OK)
    status = wb_ptx_parse(source->name, source->bytes, text_length(source), &options,
                          &input->program, error);
  free(rows);
  return status;
}

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
  return refuse_options(arguments, options, anneals ? count - 1 : count, "PTX", "a SASS listing",
                        error);
}

static warpbound_status refuse_worst_path_options(const struct arguments *arguments,
                                                  warpbound_error *error)
{
  static const enum option options[] = {
      OPTION_FLOW_FACTS, OPTION_SOURCES, OPTION_DEFAULT_LOOP_BOUND, OPTION_COST,   OPTION_BLOCK,
      OPTION_GRID,       OPTION_PARAM,   OPTION_CONSTANT,           OPTION_TARGETS};
  return refuse_options(arguments, options, sizeof options / sizeof *options, "a SASS listing",
                        "PTX", error);
}

/* A kernel of machine code, with what its analysis takes. */
static warpbound_status read_machine(const struct arguments *arguments,
                                     const struct wb_source *source, struct kernel_input *input,
                                     warpbound_error *error)
{
  warpbound_status status = refuse_path_options(arguments, error);
  if (status != WARPBOUND_OK)
    return status;
  input->from_machine = true;
  status = machine_input_parse(arguments, source, &input->machine, error);
  if (status == WARPBOUND_OK)
    status = machine_input_choose(arguments, &input->machine, error);
  if (status == WARPBOUND_OK)
    status = wcet_options_read(arguments, &input->wcet, error);
  if (status == WARPBOUND_OK)
    status = wcet_options_complete(arguments, &input->machine.code, &input->wcet, error);
  return status;
}

static warpbound_status read_listing(struct arguments *arguments, const struct wb_source *source,
                                     struct kernel_input *input, warpbound_error *error)
{
  if (wb_sass_detect(source->bytes, source->length))
    return read_machine(arguments, source, input, error);
  warpbound_status status = refuse_worst_path_options(arguments, error);
  if (status == WARPBOUND_OK)
    status = parse_program(arguments, source, input, error);
  if (status != WARPBOUND_OK)
    return status;
  input->from_program = true;
  input->kernel = wb_code_find_kernel(&input->program, arguments->value[OPTION_KERNEL], error);
  if (input->kernel == SIZE_MAX) {
    arguments_blame(arguments, OPTION_KERNEL, 0, error);
    return error->status;
  }
  status = path_input_walk(arguments, &input->program, &input->program.functions[input->kernel],
                           &input->path, error);
  if (status != WARPBOUND_OK)
    return status;
  input->estimate = input->path.estimate;
  wb_list_add_all(&input->assumptions, &input->path.assumptions);
  return wb_kernel_string_copy(&input->path.string, &input->string, error);
}

/* A path in an instance file is relative to that file. */
static char *resolve(const char *instance, const char *path)
{
  const char *slash = strrchr(instance, '/');
  struct wb_text text = {0};
  if (path[0] != '/' && slash != NULL)
    wb_text_append(&text, instance, (size_t)(slash - instance) + 1);
  wb_text_string(&text, path);
  return wb_text_take(&text);
}

static warpbound_status read_listing_file(struct arguments *arguments, const char *path,
                                          struct kernel_input *input, warpbound_error *error)
{
  struct wb_source source;
  warpbound_status status = wb_source_read(path, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  status = read_listing(arguments, &source, input, error);
  if (status == WARPBOUND_INVALID_INPUT)
    file_kind_explain(&source, FILE_KERNEL, error);
  wb_source_free(&source);
  return status;
}

/* An --sm of the instance file that names a file beside it. */
static warpbound_status resolve_sm(struct arguments *arguments, warpbound_error *error)
{
  const char *sm = arguments->value[OPTION_SM];
  if (sm == NULL || arguments->key[OPTION_SM] == NULL || wb_device_find(sm) != NULL)
    return WARPBOUND_OK;
  char *path = resolve(arguments->instance, sm);
  const char *kept = path != NULL ? arguments_keep(arguments, path) : NULL;
  free(path);
  if (kept == NULL)
    return wb_out_of_memory(error);
  arguments->value[OPTION_SM] = kept;
  return WARPBOUND_OK;
}

static bool describes_machine(const char *key)
{
  enum option option = option_of_key(key);
  return option == OPTION_SM || option == OPTION_UNITS || option == OPTION_ISSUE_SLOTS ||
         option == OPTION_PARTITIONS;
}

static warpbound_status take_members(struct arguments *arguments, unsigned command, json_t *object,
                                     warpbound_error *error)
{
  /* What the command line says of the machine replaces all that the file says. */
  bool keep_machine = arguments->value[OPTION_SM] == NULL && arguments->value[OPTION_UNITS] == NULL;
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value)
  {
    bool is_input = strcmp(key, "string") == 0 || strcmp(key, "file") == 0;
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
  return resolve_sm(arguments, error);
}

/* A kernel string that a file holds, or has in its member "string". */
static warpbound_status parse_string(const char *text, const char *file, struct kernel_input *input,
                                     warpbound_error *error)
{
  warpbound_error cause;
  warpbound_status status = wb_kernel_string_parse(text, NULL, &input->string, &cause);
  if (status == WARPBOUND_INVALID_INPUT)
    return wb_fail_at(error, status, file, 0, 0, "%s", cause.message);
  return status == WARPBOUND_OK ? status : wb_out_of_memory(error);
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
    return parse_string(string, arguments->instance, input, error);
  char *path = resolve(arguments->instance, file);
  if (path == NULL)
    return wb_out_of_memory(error);
  status = read_listing_file(arguments, path, input, error);
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

/* The text behind a byte order mark. */
static const char *text_of(const struct wb_source *source)
{
  return source->bytes + (strncmp(source->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
}

/* Capitals, digits and blanks are a string, right or wrong: PTX has a dot in its first
 * line. Blanks alone are none. */
static bool holds_string(const struct wb_source *source, const char *text)
{
  bool empty = text[strspn(text, BLANKS)] == '\0';
  return !empty && text + strspn(text, CAPITALS DIGITS BLANKS) == source->bytes + source->length;
}

static warpbound_status read_file(struct arguments *arguments, unsigned command, const char *path,
                                  struct kernel_input *input, warpbound_error *error)
{
  struct wb_source source;
  warpbound_status status = wb_source_read(path, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  const char *text = text_of(&source);
  if (text[strspn(text, BLANKS)] == '{')
    status = read_instance(arguments, command, &source, input, error);
  else if (holds_string(&source, text))
    status = parse_string(text, source.name, input, error);
  else
    status = read_listing(arguments, &source, input, error);
  if (status == WARPBOUND_INVALID_INPUT)
    file_kind_explain(&source, FILE_KERNEL, error);
  wb_source_free(&source);
  return status;
}

/* A word that is no file's name: a string was meant, or a file. */
static warpbound_status read_word(const char *word, struct wb_kernel_string *string,
                                  warpbound_error *error)
{
  warpbound_error cause;
  if (word[strspn(word, "LCSDNB" DIGITS BLANKS)] == '\0')
    return wb_kernel_string_parse(word, NULL, string, error);
  warpbound_status status = wb_kernel_string_parse(word, "", string, &cause);
  if (status != WARPBOUND_INVALID_INPUT)
    return status == WARPBOUND_OK ? status : wb_out_of_memory(error);
  return wb_fail(error, status, "'%.60s' is neither a file nor a kernel instruction string (%s)",
                 word, cause.message);
}

/* Letters and digits, as a string has; names of files mostly have a dot or a slash. */
static bool looks_like_string(const char *word)
{
  return word[strspn(word, CAPITALS SMALL_LETTERS DIGITS BLANKS)] == '\0';
}

warpbound_status kernel_input_read(struct arguments *arguments, unsigned command,
                                   struct kernel_input *input, warpbound_error *error)
{
  *input = (struct kernel_input){0};
  const char *name = arguments->input;
  if (name == NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   command == COMMAND_STRING
                       ? "expected a PTX file or an instance file"
                       : "expected a kernel instruction string, a PTX file or an instance file");
  bool is_file = strcmp(name, "-") == 0 || access(name, F_OK) == 0;
  warpbound_status status;
  if (!is_file && looks_like_string(name))
    status = read_word(name, &input->string, error);
  else
    status = read_file(arguments, command, name, input, error);
  if (status == WARPBOUND_OK && input->assumptions.failed)
    status = wb_out_of_memory(error);
  return status;
}

warpbound_status kernel_input_analyse(const struct arguments *arguments, struct kernel_input *input,
                                      const struct wb_control *control, warpbound_error *error)
{
  const char *cost = arguments->value[OPTION_COST];
  struct wb_paths *paths = &input->paths;
  if (!input->from_machine)
    return WARPBOUND_OK;
  warpbound_status status = wb_paths_make(&input->machine.code, input->machine.function,
                                          &input->wcet.wcet, control, paths, error);
  if (status != WARPBOUND_OK)
    return status;
  input->estimate = paths->estimate;
  wb_list_add_all(&paths->assumptions, &input->assumptions);
  wb_list_add_all(&input->assumptions, &paths->assumptions);
  wb_list_add_all(&input->assumptions, &paths->path.assumptions);
  if (!wb_paths_are_one(paths))
    wb_list_add(&input->assumptions,
                "it is the worst path of one warp alone by IPET (--cost %s): others may be worse "
                "for many warps",
                cost != NULL ? cost : "unit");
  if (input->assumptions.failed || paths->assumptions.failed)
    return wb_out_of_memory(error);
  return wb_kernel_string_copy(&paths->path.string, &input->string, error);
}

const struct wb_code *kernel_input_program(const struct kernel_input *input)
{
  if (input->from_machine)
    return &input->paths.program;
  return input->from_program ? &input->program : NULL;
}

const struct wb_kernel_path *kernel_input_path(const struct kernel_input *input)
{
  if (input->from_machine)
    return &input->paths.path;
  return input->from_program ? &input->path : NULL;
}

void kernel_input_free(struct kernel_input *input)
{
  wb_paths_free(&input->paths);
  if (input->from_machine) {
    wcet_options_free(&input->wcet);
    machine_input_free(&input->machine);
  }
  wb_kernel_string_free(&input->string);
  wb_kernel_path_free(&input->path);
  wb_code_free(&input->program);
  wb_list_free(&input->assumptions);
}

bool has_configuration(const struct arguments *arguments)
{
  return arguments->value[OPTION_SM] != NULL || arguments->value[OPTION_UNITS] != NULL;
}

static warpbound_status read_sm(const char *name, struct wb_sm_configuration *sm,
                                warpbound_error *error)
{
  const struct wb_device *device = wb_device_find(name);
  if (device != NULL) {
    wb_device_configuration(device, sm);
    return WARPBOUND_OK;
  }
  char hint[WB_HINT_SIZE];
  if (access(name, F_OK) != 0)
    return wb_fail(
        error, WARPBOUND_USAGE,
        "--sm: '%.80s' is neither a device ('warpbound devices' lists them) nor a file%s", name,
        wb_device_hint(name, hint));
  struct wb_source source;
  warpbound_status status = wb_source_read(name, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_sm_file_parse(source.name, source.bytes, source.length, sm, error);
  if (status == WARPBOUND_INVALID_INPUT)
    file_kind_explain(&source, FILE_JSON, error);
  wb_source_free(&source);
  return status;
}

/* Neither or both of --sm and --units, in the words of where they were given. */
static warpbound_status no_single_source(const struct arguments *arguments, warpbound_error *error)
{
  if (arguments->value[OPTION_SM] == NULL)
    return wb_fail(error, WARPBOUND_USAGE, "expected --units (as L=1,C=4) or --sm NAME|FILE");
  if (arguments->key[OPTION_SM] != NULL)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, arguments->instance, 0, 0,
                      "expected one of 'units' and 'sm', found both");
  return wb_fail(error, WARPBOUND_USAGE, "expected one of --units and --sm, found both");
}

warpbound_status configuration_read(const struct arguments *arguments,
                                    struct wb_sm_configuration *sm, warpbound_error *error)
{
  const char *name = arguments->value[OPTION_SM];
  const char *units = arguments->value[OPTION_UNITS];
  if ((name == NULL) == (units == NULL))
    return no_single_source(arguments, error);
  warpbound_status status = WARPBOUND_OK;
  wb_sm_configuration_start(sm, "the units given");
  if (name != NULL)
    status = read_sm(name, sm, error);
  sm->origin = name != NULL ? "--sm" : "--units";
  uint64_t slots, partitions;
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_ISSUE_SLOTS, 0, WB_CAPACITY_LIMIT, sm->issue_slots,
                              &slots, error);
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_PARTITIONS, 1, WB_PARTITION_LIMIT, sm->partitions,
                              &partitions, error);
  if (status == WARPBOUND_OK) {
    sm->issue_slots = (uint32_t)slots;
    sm->partitions = (uint32_t)partitions;
    if (name == NULL)
      status = wb_sm_configuration_parse_units(sm, units, error);
  }
  return status;
}

/* The Tegra rows: binary compatibility between them and the desktop is not supported. */
static bool is_tegra(unsigned major, unsigned minor)
{
  static const unsigned capabilities[] = {32, 53, 62, 72, 87, 101, 110};
  for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++) {
    if (capabilities[i] == 10 * major + minor)
      return true;
  }
  return false;
}

/* CUDA C++ Programming Guide, "Binary Compatibility": code for compute capability X.y runs on X.z
 * with z >= y only, and not between the desktop and Tegra. */
static bool runs_on(uint32_t code, const struct wb_device *device)
{
  const uint32_t here = 10u * device->major + device->minor;
  if (code == here)
    return true;
  return code / 10 == device->major && code % 10 <= device->minor &&
         !is_tegra(code / 10, code % 10) && !is_tegra(device->major, device->minor);
}

warpbound_status kernel_input_check_device(const struct arguments *arguments,
                                           struct kernel_input *input, warpbound_error *error)
{
  const char *name = arguments->value[OPTION_SM];
  const struct wb_device *device = name != NULL ? wb_device_find(name) : NULL;
  const uint32_t code = input->from_machine ? input->machine.function->sm : 0;
  if (device == NULL || code == 0 || runs_on(code, device))
    return WARPBOUND_OK;
  if (arguments->value[OPTION_ALLOW_OTHER_SM] == NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--sm: code of sm_%u does not run on %s; expected an SM that it runs on, or "
                   "--allow-other-sm",
                   code, device->name);
  wb_list_add(&input->assumptions,
              "code of sm_%u stands for what %s would run in its place (--allow-other-sm)", code,
              device->name);
  return input->assumptions.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

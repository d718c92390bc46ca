#include "cli/input.h"

#include "base/file.h"
#include "base/memory.h"
#include "frontend/json_input.h"
#include "frontend/ptx.h"
#include "frontend/sm_file.h"
#include "model/device_table.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static warpbound_status parse_unit_assumption(const char *text, struct wb_unit_assumption *row,
                                              warpbound_error *error)
{
  const char *equals = strchr(text, '=');
  enum wb_unit unit = equals != NULL ? wb_unit_from_letter(equals[1]) : WB_UNIT_COUNT;
  if (equals == NULL || equals == text || unit == WB_UNIT_COUNT || equals[2] != '\0')
    return wb_fail(error, WARPBOUND_USAGE,
                   "--assume-unit: expected OPCODE=U with U one of L, C, S, D, N, found '%.60s'",
                   text);
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
    wb_list_add(&input->assumptions, "--assume-unit %s", given->items[i]);
  }
  struct wb_ptx_options options = {rows, given->count};
  if (status == WARPBOUND_OK)
    status = wb_ptx_parse(source->name, source->bytes, text_length(source), &options,
                          &input->program, error);
  free(rows);
  return status;
}

/* Splits NAME=STRING in place. */
static warpbound_status parse_call_assumption(char *text, struct wb_call_assumption *row,
                                              warpbound_error *error)
{
  char *equals = strchr(text, '=');
  if (equals == NULL || equals == text)
    return wb_fail(error, WARPBOUND_USAGE, "--assume-call: expected NAME=STRING, found '%.60s'",
                   text);
  *equals = '\0';
  row->name = text;
  return wb_kernel_string_parse(equals + 1, "--assume-call", &row->string, error);
}

static warpbound_status walk_kernel(struct arguments *arguments, struct kernel_input *input,
                                    warpbound_error *error)
{
  uint64_t iterations;
  warpbound_status status =
      arguments_number(arguments, OPTION_ITERATIONS, 1, WB_STRING_LIMIT, 0, &iterations, error);
  struct wb_list *given = &arguments->repeated[OPTION_ASSUME_CALL];
  struct wb_call_assumption *calls = wb_allocate(given->count, sizeof *calls);
  if (calls == NULL)
    return wb_out_of_memory(error);
  for (size_t i = 0; status == WARPBOUND_OK && i < given->count; i++)
    status = parse_call_assumption(given->items[i], &calls[i], error);
  struct wb_path_options options = {.iterations = (uint32_t)iterations,
                                    .through = arguments->value[OPTION_THROUGH],
                                    .calls = calls,
                                    .call_count = given->count};
  if (status == WARPBOUND_OK)
    status = wb_kernel_path_walk(&input->program, &input->program.functions[input->kernel],
                                 &options, &input->path, error);
  for (size_t i = 0; i < given->count; i++)
    wb_kernel_string_free(&calls[i].string);
  free(calls);
  return status;
}

static warpbound_status read_listing(struct arguments *arguments, const struct wb_source *source,
                                     struct kernel_input *input, warpbound_error *error)
{
  warpbound_status status = parse_program(arguments, source, input, error);
  if (status != WARPBOUND_OK)
    return status;
  input->from_program = true;
  input->kernel = wb_program_find_kernel(&input->program, arguments->value[OPTION_KERNEL], error);
  if (input->kernel == SIZE_MAX)
    return error->status;
  status = walk_kernel(arguments, input, error);
  if (status != WARPBOUND_OK)
    return status;
  wb_list_add_all(&input->assumptions, &input->path.assumptions);
  return wb_kernel_string_copy(&input->path.string, &input->string, error);
}

/* A member's value as the text that the option's parser reads. */
static char *member_text(const json_t *value)
{
  struct wb_text text = {0};
  const char *key;
  json_t *member;
  if (json_is_string(value))
    wb_text_string(&text, json_string_value(value));
  else if (json_is_integer(value))
    wb_text_format(&text, "%lld", (long long)json_integer_value(value));
  else if (json_is_real(value))
    wb_text_format(&text, "%.17g", json_real_value(value));
  else if (json_is_object(value)) {
    json_object_foreach((json_t *)value, key, member)
    {
      char *inner = json_is_object(member) ? NULL : member_text(member);
      wb_text_format(&text, "%s%s=%s", text.length > 0 ? "," : "", key, inner != NULL ? inner : "");
      free(inner);
    }
  }
  return wb_text_take(&text);
}

static warpbound_status take_option(struct arguments *arguments, unsigned command, const char *name,
                                    const char *key, const json_t *value, warpbound_error *error)
{
  if (json_is_false(value))
    return WARPBOUND_OK;
  if (json_is_null(value))
    return wb_json_wrong(name, key, "a value", value, error);
  char *text = member_text(value);
  if (text == NULL)
    return wb_out_of_memory(error);
  bool known = arguments_set_default(arguments, command, key, text);
  free(text);
  if (!known && !option_exists(key))
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "unknown key '%.60s'; expected string, kernel, file or a long option's name",
                      key);
  return arguments->owned.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

static warpbound_status take_member(struct arguments *arguments, unsigned command, const char *name,
                                    const char *key, const json_t *value, warpbound_error *error)
{
  if (strcmp(key, "string") == 0 || strcmp(key, "file") == 0)
    return json_is_string(value) ? WARPBOUND_OK
                                 : wb_json_wrong(name, key, "a string", value, error);
  if (!json_is_array(value))
    return take_option(arguments, command, name, key, value, error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; status == WARPBOUND_OK && i < json_array_size(value); i++)
    status = take_option(arguments, command, name, key, json_array_get(value, i), error);
  return status;
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
  wb_source_free(&source);
  return status;
}

/* An --sm of the instance file that names a file beside it. */
static warpbound_status resolve_sm(struct arguments *arguments, const char *instance,
                                   bool from_file, warpbound_error *error)
{
  const char *sm = arguments->value[OPTION_SM];
  if (!from_file || sm == NULL || wb_device_find(sm) != NULL)
    return WARPBOUND_OK;
  char *path = resolve(instance, sm);
  if (path == NULL)
    return wb_out_of_memory(error);
  wb_list_add(&arguments->owned, "%s", path);
  for (size_t i = 0; i < arguments->owned.count; i++) {
    if (strcmp(arguments->owned.items[i], path) == 0)
      arguments->value[OPTION_SM] = arguments->owned.items[i];
  }
  free(path);
  return arguments->owned.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

static bool describes_machine(const char *key)
{
  return strcmp(key, "sm") == 0 || strcmp(key, "units") == 0 || strcmp(key, "issue_slots") == 0 ||
         strcmp(key, "partitions") == 0;
}

static warpbound_status read_instance_object(struct arguments *arguments, unsigned command,
                                             const struct wb_source *source, json_t *object,
                                             struct kernel_input *input, warpbound_error *error)
{
  bool sm_from_file = arguments->value[OPTION_SM] == NULL;
  /* What the command line says of the machine replaces all that the file says. */
  bool keep_machine = arguments->value[OPTION_SM] == NULL && arguments->value[OPTION_UNITS] == NULL;
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value)
  {
    if (strncmp(key, "x-", 2) == 0 || (!keep_machine && describes_machine(key)))
      continue;
    warpbound_status status = take_member(arguments, command, source->name, key, value, error);
    if (status != WARPBOUND_OK)
      return status;
  }
  warpbound_status status = resolve_sm(arguments, source->name, sm_from_file, error);
  if (status != WARPBOUND_OK)
    return status;
  const char *string = json_string_value(json_object_get(object, "string"));
  const char *file = json_string_value(json_object_get(object, "file"));
  if ((string == NULL) == (file == NULL))
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, source->name, 0, 0,
                      "expected either 'string', or 'file' (and 'kernel')");
  if (string != NULL)
    return wb_kernel_string_parse(string, source->name, &input->string, error);
  char *path = resolve(source->name, file);
  if (path == NULL)
    return wb_out_of_memory(error);
  status = read_listing_file(arguments, path, input, error);
  free(path);
  return status;
}

static bool looks_like_json(const struct wb_source *source)
{
  size_t at = strspn(source->bytes, " \t\r\n");
  return source->bytes[at] == '{';
}

static warpbound_status read_file(struct arguments *arguments, unsigned command, const char *path,
                                  struct kernel_input *input, warpbound_error *error)
{
  struct wb_source source;
  warpbound_status status = wb_source_read(path, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  if (looks_like_json(&source)) {
    json_t *object;
    status = wb_json_parse(source.name, source.bytes, source.length, &object, error);
    if (status == WARPBOUND_OK)
      status = read_instance_object(arguments, command, &source, object, input, error);
    json_decref(object);
  } else {
    status = read_listing(arguments, &source, input, error);
  }
  wb_source_free(&source);
  return status;
}

/* Capitals and digits: if no file is called so, a string was meant, right or wrong. */
static bool looks_like_string(const char *text)
{
  return text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ")] == '\0';
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
    status = wb_kernel_string_parse(name, NULL, &input->string, error);
  else
    status = read_file(arguments, command, name, input, error);
  if (status == WARPBOUND_OK && input->assumptions.failed)
    status = wb_out_of_memory(error);
  return status;
}

void kernel_input_free(struct kernel_input *input)
{
  wb_kernel_string_free(&input->string);
  wb_kernel_path_free(&input->path);
  wb_program_free(&input->program);
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
  if (access(name, F_OK) != 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--sm: '%.80s' is neither a device ('warpbound devices' lists them) nor a file",
                   name);
  struct wb_source source;
  warpbound_status status = wb_source_read(name, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_sm_file_parse(source.name, source.bytes, source.length, sm, error);
  wb_source_free(&source);
  return status;
}

warpbound_status configuration_read(const struct arguments *arguments,
                                    struct wb_sm_configuration *sm, warpbound_error *error)
{
  const char *name = arguments->value[OPTION_SM];
  const char *units = arguments->value[OPTION_UNITS];
  if ((name == NULL) == (units == NULL))
    return wb_fail(error, WARPBOUND_USAGE,
                   name == NULL ? "expected --units (as L=1,C=4) or --sm NAME|FILE"
                                : "expected one of --units and --sm, found both");
  warpbound_status status = WARPBOUND_OK;
  wb_sm_configuration_start(sm, "the units given");
  if (name != NULL)
    status = read_sm(name, sm, error);
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

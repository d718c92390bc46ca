#include "cli/input/launch_options.h"

#include "base/memory.h"
#include "base/status.h"
#include "cli/options/word_options.h"

#include <stdlib.h>
#include <string.h>

warpbound_status launch_size_read(const struct arguments *arguments, enum option option,
                                  uint32_t size[3], warpbound_error *error)
{
  const char *at = arguments->value[option];
  if (at == NULL)
    return WARPBOUND_OK;
  size[1] = size[2] = 1;
  for (int axis = 0; axis < 3; axis++) {
    uint64_t number = 0;
    at = number_read(at, INT32_MAX, &number);
    size[axis] = (uint32_t)number;
    if (at == NULL || size[axis] == 0 || *at == '\0')
      break;
    at = *at == ',' && axis < 2 ? at + 1 : NULL;
    if (at == NULL)
      break;
  }
  if (at != NULL && *at == '\0' && size[0] > 0 && size[1] > 0 && size[2] > 0)
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_USAGE,
                 "--%s: expected X, X,Y or X,Y,Z above 0 and below 2^31, found '%.60s'",
                 option_row(option)->name, arguments->value[option]);
}

/* A value of 32 bits, or of 64: where it needs them, or has an L after it. */
struct value {
  uint64_t bits;
  bool wide;
};

/* The value up to the end of the text. */
static bool read_value(const char *at, struct value *value)
{
  const bool negative = *at == '-';
  at = number_read(at + negative, negative ? (uint64_t)1 << 63 : UINT64_MAX, &value->bits);
  if (at == NULL)
    return false;
  value->wide = value->bits > (negative ? (uint64_t)1 << 31 : UINT32_MAX);
  if (negative)
    value->bits = 0 - value->bits;
  if (*at == 'L') {
    value->wide = true;
    at++;
  }
  return *at == '\0';
}

/* ---- constants ---- */

/* BANK:OFFSET=VALUE. */
static warpbound_status read_constant(const char *text, warpbound_constant *constant,
                                      warpbound_error *error)
{
  uint64_t bank = 0;
  uint64_t offset = 0;
  struct value value;
  const char *at = number_read(text, 17, &bank);
  at = at != NULL && *at == ':' ? number_read(at + 1, UINT16_MAX, &offset) : NULL;
  if (at == NULL || *at != '=' || !read_value(at + 1, &value) || offset % 4 != 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--constant: expected BANK:OFFSET=VALUE, the bank of at most 17, the offset a "
                   "multiple of 4 below 65536 and the value of at most 64 bits, found '%.60s'",
                   text);
  *constant = (warpbound_constant){(uint32_t)bank, (uint32_t)offset, value.bits, value.wide};
  return WARPBOUND_OK;
}

/* ---- parameters ---- */

/* OFFSET=VALUE or NAME=VALUE. */
static warpbound_status read_parameter(const char *text, warpbound_parameter *parameter,
                                       warpbound_error *error)
{
  const char *equals = strchr(text, '=');
  const bool named = text[0] != '\0' && strchr("0123456789=-", text[0]) == NULL;
  uint64_t offset = 0;
  struct value value;
  if (!named &&
      (equals == NULL || number_read(text, UINT16_MAX, &offset) != equals || offset % 4 != 0))
    equals = NULL;
  if (equals == NULL || !read_value(equals + 1, &value))
    return wb_fail(error, WARPBOUND_USAGE,
                   "--param: expected OFFSET=VALUE, the offset a multiple of 4 below 65536 and the "
                   "value of at most 64 bits, or NAME=VALUE, found '%.60s'",
                   text);
  *parameter =
      (warpbound_parameter){.offset = (uint32_t)offset, .value = value.bits, .wide = value.wide};
  if (named)
    parameter->name = wb_copy_text(text, (size_t)(equals - text));
  return !named || parameter->name != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

/* ---- both ---- */

/* How messages call the values of --param and --constant: those of a file with its name, and then
 * those of the command line as such. False where memory is out. */
static bool name_values(const struct arguments *arguments, enum option option, struct wb_list *said)
{
  const struct wb_list *given = &arguments->repeated[option];
  const bool in_file = arguments->key[option] != NULL;
  const char *name = option_row(option)->name;
  for (size_t i = 0; i < given->count; i++) {
    if (in_file && i >= arguments->from_file[option])
      wb_list_add(said, "'%s' of %s, %s", given->items[i], arguments->instance,
                  arguments->key[option]);
    else
      wb_list_add(said, "--%s %s%s", name, given->items[i], in_file ? " of the command line" : "");
  }
  return !said->failed;
}

static bool is_of_file(const struct arguments *arguments, enum option option, size_t index)
{
  return arguments->key[option] != NULL && index >= arguments->from_file[option];
}

static warpbound_status read_values(const struct arguments *arguments,
                                    struct launch_options *launch, warpbound_error *error)
{
  const struct wb_list *constants = &arguments->repeated[OPTION_CONSTANT];
  const struct wb_list *parameters = &arguments->repeated[OPTION_PARAM];
  warpbound_status status = WARPBOUND_OK;
  if (!name_values(arguments, OPTION_CONSTANT, &launch->constant_names) ||
      !name_values(arguments, OPTION_PARAM, &launch->parameter_names))
    return wb_out_of_memory(error);
  for (size_t c = 0; c < constants->count && status == WARPBOUND_OK; c++) {
    status = read_constant(constants->items[c], &launch->constants[c], error);
    launch->constants[c].said = launch->constant_names.items[c];
    launch->constants[c].yields = is_of_file(arguments, OPTION_CONSTANT, c);
  }
  for (size_t p = 0; p < parameters->count && status == WARPBOUND_OK; p++) {
    status = read_parameter(parameters->items[p], &launch->parameters[p], error);
    launch->parameters[p].said = launch->parameter_names.items[p];
    launch->parameters[p].yields = is_of_file(arguments, OPTION_PARAM, p);
  }
  return status;
}

warpbound_status launch_options_read(const struct arguments *arguments,
                                     struct launch_options *launch,
                                     warpbound_annotation_options *options, warpbound_error *error)
{
  const struct wb_list *constants = &arguments->repeated[OPTION_CONSTANT];
  const struct wb_list *parameters = &arguments->repeated[OPTION_PARAM];
  *launch = (struct launch_options){
      .parameters = wb_allocate(parameters->count, sizeof *launch->parameters),
      .parameter_count = parameters->count,
      .constants = wb_allocate(constants->count, sizeof *launch->constants)};
  if (launch->parameters == NULL || launch->constants == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = launch_size_read(arguments, OPTION_BLOCK, options->block, error);
  if (status == WARPBOUND_OK)
    status = launch_size_read(arguments, OPTION_GRID, options->grid, error);
  if (status == WARPBOUND_OK)
    status = read_values(arguments, launch, error);
  options->kernel = arguments->value[OPTION_KERNEL];
  options->constants = launch->constants;
  options->constant_count = constants->count;
  options->parameters = launch->parameters;
  options->parameter_count = parameters->count;
  return status;
}

void launch_options_free(struct launch_options *launch)
{
  for (size_t p = 0; launch->parameters != NULL && p < launch->parameter_count; p++)
    free((char *)launch->parameters[p].name);
  free(launch->parameters);
  free(launch->constants);
  wb_list_free(&launch->parameter_names);
  wb_list_free(&launch->constant_names);
}

#include "cli/options/launch_options.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A number in decimal, or hexadecimal behind 0x, up to `most`; NULL where there is none. */
static const char *read_number(const char *at, uint64_t most, uint64_t *number)
{
  const bool hexadecimal = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
  const char *digits = hexadecimal ? at + 2 : at;
  const size_t length = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");
  if (length == 0 || length > 20)
    return NULL;
  errno = 0;
  *number = strtoull(digits, NULL, hexadecimal ? 16 : 10);
  return errno == 0 && *number <= most ? digits + length : NULL;
}

/* X, X,Y or X,Y,Z; sizes that are left out are 1, as in a launch. */
static warpbound_status read_size(const struct arguments *arguments, enum option option,
                                  uint32_t size[3], warpbound_error *error)
{
  const char *at = arguments->value[option];
  if (at == NULL)
    return WARPBOUND_OK;
  size[1] = size[2] = 1;
  for (int axis = 0; axis < 3; axis++) {
    uint64_t number = 0;
    at = read_number(at, INT32_MAX, &number);
    size[axis] = (uint32_t)number;
    if (at == NULL || size[axis] == 0 || *at == '\0')
      break;
    at = *at == ',' && axis < 2 ? at + 1 : NULL;
    if (at == NULL)
      break;
  }
  if (at != NULL && *at == '\0' && size[0] > 0 && size[1] > 0 && size[2] > 0)
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_USAGE, "--%s: expected X, X,Y or X,Y,Z above 0, found '%.60s'",
                 option_row(option)->name, arguments->value[option]);
}

/* A value of 32 bits, or of 64: where it needs them, or has an L behind it. */
struct value {
  uint64_t bits;
  bool wide;
};

/* The value up to the end of the text. */
static bool read_value(const char *at, struct value *value)
{
  const bool negative = *at == '-';
  at = read_number(at + negative, negative ? (uint64_t)1 << 63 : UINT64_MAX, &value->bits);
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

static bool add_constant(struct launch_options *options, uint32_t place, uint32_t value)
{
  struct wb_launch *launch = &options->launch;
  if (!wb_grow(options->constants, &options->constant_capacity, launch->constant_count + 1))
    return false;
  options->constants[launch->constant_count++] = (struct wb_constant_value){place, value};
  launch->constants = options->constants;
  return true;
}

/* BANK:OFFSET=VALUE. */
static warpbound_status read_constant(const char *text, struct launch_options *options,
                                      warpbound_error *error)
{
  uint64_t bank = 0;
  uint64_t offset = 0;
  struct value value;
  const char *at = read_number(text, 17, &bank);
  at = at != NULL && *at == ':' ? read_number(at + 1, UINT16_MAX, &offset) : NULL;
  if (at == NULL || *at != '=' || !read_value(at + 1, &value) || offset % 4 != 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--constant: expected BANK:OFFSET=VALUE, the bank of at most 17, the offset a "
                   "multiple of 4 below 65536 and the value of at most 64 bits, found '%.60s'",
                   text);
  const uint32_t place = (uint32_t)bank << 16 | (uint32_t)offset;
  bool added = add_constant(options, place, (uint32_t)value.bits);
  if (value.wide && offset < UINT16_MAX - 4)
    added = added && add_constant(options, place + 4, (uint32_t)(value.bits >> 32));
  return added ? WARPBOUND_OK : wb_out_of_memory(error);
}

/* ---- parameters ---- */

/* --param: an offset, or a name (its length, 0 for none). */
struct parameter {
  const char *text;
  size_t name_length;
  uint32_t offset;
  struct value value;
};

static warpbound_status read_parameter(const char *text, struct parameter *parameter,
                                       warpbound_error *error)
{
  const char *equals = strchr(text, '=');
  const bool named = text[0] != '\0' && strchr("0123456789=-", text[0]) == NULL;
  uint64_t offset = 0;
  *parameter = (struct parameter){.text = text};
  if (named && equals != NULL)
    parameter->name_length = (size_t)(equals - text);
  else if (equals == NULL || read_number(text, UINT16_MAX, &offset) != equals || offset % 4 != 0)
    equals = NULL;
  parameter->offset = (uint32_t)offset;
  if (equals != NULL && read_value(equals + 1, &parameter->value))
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_USAGE,
                 "--param: expected OFFSET=VALUE, the offset a multiple of 4 below 65536 and the "
                 "value of at most 64 bits, or NAME=VALUE, found '%.60s'",
                 text);
}

static bool add_row(struct launch_options *options, const char *kernel, uint32_t offset,
                    uint32_t value)
{
  struct wb_launch *launch = &options->launch;
  if (!wb_grow(options->parameters, &options->parameter_capacity, launch->parameter_count + 1))
    return false;
  options->parameters[launch->parameter_count++] =
      (struct wb_parameter_value){kernel, offset, value};
  launch->parameters = options->parameters;
  return true;
}

/* Both words where it has two. */
static bool add_words(struct launch_options *options, const char *kernel, uint32_t offset,
                      const struct value *value, bool wide)
{
  return add_row(options, kernel, offset, (uint32_t)value->bits) &&
         (!wide || add_row(options, kernel, offset + 4, (uint32_t)(value->bits >> 32)));
}

/* Whether the text is the name of that parameter as compilers call it in PTX: KERNEL_param_2,
 * or param_2 for short. */
static bool is_name_of(const struct parameter *parameter, const struct wb_function *function,
                       unsigned ordinal)
{
  struct wb_text name = {0};
  wb_text_format(&name, "%s_param_%u", function->name, ordinal);
  const size_t prefix = strlen(function->name) + 1;
  const bool same =
      !name.failed && ((parameter->name_length == name.length &&
                        memcmp(parameter->text, name.data, name.length) == 0) ||
                       (parameter->name_length == name.length - prefix &&
                        memcmp(parameter->text, name.data + prefix, name.length - prefix) == 0));
  wb_text_free(&name);
  return same;
}

static bool is_asked_for(const struct arguments *arguments, const struct wb_function *function)
{
  const char *kernel = arguments->value[OPTION_KERNEL];
  return kernel == NULL || strcmp(kernel, function->name) == 0;
}

/* The function's parameters that the option speaks of. */
static bool add_to_function(struct launch_options *options, const struct parameter *parameter,
                            const struct wb_function *function, bool *found)
{
  bool ok = true;
  for (size_t p = 0; p < function->parameter_count && ok; p++) {
    const struct wb_parameter *row = &function->parameters[p];
    const bool wide = parameter->value.wide || row->size == 8;
    if (parameter->name_length > 0 && is_name_of(parameter, function, row->ordinal)) {
      *found = true;
      ok = add_words(options, function->name, row->offset, &parameter->value, wide);
    } else if (parameter->name_length == 0 && row->offset == parameter->offset && wide &&
               !parameter->value.wide) {
      ok = add_row(options, function->name, row->offset + 4U,
                   (uint32_t)(parameter->value.bits >> 32));
    }
  }
  return ok;
}

static warpbound_status no_such_name(const struct arguments *arguments, const struct wb_code *code,
                                     const struct parameter *parameter, warpbound_error *error)
{
  struct wb_text known = {0};
  const struct wb_function *function = NULL;
  for (size_t f = 0; f < code->function_count && function == NULL; f++) {
    if (code->functions[f].parameter_count > 0 && is_asked_for(arguments, &code->functions[f]))
      function = &code->functions[f];
  }
  const int length = parameter->name_length < 60 ? (int)parameter->name_length : 60;
  if (function == NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--param: expected OFFSET=VALUE, for this listing has no numbers of parameters "
                   "(nvdisasm without -c prints them), found the name '%.*s'",
                   length, parameter->text);
  for (size_t p = 0; p < function->parameter_count && p < 16; p++)
    wb_text_format(&known, "%sparam_%u (at 0x%x)", p > 0 ? ", " : "",
                   function->parameters[p].ordinal, function->parameters[p].offset);
  warpbound_status status =
      known.failed ? wb_out_of_memory(error)
                   : wb_fail(error, WARPBOUND_USAGE,
                             "--param: no parameter is called '%.*s'; %.100s has %.240s", length,
                             parameter->text, function->name, known.data);
  wb_text_free(&known);
  return status;
}

static warpbound_status take_parameter(const struct arguments *arguments,
                                       const struct wb_code *code,
                                       const struct parameter *parameter,
                                       struct launch_options *options, warpbound_error *error)
{
  bool found = parameter->name_length == 0;
  for (size_t f = 0; f < code->function_count; f++) {
    if (is_asked_for(arguments, &code->functions[f]) &&
        !add_to_function(options, parameter, &code->functions[f], &found))
      return wb_out_of_memory(error);
  }
  return found ? WARPBOUND_OK : no_such_name(arguments, code, parameter, error);
}

warpbound_status launch_options_read(const struct arguments *arguments,
                                     struct launch_options *options, warpbound_error *error)
{
  const struct wb_list *constants = &arguments->repeated[OPTION_CONSTANT];
  const struct wb_list *parameters = &arguments->repeated[OPTION_PARAM];
  struct parameter parameter;
  *options = (struct launch_options){0};
  warpbound_status status = read_size(arguments, OPTION_BLOCK, options->launch.block, error);
  if (status == WARPBOUND_OK)
    status = read_size(arguments, OPTION_GRID, options->launch.grid, error);
  for (size_t c = 0; c < constants->count && status == WARPBOUND_OK; c++)
    status = read_constant(constants->items[c], options, error);
  for (size_t p = 0; p < parameters->count && status == WARPBOUND_OK; p++)
    status = read_parameter(parameters->items[p], &parameter, error);
  return status;
}

warpbound_status launch_options_complete(const struct arguments *arguments,
                                         const struct wb_code *code, struct launch_options *options,
                                         warpbound_error *error)
{
  const struct wb_list *given = &arguments->repeated[OPTION_PARAM];
  struct parameter parameter;
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; p < given->count && status == WARPBOUND_OK; p++) {
    status = read_parameter(given->items[p], &parameter, error);
    if (status == WARPBOUND_OK && parameter.name_length == 0 &&
        !add_words(options, NULL, parameter.offset, &parameter.value, parameter.value.wide))
      status = wb_out_of_memory(error);
  }
  /* What the code adds to an offset comes behind what is said of the other words. */
  for (size_t p = 0; p < given->count && status == WARPBOUND_OK; p++) {
    status = read_parameter(given->items[p], &parameter, error);
    if (status == WARPBOUND_OK)
      status = take_parameter(arguments, code, &parameter, options, error);
  }
  return status;
}

void launch_options_free(struct launch_options *options)
{
  free(options->parameters);
  free(options->constants);
  *options = (struct launch_options){0};
}

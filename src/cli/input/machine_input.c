#include "cli/input/machine_input.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/text/demangle.h"
#include "base/text/nearest.h"
#include "cli/input/file_kind.h"
#include "frontend/sass/sass_front_end.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- --targets [KERNEL:]ADDRESS=A,B,C ---- */

/* The options --targets, read. Owns its texts and addresses. */
struct targets {
  struct wb_sass_targets *rows;
  size_t count;
};

/* A number in decimal, or hexadecimal behind 0x; NULL where there is none. */
static const char *read_address(const char *at, uint64_t *address)
{
  const bool hexadecimal = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
  const char *digits = hexadecimal ? at + 2 : at;
  const size_t length = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");
  char *end;
  errno = 0;
  *address = strtoull(digits, &end, hexadecimal ? 16 : 10);
  return length > 0 && errno == 0 && end == digits + length ? end : NULL;
}

/* The list behind the '='. `addresses` has room for a number for each comma and one more. */
static bool read_list(const char *at, uint64_t *addresses, size_t *count)
{
  for (;;) {
    at = read_address(at, &addresses[*count]);
    if (at == NULL)
      return false;
    ++*count;
    if (*at == '\0')
      return true;
    if (*at++ != ',')
      return false;
  }
}

static warpbound_status refuse_targets(const char *text, warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_USAGE,
                 "--targets: expected [KERNEL:]ADDRESS=A,B,C with numbers as 368 or 0x170, found "
                 "'%.100s'",
                 text);
}

static warpbound_status read_row(const char *text, struct wb_sass_targets *row,
                                 warpbound_error *error)
{
  const char *equals = strrchr(text, '=');
  const char *colon = strrchr(text, ':');
  if (equals == NULL || (colon != NULL && (colon > equals || colon == text)))
    return refuse_targets(text, error);
  size_t commas = 0;
  for (const char *at = equals; *at != '\0'; at++)
    commas += *at == ',';
  uint64_t *addresses = wb_allocate(commas + 1, sizeof *addresses);
  if (addresses == NULL)
    return wb_out_of_memory(error);
  row->targets = addresses;
  const char *end = read_address(colon != NULL ? colon + 1 : text, &row->address);
  if (end != equals || !read_list(equals + 1, addresses, &row->target_count))
    return refuse_targets(text, error);
  if (colon == NULL)
    return WARPBOUND_OK;
  row->kernel = wb_copy_text(text, (size_t)(colon - text));
  return row->kernel != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

static warpbound_status read_targets(const struct arguments *arguments, struct targets *targets,
                                     warpbound_error *error)
{
  const struct wb_list *given = &arguments->repeated[OPTION_TARGETS];
  targets->rows = wb_allocate(given->count, sizeof *targets->rows);
  if (targets->rows == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = WARPBOUND_OK;
  while (status == WARPBOUND_OK && targets->count < given->count) {
    const size_t row = targets->count++;
    status = read_row(given->items[row], &targets->rows[row], error);
  }
  return status;
}

static void free_targets(struct targets *targets)
{
  for (size_t t = 0; t < targets->count; t++) {
    free((void *)targets->rows[t].kernel);
    free((void *)targets->rows[t].targets);
  }
  free(targets->rows);
}

/* ---- --kernel NAME[@sm_52] ---- */

bool machine_input_wanted(const struct arguments *arguments, const struct wb_function *function)
{
  const char *wanted = arguments->value[OPTION_KERNEL];
  char suffix[20];
  if (wanted == NULL || wb_demangled_matches(wanted, function->name))
    return true;
  snprintf(suffix, sizeof suffix, "@sm_%u", function->sm);
  const size_t length = strlen(wanted);
  const size_t behind = strlen(suffix);
  if (length <= behind || strcmp(wanted + length - behind, suffix) != 0)
    return false;
  char *name = wb_copy_text(wanted, length - behind);
  const bool matches = name != NULL && wb_demangled_matches(name, function->name);
  free(name);
  return matches;
}

/* "TEXT: NAME@sm_52, NAME@sm_61, ...": all functions, or those that are wanted. */
static warpbound_status refuse_choice(const struct arguments *arguments, const struct wb_code *code,
                                      bool all, const char *what, warpbound_error *error)
{
  struct wb_text names = {0};
  for (size_t f = 0; f < code->function_count; f++) {
    const struct wb_function *function = &code->functions[f];
    if (!all && !machine_input_wanted(arguments, function))
      continue;
    wb_text_format(&names, "%s%s", names.length > 0 ? ", " : "", function->name);
    if (function->sm > 0)
      wb_text_format(&names, "@sm_%u", function->sm);
  }
  const warpbound_status status =
      names.failed ? wb_out_of_memory(error)
                   : wb_fail_at(error, WARPBOUND_USAGE, code->name, 0, 0, "%s: %s", what,
                                names.length > 0 ? names.data : "none");
  wb_text_free(&names);
  return status;
}

static warpbound_status check_kernel(const struct arguments *arguments, const struct wb_code *code,
                                     warpbound_error *error)
{
  char what[140 + WB_HINT_SIZE];
  char hint[WB_HINT_SIZE];
  if (arguments->value[OPTION_KERNEL] == NULL)
    return WARPBOUND_OK;
  struct wb_nearest nearest = wb_nearest_start(arguments->value[OPTION_KERNEL]);
  for (size_t f = 0; f < code->function_count; f++) {
    if (machine_input_wanted(arguments, &code->functions[f]))
      return WARPBOUND_OK;
    wb_nearest_offer(&nearest, code->functions[f].name);
  }
  snprintf(what, sizeof what, "--kernel: there is no '%.100s'%s; there are",
           arguments->value[OPTION_KERNEL], wb_nearest_hint(&nearest, "", hint));
  return refuse_choice(arguments, code, true, what, error);
}

warpbound_status machine_input_choose(const struct arguments *arguments,
                                      struct machine_input *input, warpbound_error *error)
{
  const struct wb_code *code = &input->code;
  size_t kernels = 0;
  size_t others = 0;
  for (size_t f = 0; f < code->function_count; f++) {
    const struct wb_function *function = &code->functions[f];
    if (!machine_input_wanted(arguments, function))
      continue;
    if (kernels == 0 && (function->kernel || others == 0))
      input->function = function;
    kernels += function->kernel;
    others += !function->kernel;
  }
  if (kernels == 1 || (kernels == 0 && others == 1))
    return WARPBOUND_OK;
  return refuse_choice(arguments, code, false, "expected one kernel, say which with --kernel",
                       error);
}

/* ---- the listing ---- */

static warpbound_status parse(const struct wb_source *source, const struct targets *targets,
                              struct machine_input *input, warpbound_error *error)
{
  const struct wb_sass_options options = {targets->rows, targets->count};
  if (wb_sass_detect(source->bytes, source->length))
    return wb_sass_parse(source->name, source->bytes, source->length, &options, &input->code,
                         error);
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, source->name, 0, 0,
                    "expected a SASS listing of cuobjdump -sass or nvdisasm, found neither");
}

warpbound_status machine_input_parse(const struct arguments *arguments,
                                     const struct wb_source *source, struct machine_input *input,
                                     warpbound_error *error)
{
  struct targets targets = {0};
  *input = (struct machine_input){0};
  warpbound_status status = read_targets(arguments, &targets, error);
  if (status == WARPBOUND_OK)
    status = parse(source, &targets, input, error);
  if (status == WARPBOUND_OK)
    status = check_kernel(arguments, &input->code, error);
  free_targets(&targets);
  return status;
}

warpbound_status machine_input_read(const struct arguments *arguments, struct machine_input *input,
                                    warpbound_error *error)
{
  struct wb_source source;
  *input = (struct machine_input){0};
  if (arguments->input == NULL)
    return wb_fail(error, WARPBOUND_USAGE, "expected a SASS listing, or - for standard input");
  warpbound_status status = wb_source_read(arguments->input, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  status = machine_input_parse(arguments, &source, input, error);
  if (status == WARPBOUND_INVALID_INPUT)
    file_kind_explain(&source, FILE_LISTING, error);
  wb_source_free(&source);
  return status;
}

void machine_input_free(struct machine_input *input)
{
  wb_code_free(&input->code);
}

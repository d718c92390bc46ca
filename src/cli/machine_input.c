#include "cli/machine_input.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "frontend/sass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_LIMIT 200 /* bytes of names in a message */

/* ---- --targets ADDRESS=A,B,C ---- */

static warpbound_status refuse_targets(const char *text, warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_USAGE,
                 "--targets: expected ADDRESS=A,B,C in hexadecimal, as 0x128=0x140,0x188, found "
                 "'%.60s'",
                 text);
}

/* One more hexadecimal number from *at on, with `end` or a zero behind it. */
static bool read_address(const char **at, char end, uint64_t *address)
{
  char *rest;
  const size_t digits = strspn(*at, "0123456789abcdefABCDEFxX");
  *address = strtoull(*at, &rest, 16);
  const bool whole = digits > 0 && digits <= 16 && rest == *at + digits;
  if (!whole || (*rest != end && *rest != '\0'))
    return false;
  *at = *rest == end ? rest + 1 : rest;
  return true;
}

/* The caller frees row->targets. */
static warpbound_status read_targets(const char *text, const char *kernel,
                                     struct wb_sass_targets *row, uint64_t **targets,
                                     warpbound_error *error)
{
  const char *at = text;
  *row = (struct wb_sass_targets){.kernel = kernel};
  *targets = wb_allocate(strlen(text), sizeof **targets);
  if (*targets == NULL)
    return wb_out_of_memory(error);
  row->targets = *targets;
  if (strchr(text, '=') == NULL || !read_address(&at, '=', &row->address))
    return refuse_targets(text, error);
  do {
    if (!read_address(&at, ',', &(*targets)[row->target_count++]))
      return refuse_targets(text, error);
  } while (*at != '\0');
  return at[-1] == ',' ? refuse_targets(text, error) : WARPBOUND_OK;
}

static warpbound_status parse(const struct arguments *arguments, const char *kernel,
                              const struct wb_source *source, struct wb_machine_code *code,
                              warpbound_error *error)
{
  const struct wb_list *given = &arguments->repeated[OPTION_TARGETS];
  struct wb_sass_targets *rows = wb_allocate(given->count, sizeof *rows);
  uint64_t **targets = wb_allocate(given->count, sizeof *targets);
  warpbound_status status =
      rows != NULL && targets != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
  for (size_t t = 0; status == WARPBOUND_OK && t < given->count; t++)
    status = read_targets(given->items[t], kernel, &rows[t], &targets[t], error);
  const struct wb_sass_options options = {rows, given->count};
  if (status == WARPBOUND_OK)
    status = wb_sass_parse(source->name, source->bytes, source->length, &options, code, error);
  for (size_t t = 0; targets != NULL && t < given->count; t++)
    free(targets[t]);
  free(targets);
  free(rows);
  return status;
}

/* ---- --kernel NAME[@sm_NN] ---- */

/* The name without its architecture, which is 0 where it has none. The caller frees it. */
static char *split_name(const char *text, uint32_t *sm)
{
  const char *at = strrchr(text, '@');
  char *end;
  *sm = 0;
  if (at == NULL || strncmp(at, "@sm_", 4) != 0)
    return wb_copy_text(text, strlen(text));
  const unsigned long number = strtoul(at + 4, &end, 10);
  if (end == at + 4 || number == 0 || number > 999)
    return wb_copy_text(text, strlen(text));
  *sm = (uint32_t)number;
  return wb_copy_text(text, (size_t)(at - text));
}

/* Functions of the name (NULL: any) and architecture (0: any); kernels only, unless there is
 * none. */
struct wanted {
  const char *name;
  uint32_t sm;
  bool kernels;
};

static bool is_wanted(const struct wb_machine_function *function, const struct wanted *wanted)
{
  return (wanted->name == NULL || strcmp(function->name, wanted->name) == 0) &&
         (wanted->sm == 0 || function->sm == wanted->sm) && (!wanted->kernels || function->kernel);
}

static void find(struct machine_input *input, const struct wanted *wanted)
{
  input->function_count = 0;
  for (size_t f = 0; f < input->code.function_count; f++) {
    if (is_wanted(&input->code.functions[f], wanted))
      input->functions[input->function_count++] = &input->code.functions[f];
  }
}

static warpbound_status refuse_choice(const struct wb_machine_code *code,
                                      const struct wanted *wanted, const char *what,
                                      warpbound_error *error)
{
  struct wb_text names = {0};
  for (size_t f = 0; f < code->function_count && names.length < NAMES_LIMIT; f++) {
    const struct wb_machine_function *function = &code->functions[f];
    if (!is_wanted(function, wanted))
      continue;
    wb_text_format(&names, "%s%s", names.length > 0 ? ", " : "", function->name);
    if (function->sm > 0)
      wb_text_format(&names, "@sm_%u", function->sm);
  }
  if (names.failed) {
    wb_text_free(&names);
    return wb_out_of_memory(error);
  }
  const warpbound_status status =
      wb_fail_at(error, WARPBOUND_USAGE, code->name, 0, 0, "%s%s%s", what,
                 names.length > 0 ? ": " : "", names.length > 0 ? names.data : "");
  wb_text_free(&names);
  return status;
}

static warpbound_status refuse_name(const struct machine_input *input, const char *name,
                                    warpbound_error *error)
{
  const struct wanted any = {0};
  char what[120];
  snprintf(what, sizeof what, "there is no kernel '%.60s'; there is", name != NULL ? name : "");
  return refuse_choice(&input->code, &any, name != NULL ? what : "expected a function, found none",
                       error);
}

static warpbound_status choose(const char *name, uint32_t sm, bool one, struct machine_input *input,
                               warpbound_error *error)
{
  struct wanted wanted = {name, sm, one};
  input->functions = wb_allocate(input->code.function_count, sizeof *input->functions);
  if (input->functions == NULL)
    return wb_out_of_memory(error);
  find(input, &wanted);
  if (one && input->function_count == 0) {
    wanted.kernels = false;
    find(input, &wanted);
  }
  if (input->function_count == 0)
    return refuse_name(input, name, error);
  if (one && input->function_count > 1)
    return refuse_choice(&input->code, &wanted, "several kernels, say which with --kernel", error);
  return WARPBOUND_OK;
}

/* ---- the whole ---- */

static warpbound_status read_source(const struct arguments *arguments,
                                    const struct wb_source *source, bool one,
                                    struct machine_input *input, warpbound_error *error)
{
  if (!wb_sass_detect(source->bytes, source->length))
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, source->name, 0, 0,
                      "expected a listing of cuobjdump -sass or nvdisasm");
  const char *given = arguments->value[OPTION_KERNEL];
  uint32_t sm = 0;
  char *name = given != NULL ? split_name(given, &sm) : NULL;
  if (given != NULL && name == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = parse(arguments, name, source, &input->code, error);
  if (status == WARPBOUND_OK)
    status = choose(name, sm, one, input, error);
  free(name);
  return status;
}

static warpbound_status read_file(const struct arguments *arguments, bool one,
                                  struct machine_input *input, warpbound_error *error)
{
  *input = (struct machine_input){0};
  if (arguments->input == NULL)
    return wb_fail(error, WARPBOUND_USAGE, "expected a file, found none");
  struct wb_source source;
  warpbound_status status = wb_source_read(arguments->input, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  status = read_source(arguments, &source, one, input, error);
  wb_source_free(&source);
  return status;
}

warpbound_status machine_input_read(const struct arguments *arguments, struct machine_input *input,
                                    warpbound_error *error)
{
  return read_file(arguments, false, input, error);
}

warpbound_status machine_input_read_one(const struct arguments *arguments,
                                        struct machine_input *input, warpbound_error *error)
{
  return read_file(arguments, true, input, error);
}

void machine_input_free(struct machine_input *input)
{
  free(input->functions);
  wb_machine_code_free(&input->code);
}

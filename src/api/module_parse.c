/* From a text or a file to the form and the code of a module. */
#include "api/module_parse.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/text/ascii.h"
#include "frontend/binary/binary_front_end.h"
#include "frontend/file_kind.h"
#include "frontend/ptx/ptx_front_end.h"
#include "frontend/sass/sass_front_end.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

static warpbound_status check_unit(const warpbound_unit_assumption *unit, size_t place,
                                   warpbound_error *error)
{
  if (unit->opcode == NULL || unit->opcode[0] == '\0' || unit->unit == '\0' ||
      wb_unit_from_letter(unit->unit) == WB_UNIT_COUNT)
    return wb_fail(error, WARPBOUND_USAGE,
                   "units, entry %zu: expected an opcode and one of L, C, S, D, T, N", place + 1);
  return WARPBOUND_OK;
}

static warpbound_status check_targets(const warpbound_targets *targets, size_t place,
                                      warpbound_error *error)
{
  if (targets->targets == NULL || targets->target_count == 0)
    return wb_fail(error, WARPBOUND_USAGE, "targets, entry %zu: expected at least one target",
                   place + 1);
  return WARPBOUND_OK;
}

warpbound_status wb_module_check_options(const warpbound_module_options *options,
                                         warpbound_error *error)
{
  if ((options->unit_count > 0 && options->units == NULL) ||
      (options->target_count > 0 && options->targets == NULL))
    return wb_fail(error, WARPBOUND_USAGE, "module options: expected a list, found NULL");
  warpbound_status status = WARPBOUND_OK;
  for (size_t u = 0; u < options->unit_count && status == WARPBOUND_OK; u++)
    status = check_unit(&options->units[u], u, error);
  for (size_t t = 0; t < options->target_count && status == WARPBOUND_OK; t++)
    status = check_targets(&options->targets[t], t, error);
  return status;
}

/* ---- the form ---- */

/* Where the text begins: after a byte order mark. */
static size_t begin_of(const struct wb_module_source *source)
{
  return source->length >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* Capitals, digits and blanks are a string, right or wrong: PTX has a dot in its first line, a
 * listing small letters. Blanks alone are none. */
static bool holds_string(const struct wb_module_source *source)
{
  bool empty = true;
  for (size_t i = begin_of(source); i < source->length; i++) {
    const char character = source->text[i];
    const bool blank = wb_is_blank(character) || character == '\n';
    if (!blank && !wb_is_capital(character) && !wb_is_digit(character))
      return false;
    empty = empty && blank;
  }
  return !empty;
}

/* A string by itself, or a file's: the file's name stands in the error then. */
warpbound_status wb_module_take_string(const char *name, const char *text,
                                       struct warpbound_module *module, warpbound_error *error)
{
  module->form = WARPBOUND_INPUT_STRING;
  warpbound_status status = wb_kernel_string_parse(text, NULL, &module->string, error);
  if (status == WARPBOUND_INVALID_INPUT && name[0] != '\0') {
    const warpbound_error cause = *error;
    wb_fail_at(error, status, name, 0, 0, "%s", cause.message);
  }
  return status;
}

static warpbound_status parse_string(const struct wb_module_source *source,
                                     struct warpbound_module *module, warpbound_error *error)
{
  const size_t begin = begin_of(source);
  char *text = wb_copy_text(source->text + begin, source->length - begin);
  if (text == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = wb_module_take_string(source->name, text, module, error);
  free(text);
  return status;
}

static warpbound_status parse_ptx(const struct wb_module_source *source,
                                  const warpbound_module_options *options,
                                  struct warpbound_module *module, warpbound_error *error)
{
  struct wb_unit_assumption *rows = wb_allocate(options->unit_count, sizeof *rows);
  if (rows == NULL)
    return wb_out_of_memory(error);
  for (size_t u = 0; u < options->unit_count; u++) {
    const warpbound_unit_assumption *unit = &options->units[u];
    rows[u] = (struct wb_unit_assumption){unit->opcode, strlen(unit->opcode),
                                          wb_unit_from_letter(unit->unit)};
    wb_list_add(&module->assumptions, "--assume-unit %s=%c", unit->opcode, unit->unit);
  }
  const struct wb_ptx_options ptx = {rows, options->unit_count};
  /* PTX as NVRTC hands it out counts the zero at its end. */
  const bool ended = source->length > 0 && source->text[source->length - 1] == '\0';
  module->form = WARPBOUND_INPUT_PTX;
  warpbound_status status =
      wb_ptx_parse(source->name, source->text, source->length - ended, &ptx, &module->code, error);
  free(rows);
  return status;
}

static warpbound_status parse_sass(const struct wb_module_source *source,
                                   const warpbound_module_options *options,
                                   struct warpbound_module *module, warpbound_error *error)
{
  struct wb_sass_targets *rows = wb_allocate(options->target_count, sizeof *rows);
  if (rows == NULL)
    return wb_out_of_memory(error);
  for (size_t t = 0; t < options->target_count; t++) {
    const warpbound_targets *targets = &options->targets[t];
    rows[t] = (struct wb_sass_targets){targets->kernel, targets->address, targets->targets,
                                       targets->target_count};
  }
  const struct wb_sass_options sass = {rows, options->target_count};
  module->form = WARPBOUND_INPUT_SASS;
  warpbound_status status =
      wb_sass_parse(source->name, source->text, source->length, &sass, &module->code, error);
  free(rows);
  return status;
}

static warpbound_status parse_text(const struct wb_module_source *source,
                                   const warpbound_module_options *options,
                                   struct warpbound_module *module, warpbound_error *error)
{
  if (options->architecture != NULL)
    return wb_fail_at(error, WARPBOUND_USAGE, source->name, 0, 0,
                      "--arch: expected with a file that holds GPU code, found with a text");
  if (wb_sass_detect(source->text, source->length))
    return parse_sass(source, options, module, error);
  if (options->machine_code_only)
    return wb_fail_at(
        error, WARPBOUND_INVALID_INPUT, source->name, 0, 0,
        "expected machine code or a SASS listing of cuobjdump -sass or nvdisasm, found neither");
  return holds_string(source) ? parse_string(source, module, error)
                              : parse_ptx(source, options, module, error);
}

/* The number of the device: 87 of sm_87. */
static warpbound_status find_device(const char *name, uint32_t *number, warpbound_error *error)
{
  size_t index;
  *number = 0;
  warpbound_status status =
      name != NULL ? warpbound_device_find(name, &index, error) : WARPBOUND_OK;
  if (status == WARPBOUND_OK && name != NULL) {
    const warpbound_device row = warpbound_device_row(index);
    *number = row.major * 10 + row.minor;
  }
  return status;
}

/* Machine code is read as the listing that `disassemble` prints of it: places in errors are those
 * of the listing. */
static warpbound_status parse_binary(const struct wb_module_source *source,
                                     const warpbound_module_options *options,
                                     struct warpbound_module *module, warpbound_error *error)
{
  struct wb_image_wish wish = {.architecture = options->architecture,
                               .machine_code_only = options->machine_code_only};
  struct wb_text text = {0};
  bool ptx = false;
  warpbound_status status = find_device(options->device, &wish.device, error);
  if (status == WARPBOUND_OK)
    status =
        wb_binary_text(source->name, source->text, source->length, &wish, NULL, &text, &ptx, error);
  if (status == WARPBOUND_OK) {
    const struct wb_module_source made = {source->name, text.data != NULL ? text.data : "",
                                          text.length};
    status = (ptx ? parse_ptx : parse_sass)(&made, options, module, error);
  }
  wb_text_free(&text);
  return status;
}

warpbound_status wb_module_parse_source(const struct wb_module_source *source,
                                        const warpbound_module_options *options,
                                        struct warpbound_module *module, warpbound_error *error)
{
  if (wb_binary_detect(source->text, source->length))
    return parse_binary(source, options, module, error);
  warpbound_status status = parse_text(source, options, module, error);
  if (status != WARPBOUND_INVALID_INPUT)
    return status;
  uint32_t device = 0; /* an unknown one stays 0: any */
  (void)find_device(options->device, &device, NULL);
  wb_file_kind_explain_for(source->name, source->text, source->length,
                           options->machine_code_only ? WB_FILE_LISTING : WB_FILE_KERNEL, device,
                           error);
  return status;
}

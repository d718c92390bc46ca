/* Modules of the public header: parsed inputs, their functions and sources, and kernels by name. */
#include "analysis/code/module.h"

#include "api/arguments.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/text/ascii.h"
#include "base/text/demangle.h"
#include "base/text/nearest.h"
#include "frontend/binary/binary_front_end.h"
#include "frontend/file_kind.h"
#include "frontend/ptx/ptx_front_end.h"
#include "frontend/sass/sass_front_end.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is parsed. Borrowed. */
struct source {
  const char *name; /* "" for none */
  const char *text; /* or the bytes of a file */
  size_t length;
};

/* ---- the form ---- */

/* A string by itself, or a file's: the file's name stands in the error then. */
static warpbound_status read_string(const char *name, const char *text,
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

static warpbound_status parse_ptx(const struct source *source,
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

/* The targets of the user. The caller frees the rows. */
static warpbound_status sass_options(const warpbound_module_options *options,
                                     struct wb_sass_targets **rows, struct wb_sass_options *sass,
                                     warpbound_error *error)
{
  *rows = wb_allocate(options->target_count, sizeof **rows);
  if (*rows == NULL)
    return wb_out_of_memory(error);
  for (size_t t = 0; t < options->target_count; t++) {
    const warpbound_targets *targets = &options->targets[t];
    (*rows)[t] = (struct wb_sass_targets){targets->kernel, targets->address, targets->targets,
                                          targets->target_count};
  }
  *sass = (struct wb_sass_options){*rows, options->target_count};
  return WARPBOUND_OK;
}

static warpbound_status parse_text(const struct source *source,
                                   const warpbound_module_options *options,
                                   struct warpbound_module *module, warpbound_error *error)
{
  if (options->architecture != NULL || options->module != NULL)
    return wb_fail_at(error, WARPBOUND_USAGE, source->name, 0, 0,
                      "--%s: expected with a file that holds GPU code, found with a text",
                      options->architecture != NULL ? "arch" : "module");
  if (wb_sass_detect(source->text, source->length)) {
    struct wb_sass_targets *rows;
    struct wb_sass_options sass;
    warpbound_status status = sass_options(options, &rows, &sass, error);
    module->form = WARPBOUND_INPUT_SASS;
    if (status == WARPBOUND_OK)
      status =
          wb_sass_parse(source->name, source->text, source->length, &sass, &module->code, error);
    free(rows);
    return status;
  }
  if (options->machine_code_only)
    return wb_fail_at(
        error, WARPBOUND_INVALID_INPUT, source->name, 0, 0,
        "expected machine code or a SASS listing of cuobjdump -sass or nvdisasm, found neither");
  /* After a byte order mark capitals, digits and blanks are a string, right or wrong: PTX has a dot
   * in its first line, a listing small letters. Blanks alone are none. */
  const bool marked = source->length >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0;
  const size_t begin = marked ? 3 : 0;
  bool empty = true;
  for (size_t i = begin; i < source->length; i++) {
    const char character = source->text[i];
    const bool blank = wb_is_blank(character) || character == '\n';
    if (!blank && !wb_is_capital(character) && !wb_is_digit(character))
      return parse_ptx(source, options, module, error);
    empty = empty && blank;
  }
  if (empty)
    return parse_ptx(source, options, module, error);
  char *text = wb_copy_text(source->text + begin, source->length - begin);
  if (text == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = read_string(source->name, text, module, error);
  free(text);
  return status;
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

/* Places in errors of machine code are those of the listing that `disassemble` prints of it. */
static warpbound_status parse_binary(const struct source *source,
                                     const warpbound_module_options *options,
                                     struct warpbound_module *module, warpbound_error *error)
{
  struct wb_image_wish wish = {.architecture = options->architecture,
                               .module = options->module,
                               .kernel = options->kernel,
                               .machine_code_only = options->machine_code_only};
  struct wb_text text = {0};
  bool ptx = false;
  warpbound_status status = find_device(options->device, &wish.device, error);
  struct wb_sass_targets *rows = NULL;
  struct wb_sass_options sass;
  if (status == WARPBOUND_OK)
    status = sass_options(options, &rows, &sass, error);
  module->form = WARPBOUND_INPUT_SASS;
  if (status == WARPBOUND_OK)
    status = wb_binary_code(source->name, source->text, source->length, &wish, &sass, &module->code,
                            &text, &ptx, error);
  if (status == WARPBOUND_OK && ptx) {
    const struct source made = {source->name, text.data != NULL ? text.data : "", text.length};
    status = parse_ptx(&made, options, module, error);
  }
  free(rows);
  wb_text_free(&text);
  return status;
}

/* ---- the handle ---- */

/* Hands over a module that was parsed with its functions that have a body, or frees it after an
 * error. */
static warpbound_status finish(struct warpbound_module *made, warpbound_status status,
                               warpbound_module **module, warpbound_error *error)
{
  const struct wb_code *code = &made->code;
  unsigned target = 0; /* 52 of "sm_52", 0 where there is no such number */
  if (status == WARPBOUND_OK)
    made->functions = wb_allocate(1 + code->function_count, sizeof *made->functions);
  if (status == WARPBOUND_OK && (made->functions == NULL || made->assumptions.failed))
    status = wb_out_of_memory(error);
  if (status != WARPBOUND_OK) {
    warpbound_module_free(made);
    return status;
  }
  if (made->form == WARPBOUND_INPUT_PTX && sscanf(code->target, "sm_%4u", &target) != 1)
    target = 0;
  for (size_t f = 0; f < code->function_count; f++) {
    const struct wb_function *from = &code->functions[f];
    if (from->defined)
      made->functions[made->function_count++] =
          (struct wb_module_function){.name = from->name,
                                      .demangled = wb_demangle(from->name),
                                      .index = f,
                                      .instruction_count = from->instruction_count,
                                      .sm = made->form == WARPBOUND_INPUT_PTX ? target : from->sm,
                                      .kernel = from->kernel};
  }
  if (made->form == WARPBOUND_INPUT_STRING)
    made->functions[made->function_count++] = (struct wb_module_function){
        .name = "", .instruction_count = made->string.length, .kernel = true};
  *module = made;
  return WARPBOUND_OK;
}

warpbound_status warpbound_module_parse(const char *name, const char *text, size_t length,
                                        const warpbound_module_options *options,
                                        warpbound_module **module, warpbound_error *error)
{
  static const warpbound_module_options defaults = {0};
  const struct source source = {name != NULL ? name : "", text, length};
  warpbound_error own = {0};
  if (error == NULL)
    error = &own;
  if (options == NULL)
    options = &defaults;
  warpbound_status status = wb_require_place(module, "module", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require(text, "text", "an input", error);
  if (status != WARPBOUND_OK)
    return status;
  if ((options->unit_count > 0 && options->units == NULL) ||
      (options->target_count > 0 && options->targets == NULL))
    return wb_fail(error, WARPBOUND_USAGE, "module options: expected a list, found NULL");
  for (size_t u = 0; u < options->unit_count; u++) {
    const warpbound_unit_assumption *unit = &options->units[u];
    if (unit->opcode == NULL || unit->opcode[0] == '\0' || unit->unit == '\0' ||
        wb_unit_from_letter(unit->unit) == WB_UNIT_COUNT)
      return wb_fail(error, WARPBOUND_USAGE,
                     "units, entry %zu: expected an opcode and one of L, C, S, D, T, N", u + 1);
  }
  for (size_t t = 0; t < options->target_count; t++) {
    if (options->targets[t].targets == NULL || options->targets[t].target_count == 0)
      return wb_fail(error, WARPBOUND_USAGE, "targets, entry %zu: expected at least one target",
                     t + 1);
  }
  struct warpbound_module *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  if (wb_binary_detect(text, length)) {
    status = parse_binary(&source, options, made, error);
  } else {
    status = parse_text(&source, options, made, error);
    uint32_t device = 0; /* an unknown one stays 0: any */
    if (status == WARPBOUND_INVALID_INPUT)
      (void)find_device(options->device, &device, NULL);
    if (status == WARPBOUND_INVALID_INPUT)
      wb_file_kind_explain_for(source.name, text, length,
                               options->machine_code_only ? WB_FILE_LISTING : WB_FILE_KERNEL,
                               device, error);
  }
  return finish(made, status, module, error);
}

warpbound_status warpbound_module_of_string(const char *name, const char *string,
                                            warpbound_module **module, warpbound_error *error)
{
  warpbound_error own = {0};
  if (error == NULL)
    error = &own;
  warpbound_status status = wb_require_place(module, "module", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require(string, "string", "a kernel instruction string", error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_module *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  return finish(made, read_string(name != NULL ? name : "", string, made, error), module, error);
}

void warpbound_module_free(warpbound_module *module)
{
  if (module == NULL)
    return;
  for (size_t f = 0; f < module->function_count; f++)
    free(module->functions[f].demangled);
  free(module->functions);
  wb_kernel_string_free(&module->string);
  wb_code_free(&module->code);
  wb_list_free(&module->assumptions);
  free(module);
}

/* ---- accessors ---- */

/* A function of the module; NULL where there is none. */
static const struct wb_module_function *function_of(const warpbound_module *module, size_t index)
{
  return module != NULL && index < module->function_count ? &module->functions[index] : NULL;
}

warpbound_input_form warpbound_module_form(const warpbound_module *module)
{
  return module != NULL ? module->form : WARPBOUND_INPUT_STRING;
}

size_t warpbound_module_function_count(const warpbound_module *module)
{
  return module != NULL ? module->function_count : 0;
}

const char *warpbound_module_function_name(const warpbound_module *module, size_t index)
{
  const struct wb_module_function *function = function_of(module, index);
  return function != NULL ? function->name : "";
}

const char *warpbound_module_function_demangled(const warpbound_module *module, size_t index)
{
  const struct wb_module_function *function = function_of(module, index);
  if (function == NULL)
    return "";
  return function->demangled != NULL ? function->demangled : function->name;
}

bool warpbound_module_function_is_kernel(const warpbound_module *module, size_t index)
{
  const struct wb_module_function *function = function_of(module, index);
  return function != NULL && function->kernel;
}

uint32_t warpbound_module_function_sm(const warpbound_module *module, size_t index)
{
  const struct wb_module_function *function = function_of(module, index);
  return function != NULL ? function->sm : 0;
}

size_t warpbound_module_function_instruction_count(const warpbound_module *module, size_t index)
{
  const struct wb_module_function *function = function_of(module, index);
  return function != NULL ? function->instruction_count : 0;
}

size_t warpbound_module_source_count(const warpbound_module *module)
{
  return module != NULL ? module->code.file_count : 0;
}

const char *warpbound_module_source(const warpbound_module *module, size_t index)
{
  return index < warpbound_module_source_count(module) ? module->code.files[index] : "";
}

/* ---- kernels ---- */

/* Whether a user who writes `name` can mean the function: by its name, or of machine code
 * NAME@sm_52. NULL means every one. */
static bool is_meant(const struct warpbound_module *module,
                     const struct wb_module_function *function, const char *name)
{
  char suffix[20];
  if (name == NULL || wb_demangled_matches(name, function->name))
    return true;
  if (module->form != WARPBOUND_INPUT_SASS)
    return false;
  snprintf(suffix, sizeof suffix, "@sm_%" PRIu32, function->sm);
  const size_t length = strlen(name);
  const size_t suffix_length = strlen(suffix);
  if (length <= suffix_length || strcmp(name + length - suffix_length, suffix) != 0)
    return false;
  const size_t bare_length = length - suffix_length;
  if (strlen(function->name) == bare_length && strncmp(name, function->name, bare_length) == 0)
    return true;
  char *bare = wb_copy_text(name, bare_length);
  const bool meant = bare != NULL && wb_demangled_matches(bare, function->name);
  free(bare);
  return meant;
}

size_t warpbound_module_find(const warpbound_module *module, const char *name, size_t first)
{
  const size_t count = warpbound_module_function_count(module);
  size_t found = first < count ? first : count;
  while (found < count && !is_meant(module, &module->functions[found], name))
    found++;
  return found;
}

/* "TEXT: NAME@sm_52, NAME@sm_61, ...": the functions that `name` means. */
static warpbound_status refuse(const struct warpbound_module *module, const char *name,
                               const char *why, warpbound_error *error)
{
  struct wb_text names = {0};
  for (size_t f = warpbound_module_find(module, name, 0); f < module->function_count;
       f = warpbound_module_find(module, name, f + 1)) {
    const struct wb_module_function *function = &module->functions[f];
    wb_text_format(&names, "%s%s", names.length > 0 ? ", " : "", function->name);
    if (function->sm > 0)
      wb_text_format(&names, "@sm_%" PRIu32, function->sm);
  }
  const warpbound_status status =
      names.failed ? wb_out_of_memory(error)
                   : wb_fail_at(error, WARPBOUND_USAGE, module->code.name, 0, 0, "%s: %s", why,
                                names.length > 0 ? names.data : "none");
  wb_text_free(&names);
  return status;
}

warpbound_status warpbound_module_check_name(const warpbound_module *module, const char *name,
                                             warpbound_error *error)
{
  warpbound_status status = wb_require(module, "module", "a module", error);
  if (status != WARPBOUND_OK)
    return status;
  if (name == NULL || warpbound_module_find(module, name, 0) < module->function_count)
    return WARPBOUND_OK;
  char why[140 + WB_HINT_SIZE];
  char hint[WB_HINT_SIZE];
  if (module->form == WARPBOUND_INPUT_STRING)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--kernel: expected none of a kernel instruction string, found '%.100s'", name);
  struct wb_nearest nearest = wb_nearest_start(name);
  for (size_t f = 0; f < module->function_count; f++)
    wb_nearest_offer(&nearest, module->functions[f].name);
  snprintf(why, sizeof why, "--kernel: there is no '%.100s'%s; there are", name,
           wb_nearest_hint(&nearest, "", hint));
  return refuse(module, NULL, why, error);
}

static warpbound_status make(const struct warpbound_module *module, size_t function,
                             warpbound_kernel **kernel, warpbound_error *error)
{
  struct warpbound_kernel *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  *made = (struct warpbound_kernel){module, function};
  *kernel = made;
  return WARPBOUND_OK;
}

/* The only kernel of machine code that a name means, or where none is a kernel the only function.
 */
static warpbound_status choose_machine(const struct warpbound_module *module, const char *name,
                                       size_t *chosen, warpbound_error *error)
{
  size_t kernels = 0;
  size_t others = 0;
  warpbound_status status = warpbound_module_check_name(module, name, error);
  if (status != WARPBOUND_OK)
    return status;
  for (size_t f = warpbound_module_find(module, name, 0); f < module->function_count;
       f = warpbound_module_find(module, name, f + 1)) {
    const bool kernel = module->functions[f].kernel;
    if (kernels == 0 && (kernel || others == 0))
      *chosen = f;
    kernels += kernel;
    others += !kernel;
  }
  if (kernels == 1 || (kernels == 0 && others == 1))
    return WARPBOUND_OK;
  return refuse(module, name, "expected one kernel, say which with --kernel", error);
}

warpbound_status warpbound_kernel_choose(const warpbound_module *module, const char *name,
                                         warpbound_kernel **kernel, warpbound_error *error)
{
  size_t chosen = 0;
  warpbound_error own = {0};
  warpbound_status status = wb_require_place(kernel, "kernel", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require(module, "module", "a module", error);
  if (status != WARPBOUND_OK)
    return status;
  if (module->form == WARPBOUND_INPUT_PTX) {
    const size_t index = wb_code_find_kernel(&module->code, name, &own);
    if (index == SIZE_MAX)
      return wb_fail_with(error, &own);
    while (module->functions[chosen].index != index)
      chosen++;
  } else if (module->form == WARPBOUND_INPUT_SASS) {
    status = choose_machine(module, name, &chosen, error);
  } else {
    status = warpbound_module_check_name(module, name, error);
  }
  return status == WARPBOUND_OK ? make(module, chosen, kernel, error) : status;
}

warpbound_status warpbound_kernel_at(const warpbound_module *module, size_t index,
                                     warpbound_kernel **kernel, warpbound_error *error)
{
  warpbound_status status = wb_require_place(kernel, "kernel", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require(module, "module", "a module", error);
  if (status == WARPBOUND_OK && index >= module->function_count)
    status = wb_fail(error, WARPBOUND_USAGE, "index: expected less than %zu, found %zu",
                     module->function_count, index);
  return status == WARPBOUND_OK ? make(module, index, kernel, error) : status;
}

void warpbound_kernel_free(warpbound_kernel *kernel)
{
  free(kernel);
}

size_t warpbound_kernel_index(const warpbound_kernel *kernel)
{
  return kernel != NULL ? kernel->function : 0;
}

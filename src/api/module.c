/* Modules of the public header: parsed inputs, their functions and their sources. */
#include "analysis/code/module.h"

#include "api/arguments.h"
#include "api/module_parse.h"
#include "base/memory.h"
#include "base/text/demangle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the functions ---- */

/* 52 of "sm_52", 0 where there is no such number. */
static uint32_t sm_of(const char *target)
{
  unsigned sm = 0;
  return sscanf(target, "sm_%4u", &sm) == 1 ? sm : 0;
}

/* Those that have a body. */
static void list_code(struct warpbound_module *module)
{
  const bool ptx = module->form == WARPBOUND_INPUT_PTX;
  for (size_t f = 0; f < module->code.function_count; f++) {
    const struct wb_function *from = &module->code.functions[f];
    if (from->defined)
      module->functions[module->function_count++] =
          (struct wb_module_function){.name = from->name,
                                      .demangled = wb_demangle(from->name),
                                      .index = f,
                                      .instruction_count = from->instruction_count,
                                      .sm = ptx ? sm_of(module->code.target) : from->sm,
                                      .kernel = from->kernel};
  }
}

static warpbound_status list_functions(struct warpbound_module *module, warpbound_error *error)
{
  const size_t count = 1 + module->code.function_count;
  module->functions = wb_allocate(count, sizeof *module->functions);
  if (module->functions == NULL || module->assumptions.failed)
    return wb_out_of_memory(error);
  if (module->form != WARPBOUND_INPUT_STRING)
    list_code(module);
  else
    module->functions[module->function_count++] = (struct wb_module_function){
        .name = "", .instruction_count = module->string.length, .kernel = true};
  return WARPBOUND_OK;
}

/* ---- the handle ---- */

/* Hands over a module that was parsed, or frees it after an error. */
static warpbound_status finish(struct warpbound_module *made, warpbound_status status,
                               warpbound_module **module, warpbound_error *error)
{
  if (status == WARPBOUND_OK)
    status = list_functions(made, error);
  if (status == WARPBOUND_OK)
    *module = made;
  else
    warpbound_module_free(made);
  return status;
}

warpbound_status warpbound_module_parse(const char *name, const char *text, size_t length,
                                        const warpbound_module_options *options,
                                        warpbound_module **module, warpbound_error *error)
{
  static const warpbound_module_options defaults = {0};
  const struct wb_module_source source = {name != NULL ? name : "", text, length};
  warpbound_error own = {0};
  if (error == NULL)
    error = &own;
  if (options == NULL)
    options = &defaults;
  warpbound_status status = wb_require(module, "module", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  *module = NULL;
  status = wb_require(text, "text", "an input", error);
  if (status == WARPBOUND_OK)
    status = wb_module_check_options(options, error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_module *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  return finish(made, wb_module_parse_source(&source, options, made, error), module, error);
}

warpbound_status warpbound_module_of_string(const char *name, const char *string,
                                            warpbound_module **module, warpbound_error *error)
{
  warpbound_error own = {0};
  if (error == NULL)
    error = &own;
  warpbound_status status = wb_require(module, "module", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  *module = NULL;
  status = wb_require(string, "string", "a kernel instruction string", error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_module *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  return finish(made, wb_module_take_string(name != NULL ? name : "", string, made, error), module,
                error);
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

/* Kernels of the public header: functions of a module by name. */
#include "analysis/code/module.h"

#include "api/arguments.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/text/demangle.h"
#include "base/text/nearest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static warpbound_status choose(const struct warpbound_module *module, const char *name,
                               size_t *chosen, warpbound_error *error)
{
  *chosen = 0;
  if (module->form == WARPBOUND_INPUT_SASS) {
    /* The only kernel that is meant, or where none is a kernel the only function. */
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
  if (module->form == WARPBOUND_INPUT_PTX) {
    warpbound_error own = {0};
    const size_t index = wb_code_find_kernel(&module->code, name, &own);
    if (index == SIZE_MAX)
      return wb_fail_with(error, &own);
    while (module->functions[*chosen].index != index)
      ++*chosen;
    return WARPBOUND_OK;
  }
  return warpbound_module_check_name(module, name, error);
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

warpbound_status warpbound_kernel_choose(const warpbound_module *module, const char *name,
                                         warpbound_kernel **kernel, warpbound_error *error)
{
  size_t chosen;
  warpbound_status status = wb_require(kernel, "kernel", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  *kernel = NULL;
  status = wb_require(module, "module", "a module", error);
  if (status == WARPBOUND_OK)
    status = choose(module, name, &chosen, error);
  return status == WARPBOUND_OK ? make(module, chosen, kernel, error) : status;
}

warpbound_status warpbound_kernel_at(const warpbound_module *module, size_t index,
                                     warpbound_kernel **kernel, warpbound_error *error)
{
  warpbound_status status = wb_require(kernel, "kernel", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  *kernel = NULL;
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

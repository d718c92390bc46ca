#include "analysis/code/parameter_names.h"

#include "base/memory.h"
#include "base/text/demangle.h"

#include <stdlib.h>
#include <string.h>

/* Whether the signature can be that of the function. */
static bool suits_function(const struct wb_signature *signature, const struct wb_function *function)
{
  return function->kernel && function->parameter_count == signature->count &&
         strstr(function->name, signature->kernel) != NULL &&
         wb_demangled_is_called(signature->kernel, function->name);
}

/* Whether a source's name would be taken for what compilers call a parameter, "param_2". */
static bool is_compiled_name(const char *name)
{
  static const char word[] = "param_";
  const char *number = strncmp(name, word, sizeof word - 1) == 0 ? name + sizeof word - 1 : "";
  return number[0] != '\0' && number[strspn(number, "0123456789")] == '\0';
}

/* Names the parameter of the function whose names begin at number `first`. */
static warpbound_status add_name(struct warpbound_annotations *annotations, size_t first,
                                 const struct wb_parameter_name *added, warpbound_error *error)
{
  struct wb_launch *launch = &annotations->launch;
  for (size_t n = first; n < launch->name_count; n++) {
    struct wb_parameter_name *known = &annotations->names[n];
    if (known->ordinal != added->ordinal)
      continue;
    if (added->name == NULL || known->name == NULL || strcmp(known->name, added->name) != 0)
      known->name = NULL;
    return WARPBOUND_OK;
  }
  if (!wb_grow(annotations->names, &annotations->name_capacity, launch->name_count + 1))
    return wb_out_of_memory(error);
  annotations->names[launch->name_count++] = *added;
  launch->names = annotations->names;
  return WARPBOUND_OK;
}

/* Adds what the debug information of the code calls the parameters. */
static warpbound_status add_debug_names(struct warpbound_annotations *annotations, size_t first,
                                        const struct wb_function *function, warpbound_error *error)
{
  const struct wb_code *code = &annotations->module->code;
  warpbound_status status = WARPBOUND_OK;
  for (size_t n = 0; n < code->debug_name_count && status == WARPBOUND_OK; n++) {
    const struct wb_debug_name *name = &code->debug_names[n];
    const struct wb_parameter_name added = {.kernel = function->name,
                                            .ordinal = name->ordinal,
                                            .name =
                                                !is_compiled_name(name->name) ? name->name : NULL};
    if (function->kernel && name->ordinal < function->parameter_count &&
        strcmp(name->function, function->name) == 0)
      status = add_name(annotations, first, &added, error);
  }
  return status;
}

warpbound_status wb_parameter_names_add(struct warpbound_annotations *annotations,
                                        const struct wb_function *function, warpbound_error *error)
{
  const struct wb_signatures *signatures = &annotations->signatures;
  const size_t first = annotations->launch.name_count;
  warpbound_status status = add_debug_names(annotations, first, function, error);
  for (size_t s = 0; s < signatures->count && status == WARPBOUND_OK; s++) {
    const struct wb_signature *signature = &signatures->items[s];
    if (!suits_function(signature, function))
      continue;
    for (size_t p = 0; p < signature->count && status == WARPBOUND_OK; p++) {
      const char *name = signatures->names[signature->first + p];
      if (name == NULL) /* of a declaration, or an instantiation of a template */
        continue;
      const struct wb_parameter_name added = {.kernel = function->name,
                                              .ordinal = (uint16_t)p,
                                              .name = !is_compiled_name(name) ? name : NULL,
                                              .file = signature->file,
                                              .line = signature->line};
      status = add_name(annotations, first, &added, error);
    }
  }
  return status;
}

static int compare(const void *left, const void *right)
{
  const struct wb_parameter_name *a = left;
  const struct wb_parameter_name *b = right;
  const int kernels = strcmp(a->kernel, b->kernel);
  return kernels != 0 ? kernels : (a->ordinal > b->ordinal) - (a->ordinal < b->ordinal);
}

void wb_parameter_names_order(struct warpbound_annotations *annotations)
{
  if (annotations->launch.name_count > 0)
    qsort(annotations->names, annotations->launch.name_count, sizeof *annotations->names, compare);
}

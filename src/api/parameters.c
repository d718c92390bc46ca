/* Parameters of kernels and the loops that need them, of the public header. */
#include "analysis/code/module.h"
#include "analysis/wcet/parameter_needs.h"
#include "api/arguments.h"
#include "base/memory.h"
#include "values/interval/launch_values.h"

#include <stdlib.h>

/* Borrows the kernel's module and the annotations. */
struct warpbound_parameters {
  const struct wb_function *function;
  const struct wb_launch *launch; /* NULL: none */
  struct wb_parameter_needs needs;
};

warpbound_status warpbound_parameters_find(const warpbound_kernel *kernel,
                                           const warpbound_wcet_options *options,
                                           const warpbound_options *limits,
                                           warpbound_parameters **parameters,
                                           warpbound_error *error)
{
  struct wb_wcet_options taken;
  warpbound_error own = {0};
  if (error == NULL)
    error = &own;
  warpbound_status status =
      wb_require_place(parameters, "parameters", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require_wcet(kernel, options, limits, &taken, error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_parameters *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  made->function = wb_machine_function_of(kernel);
  made->launch = taken.launch;
  const struct wb_control control = wb_control_start(limits);
  status = wb_parameter_needs_find(&kernel->module->code, made->function, &taken, &control,
                                   &made->needs, error);
  if (status == WARPBOUND_OK)
    *parameters = made;
  else
    warpbound_parameters_free(made);
  return status;
}

void warpbound_parameters_free(warpbound_parameters *parameters)
{
  if (parameters != NULL)
    wb_parameter_needs_free(&parameters->needs);
  free(parameters);
}

size_t warpbound_parameters_count(const warpbound_parameters *parameters)
{
  return parameters != NULL ? parameters->function->parameter_count : 0;
}

warpbound_parameter_facts warpbound_parameters_parameter(const warpbound_parameters *parameters,
                                                         size_t index)
{
  if (index >= warpbound_parameters_count(parameters))
    return (warpbound_parameter_facts){0};
  const struct wb_parameter *row = &parameters->function->parameters[index];
  const struct wb_parameter_name *source =
      wb_launch_parameter_name(parameters->launch, parameters->function, row->ordinal);
  return (warpbound_parameter_facts){
      .ordinal = row->ordinal,
      .offset = row->offset,
      .size = row->size,
      .name = source != NULL ? source->name : NULL,
      .file = source != NULL ? source->file : NULL,
      .line = source != NULL ? source->line : 0,
  };
}

size_t warpbound_parameters_need_count(const warpbound_parameters *parameters)
{
  return parameters != NULL ? parameters->needs.count : 0;
}

warpbound_parameter_need warpbound_parameters_need(const warpbound_parameters *parameters,
                                                   size_t index)
{
  if (index >= warpbound_parameters_need_count(parameters))
    return (warpbound_parameter_need){.option = ""};
  const struct wb_function *function = parameters->function;
  const struct wb_parameter_need *need = &parameters->needs.items[index];
  size_t at = 0;
  while (at < function->parameter_count &&
         (need->offset < function->parameters[at].offset ||
          need->offset - function->parameters[at].offset >= function->parameters[at].size))
    at++;
  return (warpbound_parameter_need){
      .parameter = at,
      .offset = need->offset,
      .option = need->option,
      .address = need->address,
      .file = need->file,
      .line = need->line,
  };
}

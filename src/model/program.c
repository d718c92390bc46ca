#include "model/program.h"

#include "base/text.h"
#include "base/text/demangle.h"
#include "base/text/nearest.h"

#include <stdlib.h>
#include <string.h>

static warpbound_status no_such_kernel(const struct wb_program *program, const char *name,
                                       size_t matches, warpbound_error *error)
{
  struct wb_text list = {0};
  struct wb_nearest nearest = wb_nearest_start(name != NULL ? name : "");
  char hint[WB_HINT_SIZE];
  size_t kernels = 0;
  for (size_t f = 0; f < program->function_count; f++) {
    const struct wb_function *function = &program->functions[f];
    if (function->kernel && function->defined)
      wb_nearest_offer(&nearest, function->name);
    bool shown = matches == 0 || name == NULL || wb_demangled_matches(name, function->name);
    if (function->kernel && function->defined && shown && list.length < 300)
      wb_text_format(&list, "%s%s", kernels++ > 0 ? ", " : "", function->name);
  }
  char *names = wb_text_take(&list);
  warpbound_status status;
  if (names == NULL)
    status = wb_out_of_memory(error);
  else if (kernels == 0)
    status = wb_fail_at(error, WARPBOUND_INVALID_INPUT, program->name, 0, 0,
                        "expected a kernel (.entry with a body), found none");
  else if (name != NULL && matches == 0)
    status = wb_fail_at(error, WARPBOUND_USAGE, program->name, 0, 0,
                        "there is no kernel '%.120s'%s; there is: %s", name,
                        wb_nearest_hint(&nearest, "", hint), names);
  else
    status = wb_fail_at(error, WARPBOUND_USAGE, program->name, 0, 0,
                        "several kernels, say which with --kernel: %s", names);
  free(names);
  return status;
}

size_t wb_program_find_kernel(const struct wb_program *program, const char *name,
                              warpbound_error *error)
{
  size_t found = SIZE_MAX;
  size_t matches = 0;
  for (size_t f = 0; f < program->function_count; f++) {
    const struct wb_function *function = &program->functions[f];
    if (!function->kernel || !function->defined)
      continue;
    if (name != NULL && strcmp(function->name, name) == 0)
      return f;
    if (name == NULL || wb_demangled_matches(name, function->name)) {
      found = f;
      matches++;
    }
  }
  if (matches == 1)
    return found;
  no_such_kernel(program, name, matches, error);
  return SIZE_MAX;
}

const struct wb_function *wb_program_find_function(const struct wb_program *program,
                                                   const char *name)
{
  const struct wb_function *declared = NULL;
  for (size_t f = 0; f < program->function_count; f++) {
    const struct wb_function *function = &program->functions[f];
    if (strcmp(function->name, name) != 0)
      continue;
    if (function->defined)
      return function;
    declared = function;
  }
  return declared;
}

void wb_program_free(struct wb_program *program)
{
  for (size_t f = 0; f < program->function_count; f++) {
    free(program->functions[f].instructions);
    free(program->functions[f].labels);
    free(program->functions[f].targets);
  }
  wb_name_pool_free(&program->names);
  free(program->functions);
  free(program->files);
  free(program->name);
  *program = (struct wb_program){0};
}

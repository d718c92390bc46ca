/* From PTX to a kernel instruction string, in one call. */
#include "api/arguments.h"
#include "flow/paths/kernel_path.h"
#include "frontend/ptx/ptx_front_end.h"

static warpbound_status string_of_program(const struct wb_code *program, const char *kernel,
                                          uint32_t iterations, char **string,
                                          warpbound_error *error)
{
  size_t index = wb_code_find_kernel(program, kernel, error);
  if (index == SIZE_MAX)
    return error != NULL ? error->status : WARPBOUND_USAGE;
  struct wb_path_options options = {.iterations = iterations};
  struct wb_kernel_path path;
  warpbound_status status =
      wb_kernel_path_walk(program, &program->functions[index], &options, &path, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_text text = {0};
  wb_kernel_string_write(&path.string, &text);
  *string = wb_text_take(&text);
  wb_kernel_path_free(&path);
  return *string != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

warpbound_status warpbound_kernel_string(const char *ptx, size_t length, const char *kernel,
                                         uint32_t iterations, char **string, warpbound_error *error)
{
  struct wb_code program;
  warpbound_status status = wb_require(string, "string", "the address of a text", error);
  if (status != WARPBOUND_OK)
    return status;
  *string = NULL;
  status = wb_require(ptx, "ptx", "the text of a PTX file", error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_ptx_parse("PTX", ptx, length, NULL, &program, error);
  if (status != WARPBOUND_OK)
    return status;
  status = string_of_program(&program, kernel, iterations, string, error);
  wb_code_free(&program);
  return status;
}

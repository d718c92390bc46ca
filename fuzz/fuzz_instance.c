/* Kernel instruction strings, unit lists and SM configuration files: any bytes give
 * an error with a message, or a problem that keeps its invariant. The first byte
 * chooses what the rest is. */
#include "base/memory.h"
#include "formats/sm/sm_file.h"
#include "model/problem.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_problem(const struct wb_problem *problem)
{
  size_t length = 0;
  for (size_t r = 0; r < problem->string.run_count; r++)
    length += problem->string.runs[r].length;
  if (length != problem->string.length || length == 0 || problem->warps == 0)
    abort();
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (problem->string.count[u] > 0 && problem->capacity[u] == 0)
      abort();
  }
}

static void normalise(const char *string, const struct wb_sm_configuration *sm)
{
  struct wb_kernel_string kernel;
  warpbound_error error = {0};
  if (wb_kernel_string_parse(string, NULL, &kernel, &error) != WARPBOUND_OK) {
    if (error.message[0] == '\0' || error.column == 0)
      abort();
    return;
  }
  struct wb_problem problem;
  if (wb_problem_normalise(&kernel, sm, 7, &problem, &error) == WARPBOUND_OK) {
    check_problem(&problem);
    wb_problem_free(&problem);
  } else if (error.message[0] == '\0') {
    abort();
  }
  wb_kernel_string_free(&kernel);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = size > 0 ? wb_copy_text((const char *)data + 1, size - 1) : NULL;
  if (text == NULL)
    return 0;
  struct wb_sm_configuration sm;
  warpbound_error error = {0};
  wb_sm_configuration_start(&sm, "fuzz");
  warpbound_status status = WARPBOUND_OK;
  if (data[0] % 3 == 0)
    status = wb_sm_file_parse("fuzz", text, size - 1, &sm, &error);
  else
    status = wb_sm_configuration_parse_units(&sm, data[0] % 3 == 1 ? text : "L=1,C=3,S=1/8,D=2/4",
                                             &error);
  if (status != WARPBOUND_OK && error.message[0] == '\0')
    abort();
  if (status == WARPBOUND_OK)
    normalise(data[0] % 3 == 2 ? text : "5L9C2SD", &sm);
  free(text);
  return 0;
}

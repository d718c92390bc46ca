/* Fuzz target: what can be instrumented of any PTX keeps its text, parses again and branches as
 * before. */
#include "instrument/check_instrumented.h"

#include "frontend/ptx/ptx_front_end.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Not assert: it must hold in release builds too. */
static void require(bool holds, const char *what)
{
  if (holds)
    return;
  fprintf(stderr, "fuzz_instrument: violated: %s\n", what);
  abort();
}

/* The name of the first kernel with a body, to be freed; NULL: none. */
static char *find_kernel(const uint8_t *data, size_t size)
{
  static const struct wb_ptx_options any = {.any_opcode = true};
  struct wb_code code;
  char *name = NULL;
  if (wb_ptx_parse("fuzz", (const char *)data, size, &any, &code, NULL) != WARPBOUND_OK)
    return NULL;
  for (size_t f = 0; f < code.function_count && name == NULL; f++)
    if (code.functions[f].kernel && code.functions[f].defined)
      name = strdup(code.functions[f].name);
  wb_code_free(&code);
  return name;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *kernel = find_kernel(data, size);
  for (int places = WB_POINTS_NONE; places <= WB_POINTS_LINES && kernel != NULL; places++) {
    const struct wb_point_options options = {.places = (enum wb_point_places)places};
    struct wb_instrumentation made;
    warpbound_error error = {0};
    const warpbound_status status =
        wb_instrument("fuzz", (const char *)data, size, kernel, &options, &made, &error);
    if (status != WARPBOUND_OK) {
      require(status == WARPBOUND_INVALID_INPUT, "the input is to blame");
      require(error.message[0] != '\0', "errors have a message");
      continue;
    }
    const char *wrong = check_instrumented((const char *)data, size, &made);
    require(wrong == NULL, wrong);
    wb_instrumentation_free(&made);
  }
  free(kernel);
  return 0;
}

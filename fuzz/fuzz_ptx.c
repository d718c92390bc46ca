/* Fuzz target: the PTX parser bears any bytes, and says where what it refuses is; every kernel of
 * what it takes has a path or a reason for none. */
#include "flow/paths/kernel_path.h"
#include "frontend/ptx/ptx_front_end.h"
#include "model/code.h"

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
  fprintf(stderr, "fuzz_ptx: violated: %s\n", what);
  abort();
}

/* The path is short: its length is the loops' business. */
static void check_path(const struct wb_code *code, const struct wb_function *kernel,
                       enum wb_path_order order)
{
  warpbound_error error = {0};
  struct wb_kernel_path path;
  const struct wb_path_options options = {.order = order, .iterations = 2};
  warpbound_status status = wb_kernel_path_walk(code, kernel, &options, &path, &error);
  if (status != WARPBOUND_OK) {
    require(status == WARPBOUND_INVALID_INPUT || status == WARPBOUND_FACTS_MISSING,
            "the kernel is to blame");
    require(error.message[0] != '\0', "errors of paths have a message");
    return;
  }
  require(path.step_count == path.string.length, "each step is in the string");
  require(wb_is_estimate(&path.estimate), "it is an estimate");
  wb_kernel_path_free(&path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct wb_code code;
  warpbound_error error = {0};
  warpbound_status status = wb_ptx_parse("fuzz", (const char *)data, size, NULL, &code, &error);
  if (status != WARPBOUND_OK) {
    require(status == WARPBOUND_INVALID_INPUT || status == WARPBOUND_FACTS_MISSING,
            "the input is to blame");
    require(error.message[0] != '\0', "errors have a message");
    require(error.line >= 1 && error.column >= 1, "errors have a place");
    require(code.functions == NULL && code.names.blocks == NULL, "nothing is left of a failure");
    return 0;
  }
  const char *broken = wb_code_check(&code);
  require(broken == NULL, broken);
  for (size_t f = 0; f < code.function_count; f++) {
    const struct wb_function *function = &code.functions[f];
    if (!function->kernel || !function->defined)
      continue;
    check_path(&code, function, WB_PATH_LONGEST);
    check_path(&code, function, WB_PATH_FALL_THROUGH);
  }
  wb_code_free(&code);
  return 0;
}

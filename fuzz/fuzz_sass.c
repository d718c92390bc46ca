/* Fuzz target: the SASS front end bears any bytes, says where what it refuses is, and what it
 * makes holds together. */
#include "frontend/sass/sass_front_end.h"
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
  fprintf(stderr, "fuzz_sass: violated: %s\n", what);
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct wb_code code;
  warpbound_error error = {0};
  const char *text = (const char *)data;
  wb_sass_detect(text, size);
  const warpbound_status status = wb_sass_parse("fuzz", text, size, NULL, &code, &error);
  if (status != WARPBOUND_OK) {
    require(status == WARPBOUND_INVALID_INPUT, "the input is to blame");
    require(error.message[0] != '\0', "errors have a message");
    require(error.line >= 1 && error.column >= 1, "errors have a place");
    require(code.functions == NULL && code.names.blocks == NULL, "nothing is left of a failure");
    return 0;
  }
  const char *broken = wb_code_check(&code);
  require(broken == NULL, broken);
  wb_code_free(&code);
  return 0;
}

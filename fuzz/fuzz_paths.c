/* Files of bounds over all paths: the reader and the checker take any bytes. */
#include "certificate/flow/paths_check.h"
#include "formats/paths/paths_file.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct wb_paths_file file;
  warpbound_error error = {0};
  warpbound_status status =
      wb_json_parse_as("fuzz", (const char *)data, size, wb_paths_file_read, &file, &error);
  if (status == WARPBOUND_OK) {
    struct wb_check_paths_verdict verdict = {0};
    status = wb_check_paths(&file.claim, &verdict, &error);
    if (status == WARPBOUND_OK && verdict.cycles > file.claim.cycles)
      abort();
    wb_paths_file_free(&file);
  }
  if (status != WARPBOUND_OK && error.message[0] == '\0')
    abort();
  return 0;
}

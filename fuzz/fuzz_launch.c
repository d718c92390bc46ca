/* Files of bounds on launches: the reader and the checker take any bytes. */
#include "certificate/launch/launch_claim.h"
#include "formats/launch/launch_file.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct wb_launch_file file;
  warpbound_error error = {0};
  warpbound_status status =
      wb_json_parse_as("fuzz", (const char *)data, size, wb_launch_file_read, &file, &error);
  if (status == WARPBOUND_OK) {
    struct wb_check_launch_verdict verdict = {0};
    status = wb_check_launch(&file.claim, &verdict, &error);
    if (status == WARPBOUND_OK && verdict.cycles > file.claim.cycles)
      abort();
    wb_launch_file_free(&file);
  }
  if (status != WARPBOUND_OK && error.message[0] == '\0')
    abort();
  return 0;
}

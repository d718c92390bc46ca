/* Files of bounds on frames of launches: the reader and the checker take any bytes. */
#include "certificate/frame/frame_claim.h"
#include "formats/frame/frame_file.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct wb_frame_file file;
  warpbound_error error = {0};
  warpbound_status status =
      wb_json_parse_as("fuzz", (const char *)data, size, wb_frame_file_read, &file, &error);
  if (status == WARPBOUND_OK) {
    struct wb_check_frame_verdict verdict = {0};
    status = wb_check_frame(&file.claim, &verdict, &error);
    if (status == WARPBOUND_OK && verdict.cycles > file.claim.cycles)
      abort();
    wb_frame_file_free(&file);
  }
  if (status != WARPBOUND_OK && error.message[0] == '\0')
    abort();
  return 0;
}

/* Schedule files: the reader and the checker take any bytes. */
#include "certificate/schedule/schedule_claim.h"
#include "formats/schedule/schedule_file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct wb_schedule_file file;
  warpbound_error error = {0};
  warpbound_status status =
      wb_json_parse_as("fuzz", (const char *)data, size, wb_schedule_file_read, &file, &error);
  if (status == WARPBOUND_OK) {
    uint64_t makespan = 0;
    status = wb_check_schedule(&file.claim, &makespan, &error);
    if (status == WARPBOUND_OK && makespan == 0)
      abort();
    wb_arena_free(&file.arena);
  }
  if (status != WARPBOUND_OK && error.message[0] == '\0')
    abort();
  return 0;
}

/* Files of runs of launches: the reader and the checker take any bytes. */
#include "certificate/launch_run/launch_run_check.h"
#include "formats/launch_run/launch_run_file.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct wb_launch_run_file file;
  warpbound_error error = {0};
  warpbound_status status =
      wb_json_parse_as("fuzz", (const char *)data, size, wb_launch_run_file_read, &file, &error);
  if (status == WARPBOUND_OK) {
    status = wb_check_launch_run(&file.run, &error);
    /* A run of no time has no events. */
    if (status == WARPBOUND_OK && (file.run.cycles == 0 || file.run.event_count == 0))
      abort();
    wb_launch_run_file_free(&file);
  }
  if (status != WARPBOUND_OK && error.message[0] == '\0')
    abort();
  return 0;
}

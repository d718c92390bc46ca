/* Run files: the reader and the checker take any bytes. */
#include "certificate/runs/run_check.h"
#include "formats/makespan/makespan_files.h"

#include <stdlib.h>
#include <string.h>

#define MEMORY_LIMIT (UINT64_C(1) << 17)
#define SECONDS 2

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct wb_run_file file;
  warpbound_error error = {0};
  warpbound_status status =
      wb_json_parse_as("fuzz", (const char *)data, size, wb_run_file_read, &file, &error);
  if (status == WARPBOUND_OK) {
    struct wb_control control = wb_control_start(NULL);
    struct wb_check_run_verdict proof = {0};
    control.memory_limit = MEMORY_LIMIT;
    control.deadline = control.start + SECONDS;
    control.threads = 1;
    status = wb_check_run(&file.claim, &control, &proof, &error);
    if (status == WARPBOUND_OK &&
        (proof.cycles < file.claim.problem.length || proof.cycles > file.claim.cycles))
      abort();
    wb_arena_free(&file.arena);
  }
  if (status != WARPBOUND_OK && error.message[0] == '\0')
    abort();
  return 0;
}

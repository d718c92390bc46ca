/* Potential files: the reader and the checker take any bytes. */
#include "certificate/potential/potential_claim.h"
#include "formats/potential/potential_file.h"

#include <stdlib.h>
#include <string.h>

#define WORK_LIMIT UINT64_C(100000)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct wb_potential_file file;
  warpbound_error error = {0};
  warpbound_status status =
      wb_json_parse_as("fuzz", (const char *)data, size, wb_potential_file_read, &file, &error);
  if (status == WARPBOUND_OK) {
    struct wb_check_potential_verdict proof = {0};
    status = wb_check_potential(&file.claim, WORK_LIMIT, &proof, &error);
    if (status == WARPBOUND_OK && proof.cycles < file.claim.problem.length)
      abort();
    wb_arena_free(&file.arena);
  }
  if (status != WARPBOUND_OK && error.message[0] == '\0')
    abort();
  return 0;
}

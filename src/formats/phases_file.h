/* Files of bounds that add up over phases, "warpbound-phases-1" (format in doc/formats.md). */
#ifndef WB_FORMATS_PHASES_FILE_H
#define WB_FORMATS_PHASES_FILE_H

#include "base/status.h"
#include "certificate/schedule/phases_check.h"
#include "formats/json_input.h"

#include <stddef.h>

#define WB_PHASES_FORMAT "warpbound-phases-1"

/* Most proofs in a file. */
#define WB_PHASES_PROOF_LIMIT ((size_t)4096)

/* A claim read from a file. proofs: objects, each of a certificate of one phase, in a list that is
 * the file's own; whether they are valid is not checked here. Free with wb_phases_file_free. */
struct wb_phases_file {
  struct wb_check_phases_bound claim;
  char *letters;
  json_t *proofs;
};

/* Reads the object of a phases file, which is borrowed for the call. Errors:
 * WARPBOUND_INVALID_INPUT, with nothing to free. Linear in the list and the string. */
warpbound_status wb_phases_file_read(const char *name, const json_t *object,
                                     struct wb_phases_file *file, warpbound_error *error);
void wb_phases_file_free(struct wb_phases_file *file);

#endif

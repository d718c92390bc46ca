/* Run files, "warpbound-runs-1" (format in doc/formats.md). */
#ifndef WB_FORMATS_RUN_FILE_H
#define WB_FORMATS_RUN_FILE_H

#include "base/status.h"
#include "certificate/runs/run_check.h"
#include "formats/json_input.h"

#include <stddef.h>
#include <stdint.h>

#define WB_RUN_FORMAT "warpbound-runs-1"

/* A claim read from a file, with what it points to. Free with wb_run_file_free. */
struct wb_run_file {
  struct wb_check_run_claim claim;
  char *letters;
  uint32_t *lengths;
};

/* Reads the text of a run file, of at most WB_JSON_LIMIT bytes. Only the form is checked
 * here; whether the pieces are the string and the claim holds is the checker's to say.
 * Errors: WARPBOUND_INVALID_INPUT, with nothing to free. Linear in the text and in the
 * length of the string. */
warpbound_status wb_run_file_parse(const char *name, const char *text, size_t length,
                                   struct wb_run_file *file, warpbound_error *error);
/* The same from JSON that was parsed already; the object is borrowed for the call. */
warpbound_status wb_run_file_read(const char *name, const json_t *object, struct wb_run_file *file,
                                  warpbound_error *error);
void wb_run_file_free(struct wb_run_file *file);

#endif

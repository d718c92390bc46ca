/* Files of bounds over all paths, "warpbound-paths-1" (format in doc/formats.md). */
#ifndef WB_FORMATS_PATHS_FILE_H
#define WB_FORMATS_PATHS_FILE_H

#include "base/status.h"
#include "certificate/flow/paths_check.h"
#include "formats/json_input.h"

#include <stddef.h>
#include <stdint.h>

#define WB_PATHS_FORMAT "warpbound-paths-1"

/* A claim read from a file, with what it points to. Free with wb_paths_file_free. */
struct wb_paths_file {
  struct wb_check_paths_claim claim;
  uint64_t (*letters)[WB_UNIT_COUNT];
  struct wb_check_path_maximum *maxima;
  bool *local;
};

/* Reads the text of such a file, of at most WB_JSON_LIMIT bytes. Only the form is checked here;
 * whether the claim holds is the checker's to say. Errors: WARPBOUND_INVALID_INPUT, with nothing to
 * free, WARPBOUND_INTERNAL. Linear in the text. */
warpbound_status wb_paths_file_parse(const char *name, const char *text, size_t length,
                                     struct wb_paths_file *file, warpbound_error *error);
/* The same from JSON that was parsed already; the object is borrowed for the call. */
warpbound_status wb_paths_file_read(const char *name, const json_t *object,
                                    struct wb_paths_file *file, warpbound_error *error);
void wb_paths_file_free(struct wb_paths_file *file);

#endif

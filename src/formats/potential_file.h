/* Potential files, "warpbound-potential-1" (format in doc/potentials.md). */
#ifndef WB_FORMATS_POTENTIAL_FILE_H
#define WB_FORMATS_POTENTIAL_FILE_H

#include "base/status.h"
#include "certificate/potential/potential_check.h"
#include "formats/json_input.h"
#include "formats/potential_members.h"

#include <stddef.h>

#define WB_POTENTIAL_FORMAT "warpbound-potential-1"

/* The lists of values, in the order of the members stay, leave, own_stay, own_leave. */
#define WB_POTENTIAL_LISTS 4

/* A claim read from a file, with what it points to. Free with wb_potential_file_free. */
struct wb_potential_file {
  struct wb_check_potential_claim claim;
  char *letters;
  struct wb_check_potential_pool *pools;
  struct wb_check_potential_value *values[WB_POTENTIAL_LISTS];
  struct wb_potential_members members;
  struct wb_check_potential_state *states;
};

/* Reads the text of a potential file, of at most WB_JSON_LIMIT bytes. Only the form is
 * checked here; whether the claim holds is the checker's to say. Errors:
 * WARPBOUND_INVALID_INPUT, with nothing to free. Linear in the text. */
warpbound_status wb_potential_file_parse(const char *name, const char *text, size_t length,
                                         struct wb_potential_file *file, warpbound_error *error);
/* The same from JSON that was parsed already; the object is borrowed for the call. */
warpbound_status wb_potential_file_read(const char *name, const json_t *object,
                                        struct wb_potential_file *file, warpbound_error *error);
void wb_potential_file_free(struct wb_potential_file *file);

#endif

/* Schedule files, "warpbound-schedule-1" (format in doc/formats.md). */
#ifndef WB_FORMATS_SCHEDULE_FILE_H
#define WB_FORMATS_SCHEDULE_FILE_H

#include "base/status.h"
#include "certificate/schedule/schedule_check.h"
#include "formats/json_input.h"

#include <stddef.h>

#define WB_SCHEDULE_FORMAT "warpbound-schedule-1"

/* A claim read from a file, with what it points to. Free with
 * wb_schedule_file_free. */
struct wb_schedule_file {
  struct wb_check_schedule_claim claim;
  struct wb_check_claim_string *strings;
  uint32_t *string_of;
  uint32_t **cycles;
  size_t *counts;
};

/* Reads the text of a schedule file. Only the form is checked here; whether the
 * schedule is valid is the checker's to say. Errors: WARPBOUND_INVALID_INPUT. */
warpbound_status wb_schedule_file_parse(const char *name, const char *text, size_t length,
                                        struct wb_schedule_file *file, warpbound_error *error);
/* The same from JSON that was parsed already; the object is borrowed for the call. */
warpbound_status wb_schedule_file_read(const char *name, const json_t *object,
                                       struct wb_schedule_file *file, warpbound_error *error);
void wb_schedule_file_free(struct wb_schedule_file *file);

#endif

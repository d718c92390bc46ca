/* SM configurations from JSON files (format in doc/formats.md). */
#ifndef WB_FORMATS_SM_FILE_H
#define WB_FORMATS_SM_FILE_H

#include "base/status.h"
#include "model/sm_configuration.h"

#include <jansson.h>
#include <stddef.h>

/* Reads a configuration from the text of a file. Errors: WARPBOUND_INVALID_INPUT
 * with the file and the key, or line and column where it is no JSON. */
warpbound_status wb_sm_file_parse(const char *name, const char *text, size_t length,
                                  struct wb_sm_configuration *sm, warpbound_error *error);

/* Reads a member of `units` whose value is a capacity: a whole number, or a fraction as
 * text. Errors: WARPBOUND_INVALID_INPUT with the file and the key. */
warpbound_status wb_sm_file_capacity(const char *name, const char *key, const json_t *value,
                                     struct wb_unit_capacity *capacity, warpbound_error *error);
/* The unit type of a key of `units`; an error for any key but L, C, S and D. */
warpbound_status wb_sm_file_unit(const char *name, const char *key, enum wb_unit *unit,
                                 warpbound_error *error);

#endif

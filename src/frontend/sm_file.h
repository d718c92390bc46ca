/* SM configurations from JSON files (format in doc/formats.md). */
#ifndef WB_FRONTEND_SM_FILE_H
#define WB_FRONTEND_SM_FILE_H

#include "base/status.h"
#include "model/sm_configuration.h"

#include <stddef.h>

/* Reads a configuration from the text of a file. Errors: WARPBOUND_INVALID_INPUT
 * with the file and the key, or line and column where it is no JSON. */
warpbound_status wb_sm_file_parse(const char *name, const char *text, size_t length,
                                  struct wb_sm_configuration *sm, warpbound_error *error);

#endif

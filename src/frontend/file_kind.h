/* Inputs of another kind than what was wanted, and what makes of them one that is read. */
#ifndef WB_FRONTEND_FILE_KIND_H
#define WB_FRONTEND_FILE_KIND_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* The kind of input that was expected. */
enum wb_file_wanted {
  WB_FILE_KERNEL,  /* PTX, machine code, a SASS listing, a string or an instance file */
  WB_FILE_LISTING, /* machine code or a SASS listing */
  WB_FILE_JSON,    /* a schedule, a certificate, an SM configuration */
  WB_FILE_TEXT     /* flow facts, a table of costs */
};

/* For an input of any bytes that was not understood, as *error says (WARPBOUND_INVALID_INPUT):
 * where its beginning shows it to be of another kind than what was wanted, the error says so
 * instead, with the command that helps. name: the file's, "" for none. */
void wb_file_kind_explain(const char *name, const char *bytes, size_t length,
                          enum wb_file_wanted wanted, warpbound_error *error);

/* The same where code for a device is wanted: sm is its architecture, 87 for sm_87; 0: any. */
void wb_file_kind_explain_for(const char *name, const char *bytes, size_t length,
                              enum wb_file_wanted wanted, uint32_t sm, warpbound_error *error);

#endif

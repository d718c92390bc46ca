/* Files of another kind than a command reads, and what makes of them one that it does. */
#ifndef WB_CLI_INPUT_FILE_KIND_H
#define WB_CLI_INPUT_FILE_KIND_H

#include "base/file.h"
#include "base/status.h"

/* What a file was to be. */
enum file_wanted {
  FILE_KERNEL,  /* PTX, a SASS listing, a string or an instance file */
  FILE_LISTING, /* a SASS listing */
  FILE_JSON,    /* a schedule, a certificate, an SM configuration */
  FILE_TEXT     /* flow facts, a table of costs */
};

/* For a file that was not understood (WARPBOUND_INVALID_INPUT): where its content shows it to be of
 * another kind than what was wanted, the error says so, with the command that helps. Other errors
 * stay as they are. */
void file_kind_explain(const struct wb_source *source, enum file_wanted wanted,
                       warpbound_error *error);

#endif

/* The files that the commands on makespans write of a result. */
#ifndef WB_CLI_OUTPUT_MAKESPAN_FILES_H
#define WB_CLI_OUTPUT_MAKESPAN_FILES_H

#include "base/text.h"
#include "cli/options/options.h"

#include <stdbool.h>

/* Writes those that were asked for: schedule, Gantt chart, certificate, convergence, the tractable
 * bound; the chart that --draw asks for is appended to *drawing. Errors: WARPBOUND_LIMIT where
 * there is no schedule or certificate to write, those of output_write. */
warpbound_status makespan_files_write(const struct arguments *arguments,
                                      const warpbound_result *result, bool colour,
                                      struct wb_text *drawing, warpbound_error *error);

#endif

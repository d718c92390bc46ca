/* The files of --plots: each plot of measured times as SVG, and a page with all of them. */
#ifndef WB_CLI_OUTPUT_PLOT_FILES_H
#define WB_CLI_OUTPUT_PLOT_FILES_H

#include "base/status.h"
#include "report/measured/measured_report.h"

/* Makes the folder, and says whether its page can be written: before any work. Errors:
 * WARPBOUND_USAGE. */
warpbound_status plot_files_check(const char *folder, warpbound_error *error);

/* Writes index.html and, of each series, the plots that it has: PLOT.svg, or NUMBER-SERIES-PLOT.svg
 * where there are several. Errors: those of wb_file_write. */
warpbound_status plot_files_write(const char *folder, const struct wb_measured *measured,
                                  warpbound_error *error);

#endif

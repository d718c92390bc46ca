/* The files of commands that write graphs: --dot and --svg. */
#ifndef WB_CLI_OUTPUT_GRAPH_FILES_H
#define WB_CLI_OUTPUT_GRAPH_FILES_H

#include "cli/options/options.h"
#include "report/cfg/cfg_report.h"
#include "warpbound.h"

/* Writes the graph for Graphviz and the picture, whichever is asked for; the graph also where there
 * is no picture to be had. Errors: WARPBOUND_USAGE, WARPBOUND_LIMIT, WARPBOUND_INTERNAL. */
warpbound_status graph_files_write(const struct arguments *arguments,
                                   const struct wb_cfg_report *report,
                                   const warpbound_options *limits, warpbound_error *error);

#endif

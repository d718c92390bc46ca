/* What the page on a launch shows beside the launch's JSON object: code, source, graph, pictures.
 */
#ifndef WB_REPORT_ANALYZE_PAGE_DATA_H
#define WB_REPORT_ANALYZE_PAGE_DATA_H

#include "report/analyze/analyze_report.h"

#include <jansson.h>

/* By instruction: address, text, file and line, block, runs, cycles; the blocks, edges, loops and
 * scopes of the united graph; the files with the lines that the user gave. Instructions from
 * WB_PAGE_INSTRUCTIONS on are left out, and counted. NULL where memory is out. */
#define WB_PAGE_INSTRUCTIONS 50000
json_t *wb_page_code(const struct wb_launch_report *report);

/* The source files that instructions name, each with the lines around those that they name, where
 * the user gave it. NULL where memory is out. */
json_t *wb_page_files(const struct wb_launch_report *report);

/* The graph as an SVG page by Graphviz; null where that is not there, or the graph is too large to
 * be of use as a picture. NULL where memory is out. */
json_t *wb_page_graph(const struct wb_launch_report *report);

/* The longest simulated run as SVG; null where none was recorded. */
json_t *wb_page_timeline(const struct wb_launch_report *report);

/* The flow facts that are missing, as the text to write; null where there are none. */
json_t *wb_page_template(const struct wb_launch_report *report);

#endif

/* Graphviz as a program: from its language to a picture. */
#ifndef WB_REPORT_GRAPHVIZ_H
#define WB_REPORT_GRAPHVIZ_H

#include "base/status.h"
#include "base/text.h"
#include "base/work_control.h"

/* Lays a graph out with the program `dot`, found by PATH, and appends the SVG page to *svg.
 * Stops when the control says so. Errors: WARPBOUND_USAGE where the program is not there or
 * refuses the graph, WARPBOUND_LIMIT where it was stopped, WARPBOUND_INTERNAL. */
warpbound_status wb_graphviz_svg(const struct wb_text *graph, const struct wb_control *control,
                                 struct wb_text *svg, warpbound_error *error);

#endif

/* The picture of a simulated run of a launch: what the warps of one SM do, and wait for. */
#ifndef WB_REPORT_ANALYZE_TIMELINE_SVG_H
#define WB_REPORT_ANALYZE_TIMELINE_SVG_H

#include "analysis/launch/launch_result.h"
#include "base/text.h"

/* An SVG page of the events of analysis->worst_run on one SM: that of the block that left last, if
 * it has events, else that of the first event; appends nothing where there are none. A row a warp,
 * by partition; along it what it issues, coloured by unit, its waits, barrier waits and requests.
 * It has no style sheet and no script, its letters take the colour of the text around it: it can
 * be part of a page. Rows and marks are limited, and the picture says what it leaves out. The
 * caller checks text->failed. */
void wb_timeline_svg(const struct wb_launch_analysis *analysis, struct wb_text *text);

#endif

/* The style sheet of charts, src/report/svg/chart.css, as scripts/embed puts it into the library.
 */
#ifndef WB_REPORT_SVG_CHART_STYLE_H
#define WB_REPORT_SVG_CHART_STYLE_H

#include <stddef.h>

extern const unsigned char wb_embedded_chart_style[];
extern const size_t wb_embedded_chart_style_length;

#endif

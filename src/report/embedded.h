/* The files that scripts/embed puts into the library: the parts of the page on a launch
 * (src/report/analyze/page), and the style sheets of charts and of the page on measured times. */
#ifndef WB_REPORT_EMBEDDED_H
#define WB_REPORT_EMBEDDED_H

#include <stddef.h>

extern const unsigned char wb_embedded_page_body[];
extern const size_t wb_embedded_page_body_length;
extern const unsigned char wb_embedded_page_style[];
extern const size_t wb_embedded_page_style_length;
extern const unsigned char wb_embedded_page_script[];
extern const size_t wb_embedded_page_script_length;
extern const unsigned char wb_embedded_chart_style[];
extern const size_t wb_embedded_chart_style_length;
extern const unsigned char wb_embedded_measured_style[];
extern const size_t wb_embedded_measured_style_length;

/* "sha256-...", what a policy for content names: of the script, of the style of the page on a
 * launch, and of the style of the page on measured times: that of the page on a launch, its own,
 * and that of charts. */
extern const char wb_embedded_page_script_hash[];
extern const char wb_embedded_page_style_hash[];
extern const char wb_embedded_measured_style_hash[];

#endif

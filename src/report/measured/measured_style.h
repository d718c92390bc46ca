/* What the page on measured times adds to the style of the page on a launch
 * (src/report/measured/page.css), as scripts/embed puts it into the library. */
#ifndef WB_REPORT_MEASURED_MEASURED_STYLE_H
#define WB_REPORT_MEASURED_MEASURED_STYLE_H

#include <stddef.h>

extern const unsigned char wb_embedded_measured_style[];
extern const size_t wb_embedded_measured_style_length;

/* "sha256-..." of the page's style: that of the page on a launch, this one, and that of charts. */
extern const char wb_embedded_measured_style_hash[];

#endif

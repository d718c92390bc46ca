/* Text of an SVG page: how wide it is, as much of it as fits, and where it goes. */
#ifndef WB_REPORT_SVG_SVG_TEXT_H
#define WB_REPORT_SVG_SVG_TEXT_H

#include "base/text.h"

/* How many bytes of a string are read: more fits no line. */
#define WB_SVG_LONGEST_TEXT 2000

/* Pixels that UTF-8 of a font size takes, at most: as in the widest sans-serif in
 * use. */
unsigned wb_svg_text_width(const char *string, unsigned size);

/* Appends as much of the string as fits into the width, as XML; "..." says what is
 * cut. The string need not be UTF-8: what is none becomes U+FFFD. */
void wb_svg_escape(const char *string, unsigned size, unsigned width, struct wb_text *text);

/* Appends a text element. kind: classes of the style sheet. y: the baseline.
 * string: XML already. */
void wb_svg_put_text(struct wb_text *text, const char *kind, unsigned x, unsigned y,
                     const char *string);

/* The baseline that centres letters of a size in a band. */
unsigned wb_svg_baseline(unsigned y, unsigned height, unsigned size);

#endif

/* UTF-8 from anywhere: what is none, or what no reader can show, is replaced. */
#ifndef WB_BASE_TEXT_UTF8_H
#define WB_BASE_TEXT_UTF8_H

#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

/* One character of a zero-ended string and its length in bytes; U+FFFD, one byte long, for
 * what is none or what XML does not allow, a blank for control characters. */
uint32_t wb_utf8_decode(const char *bytes, size_t *length);

/* Appends a string of any bytes as UTF-8 without control characters. */
void wb_text_clean(struct wb_text *text, const char *string);

#endif

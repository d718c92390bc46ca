/* Checks of pages: well-formed markup, and the sums of what may run in it. */
#ifndef TESTS_HELPERS_PAGES_PAGE_CHECKS_H
#define TESTS_HELPERS_PAGES_PAGE_CHECKS_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* Every element is closed in order, no '<' or '&' stands bare, and no attribute holds a number that
 * is not finite; the test fails otherwise. html: elements that HTML does not close need no end. */
void check_markup(const char *text, bool html);

/* How often a part stands in a text. */
size_t count_in(const char *text, const char *part);

/* SHA-256 (FIPS 180-4), to check what a page says of its script. */

#define WB_SHA256_BYTES 32

void wb_sha256(const void *bytes, size_t length, unsigned char digest[WB_SHA256_BYTES]);

/* Appends bytes in base64 (RFC 4648), with padding. */
void wb_text_base64(struct wb_text *text, const unsigned char *bytes, size_t length);

#endif

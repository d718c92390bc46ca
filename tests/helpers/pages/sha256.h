/* SHA-256 (FIPS 180-4), to check what a page says of its script. */
#ifndef WB_TESTS_SHA256_H
#define WB_TESTS_SHA256_H

#include "base/text.h"

#include <stddef.h>

#define WB_SHA256_BYTES 32

void wb_sha256(const void *bytes, size_t length, unsigned char digest[WB_SHA256_BYTES]);

/* Appends bytes in base64 (RFC 4648), with padding. */
void wb_text_base64(struct wb_text *text, const unsigned char *bytes, size_t length);

#endif

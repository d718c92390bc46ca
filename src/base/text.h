/* A text that grows. Failure is sticky: after one failed append the rest does
 * nothing and wb_text_take returns NULL, so a writer checks once, at its end. */
#ifndef WB_BASE_TEXT_H
#define WB_BASE_TEXT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Invariant: data is NULL or ended by a zero at data[length]; failed is never
 * cleared by an append. Zero-initialise. */
struct wb_text {
  char *data;
  size_t length;
  size_t capacity;
  bool failed;
};

void wb_text_append(struct wb_text *text, const char *bytes, size_t length);
void wb_text_string(struct wb_text *text, const char *string);
void wb_text_format(struct wb_text *text, const char *format, ...) WB_PRINTF(2, 3);
/* `count` times the character. */
void wb_text_fill(struct wb_text *text, char character, size_t count);

/* Hands the bytes to the caller, who frees them; NULL after a failure. The text
 * is empty afterwards. */
char *wb_text_take(struct wb_text *text);
void wb_text_free(struct wb_text *text);

#endif

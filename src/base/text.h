/* A text that grows. Failure is sticky: after one failed append the rest does
 * nothing and wb_text_take returns NULL, so a writer checks once, at its end. */
#ifndef WB_BASE_TEXT_H
#define WB_BASE_TEXT_H

#include "base/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Invariant: data is NULL or ended by a zero at data[length]; failed is never
 * cleared by an append. Zero-initialise. */
struct wb_text {
  char *data;
  size_t length;
  size_t capacity;
  bool failed;
};

/* Room for `length` more characters and the zero, at data[length]; false after a failure. */
bool wb_text_reserve(struct wb_text *text, size_t length);

/* Inline, since listings are made of millions of pieces, most of a length that is known here. */
static inline void wb_text_append(struct wb_text *text, const char *bytes, size_t length)
{
  if (text->failed || (length >= text->capacity - text->length && !wb_text_reserve(text, length)))
    return;
  if (length > 0) /* Of an empty text the bytes may be NULL, which memcpy must not be given. */
    memcpy(text->data + text->length, bytes, length);
  text->length += length;
  text->data[text->length] = '\0';
}

static inline void wb_text_string(struct wb_text *text, const char *string)
{
  wb_text_append(text, string, strlen(string));
}

void wb_text_format(struct wb_text *text, const char *format, ...) WB_PRINTF(2, 3);
void wb_text_format_list(struct wb_text *text, const char *format, va_list arguments)
    WB_PRINTF(2, 0);
/* `count` times the character. */
void wb_text_fill(struct wb_text *text, char character, size_t count);

/* Hands the bytes to the caller, who frees them; NULL after a failure. The text
 * is empty afterwards. */
char *wb_text_take(struct wb_text *text);
void wb_text_free(struct wb_text *text);

#endif

#include "base/text.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct wb_text *text, size_t extra)
{
  if (text->failed || extra > SIZE_MAX - text->length - 1) {
    text->failed = true;
    return false;
  }
  if (!wb_grow(text->data, &text->capacity, text->length + extra + 1))
    text->failed = true;
  return !text->failed;
}

void wb_text_append(struct wb_text *text, const char *bytes, size_t length)
{
  if (!reserve(text, length))
    return;
  memcpy(text->data + text->length, bytes, length);
  text->length += length;
  text->data[text->length] = '\0';
}

void wb_text_string(struct wb_text *text, const char *string)
{
  wb_text_append(text, string, strlen(string));
}

void wb_text_format(struct wb_text *text, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length < 0)
    text->failed = true;
  else if (reserve(text, (size_t)length)) {
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
}

void wb_text_fill(struct wb_text *text, char character, size_t count)
{
  if (!reserve(text, count))
    return;
  memset(text->data + text->length, character, count);
  text->length += count;
  text->data[text->length] = '\0';
}

char *wb_text_take(struct wb_text *text)
{
  if (!reserve(text, 0)) {
    wb_text_free(text);
    return NULL;
  }
  char *data = text->data;
  data[text->length] = '\0';
  *text = (struct wb_text){0};
  return data;
}

void wb_text_free(struct wb_text *text)
{
  free(text->data);
  *text = (struct wb_text){0};
}

#include "base/text.h"

#include "base/list.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool wb_text_reserve(struct wb_text *text, size_t length)
{
  if (text->failed || length > SIZE_MAX - text->length - 1) {
    text->failed = true;
    return false;
  }
  if (!wb_grow(text->data, &text->capacity, text->length + length + 1))
    text->failed = true;
  return !text->failed;
}

void wb_text_format(struct wb_text *text, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  /* Into what room there is, and once more where that was too little. */
  size_t room = text->failed ? 0 : text->capacity - text->length;
  int length = vsnprintf(room > 0 ? text->data + text->length : NULL, room, format, arguments);
  va_end(arguments);
  if (length < 0)
    text->failed = true;
  else if ((size_t)length >= room && wb_text_reserve(text, (size_t)length))
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
  if (!text->failed)
    text->length += (size_t)length;
  else if (room > 0)
    text->data[text->length] = '\0';
  va_end(again);
}

void wb_text_fill(struct wb_text *text, char character, size_t count)
{
  if (!wb_text_reserve(text, count))
    return;
  memset(text->data + text->length, character, count);
  text->length += count;
  text->data[text->length] = '\0';
}

char *wb_text_take(struct wb_text *text)
{
  if (!wb_text_reserve(text, 0)) {
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

void wb_text_adopt(struct wb_text *text, char *string)
{
  size_t length = strlen(string);
  if (text->length > 0 || text->failed) {
    wb_text_append(text, string, length);
    free(string);
    return;
  }
  free(text->data);
  *text = (struct wb_text){.data = string, .length = length, .capacity = length + 1};
}

/* ---- lists of texts ---- */

void wb_list_add(struct wb_list *list, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *item = length >= 0 ? wb_allocate((size_t)length + 1, 1) : NULL;
  if (item != NULL)
    vsnprintf(item, (size_t)length + 1, format, arguments);
  va_end(arguments);
  for (size_t i = 0; item != NULL && i < list->count; i++) {
    if (strcmp(list->items[i], item) == 0) {
      free(item);
      return;
    }
  }
  if (item == NULL || !wb_grow(list->items, &list->capacity, list->count + 1)) {
    free(item);
    list->failed = true;
    return;
  }
  list->items[list->count++] = item;
}

void wb_list_add_all(struct wb_list *list, const struct wb_list *other)
{
  for (size_t i = 0; i < other->count; i++)
    wb_list_add(list, "%s", other->items[i]);
  list->failed = list->failed || other->failed;
}

void wb_list_free(struct wb_list *list)
{
  for (size_t i = 0; i < list->count; i++)
    free(list->items[i]);
  free(list->items);
  *list = (struct wb_list){0};
}

#include "base/list.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *wb_allocate(size_t count, size_t size)
{
  if (count == 0)
    count = 1;
  return calloc(count, size);
}

bool wb_grow(void **array, size_t *capacity, size_t needed, size_t size)
{
  if (needed <= *capacity)
    return true;
  size_t wanted = *capacity < 8 ? 8 : *capacity;
  while (wanted < needed) {
    if (wanted > SIZE_MAX / 2)
      return false;
    wanted *= 2;
  }
  if (wanted > SIZE_MAX / size)
    return false;
  void *grown = realloc(*array, wanted * size);
  if (grown == NULL)
    return false;
  *array = grown;
  *capacity = wanted;
  return true;
}

char *wb_copy_text(const char *text, size_t length)
{
  char *copy = length < SIZE_MAX ? malloc(length + 1) : NULL;
  if (copy == NULL)
    return NULL;
  if (length > 0)
    memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

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

void *wb_grown(void *array, size_t *capacity, size_t needed, size_t size)
{
  if (needed <= *capacity)
    return array;
  size_t wanted = *capacity < 8 ? 8 : *capacity;
  while (wanted < needed) {
    if (wanted > SIZE_MAX / 2)
      return array;
    wanted *= 2;
  }
  if (wanted > SIZE_MAX / size)
    return array;
  void *grown = realloc(array, wanted * size);
  if (grown == NULL)
    return array;
  *capacity = wanted;
  return grown;
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

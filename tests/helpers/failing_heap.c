#include "failing_heap.h"

#include <stdbool.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

struct failing_heap heap;

static bool may_allocate(void)
{
  return ++heap.count != heap.fail_at;
}

void *__wrap_malloc(size_t size)
{
  void *block = may_allocate() ? __real_malloc(size) : NULL;
  heap.live += block != NULL;
  return block;
}

void *__wrap_calloc(size_t count, size_t size)
{
  void *block = may_allocate() ? __real_calloc(count, size) : NULL;
  heap.live += block != NULL;
  return block;
}

void *__wrap_realloc(void *block, size_t size)
{
  void *grown = may_allocate() ? __real_realloc(block, size) : NULL;
  heap.live += grown != NULL && block == NULL;
  return grown;
}

void __wrap_free(void *block)
{
  heap.live -= block != NULL;
  __real_free(block);
}

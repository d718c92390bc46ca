#include "failing_heap.h"

#include "unit.h"

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

size_t fail_each(memory_work *work, const void *context, warpbound_status last)
{
  const size_t live = heap.live;
  for (size_t fail_at = 1;; fail_at++) {
    warpbound_error error = {0};
    heap.count = 0;
    heap.fail_at = fail_at;
    const warpbound_status status = work(context, &error);
    heap.fail_at = 0;
    assert_int_equal(heap.live, live);
    if (heap.count < fail_at) {
      assert_int_equal(status, last);
      return fail_at - 1;
    }
    if (status != WARPBOUND_INTERNAL)
      fail_msg("allocation %zu: status %d, %s", fail_at, (int)status, error.message);
    assert_string_equal(error.message, "out of memory");
  }
}

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

/* exact: failures say "out of memory" and nothing else. */
static struct heap_trial fail_in_turn(memory_work *work, const void *context, warpbound_status last,
                                      bool exact)
{
  warpbound_error error = {0};
  struct heap_trial trial = {0};
  const size_t live = heap.live;
  heap.count = 0;
  const warpbound_status whole = work(context, &error);
  if (whole != last)
    fail_msg("status %d: %s", (int)whole, error.message);
  assert_int_equal(heap.live, live);
  trial.total = heap.count;
  const uint64_t every = number_from_environment("WARPBOUND_CROSS_EVERY", 1);
  for (size_t n = 1; n <= trial.total; n += every) {
    heap.count = 0;
    heap.fail_at = n;
    const warpbound_status status = work(context, &error);
    heap.fail_at = 0;
    if (heap.live != live)
      fail_msg("allocation %zu of %zu: %zu blocks are left (%s)", n, trial.total, heap.live - live,
               error.message);
    const char *reason = strstr(error.message, "out of memory");
    const bool blamed = strstr(error.message, "please report") != NULL; /* on a mistake of ours */
    if (status == last)
      trial.survived++;
    else if (status != WARPBOUND_INTERNAL || reason == NULL || blamed ||
             (exact && reason != error.message))
      fail_msg("allocation %zu of %zu: status %d, %s", n, trial.total, (int)status, error.message);
  }
  return trial;
}

struct heap_trial try_each(memory_work *work, const void *context, warpbound_status last)
{
  return fail_in_turn(work, context, last, false);
}

size_t fail_each(memory_work *work, const void *context, warpbound_status last)
{
  const struct heap_trial trial = fail_in_turn(work, context, last, true);
  if (trial.survived > 0)
    fail_msg("%zu of %zu allocations were done without", trial.survived, trial.total);
  return trial.total;
}

#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Each allocation is one of the heap's own, so that a memory checker sees where it ends. */
struct wb_arena_allocation {
  struct wb_arena_allocation *earlier;
  max_align_t bytes[];
};

void *wb_arena_allocate(struct wb_arena *arena, size_t count, size_t size)
{
  const size_t head = offsetof(struct wb_arena_allocation, bytes);
  struct wb_arena_allocation *allocation = NULL;
  if (size == 0 || count <= (SIZE_MAX - head) / size)
    allocation = calloc(1, head + count * size);
  if (allocation == NULL) {
    arena->failed = true;
    return NULL;
  }
  allocation->earlier = arena->latest;
  arena->latest = allocation;
  return allocation->bytes;
}

char *wb_arena_text(struct wb_arena *arena, const char *text, size_t length)
{
  char *copy = length < SIZE_MAX ? wb_arena_allocate(arena, length + 1, 1) : NULL;
  if (copy == NULL) {
    arena->failed = true;
    return NULL;
  }
  if (length > 0)
    memcpy(copy, text, length);
  return copy;
}

void wb_arena_free(struct wb_arena *arena)
{
  struct wb_arena_allocation *allocation = arena->latest;
  while (allocation != NULL) {
    struct wb_arena_allocation *earlier = allocation->earlier;
    free(allocation);
    allocation = earlier;
  }
  *arena = (struct wb_arena){0};
}

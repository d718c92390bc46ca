#include "base/memory.h"

#include "base/arena.h"
#include "base/name_pool.h"

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

/* ---- arenas ---- */

/* Each allocation is one of the heap's own, so that a memory checker sees where it ends. */
struct wb_arena_allocation {
  struct wb_arena_allocation *earlier;
  max_align_t bytes[];
};

/* The allocation's bytes; NULL, and arena->failed, where it could not be had. */
static void *keep(struct wb_arena *arena, struct wb_arena_allocation *allocation)
{
  if (allocation == NULL) {
    arena->failed = true;
    return NULL;
  }
  allocation->earlier = arena->latest;
  arena->latest = allocation;
  return allocation->bytes;
}

/* Bytes of an allocation of count * size; 0 where they overflow. */
static size_t allocation_bytes(size_t count, size_t size)
{
  const size_t head = offsetof(struct wb_arena_allocation, bytes);
  return size == 0 || count <= (SIZE_MAX - head) / size ? head + count * size : 0;
}

void *wb_arena_allocate(struct wb_arena *arena, size_t count, size_t size)
{
  const size_t bytes = allocation_bytes(count, size);
  return keep(arena, bytes > 0 ? calloc(1, bytes) : NULL);
}

void *wb_arena_allocate_unset(struct wb_arena *arena, size_t count, size_t size)
{
  const size_t bytes = allocation_bytes(count, size);
  return keep(arena, bytes > 0 ? malloc(bytes) : NULL);
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

/* ---- texts in blocks ---- */

/* In bytes. */
#define FIRST_BLOCK ((size_t)1024)
#define LARGEST_BLOCK ((size_t)65536)

static bool add_block(struct wb_name_pool *pool, size_t needed)
{
  if (!wb_grow(pool->blocks, &pool->block_capacity, pool->block_count + 1))
    return false;
  size_t length = FIRST_BLOCK;
  for (size_t b = 0; b < pool->block_count && length < LARGEST_BLOCK; b++)
    length *= 2;
  if (length < needed)
    length = needed;
  char *block = malloc(length);
  if (block == NULL)
    return false;
  pool->blocks[pool->block_count++] = block;
  pool->rest = block;
  pool->rest_length = length;
  return true;
}

const char *wb_name_pool_copy(struct wb_name_pool *pool, const char *text, size_t length)
{
  if (pool->rest_length <= length && !add_block(pool, length + 1))
    return NULL;
  char *copy = pool->rest;
  if (length > 0)
    memcpy(copy, text, length);
  copy[length] = '\0';
  pool->rest += length + 1;
  pool->rest_length -= length + 1;
  return copy;
}

void wb_name_pool_free(struct wb_name_pool *pool)
{
  for (size_t b = 0; b < pool->block_count; b++)
    free(pool->blocks[b]);
  free(pool->blocks);
  *pool = (struct wb_name_pool){0};
}

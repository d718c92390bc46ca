#include "base/name_pool.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

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

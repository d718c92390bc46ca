/* Owned texts in blocks that do not move: what points to one stays right until the pool is freed.
 */
#ifndef WB_BASE_NAME_POOL_H
#define WB_BASE_NAME_POOL_H

#include <stddef.h>

/* Invariant: blocks[0..block_count-1] are owned; rest .. rest + rest_length - 1 is the free end of
 * the last one, of length 0 where there is none. Zero-initialise; free with wb_name_pool_free. */
struct wb_name_pool {
  char **blocks;
  size_t block_count;
  size_t block_capacity;
  char *rest;
  size_t rest_length; /* in bytes */
};

/* A copy of the first `length` bytes of text, ended by a zero, which the pool owns; NULL where
 * memory is out, which leaves the pool as it was. Blocks double from 1 KiB to 64 KiB, so that a
 * small pool needs little; a longer text has a block of its own length. */
const char *wb_name_pool_copy(struct wb_name_pool *pool, const char *text, size_t length);

/* Frees all texts; the pool is empty afterwards. */
void wb_name_pool_free(struct wb_name_pool *pool);

#endif

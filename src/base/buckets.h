/* Items sorted into buckets: edges by the node that they leave, and the like. */
#ifndef WB_BASE_BUCKETS_H
#define WB_BASE_BUCKETS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The items of bucket b are item[first[b]] .. item[first[b + 1] - 1], ascending. An arena owns both
 * arrays. */
struct wb_buckets {
  size_t *first;
  uint32_t *item;
};

/* Sorts the items 0 .. count - 1, item i into bucket of[i] < bucket_count; UINT32_MAX: into none.
 * False where memory is out: arena->failed. Linear. */
bool wb_buckets_make(struct wb_arena *arena, const uint32_t *of, size_t count, size_t bucket_count,
                     struct wb_buckets *buckets);

#endif

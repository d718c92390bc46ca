/* Binary search. */
#ifndef WB_BASE_BINARY_SEARCH_H
#define WB_BASE_BINARY_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

/* Whether item `index` of a sorted sequence stands before the key. */
typedef bool wb_is_before(const void *items, size_t index, const void *key);

/* The first of `count` items that does not stand before the key; count where all do. Logarithmic.
 * Inline, so that a compiler sees `is_before`. */
static inline size_t wb_lower_bound(const void *items, size_t count, wb_is_before *is_before,
                                    const void *key)
{
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (is_before(items, middle, key))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

#endif

/* Sorting by numbers, and into sets. */
#ifndef WB_BASE_SORTING_H
#define WB_BASE_SORTING_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The order of two pairs of numbers, as qsort wants it. */
static inline int wb_compare_pairs(uint64_t left, uint64_t left_second, uint64_t right,
                                   uint64_t right_second)
{
  if (left != right)
    return left < right ? -1 : 1;
  return (left_second > right_second) - (left_second < right_second);
}

/* Sorts `count` items of `size` bytes and keeps the first of those that compare equal. Returns how
 * many are left. */
static inline size_t wb_sort_set(void *items, size_t count, size_t size,
                                 int (*compare)(const void *, const void *))
{
  char *bytes = items;
  size_t kept = 0;
  if (count > 1)
    qsort(items, count, size, compare);
  for (size_t i = 0; i < count; i++) {
    if (kept > 0 && compare(bytes + (kept - 1) * size, bytes + i * size) == 0)
      continue;
    if (kept < i)
      memcpy(bytes + kept * size, bytes + i * size, size);
    kept++;
  }
  return kept;
}

#endif

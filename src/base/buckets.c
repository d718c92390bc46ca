#include "base/buckets.h"

bool wb_buckets_make(struct wb_arena *arena, const uint32_t *of, size_t count, size_t bucket_count,
                     struct wb_buckets *buckets)
{
  buckets->first = wb_arena_array(arena, size_t, bucket_count + 2);
  buckets->item = wb_arena_array(arena, uint32_t, count);
  if (buckets->first == NULL || buckets->item == NULL)
    return false;
  /* Counting sort: counts stand two places further on, so that filling moves each `first` to its
   * place. */
  size_t *fill = buckets->first + 1;
  for (size_t i = 0; i < count; i++) {
    if (of[i] != UINT32_MAX)
      fill[of[i] + 1]++;
  }
  for (size_t b = 1; b <= bucket_count; b++)
    fill[b] += fill[b - 1];
  for (size_t i = 0; i < count; i++) {
    if (of[i] != UINT32_MAX)
      buckets->item[fill[of[i]]++] = (uint32_t)i;
  }
  return true;
}

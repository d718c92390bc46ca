#include "evt/samples/samples.h"

#include "base/binary_search.h"
#include "base/memory.h"
#include "base/random.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void wb_samples_free(struct wb_samples *samples)
{
  for (size_t s = 0; s < samples->count; s++) {
    free(samples->series[s].name);
    free(samples->series[s].values);
  }
  free(samples->series);
  free(samples->file);
  free(samples->column);
  free(samples->unit);
  *samples = (struct wb_samples){0};
}

/* Parts up to this size are sorted by insertion. */
#define SMALL 24

static void swap(double *a, double *b)
{
  const double kept = *a;
  *a = *b;
  *b = kept;
}

/* Lets the value at `place` sink until none of the two below it is greater. */
static void sink(double *heap, size_t place, size_t count)
{
  for (;;) {
    size_t below = 2 * place + 1;
    if (below >= count)
      return;
    if (below + 1 < count && heap[below + 1] > heap[below])
      below++;
    if (heap[below] <= heap[place])
      return;
    swap(&heap[place], &heap[below]);
    place = below;
  }
}

/* Hoare's partition: values before the returned place are at most the pivot, the others at least.
 * Neither part is empty. */
static size_t split(double *values, size_t count)
{
  /* The median of the first, the middle and the last value. */
  const double a = values[0], b = values[count / 2], c = values[count - 1];
  const double least = a <= b ? a : b, most = a <= b ? b : a;
  const double pivot = c < least ? least : c > most ? most : c;
  size_t low = 0, high = count - 1;
  for (;;) {
    while (values[low] < pivot)
      low++;
    while (values[high] > pivot)
      high--;
    if (low >= high)
      return low > 0 ? low : 1;
    swap(&values[low++], &values[high--]);
  }
}

/* Quicksort that goes over to the heap where its parts stay large. */
static void sort(double *values, size_t count, unsigned depth)
{
  while (count > SMALL) {
    if (depth-- == 0) {
      for (size_t k = count / 2; k-- > 0;)
        sink(values, k, count);
      for (size_t last = count; last-- > 1;) {
        swap(&values[0], &values[last]);
        sink(values, 0, last);
      }
      return;
    }
    const size_t left = split(values, count);
    if (left < count - left) {
      sort(values, left, depth);
      values += left;
      count -= left;
    } else {
      sort(values + left, count - left, depth);
      count = left;
    }
  }
  for (size_t k = 1; k < count; k++) {
    const double value = values[k];
    size_t place = k;
    for (; place > 0 && values[place - 1] > value; place--)
      values[place] = values[place - 1];
    values[place] = value;
  }
}

void wb_sort_ascending(double *values, size_t count)
{
  unsigned depth = 2;
  for (size_t k = count; k > 1; k /= 2)
    depth += 2;
  sort(values, count, depth);
}

static bool is_not_above(const void *values, size_t index, const void *value)
{
  return ((const double *)values)[index] <= *(const double *)value;
}

size_t wb_count_above(const double *ascending, size_t count, double value)
{
  return count - wb_lower_bound(ascending, count, is_not_above, &value);
}

double *wb_spread_values(const double *ascending, size_t count, double tick, uint64_t seed)
{
  double *spread = wb_allocate(count, sizeof *spread);
  if (spread == NULL)
    return NULL;
  memcpy(spread, ascending, count * sizeof *spread);
  if (tick <= 0)
    return spread;
  struct wb_random random = {seed};
  for (size_t i = 0; i < count; i++) {
    const double share = ((double)(wb_random_next(&random) >> 11) + 0.5) * 0x1p-53;
    spread[i] += (share - 0.5) * tick;
  }
  wb_sort_ascending(spread, count);
  return spread;
}

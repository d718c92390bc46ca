/* Ranks of values, by a radix sort. */
#include "evt/tests/ranks.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A value as a number whose order is that of the values, and its place. */
struct keyed {
  uint64_t key;
  size_t place;
};

#define DIGIT_BITS 11
#define DIGITS 6 /* 6 * 11 >= 64 */
#define DIGIT_COUNT ((size_t)1 << DIGIT_BITS)

/* The bits of a double in sign and magnitude become those of an unsigned number in its order;
 * -0 becomes 0. */
static uint64_t key_of(double value)
{
  const double plain = value + 0.0;
  uint64_t bits;
  memcpy(&bits, &plain, sizeof bits);
  const uint64_t sign = UINT64_C(1) << 63;
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

static size_t digit_of(uint64_t key, unsigned digit)
{
  return (size_t)(key >> (digit * DIGIT_BITS)) & (DIGIT_COUNT - 1);
}

/* How often each value of each digit comes. */
static void count_digits(const struct keyed *items, size_t count,
                         size_t counts[DIGITS][DIGIT_COUNT])
{
  for (size_t i = 0; i < count; i++)
    for (unsigned digit = 0; digit < DIGITS; digit++)
      counts[digit][digit_of(items[i].key, digit)]++;
}

/* Moves the items from one array to the other in the order of a digit, items of an equal one in
 * their order. */
static void spread(const struct keyed *from, struct keyed *to, size_t count, unsigned digit,
                   size_t counts[DIGIT_COUNT])
{
  size_t start = 0;
  for (size_t value = 0; value < DIGIT_COUNT; value++) {
    const size_t size = counts[value];
    counts[value] = start;
    start += size;
  }
  for (size_t i = 0; i < count; i++)
    to[counts[digit_of(from[i].key, digit)]++] = from[i];
}

/* Sorts items with the help of other, which has room for as many. Returns where they are then. */
static struct keyed *sorted(struct keyed *items, struct keyed *other, size_t count,
                            size_t counts[DIGITS][DIGIT_COUNT])
{
  count_digits(items, count, counts);
  for (unsigned digit = 0; digit < DIGITS; digit++) {
    if (counts[digit][digit_of(items[0].key, digit)] == count)
      continue;
    spread(items, other, count, digit, counts[digit]);
    struct keyed *const swapped = items;
    items = other;
    other = swapped;
  }
  return items;
}

/* The place behind the items that are equal to that at `start`. */
static size_t end_of_equals(const struct keyed *items, size_t count, size_t start)
{
  size_t end = start + 1;
  while (end < count && items[end].key == items[start].key)
    end++;
  return end;
}

/* Each square is at most count^2 / 4, the sum at most count^3 / 12: doubles do. */
static void rank_sorted(const struct keyed *items, struct wb_ranks *ranks)
{
  const size_t count = ranks->count;
  for (size_t start = 0; start < count;) {
    const size_t end = end_of_equals(items, count, start);
    /* The mean of the ranks start + 1 .. end, less (count + 1) / 2. */
    const double centred = ((double)start + (double)end - (double)count) / 2;
    for (size_t i = start; i < end; i++)
      ranks->centred[items[i].place] = centred;
    ranks->square_sum += centred * centred * (double)(end - start);
    start = end;
  }
}

warpbound_status wb_ranks_of(const double *values, size_t count, struct wb_ranks *ranks,
                             warpbound_error *error)
{
  *ranks = (struct wb_ranks){.count = count};
  if (count == 0)
    return WARPBOUND_OK;
  struct keyed *const items = wb_allocate(count, sizeof *items);
  struct keyed *const other = wb_allocate(count, sizeof *other);
  size_t(*const counts)[DIGIT_COUNT] = wb_allocate(DIGITS, sizeof *counts);
  ranks->centred = wb_allocate(count, sizeof *ranks->centred);
  const bool enough = items != NULL && other != NULL && counts != NULL && ranks->centred != NULL;
  if (enough) {
    for (size_t i = 0; i < count; i++)
      items[i] = (struct keyed){key_of(values[i]), i};
    rank_sorted(sorted(items, other, count, counts), ranks);
  }
  free(counts);
  free(other);
  free(items);
  if (enough)
    return WARPBOUND_OK;
  wb_ranks_free(ranks);
  return wb_out_of_memory(error);
}

void wb_ranks_free(struct wb_ranks *ranks)
{
  free(ranks->centred);
  *ranks = (struct wb_ranks){0};
}

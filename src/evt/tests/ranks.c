/* Ranks of values, by a radix sort, and the long-run variance of their sums. */
#include "evt/tests/ranks.h"

#include "base/memory.h"

#include <math.h>
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

/* Sorts items with the help of other, which has room for as many. Returns where they are then. */
static struct keyed *sorted(struct keyed *items, struct keyed *other, size_t count,
                            size_t counts[DIGITS][DIGIT_COUNT])
{
  for (size_t i = 0; i < count; i++)
    for (unsigned digit = 0; digit < DIGITS; digit++)
      counts[digit][digit_of(items[i].key, digit)]++;
  for (unsigned digit = 0; digit < DIGITS; digit++) {
    if (counts[digit][digit_of(items[0].key, digit)] == count)
      continue;
    /* Moves the items in the order of the digit, those of an equal one in their order. */
    size_t start = 0;
    for (size_t value = 0; value < DIGIT_COUNT; value++) {
      const size_t size = counts[digit][value];
      counts[digit][value] = start;
      start += size;
    }
    for (size_t i = 0; i < count; i++)
      other[counts[digit][digit_of(items[i].key, digit)]++] = items[i];
    struct keyed *const swapped = items;
    items = other;
    other = swapped;
  }
  return items;
}

/* Each square is at most count^2 / 4, the sum at most count^3 / 12: doubles do. */
static void rank_sorted(const struct keyed *items, struct wb_ranks *ranks)
{
  const size_t count = ranks->count;
  for (size_t start = 0; start < count;) {
    size_t end = start + 1;
    while (end < count && items[end].key == items[start].key)
      end++;
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

/* ---- sums of ranks that depend on each other ---- */

/* The lag is the inner loop: the values stay in the cache, and the sums can be computed side by
 * side in the order in which each is defined. */
void wb_lag_products(const double *values, size_t count, double mean, size_t lags, double *sums)
{
  for (size_t k = 0; k < lags; k++)
    sums[k] = 0;
  for (size_t i = 0; i + 1 < count; i++) {
    const double here = values[i] - mean;
    const double *const later = values + i + 1;
    const size_t most = count - 1 - i < lags ? count - 1 - i : lags;
    for (size_t k = 0; k < most; k++)
      sums[k] += here * (later[k] - mean);
  }
}

static double first_autocorrelation(const struct wb_ranks *ranks)
{
  double product;
  wb_lag_products(ranks->centred, ranks->count, 0, 1, &product);
  return product / ranks->square_sum;
}

warpbound_status wb_long_run_of(const struct wb_ranks *ranks, struct wb_long_run *long_run,
                                warpbound_error *error)
{
  /* A fixed number of lags would take dependence for a change of the level, or see changes of short
   * series too rarely. 12 (n / 100)^(1/4) is the larger of the two rules of Kwiatkowski et al. */
  const double n = (double)ranks->count;
  const double r = first_autocorrelation(ranks);
  const double part = 2 * r / (1 - r * r);
  const size_t lags =
      (size_t)fmin(1.1447 * cbrt(part * part * n), fmin(12 * pow(n / 100, 0.25), n - 1));
  double *const products = wb_allocate(lags, sizeof *products);
  if (products == NULL)
    return wb_out_of_memory(error);
  wb_lag_products(ranks->centred, ranks->count, 0, lags, products);
  /* Bartlett's weights 1 - k / (lags + 1) keep it from falling below 0. A series that alternates
   * strictly has none: a share of the variance is the least that is assumed. */
  const double all = (double)lags + 1;
  double sum = ranks->square_sum;
  for (size_t k = 1; k <= lags; k++)
    sum += 2 * (1 - (double)k / all) * products[k - 1];
  *long_run = (struct wb_long_run){fmax(sum / ranks->square_sum, 1 / all), lags};
  free(products);
  return WARPBOUND_OK;
}

warpbound_status wb_long_run_if_dependent(const struct wb_ranks *ranks,
                                          struct wb_long_run *long_run, warpbound_error *error)
{
  *long_run = (struct wb_long_run){.share = 1};
  if (fabs(first_autocorrelation(ranks)) * sqrt((double)ranks->count) <= 2)
    return WARPBOUND_OK;
  return wb_long_run_of(ranks, long_run, error);
}

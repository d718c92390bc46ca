/* Sums, products, minima and maxima of floats of 32 bits that are known by ranges
 * (doc/loop-bounds.md, "Floats in ranges"). */
#include "values/interval/interval_domain.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SIGN UINT32_C(0x80000000)
#define INFINITE UINT32_C(0x7f800000) /* the bits of infinity; what is no number lies above */

/* Finite floats of one sign by their magnitudes, 0 of that sign among them where least is 0. */
struct float_range {
  double least, most;
  bool negative;
  bool least_by_width, most_by_width; /* as in struct wb_integer */
};

static float float_of(uint32_t bits)
{
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static uint32_t bits_of(float number)
{
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

/* False where the word may be infinite, no number, or of either sign. */
static bool find_range(const struct wb_integer *word, struct float_range *range)
{
  struct wb_integer_end ends[2];
  if (!wb_integer_ends(word, false, &ends[0], &ends[1]))
    return false;
  const bool negative = ends[0].number >= SIGN;
  const uint32_t sign = negative ? SIGN : 0;
  if (ends[1].number >= (int64_t)sign + INFINITE)
    return false;
  *range = (struct float_range){.least = (double)float_of((uint32_t)ends[0].number - sign),
                                .most = (double)float_of((uint32_t)ends[1].number - sign),
                                .negative = negative,
                                .least_by_width = ends[0].by_width,
                                .most_by_width = ends[1].by_width};
  return true;
}

/* A magnitude that may be taken for 0, at its least. */
static double flushed(double magnitude)
{
  return magnitude < (double)FLT_MIN ? 0 : magnitude;
}

/* The next float towards an end from a magnitude; `exact`: which is the number itself, not what is
 * next to it in double precision. */
static float float_towards(double magnitude, bool exact, float end)
{
  float next = (float)magnitude;
  if (end > 0 ? (double)next < magnitude : (double)next > magnitude)
    next = nextafterf(next, end);
  return exact ? next : nextafterf(next, end);
}

/* The sum of two numbers, and whether nothing of it is lost (Knuth). */
static bool add_exactly(double a, double b, double *sum)
{
  *sum = a + b;
  return *sum - a == b && *sum - b == a;
}

/* The range of the floats that are next to numbers from a + b to c + d; false where one is beyond
 * the greatest float. Needs sums that are not negative. */
static bool between_sums(const double least[2], const double most[2], bool negative,
                         struct wb_integer_end ends[2])
{
  double sums[2];
  const bool exact[2] = {add_exactly(least[0], least[1], &sums[0]),
                         add_exactly(most[0], most[1], &sums[1])};
  const float low = (float)flushed((double)float_towards(sums[0], exact[0], 0.0F));
  const float high = float_towards(sums[1], exact[1], INFINITY);
  const uint32_t sign = negative ? SIGN : 0;
  if (!isfinite(high))
    return false;
  ends[0].number = (int64_t)(bits_of(low) | sign);
  ends[1].number = (int64_t)(bits_of(high) | sign);
  return true;
}

/* The numbers of a product, which double precision has. */
static struct float_range product_of(const struct float_range *a, const struct float_range *b)
{
  return (struct float_range){.least = flushed(a->least) * flushed(b->least),
                              .most = a->most * b->most,
                              .negative = a->negative != b->negative,
                              .least_by_width = a->least_by_width || b->least_by_width,
                              .most_by_width = a->most_by_width || b->most_by_width};
}

static bool round_product(const struct float_range *product, struct wb_integer_end ends[2])
{
  const double least[2] = {product->least, 0};
  const double most[2] = {product->most, 0};
  ends[0].by_width = product->least_by_width;
  ends[1].by_width = product->most_by_width;
  return between_sums(least, most, product->negative, ends);
}

/* Of numbers with one sign, or of which one is the greater in any case and not taken for 0 unless
 * the other one is 0. Where they may cancel out that is +0, which is no negative sum. */
static bool round_sum(const struct float_range *a, const struct float_range *b,
                      struct wb_integer_end ends[2])
{
  const struct float_range *greater = a->least >= b->most ? a : b;
  const struct float_range *lesser = greater == a ? b : a;
  if (a->negative == b->negative) {
    const double least[2] = {flushed(a->least), flushed(b->least)};
    const double most[2] = {a->most, b->most};
    ends[0].by_width = a->least_by_width || b->least_by_width;
    ends[1].by_width = a->most_by_width || b->most_by_width;
    return between_sums(least, most, a->negative, ends);
  }
  const bool may_vanish = greater->least < (double)FLT_MIN;
  if (greater->least < lesser->most || (may_vanish && lesser->most > 0) ||
      (greater->negative && (may_vanish || greater->least == lesser->most)))
    return false;
  const double least[2] = {flushed(greater->least), -lesser->most};
  const double most[2] = {greater->most, -flushed(lesser->least)};
  ends[0].by_width = greater->least_by_width || lesser->most_by_width;
  ends[1].by_width = greater->most_by_width || lesser->least_by_width;
  return between_sums(least, most, greater->negative, ends);
}

/* ---- minima and maxima ---- */

/* What is known of a float in a word whose bits, as a signed number, grow with it from 0 on. */
struct float_order {
  bool is_number;
  bool at_least_zero; /* +0 or more, and then `ends` has both; else its upper end alone */
  bool has_most;      /* it is no more than the float of the upper end, or is no number */
  struct wb_integer_end ends[2];
};

static struct float_order order_of(const struct wb_integer *word)
{
  struct float_order order = {0};
  struct float_range range;
  if (find_range(word, &range) && range.negative) {
    order.is_number = order.has_most = true;
    order.ends[1] = (struct wb_integer_end){0, false};
  } else if (wb_integer_ends(word, true, &order.ends[0], &order.ends[1])) {
    order.has_most = order.ends[1].number >= 0 && order.ends[1].number <= INFINITE;
    order.at_least_zero = order.is_number = order.has_most && order.ends[0].number >= 0;
  }
  return order;
}

/* The greater one is no less than either number, and no more than the greater end of both. */
static bool maximum_of(const struct float_order *a, const struct float_order *b,
                       struct wb_integer_end ends[2])
{
  const struct wb_integer_end infinite = {INFINITE, true};
  if (!a->at_least_zero && !b->at_least_zero)
    return false;
  ends[0] = a->at_least_zero ? a->ends[0] : b->ends[0];
  if (a->at_least_zero && b->at_least_zero && b->ends[0].number > ends[0].number)
    ends[0] = b->ends[0];
  ends[1] = a->has_most && b->has_most
                ? (a->ends[1].number > b->ends[1].number ? a->ends[1] : b->ends[1])
                : infinite;
  return true;
}

/* The lesser one is no more than either number. */
static bool minimum_of(const struct float_order *a, const struct float_order *b,
                       struct wb_integer_end ends[2])
{
  const struct wb_integer_end any_negative = {INT32_MIN, true};
  const bool by_a = a->is_number && a->has_most;
  const bool by_b = b->is_number && b->has_most;
  if (!by_a && !by_b)
    return false;
  ends[0] = any_negative;
  if (a->at_least_zero && b->at_least_zero)
    ends[0] = a->ends[0].number < b->ends[0].number ? a->ends[0] : b->ends[0];
  ends[1] = by_a ? a->ends[1] : b->ends[1];
  if (by_a && by_b && b->ends[1].number < ends[1].number)
    ends[1] = b->ends[1];
  return true;
}

bool wb_interval_float_range(enum wb_conversion kind, const struct wb_integer words[3],
                             uint32_t origin, struct wb_integer *result)
{
  struct wb_integer_end ends[2] = {{0, false}, {0, false}};
  if (kind == WB_CONVERSION_MINIMUM_SINGLE || kind == WB_CONVERSION_MAXIMUM_SINGLE) {
    const struct float_order a = order_of(&words[0]);
    const struct float_order b = order_of(&words[1]);
    if (!(kind == WB_CONVERSION_MINIMUM_SINGLE ? minimum_of : maximum_of)(&a, &b, ends))
      return false;
    /* What is below 2^-126 may be taken for 0. */
    if (ends[0].number >= 0 && ends[0].number < (int64_t)bits_of(FLT_MIN))
      ends[0].number = 0;
  } else {
    struct float_range a, b, product;
    struct float_range c = {0};
    if (!find_range(&words[0], &a) || !find_range(&words[1], &b))
      return false;
    product = product_of(&a, &b);
    if (kind == WB_CONVERSION_FUSED_SINGLE && !find_range(&words[2], &c))
      return false;
    if (!(kind == WB_CONVERSION_PRODUCT_SINGLE ? round_product(&product, ends)
          : kind == WB_CONVERSION_SUM_SINGLE   ? round_sum(&a, &b, ends)
                                               : round_sum(&product, &c, ends)))
      return false;
  }
  *result = wb_integer_between(ends[0], ends[1], origin);
  return true;
}

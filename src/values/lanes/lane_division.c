/* Quotients and remainders by a number, as compilers write them: the upper word of a product, and
 * what the quotient leaves (doc/accesses.md). */
#include "values/lanes/lane_domain.h"
#include "values/lanes/lane_parts.h"

/* Most terms of terms that are looked at. */
#define MOST_DEPTH 4

uint64_t wb_lane_term_most(const struct wb_lane_walk *walk, uint32_t term)
{
  struct wb_lane_part parts[WB_LANES];
  const size_t count = wb_lanes_parts(walk->values, wb_lane_term_value(walk, term), parts);
  uint64_t most = 0;
  for (size_t p = 0; p < count; p++) {
    const struct wb_lane_value *it = &walk->values->values[parts[p].value];
    const uint64_t its = parts[p].value == WB_LANES_UNKNOWN ? UINT32_MAX : it->most;
    most = its > most ? its : most;
  }
  return most;
}

/* The term that tells more of the same word. */
static uint32_t word_of(const struct wb_lane_walk *walk, uint32_t term)
{
  const struct wb_lane_term *it = &walk->terms[term];
  const bool is_half = it->form == WB_LANE_PIECES && it->number == 1 && it->upper == 0 &&
                       it->places == 0 && wb_lane_term_most(walk, it->a) <= 0xffff;
  return is_half ? it->a : it->form == WB_LANE_UPPER && it->number != 0 ? it->b : term;
}

/* Whether a term is the quotient of *a by *divisor: floor(a m / 2^k) where e = m divisor - 2^k is
 * not negative and a e < 2^k for each a. */
static bool is_quotient(const struct wb_lane_walk *walk, uint32_t term, uint32_t *a,
                        uint32_t *divisor)
{
  const struct wb_lane_term *it = &walk->terms[word_of(walk, term)];
  unsigned places = 0;
  if (it->form == WB_LANE_SHIFTED_RIGHT) {
    if (it->as_signed && wb_lane_term_most(walk, it->a) > INT32_MAX)
      return false;
    places = it->places;
    it = &walk->terms[word_of(walk, it->a)];
  }
  places += it->places;
  if (it->form != WB_LANE_SCALED || it->a_negated || places > 63 || it->number < 2)
    return false;
  const uint64_t unit = UINT64_C(1) << places;
  const uint64_t found = (unit - 1) / it->number + 1;
  const uint64_t error = it->number * found - unit;
  const uint64_t most = wb_lane_term_most(walk, it->a);
  if (found < 2 || found > UINT32_MAX || (most > 0 && error > (unit - 1) / most) ||
      (it->as_signed && most > INT32_MAX))
    return false;
  *a = it->a;
  *divisor = (uint32_t)found;
  return true;
}

uint32_t wb_lane_quotient(struct wb_lane_walk *walk, uint32_t term)
{
  uint32_t a;
  uint32_t divisor;
  if (!is_quotient(walk, term, &a, &divisor))
    return term;
  const uint32_t value = wb_lanes_quotient(walk->values, wb_lane_term_value(walk, a), divisor);
  if (value != WB_LANES_UNKNOWN)
    walk->terms[term].value = value;
  return term;
}

uint32_t wb_lane_scaled(struct wb_lane_walk *walk, uint32_t a, uint32_t number, bool a_signed,
                        bool number_signed, uint32_t value)
{
  /* A negative number counts 2^32 more, which adds a to the upper word. */
  const bool negative = number_signed && number > INT32_MAX;
  const struct wb_lane_term term = {.form = WB_LANE_SCALED,
                                    .a = a,
                                    .number = number,
                                    .places = 32,
                                    .as_signed = a_signed,
                                    .a_negated = negative,
                                    .value = value};
  return wb_lane_quotient(walk, wb_lane_term_add(walk, &term));
}

/* Whether a term depends on the quotient of a by the divisor and on words that all lanes have. */
static bool is_of_quotient(const struct wb_lane_walk *walk, uint32_t term, uint32_t a,
                           uint32_t divisor, unsigned depth)
{
  const struct wb_lane_term *it = &walk->terms[term];
  uint32_t its;
  uint32_t found;
  if (depth > MOST_DEPTH)
    return false;
  if (wb_lanes_are_uniform(walk->values, it->value) ||
      (is_quotient(walk, term, &its, &found) && its == a && found == divisor))
    return true;
  if (it->form == WB_LANE_SHIFTED_LEFT)
    return is_of_quotient(walk, it->a, a, divisor, depth + 1);
  return it->form == WB_LANE_PRODUCT && is_of_quotient(walk, it->a, a, divisor, depth + 1) &&
         is_of_quotient(walk, it->b, a, divisor, depth + 1);
}

/* Whether x and the product y, or 0 - y, are a number and what its quotient takes away. */
static bool is_remainder(const struct wb_lane_walk *walk, uint32_t x, uint32_t y, bool negated,
                         uint32_t *divisor)
{
  const struct wb_lane_term *it = &walk->terms[y];
  uint32_t factor;
  uint32_t a;
  if (it->form != WB_LANE_PRODUCT)
    return false;
  for (unsigned side = 0; side < 2; side++)
    if (wb_lane_term_number(walk, side == 0 ? it->b : it->a, &factor) &&
        is_quotient(walk, side == 0 ? it->a : it->b, &a, divisor) && a == x &&
        (negated ? factor : 0 - factor) == *divisor)
      return true;
  return false;
}

/* What a sum x + y, or x - y, is; zero for nothing. */
static uint32_t sum_of(struct wb_lane_walk *walk, uint32_t x, uint32_t y, bool negated,
                       uint32_t value)
{
  const struct wb_lane_term left = walk->terms[x];
  const struct wb_lane_term right = walk->terms[word_of(walk, y)];
  struct wb_lane_term term = {.value = value};
  uint32_t divisor;
  if (is_remainder(walk, x, y, negated, &divisor)) {
    term.form = WB_LANE_REMAINDER;
    term.a = x;
    term.number = divisor;
    term.value = wb_lanes_remainder(walk->values, left.value, divisor);
  } else if (negated && right.form == WB_LANE_SCALED && right.a == x && right.places == 32) {
    term.form = WB_LANE_DIFFERENCE;
    term.a = x;
    term.b = word_of(walk, y);
  } else if (!negated && right.form == WB_LANE_SCALED && right.a_negated && right.a == x) {
    term = right; /* (m - 2^32) a / 2^32 + a */
    term.a_negated = false;
    term.value = value;
  } else if (!negated && right.form == WB_LANE_SCALED && left.form == WB_LANE_SHIFTED_RIGHT &&
             left.places == 1 && !left.as_signed &&
             walk->terms[left.a].form == WB_LANE_DIFFERENCE &&
             walk->terms[left.a].b == word_of(walk, y)) {
    term = right; /* (a - m a / 2^32) / 2 + m a / 2^32 = (2^32 + m) a / 2^33 */
    term.number += UINT64_C(1) << 32;
    term.places = 33;
    term.value = value;
  } else if (!negated && left.form == WB_LANE_REMAINDER && value == WB_LANES_UNKNOWN &&
             is_of_quotient(walk, y, left.a, (uint32_t)left.number, 0)) {
    term.value = wb_lanes_with_quotient(walk->values, wb_lane_term_value(walk, left.a),
                                        (uint32_t)left.number);
  } else {
    return wb_lane_term_zero(walk);
  }
  return wb_lane_quotient(walk, wb_lane_term_add(walk, &term));
}

uint32_t wb_lane_division_sum(struct wb_lane_walk *walk, const uint32_t terms[2],
                              const bool negated[2], uint32_t value)
{
  const uint32_t zero = wb_lane_term_zero(walk);
  uint32_t found = zero;
  for (unsigned side = 0; side < 2 && found == zero; side++)
    if (!negated[side])
      found = sum_of(walk, terms[side], terms[1 - side], negated[1 - side], value);
  return found;
}

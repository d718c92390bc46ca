/* Products of 32 bits by those of their halves, as XMAD makes them, where one factor is a known
 * number (doc/accesses.md). */
#include "values/lanes/lane_domain.h"

/* Most terms of terms that are looked at. */
#define MOST_DEPTH 6
/* Most words of a sum. */
#define MOST_WORDS 6
/* Factors of halves are below it, so that a product with a half is below 2^64. */
#define MOST_FACTOR (UINT64_C(1) << 48)

/* A word that is (lower * the lower half of `whole` + upper * its upper half) >> places, modulo
 * 2^32. */
struct pieces {
  uint32_t whole; /* a term */
  uint64_t lower, upper;
  unsigned places;
};

/* Whether the sum, shifted, is below 2^32, so that the word is that number. *most: its greatest. */
static bool is_whole_number(const struct wb_lane_walk *walk, const struct pieces *it,
                            uint64_t *most)
{
  const uint64_t word = wb_lane_term_most(walk, it->whole);
  const uint64_t lower = it->lower * (word < 0xffff ? word : 0xffff);
  const uint64_t upper = it->upper * (word >> 16);
  *most = (lower + upper) >> it->places;
  return lower <= UINT64_MAX - upper && *most <= UINT32_MAX;
}

static bool is_pieces(const struct wb_lane_walk *walk, uint32_t term, uint32_t whole,
                      unsigned depth, struct pieces *found);

/* Whether a term times a number is pieces of that whole. */
static bool is_multiple(const struct wb_lane_walk *walk, uint32_t term, uint32_t number,
                        uint32_t whole, unsigned depth, struct pieces *found)
{
  if (number == 0 || !is_pieces(walk, term, whole, depth, found) || found->places != 0 ||
      found->lower >= MOST_FACTOR / number || found->upper >= MOST_FACTOR / number)
    return false;
  found->lower *= number;
  found->upper *= number;
  return true;
}

/* Whether a term is pieces of that whole. Recursion to a known depth. */
static bool is_pieces(const struct wb_lane_walk *walk, uint32_t term, uint32_t whole,
                      unsigned depth, struct pieces *found)
{
  const struct wb_lane_term *it = &walk->terms[term];
  uint32_t number;
  uint64_t most;
  *found = (struct pieces){.whole = whole};
  if (depth > MOST_DEPTH)
    return false;
  if (term == whole) {
    found->lower = 1;
    found->upper = 1 << 16;
    return true;
  }
  switch ((enum wb_lane_form)it->form) {
  case WB_LANE_PIECES:
    found->lower = it->number;
    found->upper = it->upper;
    found->places = it->places;
    return it->a == whole;
  case WB_LANE_SCALED:
    found->lower = it->number;
    found->upper = it->number << 16;
    found->places = it->places;
    return it->a == whole && !it->as_signed && !it->a_negated && found->upper < MOST_FACTOR;
  case WB_LANE_SHIFTED_RIGHT:
    found->upper = 1;
    if (it->as_signed || it->places != 16 || it->a == whole)
      return it->a == whole && it->places == 16 && !it->as_signed;
    if (!is_pieces(walk, it->a, whole, depth + 1, found) || !is_whole_number(walk, found, &most))
      return false;
    found->places += 16;
    return found->places <= 32;
  case WB_LANE_SHIFTED_LEFT:
    return is_multiple(walk, it->a, UINT32_C(1) << it->places, whole, depth + 1, found);
  case WB_LANE_PRODUCT:
    if (wb_lane_term_number(walk, it->b, &number))
      return is_multiple(walk, it->a, number, whole, depth + 1, found);
    return wb_lane_term_number(walk, it->a, &number) &&
           is_multiple(walk, it->b, number, whole, depth + 1, found);
  default:
    return false;
  }
}

/* The word of which a term may be pieces; zero for none. */
static uint32_t whole_of(const struct wb_lane_walk *walk, uint32_t term)
{
  for (unsigned depth = 0; depth < MOST_DEPTH; depth++) {
    const struct wb_lane_term *it = &walk->terms[term];
    uint32_t number;
    if (it->form == WB_LANE_PIECES || it->form == WB_LANE_SCALED)
      return it->a;
    if (it->form != WB_LANE_PRODUCT && it->form != WB_LANE_SHIFTED_LEFT &&
        it->form != WB_LANE_SHIFTED_RIGHT)
      break;
    term = it->form == WB_LANE_PRODUCT && wb_lane_term_number(walk, it->a, &number) ? it->b : it->a;
  }
  return wb_lane_term_zero(walk);
}

/* The term of a word that is pieces: a product, or its upper part, where both halves have the same
 * factor. value: what is known of the word. */
static uint32_t term_of(struct wb_lane_walk *walk, struct pieces it, uint32_t value)
{
  struct wb_lane_term term = {.form = WB_LANE_PIECES,
                              .a = it.whole,
                              .number = it.lower,
                              .upper = it.upper,
                              .places = (uint8_t)it.places,
                              .value = value};
  uint64_t most;
  if (wb_lane_term_most(walk, it.whole) <= 0xffff) /* the upper half is 0 */
    it.upper = it.lower << 16;
  if (it.places == 0 && (uint32_t)it.upper == (uint32_t)(it.lower << 16))
    return wb_lane_product(
        walk, it.whole,
        wb_lane_term_plain(walk, wb_lanes_number(walk->values, (uint32_t)it.lower)));
  if (it.upper == it.lower << 16 && is_whole_number(walk, &it, &most))
    term.form = WB_LANE_SCALED;
  return wb_lane_quotient(walk, wb_lane_term_add(walk, &term));
}

uint32_t wb_lane_half(struct wb_lane_walk *walk, uint32_t a, uint32_t value)
{
  if (wb_lane_term_most(walk, a) <= 0xffff)
    value = wb_lane_term_value(walk, a);
  return wb_lane_term_add(
      walk, &(struct wb_lane_term){.form = WB_LANE_PIECES, .a = a, .number = 1, .value = value});
}

uint32_t wb_lane_upper_part(struct wb_lane_walk *walk, uint32_t term)
{
  const uint32_t whole = whole_of(walk, term);
  struct pieces found;
  return whole != wb_lane_term_zero(walk) && walk->terms[term].a != whole &&
                 is_pieces(walk, term, whole, 0, &found)
             ? term_of(walk, found, wb_lane_term_value(walk, term))
             : term;
}

bool wb_lane_most_of_pieces(const struct wb_lane_walk *walk, uint32_t term, uint64_t *most)
{
  const uint32_t whole = whole_of(walk, term);
  struct pieces found;
  return whole != wb_lane_term_zero(walk) && is_pieces(walk, term, whole, 0, &found) &&
         is_whole_number(walk, &found, most);
}

/* Adds the words that are pieces of that whole. *rest: the only other one, or zero. False where
 * more are not, or one alone is, of a whole with an upper half. */
static bool sum_pieces(const struct wb_lane_walk *walk, const uint32_t *words, size_t count,
                       uint32_t whole, struct pieces *sum, uint32_t *rest)
{
  size_t others = 0;
  *sum = (struct pieces){.whole = whole};
  for (size_t w = 0; w < count; w++) {
    struct pieces it;
    if (!is_pieces(walk, words[w], whole, 0, &it) || (it.places != 0 && sum->places != 0)) {
      *rest = words[w];
      others++;
      continue;
    }
    if (it.places != 0) { /* what stands before it is added above the places */
      sum->lower <<= it.places;
      sum->upper <<= it.places;
      sum->places = it.places;
    } else {
      it.lower <<= sum->places;
      it.upper <<= sum->places;
    }
    sum->lower += it.lower;
    sum->upper += it.upper;
    if (sum->lower >= MOST_FACTOR || sum->upper >= MOST_FACTOR)
      return false;
  }
  return others < 2 && count - others > (wb_lane_term_most(walk, whole) > 0xffff ? 1U : 0U);
}

uint32_t wb_lane_halves_sum(struct wb_lane_walk *walk, const uint32_t *terms, size_t count,
                            uint32_t value)
{
  const uint32_t zero = wb_lane_term_zero(walk);
  uint32_t words[MOST_WORDS];
  size_t used = 0;
  struct pieces sum;
  uint32_t rest = zero;
  for (size_t t = 0; t < count; t++) {
    const struct wb_lane_term *it = &walk->terms[terms[t]];
    words[used++] = it->form == WB_LANE_SUM ? it->a : terms[t];
    if (it->form == WB_LANE_SUM)
      words[used++] = it->b;
  }
  for (size_t w = 0; w < used; w++) {
    const uint32_t whole = whole_of(walk, words[w]);
    if (whole == zero)
      continue;
    if (sum_pieces(walk, words, used, whole, &sum, &rest)) {
      const uint32_t found = term_of(walk, sum, rest == zero ? value : WB_LANES_UNKNOWN);
      return rest == zero ? found : wb_lane_sum(walk, found, rest, value);
    }
    if (used == 2)
      return wb_lane_term_add(
          walk, &(struct wb_lane_term){
                    .form = WB_LANE_SUM, .a = words[w], .b = words[1 - w], .value = value});
  }
  return zero;
}

#include "values/interval/number_terms.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

void wb_terms_free(struct wb_terms *terms)
{
  free(terms->terms);
  free(terms->sums);
  free(terms->places);
  *terms = (struct wb_terms){0};
}

void wb_terms_clear(struct wb_terms *terms)
{
  terms->term_count = terms->sum_count = 0;
  for (size_t p = 0; p < terms->place_count; p++)
    terms->places[p] = 0;
}

const struct wb_sum *wb_terms_sum(const struct wb_terms *terms, uint32_t sum)
{
  return sum == 0 ? NULL : &terms->sums[sum];
}

static size_t hash(const struct wb_sum *sum)
{
  uint64_t all = sum->number;
  for (size_t t = 0; t < sum->count; t++)
    all = (all ^ sum->terms[t].term) * UINT64_C(0x9e3779b97f4a7c15) + sum->terms[t].factor;
  all *= UINT64_C(0x9e3779b97f4a7c15);
  return (size_t)(all >> 32);
}

/* The place of the sum in the hash table, whose size is a power of two and which is not full. */
static size_t find_place(const struct wb_terms *terms, const struct wb_sum *sum)
{
  size_t place = hash(sum) & (terms->place_count - 1);
  while (terms->places[place] != 0 &&
         memcmp(&terms->sums[terms->places[place]], sum, sizeof *sum) != 0)
    place = (place + 1) & (terms->place_count - 1);
  return place;
}

/* Whether there is room for one more sum. */
static bool make_room(struct wb_terms *terms)
{
  if (terms->sum_count >= WB_SUM_LIMIT ||
      !wb_grow(terms->sums, &terms->sum_capacity, terms->sum_count + 2))
    return false;
  if (2 * (terms->sum_count + 2) < terms->place_count)
    return true;
  const size_t count = terms->place_count > 0 ? 2 * terms->place_count : 256;
  uint32_t *places = wb_allocate(count, sizeof *places);
  if (places == NULL)
    return false;
  free(terms->places);
  terms->places = places;
  terms->place_count = count;
  for (uint32_t s = 1; s < terms->sum_count; s++)
    places[find_place(terms, &terms->sums[s])] = s;
  return true;
}

uint32_t wb_terms_name(struct wb_terms *terms, const struct wb_sum *sum)
{
  if (!make_room(terms))
    return 0;
  if (terms->sum_count == 0)
    terms->sums[terms->sum_count++] = (struct wb_sum){0}; /* stands for none */
  const size_t place = find_place(terms, sum);
  if (terms->places[place] == 0) {
    terms->places[place] = (uint32_t)terms->sum_count;
    terms->sums[terms->sum_count++] = *sum;
  }
  return terms->places[place];
}

uint32_t wb_terms_name_number(struct wb_terms *terms, uint32_t number)
{
  const struct wb_sum sum = {.number = number};
  return wb_terms_name(terms, &sum);
}

/* Whether two terms that are none of WB_TERM_WORD are the same number. */
static bool same_term(const struct wb_term *a, const struct wb_term *b)
{
  return a->kind == b->kind && a->as_signed == b->as_signed && a->key == b->key &&
         a->of[0] == b->of[0] && a->of[1] == b->of[1];
}

/* Terms among which one that is the same is looked for: those that were met last. */
#define MOST_COMPARED 256

uint32_t wb_terms_name_term(struct wb_terms *terms, const struct wb_term *term)
{
  size_t number = terms->term_count;
  size_t left = term->kind == WB_TERM_WORD ? 0 : MOST_COMPARED;
  for (size_t t = terms->term_count; t-- > 0 && left-- > 0 && number == terms->term_count;) {
    if (same_term(&terms->terms[t], term))
      number = t;
  }
  if (number == terms->term_count) {
    if (number >= WB_TERM_LIMIT || !wb_grow(terms->terms, &terms->term_capacity, number + 1))
      return 0;
    terms->terms[terms->term_count++] = *term;
  }
  const struct wb_sum sum = {.count = 1, .terms = {{(uint32_t)number, 1}}};
  return wb_terms_name(terms, &sum);
}

/* ---- sums ---- */

/* *left + factor * *right + number. False: too many terms. */
static bool add_sums(const struct wb_sum *left, const struct wb_sum *right, uint32_t factor,
                     uint32_t number, struct wb_sum *all)
{
  *all = (struct wb_sum){.number = left->number + factor * right->number + number};
  size_t l = 0;
  size_t r = 0;
  while (l < left->count || r < right->count) {
    const bool of_left =
        l < left->count && (r == right->count || left->terms[l].term <= right->terms[r].term);
    const uint32_t term = of_left ? left->terms[l].term : right->terms[r].term;
    uint32_t times = of_left ? left->terms[l++].factor : 0;
    if (r < right->count && right->terms[r].term == term)
      times += factor * right->terms[r++].factor;
    if (times == 0)
      continue;
    if (all->count == WB_SUM_TERMS)
      return false;
    all->terms[all->count].term = term;
    all->terms[all->count++].factor = times;
  }
  return true;
}

uint32_t wb_terms_add(struct wb_terms *terms, uint32_t left, uint32_t right, uint32_t factor,
                      uint32_t number)
{
  struct wb_sum all;
  return left != 0 && right != 0 &&
                 add_sums(&terms->sums[left], &terms->sums[right], factor, number, &all)
             ? wb_terms_name(terms, &all)
             : 0;
}

/* -1 - sum: the order of such numbers, signed or unsigned, is the other way round. */
static uint32_t complement_of(struct wb_terms *terms, uint32_t sum)
{
  return wb_terms_add(terms, wb_terms_name_number(terms, UINT32_MAX), sum, UINT32_MAX, 0);
}

static struct wb_integer value_by_terms(const struct wb_terms *terms, const struct wb_sum *sum)
{
  struct wb_integer value = wb_integer_exactly(sum->number);
  for (size_t t = 0; t < sum->count; t++) {
    const struct wb_integer factor = wb_integer_exactly(sum->terms[t].factor);
    const struct wb_integer part =
        wb_integer_product(&terms->terms[sum->terms[t].term].range, &factor);
    value = wb_integer_add(&value, &part);
  }
  return value;
}

uint32_t wb_terms_extreme(struct wb_terms *terms, uint32_t left, uint32_t right, bool as_signed,
                          bool least)
{
  /* The greater one of a and b is -1 - the lesser one of -1 - a and -1 - b. */
  if (!least)
    return complement_of(terms, wb_terms_extreme(terms, complement_of(terms, left),
                                                 complement_of(terms, right), as_signed, true));
  if (left == 0 || right == 0)
    return 0;
  const struct wb_integer a = value_by_terms(terms, &terms->sums[left]);
  const struct wb_integer b = value_by_terms(terms, &terms->sums[right]);
  const struct wb_term term = {.kind = WB_TERM_LEAST,
                               .as_signed = as_signed,
                               .of = {left < right ? left : right, left < right ? right : left},
                               .range = wb_integer_extreme(&a, &b, as_signed, true)};
  return wb_terms_name_term(terms, &term);
}

uint32_t wb_terms_shifted(struct wb_terms *terms, uint32_t sum, unsigned bits)
{
  if (sum == 0 || bits == 0 || bits > 31)
    return 0;
  const struct wb_integer all = value_by_terms(terms, &terms->sums[sum]);
  const struct wb_term term = {.kind = WB_TERM_SHIFTED,
                               .key = bits,
                               .of = {sum},
                               .range = wb_integer_shift_right(&all, bits, false)};
  return wb_terms_name_term(terms, &term);
}

uint32_t wb_terms_bits(struct wb_terms *terms, uint32_t sum, unsigned bits)
{
  if (sum == 0 || bits == 0 || bits > 31)
    return 0;
  const struct wb_integer mask = wb_integer_exactly((UINT32_C(1) << bits) - 1);
  const struct wb_integer all = value_by_terms(terms, &terms->sums[sum]);
  const struct wb_term term = {
      .kind = WB_TERM_BITS, .key = bits, .of = {sum}, .range = wb_integer_and(&all, &mask)};
  return wb_terms_name_term(terms, &term);
}

/* ---- what is known of sums ---- */

/* The sum is sign * (a sum as facts have it) + number. */
static uint32_t as_fact(struct wb_terms *terms, uint32_t sum, bool *negated, uint32_t *number)
{
  struct wb_sum plain = terms->sums[sum];
  *number = plain.number;
  *negated = plain.count > 0 && plain.terms[0].factor >> 31 != 0;
  plain.number = 0;
  for (size_t t = 0; t < plain.count && *negated; t++)
    plain.terms[t].factor = 0 - plain.terms[t].factor;
  return wb_terms_name(terms, &plain);
}

/* What terms and facts say of the sum. */
static struct wb_integer value_by_facts(struct wb_terms *terms, const struct wb_sum_facts *facts,
                                        uint32_t sum)
{
  struct wb_integer value = value_by_terms(terms, &terms->sums[sum]);
  bool negated;
  uint32_t number;
  const uint32_t plain = facts->count > 0 ? as_fact(terms, sum, &negated, &number) : 0;
  for (size_t i = 0; plain != 0 && i < facts->count; i++) {
    const struct wb_integer rest = wb_integer_exactly(number);
    if (facts->rows[i].sum != plain)
      continue;
    const struct wb_integer known = negated ? wb_integer_subtract(&rest, &facts->rows[i].value)
                                            : wb_integer_add(&rest, &facts->rows[i].value);
    wb_integer_narrow(&value, &known);
  }
  return value;
}

/* Where the sum is c * (g's lowest bits) - c * g + number, for c of 1 or -1: that is a number less
 * c times g without these bits. */
static void narrow_by_bits(struct wb_terms *terms, const struct wb_sum_facts *facts, uint32_t sum,
                           struct wb_integer *value)
{
  const struct wb_sum of = terms->sums[sum];
  for (size_t t = 0; t < of.count; t++) {
    const struct wb_term term = terms->terms[of.terms[t].term];
    const uint32_t factor = of.terms[t].factor;
    struct wb_sum rest = of;
    if (term.kind != WB_TERM_BITS || (factor != 1 && factor != UINT32_MAX))
      continue;
    const struct wb_sum bits = {.count = 1, .terms = {{of.terms[t].term, 1}}};
    if (!add_sums(&of, &bits, 0 - factor, 0, &rest))
      continue;
    struct wb_sum left;
    if (!add_sums(&rest, &terms->sums[term.of[0]], factor, 0, &left) || left.count > 0)
      continue;
    const struct wb_integer whole = value_by_facts(terms, facts, term.of[0]);
    const struct wb_integer mask = wb_integer_exactly(UINT32_MAX << term.key);
    const struct wb_integer rounded = wb_integer_and(&whole, &mask);
    const struct wb_integer number = wb_integer_exactly(left.number);
    const struct wb_integer known =
        factor == 1 ? wb_integer_subtract(&number, &rounded) : wb_integer_add(&number, &rounded);
    /* Of two intervals the narrower one, with its stride. */
    wb_integer_meet(value, &known);
  }
}

struct wb_integer wb_terms_value(struct wb_terms *terms, const struct wb_sum_facts *facts,
                                 uint32_t sum)
{
  if (sum == 0)
    return wb_integer_top();
  struct wb_integer value = value_by_facts(terms, facts, sum);
  narrow_by_bits(terms, facts, sum, &value);
  return value;
}

bool wb_terms_learn(struct wb_terms *terms, struct wb_sum_facts *facts, uint32_t sum,
                    const struct wb_integer *value)
{
  bool negated;
  uint32_t number;
  if (sum == 0 || terms->sums[sum].count < 2 || value->base != WB_NO_REGISTER ||
      value->width == UINT32_MAX)
    return false;
  struct wb_sum_fact fact = {.sum = as_fact(terms, sum, &negated, &number)};
  const struct wb_integer rest = wb_integer_exactly(number);
  fact.value = negated ? wb_integer_subtract(&rest, value) : wb_integer_subtract(value, &rest);
  if (fact.sum == 0)
    return false;
  for (size_t i = facts->count; i-- > 0;) {
    if (facts->rows[i].sum != fact.sum)
      continue;
    wb_integer_narrow(&facts->rows[i].value, &fact.value);
    return true;
  }
  if (facts->count == WB_SUM_FACTS)
    memmove(facts->rows, facts->rows + 1, --facts->count * sizeof *facts->rows);
  facts->rows[facts->count++] = fact;
  return true;
}

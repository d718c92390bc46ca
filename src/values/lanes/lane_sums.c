/* Sums, carries and products. */
#include "values/lanes/lane_domain.h"

/* ---- sums ---- */

/* A word of a sum. */
struct addend {
  uint32_t term; /* without the sign */
  bool negated;
};

static bool is_missing(const struct wb_source *source)
{
  return source->kind == WB_SOURCE_NONE ||
         (source->kind == WB_SOURCE_NUMBER && (source->value != 0) == source->negated);
}

static uint32_t sum_of(struct wb_lane_walk *walk, const struct wb_source *sources)
{
  uint32_t sum = wb_lanes_number(walk->values, 0);
  for (size_t s = 0; s < 3; s++)
    sum =
        wb_lanes_add(walk->values, sum, wb_lane_term_value(walk, wb_lane_word(walk, &sources[s])));
  for (size_t s = 3; s < 5; s++)
    if (!is_missing(&sources[s]))
      sum = wb_lanes_add(walk->values, sum, wb_lane_truth(walk, &sources[s]));
  return sum;
}

/* The number of 64 bits of the word of a lower sum and a word of the upper one. Subtracted lower
 * words go with the complement of the upper one: -(h, l) has the words -l and ~h and a carry. */
static uint32_t together(struct wb_lane_walk *walk, const struct addend *low,
                         const struct wb_source *high)
{
  if (!low->negated)
    return wb_lane_terms_wide(walk, low->term, wb_lane_word(walk, high));
  const uint32_t upper =
      high->complemented
          ? wb_lane_source(walk, high)
          : wb_lane_term_plain(
                walk, wb_lane_complement(walk, wb_lane_term_value(walk, wb_lane_word(walk, high))));
  return wb_lanes_wide_negate(walk->values, wb_lane_terms_wide(walk, low->term, upper));
}

/* The sum of 64 bits of the words of a carry's sum with three upper words in some order. */
static uint32_t sum_together(struct wb_lane_walk *walk, const struct wb_lane_term *carry,
                             const struct wb_source *uppers)
{
  static const uint8_t orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                       {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};
  const struct addend lows[3] = {
      {carry->a, carry->a_negated}, {carry->b, carry->b_negated}, {wb_lane_term_zero(walk), false}};
  for (size_t o = 0; o < 6; o++) {
    uint32_t total = wb_lanes_wide_number(walk->values, 0);
    for (size_t t = 0; t < 3 && total != WB_LANES_UNKNOWN; t++)
      total =
          wb_lanes_wide_add(walk->values, total, together(walk, &lows[t], &uppers[orders[o][t]]));
    if (total != WB_LANES_UNKNOWN)
      return total;
  }
  return WB_LANES_UNKNOWN;
}

/* The upper half of a sum of 64 bits: the words go with those of the lower half, whose carry is
 * added. */
static void add_with_carry(struct wb_lane_walk *walk, const struct wb_source *sources, size_t index)
{
  const struct wb_source *source = &sources[is_missing(&sources[3]) ? 4 : 3];
  const struct wb_lane_term carry = walk->terms[wb_lane_source(walk, source)];
  const uint32_t sum = sum_of(walk, sources);
  struct wb_lane_term term = {.form = WB_LANE_UPPER, .a = carry.c};
  if (carry.form == WB_LANE_CARRY && source->kind == WB_SOURCE_PREDICATE && !source->negated &&
      (is_missing(&sources[3]) || is_missing(&sources[4])))
    term.wide = sum_together(walk, &carry, sources);
  if (term.wide == WB_LANES_UNKNOWN) {
    wb_lane_set_value(walk, index, sum);
    return;
  }
  term.value = wb_lanes_upper_word(walk->values, term.wide);
  term.value = term.value != WB_LANES_UNKNOWN ? term.value : sum;
  wb_lane_set_term(walk, index, wb_lane_term_add(walk, &term));
}

uint32_t wb_lane_sum(struct wb_lane_walk *walk, uint32_t a, uint32_t b, uint32_t value)
{
  static const bool negated[2] = {false, false};
  const uint32_t sum =
      wb_lanes_add(walk->values, wb_lane_term_value(walk, a), wb_lane_term_value(walk, b));
  value = sum != WB_LANES_UNKNOWN ? sum : value;
  const uint32_t division = wb_lane_division_sum(walk, (const uint32_t[]){a, b}, negated, value);
  return division != wb_lane_term_zero(walk) ? division : wb_lane_term_plain(walk, value);
}

void wb_lane_add(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_source *sources = code->operations[index].sources;
  uint32_t only = wb_lane_term_zero(walk);
  uint32_t terms[3] = {only, only, only}; /* without signs */
  bool negated[3] = {false, false, false};
  size_t count = 0;
  if (!is_missing(&sources[3]) || !is_missing(&sources[4])) {
    add_with_carry(walk, sources, index);
    return;
  }
  for (size_t s = 0; s < 3; s++) {
    const uint32_t term = wb_lane_word(walk, &sources[s]);
    if (wb_lane_is_number(walk, term, 0))
      continue;
    only = term;
    terms[count] = sources[s].complemented ? term : wb_lane_source(walk, &sources[s]);
    negated[count++] = sources[s].negated;
  }
  if (count < 2) {
    wb_lane_set_term(walk, index, only);
    return;
  }
  const uint32_t sum = sum_of(walk, sources);
  uint32_t found = wb_lane_term_zero(walk);
  if (count == 2)
    found = wb_lane_division_sum(walk, terms, negated, sum);
  if (found == wb_lane_term_zero(walk) && !negated[0] && !negated[1] && !negated[2])
    found = wb_lane_halves_sum(walk, terms, count, sum);
  wb_lane_set_term(walk, index,
                   found != wb_lane_term_zero(walk) ? found : wb_lane_term_plain(walk, sum));
}

/* Of at most two words, of which at most one is subtracted, the carry says all that upper words
 * need. */
void wb_lane_carry(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  const size_t sum = operation->sources[0].number;
  const struct wb_source *sources = code->operations[sum].sources;
  const uint32_t zero = wb_lane_term_zero(walk);
  struct addend words[2] = {{zero, false}, {zero, false}};
  size_t count = 0;
  bool uniform = true;
  uint64_t total = 0; /* at most */
  for (size_t s = 0; s < 3; s++) {
    const struct addend addend =
        sources[s].complemented
            ? (struct addend){wb_lane_word(walk, &sources[s]), false}
            : (struct addend){wb_lane_source(walk, &sources[s]), sources[s].negated};
    uniform = uniform && wb_lanes_are_uniform(walk->values, wb_lane_term_value(walk, addend.term));
    if (!addend.negated && wb_lane_is_number(walk, addend.term, 0))
      continue;
    uint64_t most;
    if (!wb_lane_most_of_pieces(walk, addend.term, &most))
      most = wb_lane_term_most(walk, addend.term);
    total += addend.negated ? UINT32_MAX + UINT64_C(1) : most;
    if (count < 2)
      words[count] = addend;
    count++;
  }
  const bool carries_in = !is_missing(&sources[3]) || !is_missing(&sources[4]);
  struct wb_lane_term term = {
      .form = WB_LANE_CARRY,
      .a = words[0].term,
      .b = words[1].term,
      .a_negated = words[0].negated,
      .b_negated = words[1].negated,
      .c = walk->results[sum].term,
      .value = uniform && !carries_in ? wb_lanes_uniform_below(walk->values, 1) : WB_LANES_UNKNOWN};
  if (total <= UINT32_MAX && !carries_in)
    term.value = wb_lanes_number(walk->values, 0);
  if (carries_in || operation->second || count > 2 || (words[0].negated && words[1].negated))
    term.form = WB_LANE_PLAIN;
  wb_lane_set_term(walk, index, wb_lane_term_add(walk, &term));
}

/* ---- products ---- */

/* The places by which a product with the number shifts; false where it is no power of two. */
static bool is_power(uint32_t number, unsigned *places)
{
  *places = 0;
  while (*places < 31 && number >> *places != 1)
    ++*places;
  return number == UINT32_C(1) << *places;
}

uint32_t wb_lane_product(struct wb_lane_walk *walk, uint32_t a, uint32_t b)
{
  uint32_t known;
  unsigned places;
  if (wb_lane_term_number(walk, a, &known) && is_power(known, &places))
    return wb_lane_left(walk, b, places);
  if (wb_lane_term_number(walk, b, &known) && is_power(known, &places))
    return wb_lane_left(walk, a, places);
  const struct wb_lane_term term = {.form = WB_LANE_PRODUCT,
                                    .a = a,
                                    .b = b,
                                    .value =
                                        wb_lanes_multiply(walk->values, wb_lane_term_value(walk, a),
                                                          wb_lane_term_value(walk, b))};
  return wb_lane_term_add(walk, &term);
}

void wb_lane_multiply(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct wb_source *sources = code->operations[index].sources;
  wb_lane_set_term(context, index,
                   wb_lane_product(context, wb_lane_word(context, &sources[0]),
                                   wb_lane_word(context, &sources[1])));
}

static uint32_t product(struct wb_lane_walk *walk, const struct wb_micro_operation *operation)
{
  return wb_lanes_wide_product(walk->values,
                               wb_lane_term_value(walk, wb_lane_word(walk, &operation->sources[0])),
                               wb_lane_term_value(walk, wb_lane_word(walk, &operation->sources[1])),
                               operation->as_signed, operation->b_signed);
}

/* Of a product with a known number: the upper word is SCALED. a_negated: the number is signed. */
static struct wb_lane_term scaled_form(struct wb_lane_walk *walk,
                                       const struct wb_micro_operation *operation)
{
  struct wb_lane_term term = {.form = WB_LANE_PLAIN};
  uint32_t number;
  for (unsigned side = 0; side < 2; side++) {
    const bool is_signed[2] = {operation->as_signed, operation->b_signed};
    if (!wb_lane_term_number(walk, wb_lane_word(walk, &operation->sources[side]), &number) ||
        number < 2)
      continue;
    term.form = WB_LANE_SCALED;
    term.a = wb_lane_word(walk, &operation->sources[1 - side]);
    term.number = number;
    term.as_signed = is_signed[1 - side];
    term.a_negated = is_signed[side];
  }
  return term;
}

void wb_lane_multiply_upper(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  uint32_t known;
  unsigned places;
  if (wb_lane_term_number(walk, wb_lane_word(walk, &operation->sources[1]), &known) &&
      is_power(known, &places) && (places < 31 || !operation->b_signed)) {
    const uint32_t a = wb_lane_word(walk, &operation->sources[0]);
    const uint32_t zero = wb_lane_term_zero(walk);
    wb_lane_set_term(walk, index,
                     wb_lane_funnel(walk, a,
                                    operation->as_signed ? wb_lane_right(walk, a, 31, true) : zero,
                                    places));
    return;
  }
  const uint32_t upper = wb_lanes_upper_word(walk->values, product(walk, operation));
  const struct wb_lane_term scaled = scaled_form(walk, operation);
  if (scaled.form == WB_LANE_SCALED)
    wb_lane_set_term(walk, index,
                     wb_lane_scaled(walk, scaled.a, (uint32_t)scaled.number, scaled.as_signed,
                                    scaled.a_negated, upper));
  else if (upper != WB_LANES_UNKNOWN)
    wb_lane_set_value(walk, index, upper);
  else
    wb_lane_some_function(walk, code, index);
}

void wb_lane_multiply_wide(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_lane_walk *walk = context;
  wb_lane_set_wide(walk, index, product(walk, &code->operations[index]));
  walk->results[index].product = scaled_form(walk, &code->operations[index]);
}

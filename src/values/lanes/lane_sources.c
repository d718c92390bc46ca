/* The sources of micro-operations as terms, and their results. */
#include "values/lanes/lane_operations.h"

/* The words of a number of 64 bits are no terms yet. */
#define NO_TERM UINT32_MAX

/* ---- sources ---- */

uint32_t wb_lane_number(struct wb_lane_walk *walk, uint32_t number)
{
  return number == 0 ? wb_lane_term_zero(walk)
                     : wb_lane_term_plain(walk, wb_lanes_number(walk->values, number));
}

uint32_t wb_lane_complement(struct wb_lane_walk *walk, uint32_t value)
{
  const uint32_t operands[3] = {value, WB_LANES_UNIFORM, WB_LANES_UNIFORM};
  return wb_lanes_lookup(walk->values, operands, 0x0f);
}

/* The lane value of a constant, `words` words after its place. */
static uint32_t constant(struct wb_lane_walk *walk, const struct wb_source *source, unsigned words)
{
  if (source->index == WB_NO_REGISTER)
    return wb_lane_constant(walk, source->bank, source->value + 4 * words);
  const uint32_t index = wb_lane_term_value(walk, wb_lane_walk_read(walk, source->index));
  return wb_lanes_are_uniform(walk->values, index) ? WB_LANES_UNIFORM : WB_LANES_UNKNOWN;
}

/* The term of a word or predicate without its sign. */
uint32_t wb_lane_source(struct wb_lane_walk *walk, const struct wb_source *source)
{
  switch (source->kind) {
  case WB_SOURCE_NONE:
    return wb_lane_term_zero(walk);
  case WB_SOURCE_RESULT:
    return walk->results[source->number].term;
  case WB_SOURCE_REGISTER:
  case WB_SOURCE_PREDICATE:
    return wb_lane_walk_read(walk, source->number);
  case WB_SOURCE_NUMBER:
    return wb_lane_number(walk, (uint32_t)source->value);
  case WB_SOURCE_CONSTANT:
    return wb_lane_term_plain(walk, constant(walk, source, 0));
  case WB_SOURCE_LABEL:
    return wb_lane_term_plain(walk, WB_LANES_UNIFORM);
  case WB_SOURCE_SPECIAL:
    return wb_lane_term_plain(walk, wb_lane_special(walk, (unsigned)source->value));
  default:
    return wb_lane_term_plain(walk, WB_LANES_UNKNOWN);
  }
}

uint32_t wb_lane_word(struct wb_lane_walk *walk, const struct wb_source *source)
{
  const uint32_t term = wb_lane_source(walk, source);
  if (source->complemented)
    return wb_lane_term_plain(walk, wb_lane_complement(walk, wb_lane_term_value(walk, term)));
  return source->negated ? wb_lane_term_plain(
                               walk, wb_lanes_negate(walk->values, wb_lane_term_value(walk, term)))
                         : term;
}

/* The lane value of a predicate: 0 or 1. */
uint32_t wb_lane_truth(struct wb_lane_walk *walk, const struct wb_source *source)
{
  const uint32_t value = wb_lane_term_value(walk, wb_lane_source(walk, source));
  return source->negated ? wb_lanes_add(walk->values, wb_lanes_number(walk->values, 1),
                                        wb_lanes_negate(walk->values, value))
                         : value;
}

struct wb_lane_result wb_lane_wide(struct wb_lane_walk *walk, const struct wb_source *source)
{
  struct wb_lane_result wide = {WB_LANES_UNKNOWN, NO_TERM, NO_TERM};
  switch (source->kind) {
  case WB_SOURCE_RESULT:
    wide = walk->results[source->number];
    break;
  case WB_SOURCE_NONE:
  case WB_SOURCE_NUMBER:
    wide.value = wb_lanes_wide_number(walk->values, source->value);
    break;
  case WB_SOURCE_REGISTER_PAIR:
    wide.term = wb_lane_walk_read(walk, source->number);
    wide.upper = wb_lane_walk_read(walk, source->number == WB_NO_REGISTER ? WB_NO_REGISTER
                                                                          : source->number + 1U);
    wide.value = wb_lane_terms_wide(walk, wide.term, wide.upper);
    break;
  case WB_SOURCE_CONSTANT_PAIR:
    wide.term = wb_lane_term_plain(walk, constant(walk, source, 0));
    wide.upper = wb_lane_term_plain(walk, constant(walk, source, 1));
    wide.value = wb_lane_terms_wide(walk, wide.term, wide.upper);
    break;
  default:
    break;
  }
  if (!source->negated && !source->complemented)
    return wide;
  wide = (struct wb_lane_result){wb_lanes_wide_negate(walk->values, wide.value), NO_TERM, NO_TERM};
  if (source->complemented)
    wide.value =
        wb_lanes_wide_add(walk->values, wide.value, wb_lanes_wide_number(walk->values, UINT64_MAX));
  return wide;
}

/* Makes terms of the words of a number of 64 bits. */
void wb_lane_make_words(struct wb_lane_walk *walk, struct wb_lane_result *wide)
{
  if (wide->term != NO_TERM)
    return;
  wide->term = wb_lane_term_plain(walk, wb_lanes_lower_word(walk->values, wide->value));
  const struct wb_lane_term upper = {.form = WB_LANE_UPPER,
                                     .a = wide->term,
                                     .wide = wide->value,
                                     .value = wb_lanes_upper_word(walk->values, wide->value)};
  wide->upper = wb_lane_term_add(walk, &upper);
}

bool wb_lane_is_number(const struct wb_lane_walk *walk, uint32_t term, uint32_t number)
{
  uint32_t found;
  return wb_lane_term_number(walk, term, &found) && found == number;
}

/* ---- results ---- */

const struct wb_source *wb_lane_sources(const struct wb_micro_code *code, size_t index)
{
  return code->operations[index].sources;
}

void wb_lane_set_term(struct wb_lane_walk *walk, size_t index, uint32_t term)
{
  walk->results[index] = (struct wb_lane_result){wb_lane_term_value(walk, term), term, NO_TERM};
}

void wb_lane_set_value(struct wb_lane_walk *walk, size_t index, uint32_t value)
{
  wb_lane_set_term(walk, index, wb_lane_term_plain(walk, value));
}

void wb_lane_set_wide(struct wb_lane_walk *walk, size_t index, uint32_t value)
{
  walk->results[index] = (struct wb_lane_result){value, NO_TERM, NO_TERM};
}

/* What one lane holds against what a state of the domain of strided intervals allows. */
#ifndef TESTS_CROSS_INTERVAL_CHECK_H
#define TESTS_CROSS_INTERVAL_CHECK_H

#include "values/interval/integer_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers by number, predicates by index (wb_predicate_index). */
struct interval_lane {
  uint32_t registers[WB_VALUE_COUNT];
  bool predicates[WB_TRUTH_COUNT];
};

/* What states say: tests are of use only where that is much. */
struct interval_totals {
  size_t wide_rows; /* comparisons of two known numbers of 64 bits */
  size_t pairs;
  size_t conditionals;
  size_t truths;
  size_t differences;      /* of two registers */
  size_t rests;            /* of differences, in a register */
  size_t flags;            /* comparisons that bits of registers tell */
  size_t orders;           /* of two registers, under a condition */
  size_t wide_differences; /* of two pairs */
  size_t held_differences; /* of these: those that a pair holds */
};

/* NULL, or what is not as the state says. first: the lane at the reference point. */
const char *interval_check(const struct wb_integer_state *state,
                           const struct wb_comparisons *comparisons,
                           const struct interval_lane *first, const struct interval_lane *now,
                           struct interval_totals *totals);

/* Whether "a relation b" holds for words or numbers of 64 bits. */
bool relation_holds(uint64_t a, enum wb_relation relation, uint64_t b, bool as_signed, bool wide);

#endif

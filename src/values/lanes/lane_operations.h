/* The micro-operations of the domain, and what they share. */
#ifndef WB_VALUES_LANES_LANE_OPERATIONS_H
#define WB_VALUES_LANES_LANE_OPERATIONS_H

#include "values/domain.h"
#include "values/lanes/lane_walk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- sources and results ---- */

/* The sources of an operation. */
const struct wb_source *wb_lane_sources(const struct wb_micro_code *code, size_t index);

/* The term of a word or predicate without its sign. */
uint32_t wb_lane_source(struct wb_lane_walk *walk, const struct wb_source *source);
/* The term of a word with its sign. */
uint32_t wb_lane_word(struct wb_lane_walk *walk, const struct wb_source *source);
/* The lane value of a predicate: 0 or 1. */
uint32_t wb_lane_truth(struct wb_lane_walk *walk, const struct wb_source *source);
struct wb_lane_result wb_lane_wide(struct wb_lane_walk *walk, const struct wb_source *source);
/* Makes terms of the words of a number of 64 bits. */
void wb_lane_make_words(struct wb_lane_walk *walk, struct wb_lane_result *wide);

/* The term of a number, and whether a term is that number in all lanes. */
uint32_t wb_lane_number(struct wb_lane_walk *walk, uint32_t number);
bool wb_lane_is_number(const struct wb_lane_walk *walk, uint32_t term, uint32_t number);
/* The lane value of the complement. */
uint32_t wb_lane_complement(struct wb_lane_walk *walk, uint32_t value);

void wb_lane_set_term(struct wb_lane_walk *walk, size_t index, uint32_t term);
void wb_lane_set_value(struct wb_lane_walk *walk, size_t index, uint32_t value);
void wb_lane_set_wide(struct wb_lane_walk *walk, size_t index, uint32_t value);

/* ---- shifts by known numbers of places ---- */

uint32_t wb_lane_left(struct wb_lane_walk *walk, uint32_t a, unsigned places);
uint32_t wb_lane_right(struct wb_lane_walk *walk, uint32_t a, unsigned places, bool as_signed);
/* The upper word of (high, low) << places, places up to 32. */
uint32_t wb_lane_funnel(struct wb_lane_walk *walk, uint32_t low, uint32_t high, unsigned places);

/* ---- operations: functions of struct wb_domain ---- */

typedef void wb_lane_operation(void *context, const struct wb_micro_code *code, size_t index);

wb_lane_operation wb_lane_some_function; /* any function of the sources */
wb_lane_operation wb_lane_unknown;
wb_lane_operation wb_lane_copy;
wb_lane_operation wb_lane_some_lane;
wb_lane_operation wb_lane_shift;
wb_lane_operation wb_lane_funnel_shift;
wb_lane_operation wb_lane_add;
wb_lane_operation wb_lane_carry;
wb_lane_operation wb_lane_multiply;
wb_lane_operation wb_lane_multiply_upper;
wb_lane_operation wb_lane_multiply_wide;
wb_lane_operation wb_lane_lookup;
wb_lane_operation wb_lane_extract;
wb_lane_operation wb_lane_permute;
wb_lane_operation wb_lane_select;
wb_lane_operation wb_lane_select_wide;
wb_lane_operation wb_lane_extreme;
wb_lane_operation wb_lane_copy_wide;
wb_lane_operation wb_lane_add_wide;
wb_lane_operation wb_lane_extend;

#endif

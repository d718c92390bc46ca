/* The domain "affine in the lane": micro-operations on lane values (doc/accesses.md). Its context
 * is a struct wb_lane_walk. */
#ifndef WB_VALUES_LANES_LANE_DOMAIN_H
#define WB_VALUES_LANES_LANE_DOMAIN_H

#include "values/domain.h"
#include "values/lanes/lane_walk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern const struct wb_domain wb_lane_domain;

/* ---- sources and results ---- */

/* The term of a word or predicate without its sign. */
uint32_t wb_lane_source(struct wb_lane_walk *walk, const struct wb_source *source);
/* The term of a word with its sign. */
uint32_t wb_lane_word(struct wb_lane_walk *walk, const struct wb_source *source);
/* The lane value of a predicate: 0 or 1. */
uint32_t wb_lane_truth(struct wb_lane_walk *walk, const struct wb_source *source);

/* Whether a term is that number in all lanes. */
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
wb_lane_operation wb_lane_add;
wb_lane_operation wb_lane_carry;
wb_lane_operation wb_lane_multiply;
wb_lane_operation wb_lane_multiply_upper;
wb_lane_operation wb_lane_multiply_wide;

/* a * b; a + b, of which `value` is known. */
uint32_t wb_lane_product(struct wb_lane_walk *walk, uint32_t a, uint32_t b);
uint32_t wb_lane_sum(struct wb_lane_walk *walk, uint32_t a, uint32_t b, uint32_t value);
/* The greatest number of any lane; UINT32_MAX where it is not known. */
uint64_t wb_lane_term_most(const struct wb_lane_walk *walk, uint32_t term);

/* ---- products by halves (lane_halves.c) ---- */

/* The lower half of a word. */
uint32_t wb_lane_half(struct wb_lane_walk *walk, uint32_t a, uint32_t value);
/* The term, or what it is as an upper half of a sum of products of halves. */
uint32_t wb_lane_upper_part(struct wb_lane_walk *walk, uint32_t term);
/* Whether a term is such a sum, with a known greatest number. */
bool wb_lane_most_of_pieces(const struct wb_lane_walk *walk, uint32_t term, uint64_t *most);
/* A sum of two or three words with products of halves of one word; zero for none. */
uint32_t wb_lane_halves_sum(struct wb_lane_walk *walk, const uint32_t *terms, size_t count,
                            uint32_t value);

/* ---- quotients and remainders (lane_division.c) ---- */

/* The term, with what is known of it if it is the quotient of a term by a number. */
uint32_t wb_lane_quotient(struct wb_lane_walk *walk, uint32_t term);
/* The upper word of a * number, each signed or not. */
uint32_t wb_lane_scaled(struct wb_lane_walk *walk, uint32_t a, uint32_t number, bool a_signed,
                        bool number_signed, uint32_t value);
/* A sum of two words that belongs to a division; zero for none. */
uint32_t wb_lane_division_sum(struct wb_lane_walk *walk, const uint32_t terms[2],
                              const bool negated[2], uint32_t value);

#endif

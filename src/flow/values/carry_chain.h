/* Sums and comparisons of 64-bit numbers, which Maxwell and Pascal do word by word: the lower words
 * set the carry (.CC), the upper words read it (.X). */
#ifndef WB_FLOW_VALUES_CARRY_CHAIN_H
#define WB_FLOW_VALUES_CARRY_CHAIN_H

#include "flow/values/integer_operation.h"

/* The register was written: removes it from what is known of the carry. */
void wb_carry_forget(struct wb_carry *carry, uint32_t number);

/* The effect of an unconditional instruction whose result already stands in *state: remembers a sum
 * that sets the carry; makes a pair of the upper sum that reads it. */
void wb_carry_transfer(const struct wb_integer_operation *operation,
                       struct wb_integer_state *state);

/* MOV of one word of a pair: the copy makes a pair too. */
void wb_carry_move(const struct wb_integer_operation *operation, struct wb_integer_state *state);

/* The two 64-bit numbers that a comparison of upper words, operands 2 and 3, compares; top where
 * they are not known. */
void wb_carry_sides(const struct wb_integer_operation *operation, struct wb_wide *left,
                    struct wb_wide *right);

#endif

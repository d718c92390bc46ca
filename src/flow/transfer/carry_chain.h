/* Sums and comparisons of 64-bit numbers word by word: the lower words set a carry, the upper words
 * read it. On Maxwell and Pascal it is the condition code (.CC, .X), from Volta on a predicate
 * (IADD3 R0, P0, ... and IADD3.X R1, ..., P0, !PT). */
#ifndef WB_FLOW_TRANSFER_CARRY_CHAIN_H
#define WB_FLOW_TRANSFER_CARRY_CHAIN_H

#include "flow/transfer/integer_operation.h"

/* The effect of an unconditional instruction whose result already stands in *state: remembers a sum
 * that sets a carry; makes a pair of the upper sum that reads it. */
void wb_carry_transfer(const struct wb_integer_operation *operation,
                       struct wb_integer_state *state);

/* A move of one word of a pair: the copy makes a pair too. */
void wb_carry_move(const struct wb_integer_operation *operation, struct wb_integer_state *state);

/* The two 64-bit numbers that ISETP.X of Maxwell compares, upper words in operands 2 and 3; top
 * where they are not known. */
void wb_carry_sides(const struct wb_integer_operation *operation, struct wb_wide *left,
                    struct wb_wide *right);

#endif

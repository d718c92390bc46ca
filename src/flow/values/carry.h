/* Numbers of 64 bits, which Maxwell and Pascal add and compare word by word: the lower words with
 * .CC, then the upper ones with .X. */
#ifndef WB_FLOW_VALUES_CARRY_H
#define WB_FLOW_VALUES_CARRY_H

#include "flow/values/integer_reading.h"

/* The register was written: it is no part of what the carry is of any more. */
void wb_carry_forget(struct wb_carry *carry, uint32_t number);

/* After an instruction that is done, was read from the state before it, and has put its result
 * into *state: a sum with carry is remembered; the sum of upper words that follows makes a pair. */
void wb_carry_step(const struct wb_reading *reading, struct wb_integer_state *state);

/* MOV of one word of a pair: the copy is as good as the register. */
void wb_carry_move(const struct wb_reading *reading, struct wb_integer_state *state);

/* The two numbers that the lower words before and the upper words here, operands 2 and 3, are
 * parts of; anything where that is not known. */
void wb_carry_sides(const struct wb_reading *reading, struct wb_wide *left, struct wb_wide *right);

#endif

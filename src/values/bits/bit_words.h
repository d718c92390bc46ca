/* Words of which single bits are known: a domain of micro-operations for one thread. Each bit is 0,
 * 1, a bit of one number m of 64 bits, that bit inverted, or any. It follows code that clears bits
 * of a number. Lemma 16 of doc/loop-bounds.md rests on it. */
#ifndef WB_VALUES_BITS_BIT_WORDS_H
#define WB_VALUES_BITS_BIT_WORDS_H

#include "isa/lower/micro_operation.h"
#include "model/code.h"
#include "values/bits/single_bits.h"
#include "values/interval/integer_state.h"

#include <stdbool.h>
#include <stdint.h>

/* A word, in the first 32 bits; a number of 64 bits; or a predicate, in the first bit. */
struct wb_bits {
  uint8_t of[WB_BIT_PLACES];
};

/* What registers hold, by their numbers, and predicates, by wb_predicate_index. */
struct wb_bit_state {
  uint8_t registers[WB_VALUE_COUNT][32];
  uint8_t predicates[WB_TRUTH_COUNT];
  /* Shifts of two words by 64 places or more, which micro-operations leave open, shift all bits out
   * of both; some did. */
  bool shifts_all, shifted_all;
  uint8_t zero; /* whether the sum that set the condition code was 0; it had no carry in */
  struct wb_bits results[WB_MICRO_LIMIT]; /* of the instruction that is done */
};

/* Every register may hold anything. What is said of shifts stays. */
void wb_bits_any(struct wb_bit_state *state);
/* A register holds that number. */
void wb_bits_set(struct wb_bit_state *state, uint16_t number, uint32_t value);
/* Does an instruction, under its guard. Constant time. */
void wb_bits_step(struct wb_bit_state *state, const struct wb_function *function, uint32_t index);
/* The same of one that computes what the code says. */
void wb_bits_apply(struct wb_bit_state *state, const struct wb_function *function, uint32_t index,
                   const struct wb_micro_code *code);

#endif

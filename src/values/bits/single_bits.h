/* What is known of one bit, and of what logic and sums make of bits. */
#ifndef WB_VALUES_BITS_SINGLE_BITS_H
#define WB_VALUES_BITS_SINGLE_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* What is known of a bit. */
enum {
  WB_BIT_ZERO,
  WB_BIT_ONE,
  WB_BIT_ANY,
  WB_BIT_OF_NUMBER = 4, /* and 2 i more: bit i of m; and one more: inverted */
  WB_BIT_PLACES = 64
};

bool wb_bit_is_known(uint8_t bit);
uint8_t wb_bit_inverted(uint8_t bit);
/* What is known of a bit that is one of both. */
uint8_t wb_bit_joined(uint8_t a, uint8_t b);
uint8_t wb_bit_and(uint8_t a, uint8_t b);
uint8_t wb_bit_or(uint8_t a, uint8_t b);
/* a ^ b. */
uint8_t wb_bit_differs(uint8_t a, uint8_t b);
/* a ^ b ^ c. */
uint8_t wb_bit_parity(uint8_t a, uint8_t b, uint8_t c);
/* Whether two of three are 1. */
uint8_t wb_bit_majority(uint8_t a, uint8_t b, uint8_t c);
/* What a table of eight entries, as of LOP3, makes of three bits. */
uint8_t wb_bit_looked_up(uint8_t table, const uint8_t bits[3]);

#endif

/* Fields of machine words: where their bits are, and the number that they hold. */
#ifndef WB_ISA_DECODER_WORD_FIELD_H
#define WB_ISA_DECODER_WORD_FIELD_H

#include <stdbool.h>
#include <stdint.h>

enum { WB_WORD_FIELD_PARTS = 8 };

struct wb_word_part {
  uint8_t at; /* the lowest bit */
  uint8_t width;
};

/* Invariant: 1 to WB_WORD_FIELD_PARTS parts, each of 1 to 64 bits within 128, 64 bits together. */
struct wb_word_field {
  struct wb_word_part parts[WB_WORD_FIELD_PARTS]; /* the least significant first */
  uint8_t part_count;
  uint8_t width; /* of all parts together */
  uint8_t shift;
  uint32_t times;
  uint32_t plus;
};

/* Reads a field as word_table.h writes it, from *at up to `end`; leaves *at behind it. own_width is
 * the width of a field that gives none, 0: it must give one. False where it is not well formed. */
bool wb_word_field_read(const char **at, const char *end, unsigned own_width,
                        struct wb_word_field *field);

/* A decimal or hexadecimal (0x) number of at most 32 bits, the same way. */
bool wb_word_number_read(const char **at, const char *end, uint32_t *number);

/* `width` (1 to 64) bits of a word from bit `at` on; bits above 127 are 0. */
static inline uint64_t wb_word_bits(const uint64_t word[2], unsigned at, unsigned width)
{
  uint64_t bits = at >= 64 ? word[1] >> (at - 64) : word[0] >> at | (word[1] << 1) << (63 - at);
  return bits & (UINT64_MAX >> (64 - width));
}

/* Extends the sign, the highest of `width` bits. */
static inline uint64_t wb_word_sign_extended(uint64_t value, unsigned width)
{
  uint64_t sign = (uint64_t)1 << (width - 1);
  return (value ^ sign) - sign;
}

/* The parts joined, without arithmetic. */
uint64_t wb_word_field_bits(const struct wb_word_field *field, const uint64_t word[2]);

/* The number of a field, in two's complement; is_signed: its highest bit is a sign. */
uint64_t wb_word_field_value(const struct wb_word_field *field, const uint64_t word[2],
                             bool is_signed);

#endif

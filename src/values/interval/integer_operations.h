/* Products of abstract values and operations on their bits. The result contains the results for all
 * numbers of the operands. */
#ifndef WB_VALUES_INTERVAL_INTEGER_OPERATIONS_H
#define WB_VALUES_INTERVAL_INTEGER_OPERATIONS_H

#include "values/interval/integer_value.h"
#include "values/interval/wide_value.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- products ---- */

/* The lower 32 bits, which do not depend on signs. */
struct wb_integer wb_integer_product(const struct wb_integer *left, const struct wb_integer *right);
/* The upper 32 bits of the product of signed or unsigned numbers. */
struct wb_integer wb_integer_product_upper(const struct wb_integer *left, bool left_signed,
                                           const struct wb_integer *right, bool right_signed);
/* All 64 bits. */
struct wb_wide wb_wide_product(const struct wb_integer *left, bool left_signed,
                               const struct wb_integer *right, bool right_signed);

/* ---- bits ---- */

/* Each bit of the result is the function of the table (values/lookup_table.h) of the same bits
 * of three values. */
struct wb_integer wb_integer_lookup(const struct wb_integer values[3], uint8_t table);
/* The lowest bits 0 < bits <= 32, continued by the sign of the last of them. */
struct wb_integer wb_integer_sign_extend(const struct wb_integer *value, unsigned bits);
/* The lowest bits 0 <= bits <= 32, continued by zeros. */
struct wb_integer wb_integer_lowest_bits(const struct wb_integer *value, unsigned bits);
/* Four bytes of a (0..3) and b (4..7), by the nibbles of the selector; bit 3 of a nibble repeats
 * the byte's sign in its place (PRMT). */
struct wb_integer wb_integer_permute(const struct wb_integer *a, const struct wb_integer *b,
                                     uint32_t selector);
/* The magnitude of a signed number. */
struct wb_integer wb_integer_magnitude(const struct wb_integer *value);

#endif

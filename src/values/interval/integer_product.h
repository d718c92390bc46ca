/* Products of abstract values. The result contains the products of all numbers of the operands. */
#ifndef WB_VALUES_INTERVAL_INTEGER_PRODUCT_H
#define WB_VALUES_INTERVAL_INTEGER_PRODUCT_H

#include "values/interval/integer_value.h"
#include "values/interval/wide_value.h"

#include <stdbool.h>

/* The lower 32 bits, which do not depend on signs. */
struct wb_integer wb_integer_product(const struct wb_integer *left, const struct wb_integer *right);
/* The upper 32 bits of the product of signed or unsigned numbers. */
struct wb_integer wb_integer_product_upper(const struct wb_integer *left, bool left_signed,
                                           const struct wb_integer *right, bool right_signed);
/* All 64 bits. */
struct wb_wide wb_wide_product(const struct wb_integer *left, bool left_signed,
                               const struct wb_integer *right, bool right_signed);

#endif

/* Results of integer instructions that all architectures have, from the operands in their places.
 */
#ifndef WB_FLOW_TRANSFER_COMMON_RESULTS_H
#define WB_FLOW_TRANSFER_COMMON_RESULTS_H

#include "flow/transfer/integer_operation.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- of operands 1, 2, ... ---- */

struct wb_integer wb_result_move(const struct wb_integer_operation *operation);
struct wb_integer wb_result_add(const struct wb_integer_operation *operation);
struct wb_integer wb_result_add_three(const struct wb_integer_operation *operation);
/* LEA R0, R1, R2, n: (R1 << n) + R2. */
struct wb_integer wb_result_scaled_add(const struct wb_integer_operation *operation);
/* LEA.HI R0, R1, R2, R3, n: the upper word of (R3, R1) << n, plus R2. */
struct wb_integer wb_result_scaled_add_upper(const struct wb_integer_operation *operation);
/* SHF.L R0, R1, n, R2: the upper word of (R2, R1) << n; SHF.R: the lower one of >> n. */
struct wb_integer wb_result_funnel(const struct wb_integer_operation *operation);
struct wb_integer wb_result_multiply(const struct wb_integer_operation *operation);
struct wb_integer wb_result_multiply_and_add(const struct wb_integer_operation *operation);
/* The upper word of a product of unsigned numbers. */
struct wb_integer wb_result_multiply_upper(const struct wb_integer_operation *operation);
/* The minimum where predicate operand 3 is true, else the maximum. */
struct wb_integer wb_result_minimum_or_maximum(const struct wb_integer_operation *operation);
/* The first where predicate operand 3 is true, else the second. */
struct wb_integer wb_result_choose(const struct wb_integer_operation *operation);
/* A special register. */
struct wb_integer wb_result_special(const struct wb_integer_operation *operation);

/* ---- parts ---- */

/* A known number of places below 32. */
bool wb_result_count(const struct wb_integer_operation *operation, size_t number, uint32_t *count);
/* The truth of a predicate operand. */
enum wb_truth wb_result_truth(const struct wb_integer_operation *operation, size_t number);
/* The minimum or the maximum, by `least`. */
struct wb_integer wb_result_extreme(const struct wb_integer *a, const struct wb_integer *b,
                                    bool as_signed, enum wb_truth least);

#endif

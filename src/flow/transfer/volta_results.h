/* The results of integer instructions from Volta on: a table by opcode. */
#ifndef WB_FLOW_TRANSFER_VOLTA_RESULTS_H
#define WB_FLOW_TRANSFER_VOLTA_RESULTS_H

#include "flow/transfer/integer_operation.h"

#include <stdbool.h>

/* The value of 32 bits that the instruction writes to its first operand. False where its opcode is
 * not in the table. */
bool wb_volta_result(const struct wb_integer_operation *operation, struct wb_integer *result);

/* The value of 64 bits that the instruction writes to the pair of registers at its first operand,
 * and its lower word. False where its opcode is not in the table. */
bool wb_volta_wide_result(const struct wb_integer_operation *operation, struct wb_wide *result,
                          struct wb_integer *lower);

#endif

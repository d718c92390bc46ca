/* The results of integer instructions: tables by opcode. */
#ifndef WB_FLOW_TRANSFER_INTEGER_RESULTS_H
#define WB_FLOW_TRANSFER_INTEGER_RESULTS_H

#include "flow/transfer/integer_operation.h"

#include <stdbool.h>

/* The value that the instruction writes to its first operand. False where its opcode is not in the
 * table. */
bool wb_integer_result(const struct wb_integer_operation *operation, struct wb_integer *result);

#endif

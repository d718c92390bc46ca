/* The transfer function of integer instructions from Maxwell on, on abstract states. */
#ifndef WB_FLOW_TRANSFER_INTEGER_TRANSFER_H
#define WB_FLOW_TRANSFER_INTEGER_TRANSFER_H

#include "flow/transfer/integer_operation.h"

/* From the state before the instruction of that index to the state after it. A control transfer
 * computes nothing. The results of an instruction that is not in the table are top. */
void wb_integer_transfer(const struct wb_integer_environment *environment, uint32_t index,
                         struct wb_integer_state *state);

#endif

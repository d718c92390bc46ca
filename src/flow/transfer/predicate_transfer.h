/* What predicates imply after instructions that write them. */
#ifndef WB_FLOW_TRANSFER_PREDICATE_TRANSFER_H
#define WB_FLOW_TRANSFER_PREDICATE_TRANSFER_H

#include "flow/transfer/integer_operation.h"

/* The effect of an unconditional instruction on the predicate that it computes: ISETP, PSETP,
 * PLOP3, and the predicate beside the result of LOP3. What other instructions write stays as it is
 * in *state. result: of LOP3, its first operand's value. */
void wb_predicate_transfer(const struct wb_integer_operation *operation,
                           const struct wb_integer *result, struct wb_integer_state *state);

#endif

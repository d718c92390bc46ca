/* What instructions of Maxwell and Pascal compute on integers, as far as loop counters need
 * it. */
#ifndef WB_FLOW_VALUES_INTEGER_TRANSFER_H
#define WB_FLOW_VALUES_INTEGER_TRANSFER_H

#include "flow/values/integer_operation.h"

/* From what is known before the instruction of that index to what is known after it; control
 * transfers compute nothing. All that is not understood can be anything afterwards. */
void wb_integer_transfer(const struct wb_integer_environment *environment, uint32_t index,
                         struct wb_integer_state *state);

#endif

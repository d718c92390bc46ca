/* What instructions of Maxwell and Pascal compute on integers, as far as loop counters need
 * it. */
#ifndef WB_FLOW_VALUES_INTEGER_SEMANTICS_H
#define WB_FLOW_VALUES_INTEGER_SEMANTICS_H

#include "flow/values/integer_reading.h"

/* From what is known before the instruction of that index to what is known after it; control
 * transfers compute nothing. All that is not understood can be anything afterwards. */
void wb_integer_step(const struct wb_integer_machine *machine, uint32_t index,
                     struct wb_integer_state *state);

#endif

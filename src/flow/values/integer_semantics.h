/* What instructions of Maxwell and Pascal compute on integers, as far as loop counters need
 * it. */
#ifndef WB_FLOW_VALUES_INTEGER_SEMANTICS_H
#define WB_FLOW_VALUES_INTEGER_SEMANTICS_H

#include "flow/loop_bounds/loop_bounds.h"
#include "flow/values/integer_state.h"
#include "model/machine_code.h"

/* What instructions compute with: launch may be NULL. visit: of which visit to a block comparisons
 * are. */
struct wb_integer_machine {
  const struct wb_machine_function *function;
  const struct wb_launch *launch;
  struct wb_comparisons *comparisons;
  uint32_t visit;
};

/* From what is known before the instruction of that index to what is known after it; control
 * transfers compute nothing. All that is not understood can be anything afterwards. */
void wb_integer_step(const struct wb_integer_machine *machine, uint32_t index,
                     struct wb_integer_state *state);

#endif

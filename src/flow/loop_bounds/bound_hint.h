/* What a loop without a bound compares, and which option would tell it, in words. */
#ifndef WB_FLOW_LOOP_BOUNDS_BOUND_HINT_H
#define WB_FLOW_LOOP_BOUNDS_BOUND_HINT_H

#include "flow/loop_bounds/loop_summary.h"
#include "flow/values/integer_state.h"
#include "model/code.h"

/* *hint: for people ("R4's limit comes from c[0x0][0x148] (comparison at 0x0028): --param 0x8=N may
 * bound it"), to be freed; NULL where no test of the loop says anything. entry: what holds
 * whenever it is entered. False where memory is out. */
bool wb_bound_hint(const struct wb_function *function, const struct wb_loop_summary *summary,
                   const struct wb_integer_state *entry, char **hint);

#endif

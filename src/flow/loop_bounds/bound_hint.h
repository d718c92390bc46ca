/* Hints for loops without a bound: the unknown parts of their tests, and the option that gives
 * them. */
#ifndef WB_FLOW_LOOP_BOUNDS_BOUND_HINT_H
#define WB_FLOW_LOOP_BOUNDS_BOUND_HINT_H

#include "flow/loop_bounds/loop_summary.h"
#include "model/code.h"
#include "values/interval/integer_state.h"

/* Writes a hint ("R4's limit comes from c[0x0][0x148] (comparison at 0x0028): --param 0x8=N may
 * bound it"); NULL where no test of the loop gives one. The caller frees it. entry: the state at
 * all entries of the loop. False where memory is out. */
bool wb_bound_hint(const struct wb_function *function, const struct wb_loop_summary *summary,
                   const struct wb_integer_state *entry, char **hint);

#endif

/* Loop bounds as sentences: the reason of a bound, and hints for loops without one. */
#ifndef WB_FLOW_LOOP_BOUNDS_BOUND_TEXT_H
#define WB_FLOW_LOOP_BOUNDS_BOUND_TEXT_H

#include "flow/loop_bounds/loop_summary.h"
#include "model/code.h"
#include "values/interval/integer_state.h"

/* "R0 starts at 0, grows by 1 and the loop ends at R0 + 1 >= 16 ...". The caller frees it. NULL
 * where memory is out. */
char *wb_bound_reason(const struct wb_function *function, const struct wb_loop_count *count);

/* Writes the unknown parts of the loop's tests, and the option that gives them ("R4's limit comes
 * from c[0x0][0x148] (comparison at 0x0028): --param 0x8=N may bound it"); the caller frees it.
 * entry: the state at all entries of the loop. NULL where memory is out. */
char *wb_bound_hint(const struct wb_function *function, const struct wb_loop_summary *summary,
                    const struct wb_integer_state *entry);

#endif

/* The reason of a loop bound as a sentence. */
#ifndef WB_FLOW_LOOP_BOUNDS_BOUND_REASON_H
#define WB_FLOW_LOOP_BOUNDS_BOUND_REASON_H

#include "flow/loop_bounds/loop_summary.h"
#include "model/code.h"

/* "R0 starts at 0, grows by 1 and the loop ends at R0 + 1 >= 16 ...". The caller frees it. NULL
 * where memory is out. */
char *wb_bound_reason(const struct wb_function *function, const struct wb_loop_count *count);

#endif

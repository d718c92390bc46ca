/* Why a loop is bounded, in words. */
#ifndef WB_FLOW_LOOP_BOUNDS_BOUND_REASON_H
#define WB_FLOW_LOOP_BOUNDS_BOUND_REASON_H

#include "flow/loop_bounds/loop_summary.h"
#include "model/code.h"

/* A sentence for people; to be freed, NULL where memory is out. */
char *wb_bound_reason(const struct wb_function *function, const struct wb_loop_count *count);

#endif

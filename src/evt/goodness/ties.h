/* Equal values of a clock with ticks, placed as if the clock had none. */
#ifndef WB_EVT_GOODNESS_TIES_H
#define WB_EVT_GOODNESS_TIES_H

#include "evt/tail/tail.h"

#include <stddef.h>

/* Places equal values evenly over the tick around them, as far as it lies within the support of the
 * distribution; values outside the support stay. Without it the steps of the ticks are most of what
 * distances measure, and hide a misfit. ascending: sorted, and so afterwards; tick > 0. */
void wb_spread_ties(const struct wb_tail *tail, double tick, double *ascending, size_t count);

#endif

/* Whether the shared memory of a block that is known of is all that its code needs. */
#ifndef WB_ANALYSIS_LAUNCH_SHARED_NEEDS_H
#define WB_ANALYSIS_LAUNCH_SHARED_NEEDS_H

#include "analysis/launch/launch_result.h"

/* Refuses code that accesses shared memory where a block has none, and states the assumption that
 * there is no dynamic one where none was asked for and accesses may lie in it. Needs the accesses
 * and what a block needs. Errors: WARPBOUND_FACTS_MISSING with the place of an access. */
warpbound_status wb_shared_needs_check(const struct wb_launch_question *question,
                                       struct wb_launch_analysis *analysis, warpbound_error *error);

#endif

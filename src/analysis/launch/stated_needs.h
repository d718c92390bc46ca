/* What a block needs, where the code's file and the question both say it. */
#ifndef WB_ANALYSIS_LAUNCH_STATED_NEEDS_H
#define WB_ANALYSIS_LAUNCH_STATED_NEEDS_H

#include "analysis/launch/launch_result.h"
#include "base/status.h"
#include "model/code.h"

/* Registers, static shared memory and barriers of the question are for code whose file does not say
 * them: other numbers than the file's would be for other blocks on an SM than there are. Errors:
 * WARPBOUND_USAGE, with both numbers; registers may differ with question->as_if_compiled. */
warpbound_status wb_stated_needs_check(const struct wb_launch_question *question,
                                       const struct wb_function *function, warpbound_error *error);

/* Adds to the assumptions what the question says that a block needs, where the code says something
 * else, or nothing. */
void wb_stated_needs_assume(const struct wb_launch_question *question,
                            struct wb_launch_analysis *analysis);

#endif

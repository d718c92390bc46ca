/* Code without the calls that no thread makes. */
#ifndef WB_FLOW_PATHS_ABSENT_CALLS_H
#define WB_FLOW_PATHS_ABSENT_CALLS_H

#include "base/arena.h"
#include "base/status.h"
#include "model/code.h"

#include <stdbool.h>

/* What a function does where no thread makes certain calls: a copy in which nothing goes to them.
 * An instruction is *doomed* where each thread that does it comes to such a call, by instructions
 * that do not wait. No thread does a doomed instruction, so that a branch of which one way is
 * doomed always goes the other one, and a guard before a call is false in each thread
 * (doc/flow-facts.md, "Calls that are never made"). Texts, addresses and operands stay as they are,
 * and so does the checksum. Where a call can still be come to (by an indexed branch), lanes end
 * there; left[i] is set (all false before), by instruction.
 * absent: by instruction, the calls. *cut is in the arena and rests on the function. Errors:
 * WARPBOUND_INVALID_INPUT where each thread comes to such a call, WARPBOUND_INTERNAL (memory).
 * Time: a pass over the code for each way back to a call. */
warpbound_status wb_absent_calls_cut(const struct wb_function *function, const bool *absent,
                                     struct wb_arena *arena, const struct wb_function **cut,
                                     bool *left, warpbound_error *error);

/* Which of the calls a thread may come to in the code as it was: reached[i], by instruction (all
 * false before). kept: by instruction, all threads that come there go on as the cut code does, or
 * none comes there (wb_kept_ways_find). Where none is reached, no thread of a run makes such a call
 * or goes a way that is cut: then nothing was assumed. Errors: WARPBOUND_INTERNAL (memory). Time:
 * as above. */
warpbound_status wb_absent_calls_reached(const struct wb_function *cut, const bool *absent,
                                         const bool *kept, bool *reached, warpbound_error *error);

#endif

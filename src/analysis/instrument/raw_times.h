/* From the raw output of an instrumented kernel to times between places (doc/measured/hybrid.md,
 * "TIMES").
 */
#ifndef WB_ANALYSIS_INSTRUMENT_RAW_TIMES_H
#define WB_ANALYSIS_INSTRUMENT_RAW_TIMES_H

#include "base/text.h"
#include "formats/times/times_file.h"
#include "instrument/instrumentation.h"

/* Appends the text of TIMES: for each run and warp the transitions that it took, and its whole run.
 * Places are lines of WB_POINTS_FILE; the start's own probe is one, so that a thread may go
 * from there to its end without another; what comes before it takes no time. raw_name is for
 * messages. The warps without rows of their own are one, `others`, whose counts are of no single
 * warp and left out. Errors: WARPBOUND_INVALID_INPUT where the raw output is of another text,
 * kernel or choice of points, holds nothing, or a time of 2^32 - 1 cycles, which stands for all
 * longer ones; WARPBOUND_INTERNAL. Linear. */
warpbound_status wb_raw_times(const char *raw_name, const struct wb_raw *raw,
                              const struct wb_instrumentation *made, struct wb_text *times,
                              warpbound_error *error);

#endif

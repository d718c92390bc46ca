/* Which rows of measured times are of a function. */
#ifndef WB_ANALYSIS_HYBRID_TIMES_ROWS_H
#define WB_ANALYSIS_HYBRID_TIMES_ROWS_H

#include "formats/times/times_file.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether a kernel that a row names, or NULL for none, is that function, by its name or demangled.
 */
bool wb_times_kernel_is(const char *kernel, const struct wb_function *function);

/* How many rows are of the function. */
size_t wb_times_rows_of(const struct wb_times *times, const struct wb_function *function);

/* The largest number of segments that a warp went in one run, by the counts of the function's rows,
 * in *count. Errors: WARPBOUND_INVALID_INPUT where a sum does not fit, WARPBOUND_INTERNAL. */
warpbound_status wb_times_longest_walk(const struct wb_times *times,
                                       const struct wb_function *function, int64_t *count,
                                       warpbound_error *error);

#endif

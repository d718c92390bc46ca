/* Steps that make upper ends: formulas, the run abstraction, and certificates of it. */
#ifndef WB_ANALYSIS_MAKESPAN_BOUND_STEPS_H
#define WB_ANALYSIS_MAKESPAN_BOUND_STEPS_H

#include "analysis/makespan/makespan_context.h"

/* Adds the closed form, the serial bound and the volume. */
warpbound_status wb_makespan_bound_by_formulas(struct wb_makespan_analysis *analysis);

/* Adds the bounds that analyses of other numbers of warps have found (warp_counts). */
warpbound_status wb_makespan_use_table(struct wb_makespan_analysis *analysis);

/* Keeps a cut of the string that proves `cycles`, unless the kept one proves no more. lengths: of
 * its pieces, in instructions; taken over. */
void wb_makespan_keep_cut(struct wb_makespan_analysis *analysis, uint32_t *lengths, size_t count,
                          uint64_t cycles);

/* Keeps the cut into the string's own runs, or into single instructions, whose run abstraction is
 * the machine itself. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_makespan_keep_plain_cut(struct wb_makespan_analysis *analysis, bool single,
                                            uint64_t cycles);

/* Bounds by the table of the run abstraction, if it fits into `memory` bytes; `final`: notes where
 * it does not. */
warpbound_status wb_makespan_tighten_by_runs(struct wb_makespan_analysis *analysis, uint64_t memory,
                                             bool final);

/* Looks for a cut whose table proves the upper end, where its search has left no certificate. */
warpbound_status wb_makespan_certify(struct wb_makespan_analysis *analysis);

#endif

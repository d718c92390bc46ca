/* Analyses when memory runs out. */
#ifndef TESTS_UNIT_FAILING_ANALYSIS_H
#define TESTS_UNIT_FAILING_ANALYSIS_H

#include "cfg/simt_analysis.h"

/* Some work over the library, which frees all that it made; context is the test's. */
typedef warpbound_status failing_work(const void *context, warpbound_error *error);

/* Does the work, which has to end well, then repeats it with each of its *total allocations failing
 * in turn. Some may be answered without (the work judges the answer); all others have to be
 * WARPBOUND_INTERNAL, "out of memory"; none leaves a block behind. Returns how many were
 * answered. */
size_t fail_each_or_answer(failing_work *work, const void *context, size_t *total);

/* Analyses the code's first function, asks for a loop and for the united graph, and makes every
 * allocation fail in turn: each must give WARPBOUND_INTERNAL and leave no block behind, but for
 * `answered` of them, which the question about a loop is answered without. For programs that are
 * linked with the failing heap. */
void failing_analysis(const struct wb_code *code, const struct wb_simt_options *options,
                      size_t answered);

#endif

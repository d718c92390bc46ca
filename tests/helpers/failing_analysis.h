/* Analyses when memory runs out. */
#ifndef TESTS_UNIT_FAILING_ANALYSIS_H
#define TESTS_UNIT_FAILING_ANALYSIS_H

#include "cfg/simt_analysis.h"

/* Analyses the code's first function, asks for a loop and for the united graph, and makes every
 * allocation fail in turn: each must give WARPBOUND_INTERNAL and leave no block behind, but for
 * `answered` of them, which the question about a loop is answered without. For programs that are
 * linked with the failing heap. */
void failing_analysis(const struct wb_code *code, const struct wb_simt_options *options,
                      size_t answered);

#endif

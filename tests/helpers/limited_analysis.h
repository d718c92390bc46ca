/* The abstract interpretation under limits. */
#ifndef TESTS_UNIT_LIMITED_ANALYSIS_H
#define TESTS_UNIT_LIMITED_ANALYSIS_H

#include "model/code.h"

/* The analysis of the code's first function must end with WARPBOUND_LIMIT where it may take this
 * many bytes, no time, or is interrupted at once. */
void limited_analysis(const struct wb_code *code, uint64_t memory_limit);

#endif

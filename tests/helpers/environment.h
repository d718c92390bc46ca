/* Numbers by which the caller of a test says how much to do. */
#ifndef TESTS_CROSS_ENVIRONMENT_H
#define TESTS_CROSS_ENVIRONMENT_H

#include <stdint.h>

/* The number in the environment, or `otherwise` where there is none. A number of random instances
 * (WARPBOUND_CROSS_RUNS) is WARPBOUND_TIMES as large where that is set. */
uint64_t number_from_environment(const char *name, uint64_t otherwise);

#endif

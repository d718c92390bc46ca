/* Problems for the unit tests, from the words of a command line. */
#ifndef TESTS_UNIT_MAKE_PROBLEM_H
#define TESTS_UNIT_MAKE_PROBLEM_H

#include "model/problem.h"

#include <stdint.h>

/* The problem of a string on units "L=1,C=4"; the test fails where it is refused.
 * shared: letters of the types that all partitions share. Free with wb_problem_free. */
struct wb_problem make_problem(const char *string, const char *units, uint32_t slots,
                               uint32_t partitions, uint32_t warps, const char *shared);

#endif

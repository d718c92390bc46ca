/* Assertions on doubles with a tolerance: cmocka of Debian 12 has them for floats alone. */
#ifndef TESTS_HELPERS_ASSERT_DOUBLE_H
#define TESTS_HELPERS_ASSERT_DOUBLE_H

#include "unit.h"

#include <math.h>

/* Fails where |value - expected| > error; NAN is near nothing, an infinity near itself. */
#define assert_within(value, expected, error)                                                      \
  assert_within_at((value), (expected), (error), __FILE__, __LINE__)

/* The same by the share of the expected value. */
#define assert_near(value, expected, relative)                                                     \
  assert_within_at((value), (expected), share_of((relative), (expected)), __FILE__, __LINE__)

static inline double share_of(double share, double value)
{
  return share * fabs(value);
}

static inline void assert_within_at(double value, double expected, double error, const char *file,
                                    int line)
{
  if (value == expected || fabs(value - expected) <= error)
    return;
  fprintf(stderr, "# %.17g is not within %g of %.17g\n", value, error, expected);
  _fail(file, line);
}

#endif

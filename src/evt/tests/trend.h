/* Trends of a series. */
#ifndef WB_EVT_TESTS_TREND_H
#define WB_EVT_TESTS_TREND_H

#include "evt/tests/series_tests.h"

/* No monotonic trend (Mann 1945, Kendall 1975), whatever the distribution: statistic is the
 * standardised number of pairs in order less those out of order, with the correction for ties and
 * for continuity; p_value by the normal distribution, two-sided, for 10 values and more (else NAN);
 * detail is Kendall's tau, -1 to 1. Quadratic: meant for some hundred maxima of blocks. */
struct wb_test wb_test_trend(const double *values, size_t count);

#endif

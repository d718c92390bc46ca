/* Patterns in the order of measured times: a begin that differs from the rest, and runs that are
 * slow at regular distances. */
#ifndef WB_EVT_TESTS_PATTERNS_H
#define WB_EVT_TESTS_PATTERNS_H

#include "base/status.h"
#include "evt/tests/series_tests.h"

#include <stddef.h>

/* Runs slow at regular distances are looked for from the lag after those of Ljung and Box on. */
#define WB_PERIOD_LEAST 11
#define WB_PERIOD_MOST 512

/* Whether the first values are of the distribution of the others: ranks of the first k against the
 * rest, k = 1 to a quarter of the values in steps of a fifth. Up to 64 values exactly (all of them
 * among the largest, or the least), from 8 on the sum of their ranks by the normal distribution;
 * two-sided. statistic: the standardised sum of the first k, above 0: they are greater. p_value:
 * the least, corrected for the number of looks; half of the false alarms are left to the first
 * value alone. detail: k, the number of values of the begin (meaningful
 * where the test refuses); where it refuses surely, with what follows, as long as that is refused
 * surely too. NAN for fewer than 20 values. values: none NAN. Errors:
 * WARPBOUND_INTERNAL (memory). Time: n log n, and some thirty passes over a quarter of the values
 * at most. */
warpbound_status wb_test_warm_up(const double *values, size_t count, struct wb_test *test,
                                 warpbound_error *error);

/* Whether every P-th value is large, for some period P from WB_PERIOD_LEAST to WB_PERIOD_MOST and
 * at most a twentieth of the values: the values are folded at each period, as in a periodogram of
 * epochs, and the sums of their exponential scores (Savage 1956), whose weight lies on the largest
 * values, are compared by the gamma distribution. Of more than 2^17 values the first so many are
 * looked at. statistic: the standardised sum of the slow place. p_value: the least, times the
 * number of sums. detail: the period. *first: the index of the first value of the slow place. NAN
 * for fewer than 20 * WB_PERIOD_LEAST values. Time: at most 512 * 2^17 steps. */
warpbound_status wb_test_period(const double *values, size_t count, struct wb_test *test,
                                warpbound_error *error);

#endif

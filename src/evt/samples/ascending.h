/* Sorting of values. */
#ifndef WB_EVT_SAMPLES_ASCENDING_H
#define WB_EVT_SAMPLES_ASCENDING_H

#include <stddef.h>

/* Sorts in place, the least first. No value may be NAN. n log n, without memory of its own. */
void wb_sort_ascending(double *values, size_t count);

/* How many of the sorted values are greater than `value`. Logarithmic. */
size_t wb_count_above(const double *ascending, size_t count, double value);

#endif

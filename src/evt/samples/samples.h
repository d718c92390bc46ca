/* Measured times: series of numbers in the order in which they were taken. */
#ifndef WB_EVT_SAMPLES_SAMPLES_H
#define WB_EVT_SAMPLES_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

/* Most values of all series of a file. */
#define WB_SAMPLES_LIMIT ((size_t)100000000)

/* The times of one run or kernel, in the order in which they were measured. Invariant: every value
 * is finite and at least 0. Owns its name and its values. */
struct wb_series {
  char *name; /* of the run or kernel; "" where the file has one series */
  double *values;
  size_t count, capacity;
};

/* Series that were measured together, in the order in which the file first names them. Owns all of
 * it. Zero-initialise. */
struct wb_samples {
  char *file;     /* for messages */
  char *column;   /* the name of the column or member; NULL: it has none */
  char *unit;     /* of the values: "cycles", "ns" ...; NULL: not said */
  size_t skipped; /* runs at the begin of each series that were left out */
  struct wb_series *series;
  size_t count, capacity;
};

void wb_samples_free(struct wb_samples *samples);

/* Sorting of values. */

/* Sorts in place, the least first. No value may be NAN. n log n, without memory of its own. */
void wb_sort_ascending(double *values, size_t count);

/* How many of the sorted values are greater than `value`. Logarithmic. */
size_t wb_count_above(const double *ascending, size_t count, double value);

/* A copy of sorted values, each moved evenly within its tick by the seed and sorted again: for what
 * assumes continuous values. tick 0: unmoved. The caller frees; NULL: memory is out. */
double *wb_spread_values(const double *ascending, size_t count, double tick, uint64_t seed);

#endif

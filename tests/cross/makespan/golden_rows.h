/* The proven makespans of tests/fixtures/makespan.csv.
 *   WARPBOUND_GOLDEN  another file of rows
 *   WARPBOUND_SOURCE  root of the source tree (.) */
#ifndef TESTS_CROSS_GOLDEN_ROWS_H
#define TESTS_CROSS_GOLDEN_ROWS_H

#include "random_instance.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GOLDEN_MOST_ROWS 20000

/* A golden row: the instance and its makespan. seen: for the test to mark. */
struct golden_row {
  struct instance instance;
  uint64_t makespan;
  bool seen;
};

/* Reads all rows into rows[GOLDEN_MOST_ROWS]; says what is wrong where it fails. */
bool golden_read(struct golden_row *rows, size_t *count);

/* Fails the test: what gave `cycles` instead of the row's makespan. */
void golden_fail(const struct golden_row *row, const char *what, uint64_t cycles);

#endif

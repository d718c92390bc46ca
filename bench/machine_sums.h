/* What the functions of listings took, added up by architecture. */
#ifndef BENCH_MACHINE_SUMS_H
#define BENCH_MACHINE_SUMS_H

#include "model/code.h"

#include <stddef.h>

#define MACHINE_SUMS_MOST 32

/* Of the functions of one architecture. */
struct machine_sum {
  unsigned sm; /* sm_87 is 87 */
  size_t functions;
  size_t instructions;
  size_t refused;
  double seconds;
  double worst; /* seconds of the slowest function */
  char worst_name[200];
};

/* By ascending architecture. All bytes zero: nothing yet. */
struct machine_sums {
  struct machine_sum rows[MACHINE_SUMS_MOST];
  size_t count;
};

/* Adds a function; seconds below 0: it was refused. Architectures beyond MACHINE_SUMS_MOST are
 * left out. */
void machine_sums_add(struct machine_sums *sums, const struct wb_function *function,
                      double seconds);

/* A row for each architecture, with the time of an instruction beside that of the first row. */
void machine_sums_print(const struct machine_sums *sums);

#endif
